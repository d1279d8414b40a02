#include <config.h>

/* Sections: what they cost, and how often an entry cost so much. */
#include "builder_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A section's name is all of its identity. */
uint32_t builder_section(struct builder *b, const char *name)
{
    struct section_sums *sums = b->sections.data, *new;

    if (builder_failed(b) || !(name = builder_text(b, name, strlen(name))))
        return CPROF_NONE;
    for (uint32_t i = 0; i < b->sections.count; i++)
        if (sums[i].public.name == name)
            return i;
    if (!(new = builder_push(b, &b->sections, sizeof *new)))
        return CPROF_NONE;
    *new = (struct section_sums){.public.name = name};
    return (uint32_t)b->sections.count - 1;
}

static struct section_sums *section_at(struct builder *b, uint32_t section)
{
    if (builder_failed(b))
        return NULL;
    assert(section < b->sections.count);
    return (struct section_sums *)b->sections.data + section;
}

const char *builder_section_name(const struct builder *b, uint32_t section)
{
    return ((const struct section_sums *)b->sections.data)[section].public.name;
}

/* Adds counts of entries. -1 on overflow. */
static int add(uint64_t *to, uint64_t n)
{
    int64_t sum;

    if (n > INT64_MAX || __builtin_add_overflow((int64_t)*to, (int64_t)n, &sum))
        return -1;
    *to = (uint64_t)sum;
    return 0;
}

int builder_section_entries(struct builder *b, uint32_t section, const struct cprof_section *from)
{
    struct section_sums *s = section_at(b, section);

    if (!s)
        return -1;
    if (add(&s->public.began, from->began) || add(&s->public.ended, from->ended) ||
        add(&s->public.lost, from->lost) || add(&s->public.stray, from->stray) ||
        add(&s->public.foreign, from->foreign) || add(&s->public.crossed, from->crossed))
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of entries exceeds 2^63-1");
    return 0;
}

int builder_section_cost(struct builder *b, uint32_t section, const int64_t *values)
{
    struct inclusive_key key = {section, 0};

    return section_at(b, section) ? builder_report(b, table_add(&b->section_costs, &key, values))
                                  : -1;
}

int builder_section_spread(struct builder *b, uint32_t section, uint64_t cost, uint64_t entries)
{
    struct spread_sum *new;

    if (!section_at(b, section))
        return -1;
    if (cost > INT64_MAX || entries > INT64_MAX)
        return builder_fail(b, CPROF_ERROR_RANGE, "a cost of entries exceeds 2^63-1");
    if (!entries)
        return 0;
    if (!(new = builder_push(b, &b->spreads, sizeof *new)))
        return -1;
    *new = (struct spread_sum){.public = {cost, entries}, .section = section};
    return 0;
}

int builder_section_extremes(struct builder *b, uint32_t section, uint64_t least, uint64_t greatest)
{
    struct section_sums *s = section_at(b, section);

    if (!s)
        return -1;
    if (greatest > INT64_MAX || least > greatest)
        return builder_fail(b, CPROF_ERROR_RANGE, "the extremes of a section are no numbers");
    if (!s->public.rounded || least < s->least)
        s->least = least;
    if (greatest > s->greatest)
        s->greatest = greatest;
    s->public.rounded = 1;
    return 0;
}

static int by_cost(const void *a, const void *b)
{
    const struct spread_sum *x = a, *y = b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->public.cost == y->public.cost ? 0 : x->public.cost < y->public.cost ? -1 : 1;
}

/* Makes equal costs of a section one. Returns how many are left, or -1 on overflow. */
static long unite(struct spread_sum *all, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (kept && !by_cost(&all[kept - 1], &all[i])) {
            if (add(&all[kept - 1].public.entries, all[i].public.entries))
                return -1;
        } else {
            all[kept++] = all[i];
        }
    }
    return (long)kept;
}

/* Finds the least, the median and the greatest of a section, which has spreads. -1 on overflow. */
static int find_median(struct section_sums *s, const struct cprof_spread *spreads)
{
    struct cprof_section *p = &s->public;
    uint64_t n = 0, before = 0;
    uint32_t i = p->first_spread;

    for (uint32_t k = 0; k < p->n_spreads; k++)
        if (add(&n, spreads[p->first_spread + k].entries))
            return -1;
    while (before + spreads[i].entries <= (n - 1) / 2)
        before += spreads[i++].entries;
    p->median = spreads[i].cost;
    p->least = spreads[p->first_spread].cost;
    p->greatest = spreads[p->first_spread + p->n_spreads - 1].cost;
    if (p->rounded) {
        /* The first cost is the least one, rounded down, unless another profile has a lower one. */
        if (s->least - p->least <= s->least >> 8)
            p->least = s->least;
        p->greatest = s->greatest > p->greatest ? s->greatest : p->greatest;
        p->median = p->median < p->least ? p->least : p->median;
    }
    return 0;
}

/* Copies the spreads into the profile, and finds those of each section. 0 or -1. */
static int settle_spreads(struct builder *b, struct cprof_profile *p)
{
    struct spread_sum *all = b->spreads.data;
    struct section_sums *sections = b->sections.data;
    struct cprof_spread *copy;
    long n;

    if (b->spreads.count)
        qsort(all, b->spreads.count, sizeof *all, by_cost);
    n = unite(all, b->spreads.count);
    if (n < 0)
        return builder_fail(b, CPROF_ERROR_RANGE, "a number of entries exceeds 2^63-1");
    if (!(copy = arena_alloc(&b->profile->arena, ((size_t)n + 1) * sizeof *copy)))
        return builder_out_of_memory(b);
    for (long i = 0; i < n; i++) {
        struct cprof_section *s = &sections[all[i].section].public;
        if (!s->n_spreads++)
            s->first_spread = (uint32_t)i;
        copy[i] = all[i].public;
    }
    p->n_spreads = (uint32_t)n;
    p->spreads = copy;
    for (uint32_t i = 0; i < b->sections.count; i++)
        if (sections[i].public.n_spreads && find_median(&sections[i], copy))
            return builder_fail(b, CPROF_ERROR_RANGE, "a number of entries exceeds 2^63-1");
    return 0;
}

int builder_settle_sections(struct builder *b, struct cprof_profile *p)
{
    const struct section_sums *sections = b->sections.data;
    const struct sum_table *t = &b->section_costs;
    const struct inclusive_key *keys = (const void *)t->keys;
    size_t n = b->sections.count;
    struct cprof_section *copy;
    int64_t *rows;

    if (!n)
        return 0;
    if (settle_spreads(b, p))
        return -1;
    copy = arena_alloc(&b->profile->arena, n * sizeof *copy);
    rows = arena_alloc(&b->profile->arena, n * (p->n_events + (size_t)1) * sizeof *rows);
    if (!copy || !rows)
        return builder_out_of_memory(b);
    memset(rows, 0, n * (p->n_events + (size_t)1) * sizeof *rows);
    for (size_t i = 0; i < n; i++)
        copy[i] = sections[i].public;
    for (uint32_t i = 0; i < t->count; i++)
        memcpy(rows + (size_t)keys[i].function * p->n_events, t->values + (size_t)i * t->width,
               p->n_events * sizeof *rows);
    p->n_sections = (uint32_t)n;
    p->sections = copy;
    p->section_values = rows;
    return 0;
}
