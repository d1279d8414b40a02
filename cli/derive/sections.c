#include <config.h>

#include "derive/sections.h"

#include "base/memory.h"
#include "calls/graph.h"
#include "calls/recursion.h"
#include "derive/copy.h"

#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- A part of a profile ---*/

/* Where the contexts of a function are. */
enum place { NOWHERE, WITHIN, OUTSIDE, BOTH };

struct part {
    const struct cprof_profile *from;
    const bool *chosen;
    struct builder *builder;
    unsigned char *places; /* enum place: of each function */
    uint32_t *contexts;    /* the new index of each context; CPROF_NONE: it is not chosen */
    bool hidden;           /* the share of the part of some function is not known */
};

/* Contexts of equal paths become one: a section's that was entered from several. */
static void put_contexts(struct part *t)
{
    const struct cprof_profile *p = t->from;

    t->contexts = xreallocarray(NULL, p->n_contexts, sizeof *t->contexts);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        struct cprof_context context = p->contexts[i];

        t->contexts[i] = CPROF_NONE;
        if (!t->chosen[i])
            continue;
        if (context.parent != CPROF_NONE)
            context.parent = t->contexts[context.parent];
        if (context.parent == CPROF_NONE) {
            context.site_file = CPROF_NONE;
            context.site_line = 0;
            context.site = 0;
        }
        t->contexts[i] = builder_same_context(t->builder, &context);
        if (t->contexts[i] == CPROF_NONE ||
            !copy_context_costs(t->builder, t->contexts[i], p, i, CPROF_NONE))
            return;
    }
    copy_arguments(t->builder, p, t->contexts);
    copy_data(t->builder, p, t->contexts, NULL, NULL, COPY_CURVES);
}

static void find_places(struct part *t)
{
    const struct cprof_profile *p = t->from;

    t->places = xcalloc(p->n_functions, sizeof *t->places);
    for (uint32_t i = 0; i < p->n_contexts; i++)
        t->places[p->contexts[i].function] |= t->chosen[i] ? WITHIN : OUTSIDE;
}

/* A call from the part that leads back: its cost is in a context above. */
static size_t look_at(const struct recursive_call *call, void *data)
{
    struct part *t = data;
    uint32_t callee = t->from->calls[call->call].callee;

    t->hidden |= t->chosen[call->from] && t->places[callee] == BOTH;
    return 1;
}

/* Returns true where the part calls a function again that ran outside too: its paths leave
 * recursion out, and hide the share of the part. */
static bool is_hidden(struct part *t)
{
    return !recursion_each(t->from, look_at, t) || t->hidden;
}

/* Returns true where all such calls were made within the part. */
static bool is_of_part(const struct part *t, const struct cprof_call *call)
{
    return t->places[call->caller] == WITHIN || t->places[call->callee] == WITHIN;
}

/* Copies calls and inclusive costs of functions that ran nowhere else. */
static void put_own(struct part *t)
{
    const struct cprof_profile *p = t->from;

    for (uint32_t i = 0; i < p->n_functions; i++)
        if (t->places[i] == WITHIN && p->functions[i].object != CPROF_NONE &&
            builder_inclusive(t->builder, i, cprof_inclusive_values(p, i)) != 0)
            return;
    for (uint32_t i = 0; i < p->n_calls; i++)
        if (is_of_part(t, &p->calls[i]) &&
            builder_call(t->builder, &p->calls[i], cprof_call_values(p, i)) != 0)
            return;
}

/* Returns true where context `i` is the outermost one of its function in its path. */
static bool is_outermost(const struct part *t, uint32_t i)
{
    const struct cprof_profile *p = t->from;

    for (uint32_t k = p->contexts[i].parent; k != CPROF_NONE && t->chosen[k];
         k = p->contexts[k].parent)
        if (p->contexts[k].function == p->contexts[i].function)
            return false;
    return true;
}

/* Finds calls and inclusive costs of functions that ran outside too, from the paths. A
 * function that was inlined into one of its own callees may be in a path more than once. */
static void put_shared(struct part *t)
{
    const struct cprof_profile *p = t->from;
    const struct paths paths = profile_paths(p);
    int64_t *sums = path_sums(&paths);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        const int64_t *sum = sums + (size_t)i * p->n_events;
        struct cprof_call call = {.callee = c->function,
                                  .file = c->site_file,
                                  .line = c->site_line,
                                  .address = c->site,
                                  .count = c->calls,
                                  .inlined = c->inlined};

        if (!t->chosen[i] || p->functions[c->function].object == CPROF_NONE ||
            t->places[c->function] == WITHIN || !is_outermost(t, i))
            continue;
        if (builder_inclusive(t->builder, c->function, sum) != 0)
            break;
        if (c->parent == CPROF_NONE || !t->chosen[c->parent])
            continue;
        call.caller = p->contexts[c->parent].function;
        if (p->functions[call.caller].object != CPROF_NONE && t->places[call.caller] != WITHIN &&
            builder_call(t->builder, &call, sum) != 0)
            break;
    }
    free(sums);
}

