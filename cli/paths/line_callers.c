#include <config.h>

#include "paths/line_callers.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    const struct cprof_profile *profile;
    const bool *functions, *files; /* `files`: those of the line's path; NULL: whole functions */
    uint32_t line;
    int64_t *inclusive; /* of each context: n_events */
    int64_t *costs;     /* of each context: what the line cost in it, n_events */
    bool *active;       /* of each context: the line, or the function, is on the path above it */
};

static int64_t *row_of(const struct finder *f, int64_t *counts, uint32_t context)
{
    return counts + (size_t)context * f->profile->n_events;
}

static bool is_at(const struct finder *f, uint32_t file, uint32_t line)
{
    return file != CPROF_NONE && f->files[file] && line == f->line;
}

/* True where a context was called from the line. */
static bool is_called(const struct finder *f, const struct cprof_context *c)
{
    return c->parent != CPROF_NONE && f->functions[f->profile->contexts[c->parent].function] &&
           (!f->files || is_at(f, c->site_file, c->site_line));
}

static void find_active(struct finder *f)
{
    const struct cprof_profile *p = f->profile;

    f->active = xcalloc(p->n_contexts, sizeof *f->active);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        f->active[i] = is_called(f, c) || (c->parent != CPROF_NONE && f->active[c->parent]);
    }
}

/* Adds what a context itself spent, to its inclusive cost, and to that of the line. */
static void add_own(struct finder *f, uint32_t i)
{
    const struct cprof_profile *p = f->profile;
    const struct cprof_context *c = &p->contexts[i];

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
        const struct cprof_cost *cost = &p->context_costs[k];

        counts_add(row_of(f, f->inclusive, i), cprof_context_values(p, k), p->n_events);
        if (f->functions[c->function] && (!f->files || is_at(f, cost->file, cost->line)))
            counts_add(row_of(f, f->costs, i), cprof_context_values(p, k), p->n_events);
    }
}

/* Children stand after their parents. */
static void add_costs(struct finder *f)
{
    const struct cprof_profile *p = f->profile;
    size_t n = (size_t)p->n_contexts * p->n_events;

    f->inclusive = xcalloc(n, sizeof *f->inclusive);
    f->costs = xcalloc(n, sizeof *f->costs);
    for (uint32_t i = p->n_contexts; i-- > 0;) {
        const struct cprof_context *c = &p->contexts[i];

        add_own(f, i);
        if (c->parent == CPROF_NONE)
            continue;
        counts_add(row_of(f, f->inclusive, c->parent), row_of(f, f->inclusive, i), p->n_events);
        if (is_called(f, c))
            counts_add(row_of(f, f->costs, c->parent), row_of(f, f->inclusive, i), p->n_events);
    }
}

/*--- Callers ---*/

/* A context that the line cost something in. */
struct found {
    struct line_caller caller;
    uint32_t context;
};

static struct found found_in(const struct finder *f, uint32_t i)
{
    const struct cprof_context *c = &f->profile->contexts[i];
    bool root = c->parent == CPROF_NONE;

    return (struct found){{.function = root ? CPROF_NONE : f->profile->contexts[c->parent].function,
                           .file = c->site_file,
                           .line = c->site_line,
                           .inlined = c->inlined,
                           .calls = c->calls,
                           .counts = row_of(f, f->costs, i)},
                          i};
}

static int compare_callers(const void *a, const void *b)
{
    const struct line_caller *x = a, *y = b;

    COMPARE(x->function, y->function);
    COMPARE(x->file, y->file);
    COMPARE(x->line, y->line);
    return x->inlined - y->inlined;
}

static int compare_costs(const void *a, const void *b, void *measure)
{
    const struct line_caller *x = a, *y = b;
    int64_t x_value = column_value(measure, x->counts), y_value = column_value(measure, y->counts);

    COMPARE(y_value, x_value);
    return compare_callers(a, b);
}

/* Makes what was found from one call site a single caller. */
static void make_callers(struct line_callers *callers, struct found *found, size_t n,
                         uint32_t n_events)
{
    sort_items(found, n, sizeof *found, compare_callers);
    callers->items = xcalloc(n, sizeof *callers->items);
    callers->counts = xcalloc(n * n_events, sizeof *callers->counts);
    for (size_t i = 0; i < n; i++) {
        bool same =
            callers->n && !compare_callers(&callers->items[callers->n - 1], &found[i].caller);
        int64_t *counts = callers->counts + (callers->n - same) * n_events;

        if (!same) {
            callers->items[callers->n] = found[i].caller;
            callers->items[callers->n].calls = 0;
            callers->items[callers->n++].counts = counts;
        }
        calls_add(&callers->items[callers->n - 1].calls, found[i].caller.calls);
        counts_add(counts, found[i].caller.counts, n_events);
    }
}

static bool *files_of(const struct cprof_profile *p, const char *file)
{
    bool *files = xcalloc((size_t)p->n_files + 1, sizeof *files);

    for (uint32_t i = 0; i < p->n_files; i++)
        files[i] = !strcmp(p->files[i], file);
    return files;
}

void line_callers_load(struct line_callers *callers, const struct cprof_profile *p,
                       const bool *functions, const char *file, uint32_t line,
                       const struct column *measure)
{
    bool *files = file ? files_of(p, file) : NULL;
    struct finder f = {.profile = p, .functions = functions, .files = files, .line = line};
    struct found *found = NULL;
    size_t n = 0, room = 0;

    *callers = (struct line_callers){.n = 0};
    find_active(&f);
    add_costs(&f);
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        if (!functions[p->contexts[i].function] || f.active[i] ||
            !counts_any(row_of(&f, f.costs, i), p->n_events))
            continue;
        APPEND(found, n, room) = found_in(&f, i);
    }
    make_callers(callers, found, n, p->n_events);
    if (callers->n)
        qsort_r(callers->items, callers->n, sizeof *callers->items, compare_costs, (void *)measure);
    free(found);
    free(f.inclusive);
    free(f.costs);
    free(f.active);
    free(files);
}

void line_callers_free(struct line_callers *callers)
{
    free(callers->items);
    free(callers->counts);
    *callers = (struct line_callers){.n = 0};
}
