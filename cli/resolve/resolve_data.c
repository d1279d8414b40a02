#include <config.h>

/* Data that misses were put to, and the types of it. */

#include "base/array.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "names/brackets.h"
#include "resolve/resolver.h"
#include "source/allocation.h"
#include "source/source_file.h"
#include "symbols/type.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*--- Types of blocks ---*/

/*
 * The type of what a call path allocates, by the functions on it from the allocation outwards: type
 * parameters of Rust's and C++'s containers, and what a line of C or C++ says.
 *
 * A type that is not certain is none: misses would be put to fields that are not there.
 */

/* A type that was looked for in a function. */
struct known_hint {
    const void *function; /* where its DIE is */
    char *hint;
    uint32_t type;
};

/* All that searches in one object share. Zero-initialised but for its reader, its finder's program
 * and `built`; allocation_types_free() frees it. */
struct allocation_types {
    struct type_reader reader;
    struct source_finder sources;
    struct timespec built; /* of the object: lines of younger files are not those it is of */
    size_t n_hints, hints_room;
    struct known_hint *hints;
};

/* A search along one call path. Zero-initialised with its `types`, which are borrowed. */
struct allocation_search {
    struct allocation_types *types;
    const char *wrapper; /* the function of the frame before, which says nothing itself */
    unsigned n_wrappers;
};

enum allocation_step {
    ALLOCATION_OUTWARD, /* nothing yet: the frame around it says more */
    ALLOCATION_FOUND,
    ALLOCATION_END /* this frame would say it, and does not */
};

/* A frame of the path: a function, and the line in it of the call that leads to the allocation. */
struct allocation_frame {
    struct debug_function *function;
    const char *file; /* NULL: not known */
    uint32_t line;
};

enum {
    WRAPPERS_MAX = 3, /* own functions around malloc, one in the other */
    LINES_MAX = 6     /* of a call */
};

/*--- Rust ---*/

/* A type of which only the name is known, as with debuginfo=1. */
static uint32_t put_name(struct type_reader *r, const char *text, size_t size)
{
    char *name = xstrndup(text, size);
    uint32_t index = builder_type(r->builder, &(struct cprof_type){.name = name}, NULL);

    free(name);
    return index;
}

/* The first type argument in "with_capacity_in<app::Particle, alloc::alloc::Global>", which is not
 * an allocator. CPROF_NONE: none. */
static uint32_t argument_of_name(struct type_reader *r, const char *name)
{
    const char *open = name ? strchr(name, '<') : NULL, *end, *comma;

    if (!open || open == name || !(end = bracket_end(open, open + strlen(open))))
        return CPROF_NONE;
    open++;
    end--;
    comma = find_outside(open, end, ",");
    if (comma)
        end = comma;
    return end == open ||
                   text_begins_with_word_of(open, "alloc::alloc::Global std::alloc::System '")
               ? CPROF_NONE
               : put_name(r, open, (size_t)(end - open));
}

/* Containers whose elements begin where the block does. */
static bool is_container(const char *path)
{
    static const char modules[] =
        "alloc::vec:: alloc::raw_vec:: alloc::boxed:: alloc::slice:: alloc::collections:: "
        "hashbrown::raw::";

    return text_begins_with_word_of(path, modules);
}

static bool is_std(const char *path)
{
    static const char crates[] =
        "alloc:: core:: std:: hashbrown:: __rust __rdl tikv_jemallocator:: jemallocator:: "
        "mimalloc::";

    return text_begins_with_word_of(path, crates);
}

static enum allocation_step look_rust(struct type_reader *r, struct debug_function *f,
                                      const char *path, uint32_t *type)
{
    Dwarf_Die parameter;

    /* A slice behind its counts, or of a type that has no size; all else was found further in. */
    if (text_begins_with_word_of(path, "alloc::rc:: alloc::sync::"))
        return ALLOCATION_END;
    if (!is_container(path))
        return is_std(path) ? ALLOCATION_OUTWARD : ALLOCATION_END;
    if (type_find_parameter(&f->die, "T", &parameter))
        *type = type_describe(r, &parameter);
    else if (!type_find_parameter(&f->die, NULL, &parameter))
        *type = argument_of_name(r, f->name);
    return *type == CPROF_NONE ? ALLOCATION_OUTWARD : ALLOCATION_FOUND;
}

