/*
 * stacks_walk.h - the walk over a tree of stacks that makes contexts, inclusive counts and calls.
 */
#ifndef PARSER_STACKS_WALK_H
#define PARSER_STACKS_WALK_H

#include "error.h"
#include "stacks.h"

/* A frame of the stack at hand. */
struct level {
    uint32_t context; /* the builder's */
    uint32_t node;
    uint32_t edge; /* CPROF_NONE: no caller, or it was not looked for */
};

/* A walk over the tree, from each node to the ones above it. */
struct walk {
    const struct stacks *s;
    struct builder *b;
    const uint32_t *events;
    uint32_t n_events;            /* of the builder */
    uint32_t n_functions;         /* of the tree: all are less */
    int64_t *sums;                /* of each node and all above it, rows of the tree's width */
    int64_t *row;                 /* as the builder wants it */
    uint32_t *first_child, *next; /* nodes */
    unsigned char *counted;       /* of each node: 1 if its call counts its samples */
    uint32_t *on_stack;           /* how often each function is on the stack at hand */
    uint32_t *first_level;        /* of each function on the stack: where it is the outermost */
    struct vector edges, on_edge; /* struct cprof_call; how often each is on the stack at hand */
    struct map edge_map;
    struct level *levels;
    uint32_t depth;
};

static inline int walk_out_of_memory(struct walk *w)
{
    return error_set(w->s->error, CPROF_ERROR_MEMORY, "out of memory");
}

static inline const struct stack_node *walk_node(const struct walk *w, uint32_t node)
{
    return (const struct stack_node *)w->s->nodes.data + node;
}

static inline const struct stack_frame *walk_frame(const struct walk *w, uint32_t node)
{
    return (const struct stack_frame *)w->s->frames.data + walk_node(w, node)->frame;
}

/* Tells if a node stands for a frame: a root without a name does not. */
static inline int walk_is_frame(const struct walk *w, uint32_t node)
{
    return walk_frame(w, node)->function != CPROF_NONE;
}

/* The node that called this one; CPROF_NONE: none, or a root that is no code. */
static inline uint32_t walk_caller(const struct walk *w, uint32_t node)
{
    uint32_t parent = walk_node(w, node)->parent;

    return parent != CPROF_NONE && !walk_frame(w, parent)->root ? parent : CPROF_NONE;
}

/* Puts one row of the tree's into the builder's order. */
static inline const int64_t *walk_row(struct walk *w, const int64_t *rows, uint32_t node)
{
    for (uint32_t i = 0; i < w->s->width; i++)
        w->row[w->events[i]] = rows[(size_t)node * w->s->width + i];
    return w->row;
}

/* Looks at the call that leads to the node of the last level: its samples count where it is on the
 * stack for the first time. 0 or -1. */
int walk_enter_call(struct walk *w, uint32_t caller, struct level *level);
void walk_leave_call(struct walk *w, const struct level *level);
/* Gives all calls to the builder, after the walk. 0 or -1. */
int walk_put_calls(struct walk *w);

#endif
