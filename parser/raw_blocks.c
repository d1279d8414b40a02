#include <config.h>

/* The counts of a raw profile's basic blocks, kept as they are for struct blocks. */
#include "cprof_internal.h"
#include "error.h"
#include "profile.h"
#include "raw.h"

#include <stdlib.h>

/* The index of the cost record of an address that ran: mostly it follows the one before. */
static uint32_t find_cost(const struct cprof_profile *p, uint32_t function, uint64_t address,
                          uint32_t before)
{
    const struct cprof_cost *next = &p->costs[before + 1];

    return before + 1 < p->n_costs && next->function == function && next->address == address
               ? before + 1
               : profile_find_cost(p, function, address);
}

static void make_blocks(struct raw *w, const struct cprof_profile *p, struct block *blocks,
                        struct block_instruction *instructions)
{
    const struct raw_block *from = w->blocks.data;
    const struct raw_instruction *in = w->instructions.data;
    const int64_t *sums = w->sums.data;
    uint32_t cost = 0;
    size_t n = 0;

    for (size_t i = 0; i < w->blocks.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        blocks[i] = (struct block){n, sums[i] ? from[i].size : 0};
        for (size_t k = from[i].first; k < from[i].first + blocks[i].size; k++) {
            cost = find_cost(p, function, in[k].address, cost);
            instructions[n].cost = cost;
            memcpy(instructions[n++].counts, in[k].counts, sizeof in[k].counts);
        }
    }
}

static void make_misses(struct raw *w, const struct cprof_profile *p, struct block_miss *misses)
{
    const struct raw_miss *from = w->misses.data;
    uint32_t cost = 0;

    for (size_t i = 0; i < w->misses.count; i++) {
        uint32_t function = ((const struct raw_object *)w->objects.data)[from[i].object].function;

        cost = find_cost(p, function, from[i].address, cost);
        misses[i] = (struct block_miss){from[i].context, cost};
    }
}

struct blocks raw_blocks(const struct raw *w)
{
    struct blocks s = {.n_blocks = w->blocks.count,
                       .n_misses = w->misses.count,
                       .runs = w->runs.data,
                       .first_runs = w->first_runs.data,
                       .large = w->large.data,
                       .miss_values = w->miss_rows.data};

    memcpy(s.events, w->spec_events, sizeof s.events);
    return s;
}

int raw_keep_blocks(struct raw *w, struct cprof_profile *profile)
{
    struct profile *p = (struct profile *)profile;
    struct blocks *s = arena_alloc(&p->arena, sizeof *s);
    struct block *blocks = malloc((w->blocks.count + 1) * sizeof *blocks);
    struct block_instruction *in = malloc((w->instructions.count + 1) * sizeof *in);
    struct block_miss *misses = malloc((w->misses.count + 1) * sizeof *misses);
    struct blocks kept;
    void *memory[] = {blocks,           in, misses, w->runs.data, w->first_runs.data, w->large.data,
                      w->miss_rows.data};

    _Static_assert(sizeof memory == sizeof p->block_memory, "memory");
    memcpy(p->block_memory, memory, sizeof memory);
    kept = raw_blocks(w);
    w->runs.data = w->first_runs.data = w->large.data = w->miss_rows.data = NULL;
    if (!s || !blocks || !in || !misses)
        return error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
    make_blocks(w, profile, blocks, in);
    make_misses(w, profile, misses);
    kept.blocks = blocks;
    kept.instructions = in;
    kept.misses = misses;
    *s = kept;
    p->blocks = s;
    return 0;
}

const struct blocks *profile_blocks(const struct cprof_profile *profile)
{
    return ((const struct profile *)profile)->blocks;
}