/*--- Expressions ---*/

/* Goes from the type of an expression to that of a member of it. */
static bool step_into(Dwarf_Die *type, const char *name, size_t size)
{
    char *text = xstrndup(name, size);
    Dwarf_Die member, plain = *type;
    bool found = type_plain(&plain, NULL, NULL) && type_is_struct(&plain) &&
                 type_member(&plain, text, &member) && type_of(&member, type);

    free(text);
    return found;
}

static size_t name_size(const char *text)
{
    size_t size = 0;

    while (is_word(text[size]))
        size++;
    return size;
}

/* The type of "**list->items[n]" in a function. */
static bool type_of_expression(Dwarf_Die *function, const char *text, Dwarf_Die *type)
{
    size_t stars = strspn(text, "*"), size = name_size(text + stars);
    char *name = xstrndup(text + stars, size);
    bool known = size && type_find_local(function, name, type);

    free(name);
    for (text += stars + size; known && *text; text += size) {
        if (*text == '[') {
            const char *end = bracket_end(text, text + strlen(text));

            size = end ? (size_t)(end - text) : 0;
            known = end && type_target(type, type);
            continue;
        }
        if (text_begins(text, "->")) {
            known = type_target(type, type);
            text++;
        } else if (*text != '.') {
            return false;
        }
        size = name_size(++text);
        known = known && size && step_into(type, text, size);
    }
    for (; known && stars; stars--)
        known = type_target(type, type);
    return known;
}

/*--- C and C++ ---*/

/* The type that a hint means: the name of one, also of a type parameter, or an expression. */
static uint32_t find_hinted(struct type_reader *r, struct debug_function *f, const char *hint)
{
    Dwarf_Die type;

    if (type_find_parameter(&f->die, hint, &type) ||
        type_find_named(r->debug, &f->die, hint, &type) || type_of_expression(&f->die, hint, &type))
        return type_describe(r, &type);
    return CPROF_NONE;
}

/* find_hinted() that looks once: a function may allocate on many call paths. */
static uint32_t type_of_hint(struct allocation_types *t, struct debug_function *f, const char *hint)
{
    for (size_t i = 0; i < t->n_hints; i++)
        if (t->hints[i].function == f->key && !strcmp(t->hints[i].hint, hint))
            return t->hints[i].type;
    GROW(t->hints, t->n_hints, t->hints_room);
    t->hints[t->n_hints] =
        (struct known_hint){f->key, xstrdup(hint), find_hinted(&t->reader, f, hint)};
    return t->hints[t->n_hints++].type;
}

/* Some lines of a file from `line` on, or NULL; the caller frees them. */
static char *read_lines(struct allocation_search *s, const struct allocation_frame *frame)
{
    const struct source *source;
    struct strbuf text = {NULL, 0, 0};
    const char *line;
    size_t size;

    if (!frame->file || !frame->line)
        return NULL;
    source = source_find(&s->types->sources, frame->file);
    if (source->state != SOURCE_FOUND ||
        (!source->fixed && source->modified.tv_sec > s->types->built.tv_sec))
        return NULL;
    for (uint32_t i = 0; i < LINES_MAX && source_line(source, frame->line + i, &line, &size); i++) {
        strbuf_add_bytes(&text, line, size);
        strbuf_add_char(&text, '\n');
    }
    return text.text;
}

/* All hints have to mean one type. */
static uint32_t type_of_hints(struct allocation_types *t, struct debug_function *f,
                              const struct allocation *a)
{
    uint32_t type = type_of_hint(t, f, a->hints[0]);

    for (size_t i = 1; i < a->n; i++)
        if (type_of_hint(t, f, a->hints[i]) != type)
            return CPROF_NONE;
    return type;
}

