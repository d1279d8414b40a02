/*
 * blocks.h - the costs of a raw profile's contexts, as the file has them: how often each context
 * ran which basic blocks. A basic block stands for many instructions and is the same in all
 * contexts, so this takes a small part of the memory of their cost records.
 */
#ifndef PARSER_BLOCKS_H
#define PARSER_BLOCKS_H

#include "cprof.h"

#include <stddef.h>
#include <stdint.h>

/* The events that instructions of a basic block can count, in the order of the letters "irwcbp". */
enum { BLOCK_EVENTS = 6 };

struct block_instruction {
    uint32_t cost;                      /* index of its cost record in the profile */
    unsigned char counts[BLOCK_EVENTS]; /* per execution of its basic block */
};

/* A basic block: its instructions are `first` up to `first + size`; it has none where it never ran.
 */
struct block {
    size_t first, size;
};

/*
 * How often a context ran `size` neighbouring basic blocks from `first` on: most of a context's
 * basic blocks are those of one function, and their numbers follow each other. block_count() reads
 * `counts`. A context has any number of runs, one behind another.
 */
struct block_run {
    uint32_t first, size;
    uint32_t counts[];
};

/* A count with this bit is an index into `large`. */
#define BLOCK_LARGE (UINT32_C(1) << 31)

/* A record of events that are counted instruction by instruction, such as cache misses. */
struct block_miss {
    uint32_t context, cost;
};

struct blocks {
    uint32_t events[BLOCK_EVENTS]; /* of the profile; CPROF_NONE: not counted */
    size_t n_blocks, n_misses;
    const struct block *blocks;
    const struct block_instruction *instructions;
    const uint32_t *runs; /* struct block_run, each with its counts */
    const size_t
        *first_runs;      /* of each context: where its runs begin in `runs`; then where all end */
    const int64_t *large; /* counts that need more than 31 bits */
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

/* How often basic block `run->first + i` ran; it may be 0. */
static inline int64_t block_count(const struct blocks *s, const struct block_run *run, uint32_t i)
{
    uint32_t count = run->counts[i];

    return count & BLOCK_LARGE ? s->large[count & ~BLOCK_LARGE] : count;
}

/* The costs of contexts; NULL where they are cost records. */
const struct blocks *profile_blocks(const struct cprof_profile *profile);

#endif
