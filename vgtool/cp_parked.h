/*
 * cp_parked.h - parked frames: those that were left otherwise than by returning, kept until their
 * memory is used again, since a fibre may go on in them, be it in another thread.
 *
 * What is parked at once may lie on several stacks: a fibre, and on top of it the stack of a
 * scheduler that the fibre called. So it may be gone on in from below its top, and part of it may
 * die before the rest.
 */
#ifndef CP_PARKED_H
#define CP_PARKED_H

#include "cp_frame.h"

/* Frames from the top by which parked ones are found: a scheduler's own stack is not deeper. */
enum { PARKED_LOOK = 64 };

typedef struct Parked Parked;

/* A frame in the table of parked ones. */
typedef struct Entry {
    struct Entry *next;
    Parked *of;
} Entry;

struct Parked {
    Parked *next, **link;
    const Stack *of; /* that they were left on; NULL: of a thread that has ended */
    Node *base;
    UInt below;  /* how many frames were under them */
    UInt n;      /* at least 1 */
    UInt n_dead; /* the oldest ones that have been returned from */
    UInt n_entries;
    UWord low, high; /* they begin from here to there */
    Entry *entries;  /* of frames from the top */
    Frame frames[];
};

/* The list of them all, the newest first. */
Parked *cp_parked_list(void);

/* The next parked frame at `sp`, after `e`; the first one where `e` is NULL. NULL: there is none.
 */
Entry *cp_parked_next(const Entry *e, UWord sp);

/* Its index among those that were parked with it. */
static inline UInt cp_parked_index(const Entry *e)
{
    return e->of->n - 1 - (UInt)(e - e->of->entries);
}

/* Keeps a copy of n frames, and drops what lay in the memory that they use. The oldest `n_dead`,
 * less than n, have been returned from: what is on top of them hangs under them, but they are not
 * gone on in. */
void cp_parked_add(const Frame *frames, UInt n, UInt n_dead, const Stack *of, Node *base,
                   UInt below);

/* Frames [first, end) lie `by` bytes further now. */
void cp_parked_move(Parked *q, UInt first, UInt end, UWord by);

/* Takes it out of the list and the table; the caller frees it. */
void cp_parked_take(Parked *q);

/* The thread has ended, with its stack pointer at `sp`: what is parked of its own stack will not go
 * on. A fibre may, in another thread. */
void cp_parked_forget(const Stack *stack, UWord sp);

#endif