static enum allocation_step look_line(struct allocation_search *s,
                                      const struct allocation_frame *frame, uint32_t *type)
{
    char *text = read_lines(s, frame);
    struct allocation a = {.kind = ALLOCATION_UNCLEAR};
    enum allocation_step step = ALLOCATION_END;

    if (text)
        a = allocation_read(text, s->wrapper, type_is_cxx(&frame->function->die));
    else if (!frame->line)
        a.kind = ALLOCATION_PLAIN; /* it jumps to malloc: a wrapper, as far as one can see */
    if (a.kind == ALLOCATION_HINTS)
        *type = type_of_hints(s->types, frame->function, &a);
    if (*type != CPROF_NONE) {
        step = ALLOCATION_FOUND;
    } else if (a.kind == ALLOCATION_PLAIN && frame->function->name &&
               s->n_wrappers++ < WRAPPERS_MAX) {
        s->wrapper = frame->function->name;
        step = ALLOCATION_OUTWARD;
    }
    allocation_free(&a);
    free(text);
    return step;
}

/* libstdc++'s and libc++'s allocators: the T of `allocator<T>::allocate`. */
static bool find_allocated(struct debug_info *d, struct debug_function *f, Dwarf_Die *type)
{
    static const char allocators[] = "allocator< new_allocator< __new_allocator< malloc_allocator<";
    Dwarf_Die scope;
    const char *name;

    if (!f->name || strcmp(f->name, "allocate") != 0 || !debug_scope(d, &f->die, &scope))
        return false;
    name = dwarf_diename(&scope);
    return name && text_begins_with_word_of(name, allocators) &&
           type_find_parameter(&scope, NULL, type);
}

static enum allocation_step look_cxx(struct allocation_search *s,
                                     const struct allocation_frame *frame, const char *path,
                                     uint32_t *type)
{
    static const char library[] = "std:: __gnu_cxx::";
    struct debug_function *f = frame->function;
    Dwarf_Die parameter;

    if (!text_begins_with_word_of(path, library) && !text_begins(path, "operator new"))
        return look_line(s, frame, type);
    if (find_allocated(s->types->reader.debug, f, &parameter) ||
        (f->name && text_begins(f->name, "make_unique") &&
         type_find_parameter(&f->die, NULL, &parameter)))
        *type = type_describe(&s->types->reader, &parameter);
    return *type == CPROF_NONE ? ALLOCATION_OUTWARD : ALLOCATION_FOUND;
}

/*--- Frames ---*/

/* Looks at the next frame. `*type` is the builder's index of the type that was found. */
static enum allocation_step allocation_look(struct allocation_search *s,
                                            const struct allocation_frame *frame, uint32_t *type)
{
    struct debug_function *f = frame->function;
    char *path = debug_path(s->types->reader.debug, &f->die, f->name ? f->name : "");
    enum allocation_step step;

    *type = CPROF_NONE;
    if (type_is_rust(&f->die))
        step = look_rust(&s->types->reader, f, path, type);
    else if (type_is_cxx(&f->die))
        step = look_cxx(s, frame, path, type);
    else
        step = look_line(s, frame, type);
    free(path);
    return step;
}

/* allocation_look() for a function without debug information, by its symbol or NULL. */
static enum allocation_step allocation_look_symbol(const char *symbol)
{
    /* operator new, and what rustc makes of its own. The standard library as it is delivered
     * describes no function of alloc::raw_vec that is not generic. */

    return symbol && (text_begins_with_word_of(symbol, "_Znw _Zna __rust __rdl_ __rg_") ||
                      strstr(symbol, "___rust") || strstr(symbol, "___rdl_") ||
                      strstr(symbol, "__rdl_alloc") || strstr(symbol, "__rust_alloc") ||
                      strstr(symbol, "__rust_realloc") || strstr(symbol, "7raw_vec"))
               ? ALLOCATION_OUTWARD
               : ALLOCATION_END;
}

