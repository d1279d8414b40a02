#include <config.h>

/* The profile that a builder has collected. */
#include "builder_private.h"

#include <stdlib.h>
#include <string.h>

/* Copies a vector's elements of `size` bytes into the profile's arena. NULL with the error set. */
static const void *settle(struct builder *b, const struct vector *v, size_t size, uint32_t *count)
{
    const void *copy =
        builder_failed(b) ? NULL : arena_copy(&b->profile->arena, v->data, v->count, size);

    if (!copy)
        builder_out_of_memory(b);
    *count = (uint32_t)v->count;
    return copy;
}

static void settle_vectors(struct builder *b, struct cprof_profile *p)
{
    p->events = settle(b, &b->events, sizeof *p->events, &p->n_events);
    p->objects = settle(b, &b->objects, sizeof *p->objects, &p->n_objects);
    p->files = settle(b, &b->files, sizeof *p->files, &p->n_files);
    p->functions = settle(b, &b->functions, sizeof *p->functions, &p->n_functions);
    p->line_runs = settle(b, &b->line_runs, sizeof *p->line_runs, &p->n_line_runs);
    p->arguments = settle(b, &b->arguments, sizeof *p->arguments, &p->n_arguments);
    p->setup = settle(b, &b->setup, sizeof *p->setup, &p->n_setup);
    p->descriptions = settle(b, &b->descriptions, sizeof *p->descriptions, &p->n_descriptions);
    p->caches = settle(b, &b->caches, sizeof *p->caches, &p->n_caches);
    p->toggles = settle(b, &b->toggles, sizeof *p->toggles, &p->n_toggles);
    p->alloc_functions =
        settle(b, &b->alloc_functions, sizeof *p->alloc_functions, &p->n_alloc_functions);
    p->parts = settle(b, &b->parts, sizeof *p->parts, &p->n_parts);
    p->warnings = settle(b, &b->warnings, sizeof *p->warnings, &p->n_warnings);
    if (b->summary && !builder_failed(b)) {
        p->summary = arena_copy(&b->profile->arena, b->summary, p->n_events, sizeof *b->summary);
        if (!p->summary)
            builder_out_of_memory(b);
    }
}

/* The records of a profile and their counts, two for each table. */
enum {
    RECORDS_COSTS = 0,
    RECORDS_CALLS = 2,
    RECORDS_CONTEXT_COSTS = 4,
    RECORDS_INCLUSIVE = 6,
    RECORDS_CONTEXTS
};

/* Hands a table's memory to the profile. */
static void settle_table(struct profile *p, struct sum_table *t, size_t block)
{
    p->records[block] = t->keys;
    p->records[block + 1] = t->values;
    t->keys = NULL;
    t->values = NULL;
}

static int order_records(struct builder *b)
{
    uint32_t n_functions = (uint32_t)b->functions.count;

    if (builder_order_contexts(b) || builder_end_calls(b) ||
        builder_report(b, table_order(&b->costs, n_functions)) ||
        builder_report(b, table_order(&b->calls, n_functions)))
        return -1;
    return builder_report(b, table_order(&b->inclusive, n_functions));
}

static void settle_costs(struct builder *b, struct cprof_profile *p)
{
    int64_t *totals = arena_alloc(&b->profile->arena, (p->n_events + (size_t)1) * sizeof *totals);

    if (!totals) {
        builder_out_of_memory(b);
        return;
    }
    p->totals = totals;
    if (builder_report(b, table_sum(&b->costs, totals)))
        return;
    p->n_costs = b->costs.count;
    settle_table(b->profile, &b->costs, RECORDS_COSTS);
    p->costs = b->profile->records[RECORDS_COSTS];
    p->cost_values = b->profile->records[RECORDS_COSTS + 1];
    for (uint32_t i = 0; i < p->n_costs; i++) {
        p->has_lines |= p->costs[i].line != 0;
        p->has_addresses |= p->costs[i].address != 0;
    }
}

static void settle_calls(struct builder *b, struct cprof_profile *p)
{
    p->n_calls = b->calls.count;
    settle_table(b->profile, &b->calls, RECORDS_CALLS);
    p->calls = b->profile->records[RECORDS_CALLS];
    p->call_values = b->profile->records[RECORDS_CALLS + 1];
}

static void settle_contexts(struct builder *b, struct cprof_profile *p)
{
    struct paths paths = {.profile = p,
                          .n = (uint32_t)b->contexts.count,
                          .contexts = b->contexts.data,
                          .n_costs = b->context_costs.count};

    b->profile->records[RECORDS_CONTEXTS] = b->contexts.data;
    b->contexts.data = NULL;
    settle_table(b->profile, &b->context_costs, RECORDS_CONTEXT_COSTS);
    paths.costs = b->profile->records[RECORDS_CONTEXT_COSTS];
    paths.values = b->profile->records[RECORDS_CONTEXT_COSTS + 1];
    if (b->contexts_inlined) {
        b->profile->inlined = paths;
        return;
    }
    p->n_contexts = paths.n;
    p->contexts = paths.contexts;
    p->n_context_costs = paths.n_costs;
    p->context_costs = paths.costs;
    p->context_cost_values = paths.values;
}

static void settle_inclusive(struct builder *b, struct cprof_profile *p)
{
    const struct sum_table *t = &b->inclusive;
    const struct inclusive_key *keys = (const void *)t->keys;
    int64_t *rows;

    if (!t->count)
        return;
    rows = calloc(p->n_functions, (p->n_events + (size_t)1) * sizeof *rows);
    if (!rows) {
        builder_out_of_memory(b);
        return;
    }
    for (uint32_t i = 0; i < t->count; i++)
        memcpy(rows + (size_t)keys[i].function * p->n_events, t->values + (size_t)i * t->width,
               p->n_events * sizeof *rows);
    b->profile->records[RECORDS_INCLUSIVE] = rows;
    p->inclusive = rows;
}

struct cprof_profile *builder_finish(struct builder *b)
{
    struct cprof_profile *result = NULL, *p = &b->profile->public;

    settle_vectors(b, p);
    if (!order_records(b)) {
        settle_costs(b, p);
        settle_calls(b, p);
        settle_contexts(b, p);
        settle_inclusive(b, p);
        if (!builder_settle_sections(b, p) && !builder_settle_arguments(b, p) &&
            !builder_settle_types(b, p))
            builder_settle_data(b, p);
        if (!builder_failed(b))
            builder_settle_curves(b, p);
    }
    if (!builder_failed(b)) {
        result = p;
        b->profile = NULL;
    }
    builder_free(b);
    return result;
}
