/*
 * stacks.h - samples of call stacks, added up in a tree, and what the builder gets of them.
 *
 * A node is a stack: a frame on top of the stack of its parent. The tree has stacks as they were
 * sampled, with a function on one as often as it was there, and so have the contexts that
 * stacks_finish() makes of them. In inclusive counts of functions and calls a sample counts once
 * for each that is on its stack, however often it is there.
 *
 * Nodes and frames are numbers from 0, in the order in which they were made; CPROF_NONE is the
 * empty stack, and what calls return after a failure, whose error is filled.
 */
#ifndef PARSER_STACKS_H
#define PARSER_STACKS_H

#include "arena.h"
#include "builder.h"
#include "map.h"

/* A function at a place of its code: where it calls the next frame, or where the sample hit it. */
struct stack_frame {
    uint32_t function; /* the builder's */
    uint32_t file;     /* CPROF_NONE: not known */
    uint32_t line;
    unsigned char inlined; /* 0 or 1: in the frame below it */
    unsigned char root;    /* 0 or 1: no code, as of stacks_root() */
    uint64_t address;
};

struct stack_node {
    uint32_t parent; /* CPROF_NONE: none */
    uint32_t frame;
    uint32_t child; /* the first one that was made; CPROF_NONE: none */
};

/* Zeros but for `error` are an empty tree. */
struct stacks {
    struct cprof_error *error;
    struct vector nodes, frames;    /* struct stack_node, struct stack_frame */
    struct map node_map, frame_map; /* of nodes without those that are a first child */
    struct vector values;           /* counts of each node's own samples, rows of `width` */
    uint32_t width;
    int64_t *totals; /* `width` */
};

void stacks_release(struct stacks *s);

/* The number of an equal frame; made if new. */
uint32_t stacks_frame(struct stacks *s, const struct stack_frame *frame);
/* A root of its own, whose frame gets its function by stacks_name_root(). It stands for no frame
 * where it never gets one. */
uint32_t stacks_root(struct stacks *s);
void stacks_name_root(struct stacks *s, uint32_t node, uint32_t function);
/* The node of the stack `parent` with that frame on top; made if new. */
uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t frame);

/* One kind of count more, of which all nodes have 0. Returns its number. */
uint32_t stacks_column(struct stacks *s);
/* Adds to a count of a node's own samples. Fails where all of them exceed 2^63-1. 0 or -1. */
int stacks_add(struct stacks *s, uint32_t node, uint32_t column, uint64_t value);

/* Multiplies a count of all nodes. Fails where all of them exceed 2^63-1 then. 0 or -1. */
int stacks_multiply(struct stacks *s, uint32_t column, uint64_t factor);

/* Gives all to the builder, which has no contexts, and whose event `events[i]` is column i. 0 or
 * -1. */
int stacks_finish(const struct stacks *s, struct builder *b, const uint32_t *events);

/*--- Cut stacks ---*/

/*
 * Stacks that begin in their middle, since too little of them was copied: they stand
 * below a frame that says so, and those whose callers are known from the others are completed.
 *
 * A function that had one caller only, wherever it is on any stack, had that one on a cut stack,
 * too; and so on, up to a function that whole stacks begin with. Calls of a function by itself are
 * no other caller.
 */

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
