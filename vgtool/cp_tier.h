/*
 * cp_tier.h - blocks that are not hot yet, under a cache model.
 *
 * Most blocks of most programs run a few times only, and VEX takes longer over each statement that
 * the tool adds than these few runs do. So a block is first translated "cold": what it fetches,
 * accesses and counts is written down in steps, and the block just calls cp_tier_step with a step
 * and the addresses. When it has run HOT times its translation is discarded, and the next one has
 * the tests inline. Both count the same.
 */
#ifndef CP_TIER_H
#define CP_TIER_H

#include "cp_section.h"

/* How often a block has run cold. */
struct Tier {
    Addr address;
    UInt runs;
    Bool queued; /* its cold translation is to be discarded, or has been */
    struct Step *steps;
    UInt n_steps;
};

#define STEP_ADDRESSES 5 /* what a helper of VEX's can be given, besides the step */
#define STEP_SITES     16

/* What a stretch of cold code does, in order. */
typedef struct Step {
    struct Step *next;         /* of the same block */
    Tier *tier;                /* counted with this step; NULL: it is not the block's first one */
    Section *section;          /* that ends with it; NULL: none */
    UShort ir, dr, dw, bc, bi; /* what that adds to the totals */
    UShort n_sites;
    Site *sites[STEP_SITES]; /* fetches and accesses; n_sites of them are kept */
} Step;

/* Begins the block being translated (cp_block_begin() has been called). True where it is cold. */
Bool cp_tier_begin(void);

/* The step of the block being translated that is like this one; `step` is copied where it is new.
 */
const Step *cp_tier_keep(const Step *step);

/* Does the step. There are as many addresses as its sites need. */
void cp_tier_step(const Step *step, Addr a, Addr b, Addr c, Addr d, Addr e);

/* To be called while no block runs: discards cold translations of blocks that have become hot. */
void cp_tier_change(ULong blocks);

/* True while that is done: the code is still there. */
extern Bool cp_tier_changing;

#endif
