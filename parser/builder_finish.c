#include <config.h>

#include "builder_private.h"

/* Moves a vector's elements into the profile's arena. NULL with the error set. */
static const void *settle(struct builder *b, const struct vector *v, uint32_t *count)
{
    const void *copy =
        builder_failed(b) ? NULL : arena_copy(&b->profile->arena, v->data, v->count, v->size);

    if (!copy)
        builder_out_of_memory(b);
    *count = v->count;
    return copy;
}

static void settle_vectors(struct builder *b, struct cprof_profile *p)
{
    p->events = settle(b, &b->events, &p->n_events);
    p->objects = settle(b, &b->objects, &p->n_objects);
    p->files = settle(b, &b->files, &p->n_files);
    p->functions = settle(b, &b->functions, &p->n_functions);
    p->arguments = settle(b, &b->arguments, &p->n_arguments);
    p->descriptions = settle(b, &b->descriptions, &p->n_descriptions);
    p->caches = settle(b, &b->caches, &p->n_caches);
    p->parts = settle(b, &b->parts, &p->n_parts);
    p->warnings = settle(b, &b->warnings, &p->n_warnings);
    if (b->summary && !builder_failed(b)) {
        p->summary = arena_copy(&b->profile->arena, b->summary, p->n_events, sizeof *b->summary);
        if (!p->summary)
            builder_out_of_memory(b);
    }
}

/* Hands a table's memory to the profile. */
static void settle_table(struct profile *p, struct table *t, size_t block)
{
    p->blocks[block] = t->keys;
    p->blocks[block + 1] = t->values;
    t->keys = NULL;
    t->values = NULL;
}

static void settle_records(struct builder *b, struct cprof_profile *p)
{
    int64_t *totals;

    if (builder_failed(b) || builder_report(b, table_order(&b->costs, b->functions.count)) ||
        builder_report(b, table_order(&b->calls, b->functions.count)))
        return;
    totals = arena_alloc(&b->profile->arena, (b->events.count + (size_t)1) * sizeof *totals);
    if (!totals) {
        builder_out_of_memory(b);
        return;
    }
    p->totals = totals;
    if (builder_report(b, table_sum(&b->costs, totals)))
        return;
    p->n_costs = b->costs.count;
    p->n_calls = b->calls.count;
    settle_table(b->profile, &b->costs, 0);
    settle_table(b->profile, &b->calls, 2);
    p->costs = b->profile->blocks[0];
    p->cost_values = b->profile->blocks[1];
    p->calls = b->profile->blocks[2];
    p->call_values = b->profile->blocks[3];
    for (uint32_t i = 0; i < p->n_costs; i++) {
        p->has_lines |= p->costs[i].line != 0;
        p->has_addresses |= p->costs[i].address != 0;
    }
}

struct cprof_profile *builder_finish(struct builder *b)
{
    struct cprof_profile *result = NULL;

    settle_vectors(b, &b->profile->public);
    settle_records(b, &b->profile->public);
    if (!builder_failed(b)) {
        result = &b->profile->public;
        b->profile = NULL;
    }
    builder_free(b);
    return result;
}
