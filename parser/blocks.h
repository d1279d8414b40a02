/*
 * blocks.h - what the contexts of a raw profile cost, as the file has it: how often each ran
 * which basic blocks. A basic block stands for many instructions and is the same in all contexts,
 * so this is a small part of what cost records of contexts would be. Private to the reader of raw
 * profiles and to who makes names of addresses.
 */
#ifndef PARSER_BLOCKS_H
#define PARSER_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "cprof.h"

/* What a basic block's instructions can count, in the order of the letters "irwcb". */
enum { BLOCK_EVENTS = 5 };

struct block_instruction {
    uint32_t cost;                      /* index of its cost record in the profile */
    unsigned char counts[BLOCK_EVENTS]; /* per execution of its basic block */
};

/* Instructions `first` up to `first + size`; none of a basic block that never ran. */
struct block {
    size_t first, size;
};

/*
 * How often the basic blocks from `first` on ran in a context, `size` of them: the context's basic
 * blocks are those of one function for the most part, and have numbers that follow each other.
 * Counts are what block_count() makes of `counts`. Those of a context are runs one behind another.
 */
struct block_run {
    uint32_t first, size;
    uint32_t counts[];
};

/* A count with this bit is the number of one of `large`. */
#define BLOCK_LARGE (UINT32_C(1) << 31)

/* Events such as cache misses, which are counted instruction by instruction. */
struct block_miss {
    uint32_t context, cost;
};

struct blocks {
    uint32_t events[BLOCK_EVENTS]; /* of the profile; CPROF_NONE: not counted */
    size_t n_blocks, n_misses;
    const struct block *blocks;
    const struct block_instruction *instructions;
    const uint32_t *runs;            /* struct block_run, each with its counts */
    const size_t *first_runs;        /* where those of each context begin in `runs`, and end */
    const int64_t *large;            /* counts that are too large for their place */
    const struct block_miss *misses; /* in the order of contexts */
    const int64_t *miss_values;      /* n_misses rows of n_events */
};

/* The runs of context `i` are those from blocks_first() up to blocks_end(). */
static inline const struct block_run *blocks_first(const struct blocks *s, uint32_t i)
{
    return (const struct block_run *)(s->runs + s->first_runs[i]);
}

static inline const struct block_run *blocks_end(const struct blocks *s, uint32_t i)
{
    return (const struct block_run *)(s->runs + s->first_runs[i + 1]);
}

static inline const struct block_run *block_next(const struct block_run *run)
{
    return (const struct block_run *)(run->counts + run->size);
}

/* How often basic block `run->first + i` ran; 0 is possible. */
static inline int64_t block_count(const struct blocks *s, const struct block_run *run, uint32_t i)
{
    uint32_t count = run->counts[i];

    return count & BLOCK_LARGE ? s->large[count & ~BLOCK_LARGE] : count;
}

/* The costs of contexts; NULL: they are cost records. */
const struct blocks *profile_blocks(const struct cprof_profile *profile);

#endif
