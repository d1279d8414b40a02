#include <config.h>

#include "paths/call_rows.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    COMPARE(x->caller, y->caller);
    COMPARE(x->callee, y->callee);
    return x->inlined - y->inlined;
}

/* Makes one edge of those with the same ends. */
static void merge(struct edges *e)
{
    size_t kept = 0;

    sort_items(e->items, e->n, sizeof *e->items, compare);
    for (size_t i = 0; i < e->n; i++) {
        struct edge *last = kept ? &e->items[kept - 1] : NULL;

        if (!last || compare(last, &e->items[i]) != 0) {
            e->items[kept++] = e->items[i];
            continue;
        }
        counts_add(&last->cost, &e->items[i].cost, 1);
        calls_add(&last->calls, e->items[i].calls);
    }
    e->n = kept;
}

void edges_load(struct edges *e, const struct tree *t, const struct column *measure)
{
    const struct cprof_profile *p = t->profile;

    e->n = 0;
    e->items = xreallocarray(NULL, (size_t)p->n_calls + t->n, sizeof *e->items);
    for (uint32_t i = 0; i < p->n_calls; i++)
        e->items[e->n++] =
            (struct edge){p->calls[i].caller, p->calls[i].callee, p->calls[i].inlined,
                          p->calls[i].count, column_value(measure, cprof_call_values(p, i))};
    for (uint32_t i = 1; i < t->n && !p->n_calls; i++) {
        const struct tree_node *node = &t->nodes[i];

        if (node->parent)
            e->items[e->n++] =
                (struct edge){t->nodes[node->parent].function, node->function, node->inlined,
                              node->calls, column_value(measure, tree_inclusive(t, i))};
    }
    merge(e);
}

void edges_free(struct edges *e)
{
    free(e->items);
    *e = (struct edges){.n = 0};
}

/* Compares calls: those of one row are equal. */
static int compare_rows(const void *a, const void *b)
{
    const struct cprof_call *x = *(const struct cprof_call *const *)a;
    const struct cprof_call *y = *(const struct cprof_call *const *)b;

    COMPARE(x->caller, y->caller);
    COMPARE(x->callee, y->callee);
    COMPARE(x->file, y->file);
    COMPARE(x->line, y->line);
    return 0;
}

/* Finds the calls by the function, or of it (`callers`); `*n` of them. The caller frees the
 * array. */
static const struct cprof_call **choose(const struct cprof_profile *p, uint32_t function,
                                        bool callers, size_t *n)
{
    const struct cprof_call **chosen = xcalloc(p->n_calls, sizeof *chosen);

    *n = 0;
    for (uint32_t i = 0; i < p->n_calls; i++)
        if ((callers ? p->calls[i].callee : p->calls[i].caller) == function)
            chosen[(*n)++] = &p->calls[i];
    sort_items(chosen, *n, sizeof *chosen, compare_rows);
    return chosen;
}

/* The row of each function; CPROF_NONE: it has no cost, and no row. */
static uint32_t *index_rows(const struct rows *rows)
{
    uint32_t n = rows->profile->n_functions;
    uint32_t *index = xreallocarray(NULL, n, sizeof *index);

    for (uint32_t i = 0; i < n; i++)
        index[i] = CPROF_NONE;
    for (size_t i = 0; i < rows->n; i++)
        index[rows->items[i].function] = (uint32_t)i;
    return index;
}

static void describe(struct row *row, const struct rows *rows, const struct cprof_call *call,
                     uint32_t other)
{
    const struct cprof_profile *p = rows->profile;
    uint32_t object = p->functions[call->caller].object;
    const char *file = call->file == CPROF_NONE ? NULL : p->files[call->file];

    *row = rows->items[other];
    row->function = other;
    row->file = file && strcmp(file, "???") != 0 ? file : NULL;
    row->line = call->line;
    row->object = object == CPROF_NONE ? NULL : p->objects[object].path;
    row->inlined = 0;
    row->entered = 0; /* at this place it is not known */
}

static void add(int64_t *counts, const struct cprof_profile *p, const struct cprof_call *call)
{
    int64_t n = calls_count(call->count);

    counts_add(counts + p->n_events, cprof_call_values(p, (uint32_t)(call - p->calls)),
               p->n_events);
    counts_add(counts + 2 * (size_t)p->n_events, &n, 1);
}

/* Limits inclusive costs: calls from several places on one line may be under way at once, but none
 * costs more than either function does. */
static void bound(int64_t *counts, const struct row *a, const struct row *b, uint32_t n_events)
{
    for (uint32_t i = n_events; i < 2 * n_events; i++) {
        if (counts[i] > a->counts[i])
            counts[i] = a->counts[i];
        if (counts[i] > b->counts[i])
            counts[i] = b->counts[i];
    }
}

void call_rows_load(struct rows *calls, const struct rows *rows, size_t index, bool callers)
{
    const struct cprof_profile *p = rows->profile;
    size_t n, width = rows_width(p);
    const struct cprof_call **chosen = choose(p, rows->items[index].function, callers, &n);
    uint32_t *row_of = index_rows(rows);

    *calls = (struct rows){.profile = p};
    calls->items = xcalloc(n, sizeof *calls->items);
    calls->counts = xcalloc(n * width, sizeof *calls->counts);
    calls->totals = xcalloc(width, sizeof *calls->totals);
    memcpy(calls->totals, rows->totals, width * sizeof *calls->totals);
    for (size_t i = 0, begin = 0; i < n; i++) {
        uint32_t other = row_of[callers ? chosen[i]->caller : chosen[i]->callee];

        if (other == CPROF_NONE)
            continue;
        if (calls->n == 0 || compare_rows(&chosen[begin], &chosen[i]) != 0) {
            describe(&calls->items[calls->n], rows, chosen[i], other);
            calls->items[calls->n].counts = calls->counts + calls->n * width;
            calls->n++;
            begin = i;
        }
        calls->items[calls->n - 1].inlined |= chosen[i]->inlined;
        add(calls->counts + (calls->n - 1) * width, p, chosen[i]);
    }
    for (size_t i = 0; i < calls->n; i++)
        bound(calls->counts + i * width, &rows->items[index],
              &rows->items[calls->items[i].function], p->n_events);
    calls->n_all = calls->n;
    free(row_of);
    free(chosen);
}
