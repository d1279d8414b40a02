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

/* A block's. */
struct Tier {
    Addr address;
    Bool hot; /* its cold translation is to be discarded, or has been */
    struct Step *steps;
    UInt n_steps;
};

#define STEP_ADDRESSES 5 /* what a helper of VEX's can be given, besides the step */
#define STEP_SITES     16

/* A fetch or an access: what is needed of it as long as it hits. */
typedef struct {
    Site *site;
    UInt delta;     /* of a fetch: from the step's address */
    UShort size;    /* that must be on the most recently used line */
    UShort fetched; /* lines; 0: it is no fetch */
} StepSite;

/* What a stretch of cold code does, in order. All that most runs need is here: cold code is cold in
 * the host's caches, too. */
typedef struct Step {
    struct Step *next;         /* of the same block */
    Tier *tier;                /* the block's, where this is its first step; else NULL */
    Addr address;              /* where the fetches' are counted from */
    Section *section;          /* that ends with it; NULL: none */
    UInt slot;                 /* the section's */
    UInt runs;                 /* of the step */
    UShort ir, dr, dw, bc, bi; /* what the section adds to the totals */
    UShort n_sites;
    StepSite sites[STEP_SITES]; /* n_sites of them are kept */
} Step;

/* To be called when all options are known. */
void cp_tier_init(void);

/* Begins the block being translated (cp_block_begin() has been called). True where it is cold. */
Bool cp_tier_begin(void);

/* Adds an access to the step, which has room for it; or a fetch of so many lines (1 or 2), of which
 * `size` bytes from `address` on are in the first. */
void cp_tier_add(Step *step, Site *access);
void cp_tier_add_fetch(Step *step, Site *fetch, Addr address, UInt size, UInt lines);

/* The step of the block being translated that is like this one; `step` is copied where it is new.
 */
const Step *cp_tier_keep(const Step *step);

/* Does the step. There are as many addresses as its sites need. The second is for runs without
 * contexts, where nobody needs the totals. */
void cp_tier_step(Step *step, Addr a, Addr b, Addr c, Addr d, Addr e);
void cp_tier_step_flat(Step *step, Addr a, Addr b, Addr c, Addr d, Addr e);

/* To be called while no block runs: discards cold translations of blocks that have become hot. */
void cp_tier_change(ULong blocks);

/* True while that is done: the code is still there. */
extern Bool cp_tier_changing;

#endif
