#include <config.h>

#include "diff/section_pairs.h"

#include "base/memory.h"
#include "diff/band.h"

#include <stdlib.h>
#include <string.h>

uint32_t section_find(const struct cprof_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_sections; i++)
        if (!strcmp(p->sections[i].name, name))
            return i;
    return CPROF_NONE;
}

static int64_t *counts_of(const struct diff *d, enum diff_side side, uint32_t section)
{
    const struct cprof_profile *p = d->profile[side];
    int64_t *counts = xcalloc(d->width + 1, sizeof *counts);

    if (section == CPROF_NONE)
        return counts;
    for (uint32_t e = 0; e < d->common.n; e++)
        counts[e] = cprof_section_values(p, section)[d->events[side][e]];
    if (d->common.inclusive)
        counts[2 * d->common.n] = (int64_t)p->sections[section].began;
    return counts;
}

static struct diff_band band_of(const struct diff *d, enum diff_side side, const char *name,
                                const int64_t *counts)
{
    char *key = noise_section_key(name);
    const struct noise *noise = d->noise[side];
    struct diff_band band = diff_band_of(d, side, noise ? noise_find(noise, key) : NULL, counts);

    free(key);
    return band;
}

static void add(struct section_pairs *pairs, const struct diff *d, const char *name)
{
    struct section_pair *pair = &pairs->items[pairs->n++];

    pair->name = name;
    for (int side = DIFF_OLD; side < DIFF_SIDES; side++) {
        pair->index[side] = section_find(d->profile[side], name);
        pair->counts[side] = counts_of(d, (enum diff_side)side, pair->index[side]);
        pair->band[side] = band_of(d, (enum diff_side)side, name, pair->counts[side]);
    }
}

void section_pairs_load(struct section_pairs *pairs, const struct diff *d)
{
    const struct cprof_profile *old = d->profile[DIFF_OLD], *new = d->profile[DIFF_NEW];

    *pairs = (struct section_pairs){.n = 0};
    pairs->items = xcalloc((size_t)old->n_sections + new->n_sections + 1, sizeof *pairs->items);
    for (uint32_t i = 0; i < new->n_sections; i++)
        add(pairs, d, new->sections[i].name);
    for (uint32_t i = 0; i < old->n_sections; i++)
        if (section_find(new, old->sections[i].name) == CPROF_NONE)
            add(pairs, d, old->sections[i].name);
}

void section_pairs_free(struct section_pairs *pairs)
{
    for (size_t i = 0; i < pairs->n; i++)
        for (int side = DIFF_OLD; side < DIFF_SIDES; side++) {
            free(pairs->items[i].counts[side]);
            diff_band_free(&pairs->items[i].band[side]);
        }
    free(pairs->items);
    *pairs = (struct section_pairs){.n = 0};
}

struct diff_row section_pair_row(const struct section_pair *pair)
{
    return (struct diff_row){
        .in = {pair->index[DIFF_OLD] != CPROF_NONE, pair->index[DIFF_NEW] != CPROF_NONE},
        .counts = {pair->counts[DIFF_OLD], pair->counts[DIFF_NEW]},
        .band = {pair->band[DIFF_OLD], pair->band[DIFF_NEW]}};
}