/* Sections that ran nowhere else: what is counted of them is of the part. */
static void put_sections(struct part *t)
{
    const struct cprof_profile *p = t->from;
    bool *wanted = xcalloc(p->n_sections, sizeof *wanted);

    for (uint32_t i = 0; i < p->n_functions; i++) {
        uint32_t section = t->places[i] == WITHIN ? section_of(p, i) : CPROF_NONE;

        if (section != CPROF_NONE)
            wanted[section] = true;
    }
    copy_sections(t->builder, p, wanted);
    free(wanted);
}

struct cprof_profile *part_profile(const struct cprof_profile *p, const bool *chosen,
                                   struct cprof_error *error)
{
    struct part t = {.from = p, .chosen = chosen};

    *error = (struct cprof_error){.code = CPROF_OK};
    t.builder = builder_new(error);
    if (!t.builder)
        return NULL;
    copy_about(t.builder, p);
    copy_names(t.builder, p);
    put_contexts(&t);
    find_places(&t);
    put_sections(&t);
    if (p->inclusive && !is_hidden(&t)) {
        put_own(&t);
        put_shared(&t);
    }
    free(t.places);
    free(t.contexts);
    return builder_finish(t.builder);
}

/*--- Threads ---*/

/* The profile of contexts of functions that are wanted (NULL: of context `root`), and all below. */
static struct cprof_profile *choose(const struct cprof_profile *p, const bool *wanted,
                                    uint32_t root, struct cprof_error *error)
{
    bool *chosen = xcalloc(p->n_contexts, sizeof *chosen);
    struct cprof_profile *part;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        chosen[i] = (wanted ? wanted[c->function] : i == root) ||
                    (c->parent != CPROF_NONE && chosen[c->parent]);
    }
    part = part_profile(p, chosen, error);
    free(chosen);
    return part;
}

struct cprof_profile *thread_profile(const struct cprof_profile *p, uint32_t root,
                                     struct cprof_error *error)
{
    return choose(p, NULL, root, error);
}

/*--- Sections ---*/

uint32_t section_of(const struct cprof_profile *p, uint32_t function)
{
    static const char begin[] = "[section ";
    const struct cprof_function *f = &p->functions[function];
    size_t size = strlen(f->name);

    if (!p->n_sections || f->object != CPROF_NONE || strncmp(f->name, begin, sizeof begin - 1) != 0)
        return CPROF_NONE;
    for (uint32_t i = 0; i < p->n_sections; i++) {
        const char *name = p->sections[i].name;
        size_t length = strlen(name);

        if (size == sizeof begin + length && f->name[size - 1] == ']' &&
            !memcmp(f->name + sizeof begin - 1, name, length))
            return i;
    }
    return CPROF_NONE;
}

uint32_t *section_roots(const struct cprof_profile *p, size_t *n)
{
    uint32_t *roots = xcalloc(p->n_sections + (size_t)1, sizeof *roots);
    bool *seen = xcalloc(p->n_sections + (size_t)1, sizeof *seen);
    bool all = p->n_sections > 0;

    *n = 0;
    for (uint32_t i = 0; i < p->n_contexts && all; i++) {
        uint32_t section = CPROF_NONE;

        if (p->contexts[i].parent != CPROF_NONE)
            continue;
        section = section_of(p, p->contexts[i].function);
        all = section != CPROF_NONE;
        if (all && !seen[section]) {
            seen[section] = true;
            roots[(*n)++] = section;
        }
    }
    if (!all)
        *n = 0;
    free(seen);
    return roots;
}

static struct cprof_profile *fail(struct cprof_error *error, const struct cprof_profile *p,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));

static struct cprof_profile *fail(struct cprof_error *error, const struct cprof_profile *p,
                                  const char *format, ...)
{
    va_list arguments;

    *error = (struct cprof_error){.code = CPROF_ERROR_FOREIGN};
    snprintf(error->source, sizeof error->source, "%s", p->source ? p->source : "profile");
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return NULL;
}

struct cprof_profile *section_profile(const struct cprof_profile *p, const char *text,
                                      struct cprof_error *error)
{
    bool *wanted, any = false;
    struct cprof_profile *part = NULL;
    regex_t regex;

    if (!p->n_sections)
        return fail(error, p,
                    "no sections for --section; the program names them, by the crate "
                    "cprof or cprof-sections.h");
    if (!p->n_contexts)
        return fail(error, p,
                    "no call paths for --section; 'cargo cprof callgrind' and "
                    "'cachegrind --contexts' count them");
    if (regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0)
        return fail(error, p,
                    "'%.80s' is no value for --section; it takes an extended regular expression",
                    text);
    wanted = xcalloc(p->n_functions, sizeof *wanted);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        uint32_t section = section_of(p, i);

        wanted[i] =
            section != CPROF_NONE && !regexec(&regex, p->sections[section].name, 0, NULL, 0);
        any |= wanted[i];
    }
    regfree(&regex);
    if (any)
        part = choose(p, wanted, CPROF_NONE, error);
    else
        fail(error, p, "no section that began matches '%.80s'; --view sections lists them", text);
    free(wanted);
    return part;
}
