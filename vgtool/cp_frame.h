/*
 * cp_frame.h - the frames of shadow stacks, for cp_stack.c and cp_fibre.c.
 *
 * Between two signal frames, sp falls from frame to frame. A tail call's frame has the sp and the
 * return address of the call it lives in.
 */
#ifndef CP_FRAME_H
#define CP_FRAME_H

#include "cp_arch.h"
#include "cp_context.h"
#include "cp_stack.h"

typedef enum { FRAME_CALL, FRAME_JUMP, FRAME_SIGNAL } FrameKind;

typedef struct {
    UWord sp;       /* where the return address lies */
    UWord back;     /* the return address */
    Node *node;     /* the context that the call was made in, or the signal came in */
    Child *child;   /* whose activation this is; NULL: nobody's (a stub's, a signal's) */
    CallSite *made; /* the call that has not arrived yet, when a signal came between */
    FrameKind kind;
} Frame;

/* Where signals came in, of the frames that say so. */
typedef struct {
    UInt frame; /* its index */
    Addr ip;
} Interruption;

enum { INTERRUPTIONS = 8 }; /* handlers within handlers of which that is known */

typedef struct Stack {
    struct Stack *next; /* in the list of them */
    Frame *frames;
    UInt n, max;
    UInt n_gone; /* the oldest, which another thread went on in: what is on top hangs under them */
    Node *base;  /* the root that the oldest frame hangs under: the thread's, or a fibre's */
    Node *root;  /* the thread's */
    UInt number; /* of the thread that it is of, from 1 in the order they began; 0: of none yet */
    Node *node;  /* cp_now.node while another thread runs */
    UInt n_inside;  /* functions on it that switch collecting */
    Bool open_end;  /* cp_now.function was NULL */
    CallSite *made; /* an indirect call that has not arrived */
    Interruption interruptions[INTERRUPTIONS];
    UInt n_interruptions; /* so far: the last ones are kept, each in its place of the row */
} Stack;

/* Bytes by which the code at the bottom of a stack may raise sp: a program's start takes its
 * arguments off. */
#define BOTTOM_ROOM 64

static inline Frame *cp_frame_top(const Stack *s)
{
    return s->n ? &s->frames[s->n - 1] : NULL;
}

/* Where a frame begins. */
static inline UWord cp_frame_start(const Frame *f)
{
    return f->kind == FRAME_JUMP && !f->back ? f->sp - BOTTOM_ROOM : f->sp;
}

/* Reads a word of the program's memory; False where it has none there. */
Bool cp_frame_read(Addr at, UWord *word);

/* Whether two addresses lie in one mapping. */
Bool cp_frame_same_memory(Addr a, Addr b);

/* An activation is open, or not: its costs are summed up or not. */
static inline void cp_frame_open(const Frame *f)
{
    if (f->child) {
        cp_activity_open(&f->child->function->activity);
        cp_activity_open(&f->child->edge->activity);
    }
}

static inline void cp_frame_close(const Frame *f)
{
    if (f->child) {
        cp_activity_close(&f->child->edge->activity);
        cp_activity_close(&f->child->function->activity);
    }
}

/* The stacks of all threads that have run. */
extern Stack *cp_frame_stacks;

/* Makes room for more frames. */
void cp_frame_grow(Stack *s);

/* Set by cp_main: told how many functions that switch collecting are on the running thread's stack,
 * from now on. */
extern void (*cp_frame_inside)(UInt n);

/* An activation begins, or ends, for good: not just to be written down. */
static inline void cp_frame_arrive(Stack *s, const Frame *f)
{
    cp_frame_open(f);
    if (UNLIKELY(f->child && f->child->function->toggles && f->child->function->activity.live == 1))
        cp_frame_inside(++s->n_inside);
}

static inline void cp_frame_leave(Stack *s, const Frame *f)
{
    cp_frame_close(f);
    if (UNLIKELY(f->child && f->child->function->toggles && f->child->function->activity.live == 0))
        cp_frame_inside(--s->n_inside);
}

/* Drops frames until n are left and goes back to the context of the oldest dropped. */
static inline void cp_frame_pop(Stack *s, UInt n)
{
    Node *node = cp_now.node;

    while (s->n > n) {
        node = s->frames[--s->n].node;
        cp_frame_leave(s, &s->frames[s->n]);
    }
    cp_enter(node);
}

#endif
