#include <config.h>

#include "diff/why_misses.h"

#include "base/counts.h"

#include <stdbool.h>
#include <string.h>

enum {
    FETCH = 1 << CPROF_REUSE_FETCH,
    READ = 1 << CPROF_REUSE_READ,
    WRITE = 1 << CPROF_REUSE_WRITE
};

static const struct event {
    const char *name;
    unsigned kinds; /* of accesses */
    bool is_last;   /* of the last level */
    const char *accesses;
} events[] = {
    {"I1mr", FETCH, false, "instructions"},
    {"D1mr", READ, false, "reads"},
    {"D1mw", WRITE, false, "writes"},
    {"D1m", READ | WRITE, false, "reads and writes"},
    {"ILmr", FETCH, true, NULL},
    {"DLmr", READ, true, NULL},
    {"DLmw", WRITE, true, NULL},
    {"DLm", READ | WRITE, true, NULL},
    {"LLm", FETCH | READ | WRITE, true, NULL},
};

/* The events of accesses, by their kind. */
static const char *const accesses[] = {
    [CPROF_REUSE_FETCH] = "Ir", [CPROF_REUSE_READ] = "Dr", [CPROF_REUSE_WRITE] = "Dw"};

static const struct event *find_event(const char *name)
{
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!strcmp(events[i].name, name))
            return &events[i];
    return NULL;
}

/* Misses that a fully associative last level of so many bytes has; UINT64_MAX: first uses alone. */
static int64_t misses_of(const struct cprof_profile *p, unsigned kinds, uint64_t bytes)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < p->n_reuses; i++) {
        const struct cprof_reuse *r = &p->reuses[i];

        if ((kinds >> r->kind & 1) && (!r->size || r->size > bytes))
            count_add(&sum, (int64_t)r->misses);
    }
    return sum;
}

/* The misses of the first level that a profile counted. */
static int64_t counted(const struct cprof_profile *p, unsigned kinds)
{
    int64_t sum = 0;

    for (uint32_t e = 0; e < p->n_events; e++) {
        const struct event *event = find_event(p->events[e].name);

        if (event && !event->is_last && (event->kinds & kinds))
            count_add(&sum, p->totals[e]);
    }
    return sum;
}

/* Adds the change of accesses of some kinds; false: it is not known. */
static bool add_accesses(int64_t *sum, const struct diff *d, unsigned kinds)
{
    for (unsigned kind = 0; kind < CPROF_REUSE_KINDS; kind++) {
        uint32_t e = 0;

        if (!(kinds >> kind & 1))
            continue;
        while (e < d->common.n && strcmp(d->common.items[e].name, accesses[kind]) != 0)
            e++;
        if (e == d->common.n)
            return false;
        count_add(sum, d->total.counts[DIFF_NEW][e] - d->total.counts[DIFF_OLD][e]);
    }
    return true;
}

static bool has_curves(const struct cprof_profile *p, unsigned kinds)
{
    return p->n_curve_sizes && misses_of(p, kinds, 0) == counted(p, kinds);
}

static bool have_same_caches(const struct cprof_profile *a, const struct cprof_profile *b)
{
    bool same = a->n_caches == b->n_caches;

    for (uint32_t i = 0; same && i < a->n_caches; i++)
        same = !strcmp(a->caches[i].name, b->caches[i].name) &&
               a->caches[i].size == b->caches[i].size && a->caches[i].ways == b->caches[i].ways &&
               a->caches[i].line_size == b->caches[i].line_size;
    return same;
}

/* The size of the last level, where the curve has it; 0: it has not. */
static uint64_t last_level_size(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_caches; i++)
        for (uint32_t k = 0; k < p->n_curve_sizes; k++)
            if (!strcmp(p->caches[i].name, "LL") && p->curve_sizes[k] == p->caches[i].size)
                return p->caches[i].size;
    return 0;
}

void why_misses_load(struct why_misses *m, const struct diff *d, const char *name,
                     int64_t old_total, int64_t new_total)
{
    const struct cprof_profile *old = d->profile[DIFF_OLD], *new = d->profile[DIFF_NEW];
    const struct event *event = find_event(name);
    int64_t full;

    *m = (struct why_misses){.state = WHY_MISSES_NONE};
    if (!event)
        return;
    m->state = WHY_MISSES_UNKNOWN;
    if (!has_curves(old, event->kinds) || !has_curves(new, event->kinds))
        return;
    m->state = WHY_MISSES_OTHER;
    if (!have_same_caches(old, new))
        return;
    m->state = WHY_MISSES_FIRST;
    m->first = misses_of(new, event->kinds, UINT64_MAX) - misses_of(old, event->kinds, UINT64_MAX);
    m->accesses_name = event->accesses;
    m->accesses_known = event->accesses && add_accesses(&m->accesses, d, event->kinds);
    m->size = event->is_last ? last_level_size(new) : 0;
    if (!m->size || m->size != last_level_size(old))
        return;
    m->state = WHY_MISSES_DIVIDED;
    full = misses_of(new, event->kinds, m->size) - misses_of(old, event->kinds, m->size);
    m->capacity = full - m->first;
    m->conflict = new_total - old_total - full;
}
