/*
 * cp_parked.h - parked frames: the program left them otherwise than by returning. They are kept
 * until their memory is used again, since a fibre may go on in them, even in another thread.
 *
 * Frames that are parked at once may lie on several stacks: a fibre's, and on top of it the stack
 * of a scheduler that the fibre called. So a fibre may go on in a frame below the top, and some of
 * the frames may die before the rest.
 */
#ifndef CP_PARKED_H
#define CP_PARKED_H

#include "cp_frame.h"

/* The number of frames, from the top, that a search compares. A scheduler's own stack is not
 * deeper. */
enum { PARKED_LOOK = 64 };

typedef struct Parked Parked;

/* A frame in the table of parked ones. */
typedef struct Entry {
    struct Entry *next;
    Parked *parked;
} Entry;

struct Parked {
    Parked *next, **link;
    const Stack *stack; /* that the frames were on; NULL: its thread has ended */
    Node *base;
    UInt below;  /* the number of frames under them */
    UInt n;      /* at least 1 */
    UInt n_dead; /* the oldest, returned from already */
    UInt n_entries;
    UWord low, high; /* the lowest and the highest beginning of a frame */
    Entry *entries;  /* of the topmost frames */
    Frame frames[];
};

/* The list of all, the newest first. */
Parked *cp_parked_list(void);

/* The next parked frame at `sp` after `e`, or the first one if `e` is NULL. NULL: there is none. */
Entry *cp_parked_next(const Entry *e, UWord sp);

/* The frame's index among those that were parked with it. */
static inline UInt cp_parked_index(const Entry *e)
{
    return e->parked->n - 1 - (UInt)(e - e->parked->entries);
}

/* Keeps a copy of n frames, and drops older ones in the memory that they use. The program has
 * returned from the oldest `n_dead`, less than n: frames on top hang under them, but nothing goes
 * on in them. */
void cp_parked_add(const Frame *frames, UInt n, UInt n_dead, const Stack *stack, Node *base,
                   UInt below);

/* Moves frames [first, end) by so many bytes. */
void cp_parked_move(Parked *q, UInt first, UInt end, UWord by);

/* Takes the frames out of the list and the table; the caller frees them. */
void cp_parked_take(Parked *q);

/* The thread has ended, with its stack pointer at `sp`. Frames of its own stack are dropped; a
 * fibre may go on in another thread. */
void cp_parked_forget(const Stack *stack, UWord sp);

#endif
