#include <config.h>

#include "table/callers.h"

#include "base/memory.h"
#include "cprof_internal.h"
#include "table/rows.h"

#include <stdlib.h>
#include <string.h>

int code_spot_compare(const struct code_spot *a, const struct code_spot *b)
{
    COMPARE(a->function, b->function);
    COMPARE(a->file, b->file);
    COMPARE(a->line, b->line);
    return 0;
}

/* A method of the program's own allocator, or what rustc makes of #[global_allocator], which lies
 * in the program's crate: "__rustc::__rust_alloc", "__rg_dealloc". */
static bool is_allocators(const char *name)
{
    static const char *const prefixes[] = {"__rust_", "__rg_", "__rdl_"};
    const char *last = strrchr(name, ':');

    last = last ? last + 1 : name;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(last, prefixes[i], strlen(prefixes[i])))
            return true;
    return strstr(name, "GlobalAlloc>::") != NULL;
}

/* True of each function that has allocations of its own: it is an allocation function. */
static bool *allocation_functions(const struct cprof_profile *p)
{
    uint32_t allocs = cprof_find_event(p, "Allocs"), reallocs = cprof_find_event(p, "Reallocs");
    bool *found = xcalloc(p->n_functions + (size_t)1, sizeof *found);

    for (uint32_t i = 0; i < p->n_costs; i++) {
        const int64_t *counts = cprof_cost_values(p, i);

        found[p->costs[i].function] |= (allocs != CPROF_NONE && counts[allocs]) ||
                                       (reallocs != CPROF_NONE && counts[reallocs]);
    }
    return found;
}

/* By function; the caller frees it. */
static bool *find_callers(const struct cprof_profile *p, const bool *own)
{
    bool *callers = xcalloc(p->n_functions + (size_t)1, sizeof *callers), any = false;
    bool *allocate = allocation_functions(p);

    for (uint32_t i = 0; i < p->n_functions; i++) {
        callers[i] = own[i] && !allocate[i] && !is_allocators(p->functions[i].name);
        any |= callers[i];
    }
    for (uint32_t i = 0; i < p->n_functions && !any; i++)
        callers[i] = p->functions[i].object != CPROF_NONE && !allocate[i];
    free(allocate);
    return callers;
}

/* Contexts stand behind their parents. */
static struct code_spot *find_above(const struct cprof_profile *p, const bool *callers)
{
    struct code_spot *above = xcalloc(p->n_contexts + (size_t)1, sizeof *above);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        if (c->parent == CPROF_NONE)
            above[i] = (struct code_spot){CPROF_NONE, CPROF_NONE, 0};
        else if (callers[p->contexts[c->parent].function])
            above[i] =
                (struct code_spot){p->contexts[c->parent].function, c->site_file, c->site_line};
        else
            above[i] = above[c->parent];
    }
    return above;
}

void callers_load(struct callers *c, const struct cprof_profile *p, const bool *own)
{
    c->profile = p;
    c->is = find_callers(p, own);
    c->above = find_above(p, c->is);
    c->has_file = xcalloc(p->n_files + (size_t)1, sizeof *c->has_file);
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (c->is[i] && p->functions[i].file != CPROF_NONE)
            c->has_file[p->functions[i].file] = true;
}

void callers_free(struct callers *c)
{
    free(c->is);
    free(c->above);
    free(c->has_file);
}

bool name_filter_finds(const struct name_filter *filter, uint32_t function)
{
    const struct cprof_function *f = &filter->profile->functions[function];

    return rows_name_matches(f->name, f->mangled, filter->regex);
}

/* The function of a place need not be its context's. */
struct code_spot callers_spot(const struct callers *c, const struct cprof_cost *place,
                              uint32_t context)
{
    struct code_spot itself = {place->function, place->file, place->line};
    uint32_t entered;

    if (c->is[place->function] || context == CPROF_NONE)
        return itself;
    entered = c->profile->contexts[context].function;
    if (c->is[entered])
        return (struct code_spot){entered, place->file, place->line};
    return c->above[context].function == CPROF_NONE ? itself : c->above[context];
}

static bool is_line(const struct callers *c, const struct code_spot *spot)
{
    return spot->line && spot->file != CPROF_NONE && c->has_file[spot->file];
}

/* `spot`, if it is a line. Else, where a caller's line is not known, where that is defined, as a
 * line above is another function's; else the nearest line above `context`, if there is one. */
static struct code_spot line_or_above(const struct callers *c, struct code_spot spot,
                                      uint32_t context)
{
    const struct cprof_profile *p = c->profile;

    if (is_line(c, &spot))
        return spot;
    if (!spot.line && spot.function != CPROF_NONE && c->is[spot.function]) {
        const struct cprof_function *f = &p->functions[spot.function];

        return (struct code_spot){spot.function, f->file, f->line};
    }
    for (; context != CPROF_NONE; context = p->contexts[context].parent) {
        struct code_spot above = c->above[context];

        if (above.function == CPROF_NONE)
            break;
        if (is_line(c, &above))
            return above;
    }
    return spot;
}

struct code_spot callers_line(const struct callers *c, const struct cprof_cost *place,
                              uint32_t context)
{
    return line_or_above(c, callers_spot(c, place, context), context);
}

struct code_spot callers_line_above(const struct callers *c, uint32_t context)
{
    return line_or_above(c, c->above[context], context);
}
