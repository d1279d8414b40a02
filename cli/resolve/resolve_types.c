#include <config.h>

/* The types of data: of variables by their address, of blocks by the call path that allocated them.
 */
#include "base/memory.h"
#include "base/sort.h"
#include "resolve/allocation_type.h"
#include "resolve/resolver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_MAX_CONTEXTS = 64 }; /* that are looked at from an allocation outwards */

/* Types of one object's allocations and variables. */
struct typing {
    struct resolver *resolver;
    struct object_names *names;
    uint32_t object;
    struct allocation_types types;
};

/*--- Variables ---*/

static bool is_of(const struct cprof_datum *d, const struct cprof_object *o)
{
    return d->kind == CPROF_DATA_VARIABLE && d->path && !strcmp(d->path, o->path);
}

static int by_address(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;

    return x->address == y->address ? 0 : x->address < y->address ? -1 : 1;
}

static void find_variables(struct typing *t)
{
    struct resolver *r = t->resolver;
    const struct cprof_profile *raw = r->raw;
    const struct cprof_object *object = &raw->objects[t->object];
    struct variable *variables = xcalloc(raw->n_data + (size_t)1, sizeof *variables);
    size_t n = 0;

    for (uint32_t i = 0; i < raw->n_data; i++)
        if (is_of(&raw->data[i], object))
            variables[n++].address = raw->data[i].address;
    sort_items(variables, n, sizeof *variables, by_address);
    type_find_variables(&t->names->debug, variables, n);
    for (uint32_t i = 0; i < raw->n_data && n; i++) {
        const struct cprof_datum *d = &raw->data[i];
        struct variable *v;

        if (!is_of(d, object))
            continue;
        v = variable_at(variables, n, d->address);
        if (v && v->found)
            r->data_types[i] = (struct data_type){type_describe(&t->types.reader, &v->type), 0};
    }
    free(variables);
}

/*--- Blocks ---*/

/* Looks at the frames of the call at `site`, or at the function itself where that is a jump. */
static enum allocation_step look_at_call(struct typing *t, struct allocation_search *search,
                                         uint64_t site, uint64_t function, uint32_t *type)
{
    struct debug_info *d = &t->names->debug;
    struct allocation_frame frame = {.file = NULL};
    enum allocation_step step = ALLOCATION_OUTWARD;
    uint32_t i = site ? debug_frame(d, site) : DEBUG_NONE, outer;

    if (site && !debug_line(d, site, &frame.file, &frame.line))
        frame.file = NULL;
    for (; i != DEBUG_NONE && step == ALLOCATION_OUTWARD; i = d->frames[i].parent) {
        frame.function = &d->functions[d->frames[i].function];
        step = allocation_look(search, &frame, type);
        frame.file = d->frames[i].file;
        frame.line = d->frames[i].line;
    }
    if (step != ALLOCATION_OUTWARD)
        return step;
    outer = debug_function(d, site ? site : function);
    if (outer == DEBUG_NONE && object_names_is_stub(t->names, function))
        return ALLOCATION_OUTWARD;
    if (outer == DEBUG_NONE)
        return allocation_look_symbol(object_names_symbol(t->names, site ? site : function));
    frame.function = &d->functions[outer];
    return allocation_look(search, &frame, type);
}

/* Looks along a path for what this object says of the type, no further than what is known. */
static void find_blocks(struct typing *t, uint32_t context, struct data_type *of)
{
    const struct cprof_profile *raw = t->resolver->raw;
    struct allocation_search search = {.types = &t->types};

    for (uint32_t n = 0; n < PATH_MAX_CONTEXTS && n < of->distance; n++) {
        const struct cprof_context *c = &raw->contexts[context];
        const struct cprof_function *caller;
        enum allocation_step step = ALLOCATION_OUTWARD;
        uint32_t type = CPROF_NONE;

        context = c->parent;
        if (context == CPROF_NONE)
            break;
        caller = &raw->functions[raw->contexts[context].function];
        if (caller->object == t->object)
            step = look_at_call(t, &search, c->site, caller->address, &type);
        if (step != ALLOCATION_OUTWARD) {
            *of = (struct data_type){type, n};
            break;
        }
    }
}

/* A library with debug information of the distribution's: nobody lays out its variables anew, and
 * there are many. */
static bool is_of_distribution(const struct typing *t)
{
    const struct cprof_profile *raw = t->resolver->raw;
    const char *path = t->names->elf.debug_path;

    return path && !strncmp(path, DEBUG_ROOT "/", strlen(DEBUG_ROOT "/")) &&
           !(raw->program && !strcmp(raw->program, raw->objects[t->object].path));
}

void resolver_find_types(struct resolver *r, struct object_names *names, uint32_t object)
{
    const struct cprof_profile *raw = r->raw;
    struct typing t = {.resolver = r, .names = names, .object = object};
    struct stat facts;

    t.types.reader = (struct type_reader){.debug = &names->debug, .builder = r->builder};
    t.types.sources = (struct source_finder){.program = raw->program};
    if (stat(raw->objects[object].path, &facts) == 0)
        t.types.built = facts.st_mtim;
    if (!is_of_distribution(&t))
        find_variables(&t);
    for (uint32_t i = 0; i < raw->n_data; i++)
        if (raw->data[i].kind == CPROF_DATA_BLOCKS && raw->data[i].context != CPROF_NONE)
            find_blocks(&t, raw->data[i].context, &r->data_types[i]);
    allocation_types_free(&t.types);
}
