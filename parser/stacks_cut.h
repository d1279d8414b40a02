/*
 * stacks_cut.h - stacks that begin in their middle, since too little of them was copied: they stand
 * below a frame that says so, and those whose callers are known from the others are completed.
 *
 * A function that had one caller only, wherever it is on any stack, had that one on a cut stack,
 * too; and so on, up to a function that whole stacks begin with. Calls of a function by itself are
 * no other caller.
 */
#ifndef PARSER_STACKS_CUT_H
#define PARSER_STACKS_CUT_H

#include "stacks.h"

/* Zeros but for `marker` are ready; stacks_cut_release() afterwards. */
struct stacks_cut {
    uint32_t marker;       /* the frame that cut stacks begin with; CPROF_NONE: there is none yet */
    struct vector samples; /* uint64_t, by frame: how many cut stacks have it as outermost one */
    uint64_t completed, left; /* samples, after stacks_complete() */
};

/* The node that a cut stack below `root` begins with, whose outermost frame is `frame`: another
 * sample of it. CPROF_NONE with the error filled. */
uint32_t stacks_cut_begin(struct stacks *s, struct stacks_cut *cut, struct builder *b,
                          uint32_t root, uint32_t frame);
/* Completes stacks, once all are there. Nodes get other numbers. 0 or -1. */
int stacks_complete(struct stacks *s, struct stacks_cut *cut);
void stacks_cut_release(struct stacks_cut *cut);

#endif