static void allocation_types_free(struct allocation_types *t)
{
    for (size_t i = 0; i < t->n_hints; i++)
        free(t->hints[i].hint);
    free(t->hints);
    type_reader_free(&t->reader);
    source_finder_free(&t->sources);
}

/*--- Types ---*/

/* The types of data: of variables by their address, of blocks by the call path that allocated them.
 */

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
static void find_blocks(struct typing *t, uint32_t context, struct data_type *known)
{
    const struct cprof_profile *raw = t->resolver->raw;
    struct allocation_search search = {.types = &t->types};

    for (uint32_t n = 0; n < PATH_MAX_CONTEXTS && n < known->distance; n++) {
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
            *known = (struct data_type){type, n};
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

/*--- Data ---*/

/* The raw cost record of a place; CPROF_NONE: there is none. */
static uint32_t cost_at(const struct cprof_profile *raw, const struct cprof_cost *place)
{
    uint32_t i = profile_find_cost(raw, place->function, place->address);

    return i < raw->n_costs && raw->costs[i].function == place->function &&
                   raw->costs[i].address == place->address
               ? i
               : CPROF_NONE;
}

/* The new context of code at a place: that of what was inlined there. */
static uint32_t context_of(const struct resolver *r, uint32_t context, uint32_t chain)
{
    uint32_t base = r->contexts[context], found = resolver_find_path(r, base, chain);

    return found == CPROF_NONE ? base : found;
}

/* Replaces a raw place, and the context that it is in, by those with names. */
static void name_place(struct resolver *r, struct cprof_cost *place, uint32_t *context)
{
    uint32_t cost = cost_at(r->raw, place);

    if (cost == CPROF_NONE) {
        place->function = resolver_function(r, place->function);
    } else {
        *place = resolver_cost(r, cost);
        if (*context != CPROF_NONE)
            *context = context_of(r, *context, r->places[cost].chain);
    }
}

static int put_touch(struct resolver *r, const struct cprof_touch *from, uint32_t datum)
{
    struct cprof_touch touch = *from;

    touch.datum = datum;
    name_place(r, &touch.place, &touch.context);
    return builder_touch(r->builder, &touch);
}

static void put_curves(struct resolver *r, const uint32_t *data)
{
    const struct cprof_profile *raw = r->raw;
    bool failed = raw->n_curve_sizes &&
                  builder_curve_sizes(r->builder, raw->curve_sizes, raw->n_curve_sizes) != 0;

    for (uint32_t i = 0; i < raw->n_reuses && !failed; i++) {
        struct cprof_reuse reuse = raw->reuses[i];

        name_place(r, &reuse.place, &reuse.context);
        failed = builder_reuse(r->builder, &reuse) != 0;
    }
    for (uint32_t i = 0; i < raw->n_data_reuses && !failed; i++) {
        struct cprof_reuse reuse = raw->data_reuses[i];

        reuse.datum = data[reuse.datum];
        failed = builder_reuse(r->builder, &reuse) != 0;
    }
}

void resolver_put_data(struct resolver *r)
{
    const struct cprof_profile *raw = r->raw;
    uint32_t *data = xcalloc(raw->n_data + (size_t)1, sizeof *data);
    bool failed = false;

    builder_header(r->builder)->has_data = raw->has_data;
    builder_header(r->builder)->has_line_use = raw->has_line_use;
    for (uint32_t i = 0; i < raw->n_data && !failed; i++) {
        struct cprof_datum datum = raw->data[i];

        if (datum.context != CPROF_NONE)
            datum.context = r->contexts[datum.context];
        if (datum.function != CPROF_NONE)
            datum.function = resolver_function(r, datum.function);
        datum.type = r->data_types[i].type;
        data[i] = builder_datum(r->builder, &datum);
        failed = data[i] == CPROF_NONE;
    }
    for (uint32_t i = 0; i < raw->n_touches && !failed; i++)
        failed = put_touch(r, &raw->touches[i], data[raw->touches[i].datum]) != 0;
    if (!failed)
        put_curves(r, data);
    free(data);
}
