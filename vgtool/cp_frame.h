/*
 * cp_frame.h - the frames of shadow stacks, for cp_stack.c and cp_fibre.c.
 *
 * Between two signal frames, sp falls from frame to frame. The frame of a tail call, or of an entry
 * of a section, has the sp and the return address of the call in which it was made.
 */
#ifndef CP_FRAME_H
#define CP_FRAME_H

#include "cp_arch.h"
#include "cp_context.h"
#include "cp_inclusive.h"
#include "cp_section.h"
#include "cp_stack.h"

typedef enum { FRAME_CALL, FRAME_JUMP, FRAME_SIGNAL, FRAME_SECTION } FrameKind;

/*
 * Generated code writes and takes off most frames itself (cp_stack.h). Where it takes one off, it
 * compares the whole word of the return address, which is only that of an unwatched call's frame:
 * in all others one of the fields behind it is not 0.
 */
typedef struct Frame {
    UWord sp;             /* where the return address lies */
    UWord back : 60;      /* the return address */
    UWord is_awaited : 1; /* of a call: an allocation function waits for its return */
    UWord kind : 2;       /* FrameKind */
    UWord is_watched : 1; /* its end needs more than to go back to its node; CHILD_WATCHED */
    Node *node;           /* the context of the call, of the signal, or around the section */
    union {
        Child *child;        /* of calls and jumps: the activation; NULL: none (of a stub) */
        CallSite *pending;   /* of a signal: the call that had not arrived when it came */
        SectionEntry *entry; /* of a section; NULL: another thread went on in it */
    };
    const void *host; /* where a return that a copy makes goes on (cp_near.h) */
} Frame;

/* Where a return that a copy makes from a frame goes on which no copy has made; NULL: there are no
 * copies. */
extern const void *cp_frame_return;

/* The address at which a signal interrupted the program. */
typedef struct {
    UInt frame; /* of the signal's frame */
    Addr ip;
} Interruption;

enum { INTERRUPTIONS = 8 }; /* kept for so many handlers within handlers */

typedef struct Stack {
    struct Stack *next; /* in the list of all */
    Frame *frames;      /* below the first one lies one that no return matches */
    UInt n, max;        /* n of the running stack: see cp_now.top */
    UInt n_gone;   /* the oldest: another thread went on in them; frames on top hang under them */
    Node *base;    /* the root above the oldest frame: the thread's, or a fibre's */
    Node *root;    /* the thread's */
    UInt number;   /* its thread's, from 1 in the order of their beginnings; 0: it has none yet */
    Node *node;    /* cp_now.node while another thread runs */
    UInt n_inside; /* functions on it that switch collecting */
    Bool open_end; /* cp_now.function was NULL */
    Bool is_new;   /* a return led to its base, where a function begins */
    CallSite *pending; /* an indirect call that has not arrived */
    Interruption interruptions[INTERRUPTIONS];
    UInt n_interruptions; /* so far; the last ones are kept, in a ring */
} Stack;

/* Bytes by which the code at the bottom of a stack may raise sp: a program's start takes its
 * arguments off. */
#define BOTTOM_ROOM 64

static inline Frame *cp_frame_top(const Stack *s)
{
    return s->n ? &s->frames[s->n - 1] : NULL;
}

/* True if the frame has no caller: its sp is no place in memory. */
static inline Bool cp_frame_is_bottom(const Frame *f)
{
    return !f->back && f->kind != FRAME_SIGNAL;
}

/* The beginning of the frame. */
static inline UWord cp_frame_start(const Frame *f)
{
    return cp_frame_is_bottom(f) ? f->sp - BOTTOM_ROOM : f->sp;
}

/* True if the frame belongs to the call below it. */
static inline Bool cp_frame_is_within(const Frame *f)
{
    return f->kind == FRAME_SECTION || (f->kind == FRAME_JUMP && f->back);
}

/* Reads a word of the program's memory. False if there is none. */
Bool cp_frame_read(Addr at, UWord *word);

/* The address that the thread's function returns to, which has just begun: of a handler, that of
 * code of the core's which ends the signal; of a fibre's first function, of what ends the fibre.
 * 0: no code lies there. */
Addr cp_frame_return_address(ThreadId tid);

/* True if the two addresses lie in one mapping. */
Bool cp_frame_same_memory(Addr a, Addr b);

/* The frame's activation, or NULL. */
static inline Child *cp_frame_child(const Frame *f)
{
    return f->kind <= FRAME_JUMP ? f->child : NULL;
}

/* True if the child's parent is the current context, or that of a signal which came there, and the
 * frame goes back to it. If not, there is a function on the stack that is not on the path. */
static inline Bool cp_frame_is_below(const Frame *f, const Child *c)
{
    const Node *parent = c->parent;

    return parent == f->node &&
           (parent == cp_now.node ||
            (parent->function->kind == FUNCTION_SIGNAL && parent->parent == cp_now.node));
}

/* Opens, or closes, an activation, whose costs add up while it is open. */
static inline void cp_frame_open(Frame *f)
{
    f->is_watched = !cp_inclusive_by_tree;
    if (cp_frame_child(f))
        f->is_watched |= cp_inclusive_open(f->child);
    else if (UNLIKELY(f->kind == FRAME_SECTION && f->entry))
        cp_section_open(f->entry);
    if (f->is_watched && f->kind == FRAME_JUMP)
        f->host = cp_frame_return;
}

static inline void cp_frame_close(const Frame *f)
{
    if (cp_frame_child(f)) {
        if (UNLIKELY(f->is_watched))
            cp_inclusive_close(f->child);
    } else if (UNLIKELY(f->kind == FRAME_SECTION && f->entry)) {
        cp_section_close(f->entry);
    }
}

/* Closes the frame on top for a return to `target`, with sp afterwards. False: it is not that of a
 * call from there, or more has to be seen of the return. */
static inline Bool cp_frame_close_call(Frame *t, UWord sp, UWord target)
{
    const Child *c = t->child;

    if (t->kind != FRAME_CALL || t->sp + CP_RETURN_SLOT != sp || t->back != target || clo_heap ||
        !cp_now.function || cp_now.function->argument_options || (c && c->function->toggles))
        return False;
    cp_frame_close(t);
    t->is_watched = False;
    return True;
}

/* Gives up the entry of a closed frame, if it has one. */
static inline void cp_frame_lose(Frame *f)
{
    if (f->kind == FRAME_SECTION && f->entry) {
        cp_section_lose(f->entry);
        f->entry = NULL;
    }
}

/* The stacks of all threads that have run. */
extern Stack *cp_frame_stacks;

/* Makes the running stack that of a thread which has just begun. */
void cp_frame_empty(Stack *s);

/* Makes room for more frames. A stack that had none joins the list of all. */
void cp_frame_grow(Stack *s);

/* A frame of a call in the current context. It is watched where inclusive costs follow from frames.
 */
static inline Frame cp_frame_of_call(UWord sp, UWord back, Child *child)
{
    return (Frame){.sp = sp,
                   .back = back,
                   .is_watched = !cp_inclusive_by_tree,
                   .node = cp_now.node,
                   .child = child,
                   .host = cp_frame_return};
}

/* Puts a frame on the stack. */
static inline Frame *cp_frame_push(Stack *s, FrameKind kind, UWord sp, UWord back, Node *node)
{
    if (UNLIKELY(s->n == s->max))
        cp_frame_grow(s);
    s->frames[s->n] = (Frame){.sp = sp,
                              .back = back,
                              .node = node,
                              .kind = kind,
                              .is_watched = !cp_inclusive_by_tree,
                              .host = cp_frame_return};
    return &s->frames[s->n++];
}

/* From now on inclusive costs follow from frames, not from the tree (cp_inclusive.h). Call it
 * before the frames of the running stack, which is `s`, are changed in a way that the tree does not
 * know of. */
void cp_frame_leave_tree(Stack *s);

/* Adds n to the inclusive counts of the program's own event, of all that is on the stack. */
void cp_frame_count(const Stack *s, UInt event, ULong n);

/* For tests: adds `ir` to each function on the stack, once. */
void cp_frame_walk(const Stack *s, UWord ir);

/* Interrupts all activations of a running stack, and goes on with them. */
void cp_frame_settle(Stack *s);
void cp_frame_resume(Stack *s);

/* The context above code at the bottom of the running stack. */
Node *cp_frame_bottom(Stack *s);

/* True if a jump to f has someone that jumps: a call runs, or code without a caller has jumped
 * through f. */
Bool cp_frame_can_jump(const Stack *s, const Function *f);

/* The function of the code at `address`, where the running stack's thread has arrived with this
 * stack pointer. */
Function *cp_frame_function(const Stack *s, Addr address, UWord sp);

/* The address at which the signal of the frame with this index came in; 0: not known any more. */
Addr cp_frame_interrupted_at(const Stack *s, UInt frame);

/* Tells that n functions that switch collecting are on the running thread's stack from now on.
 * cp_main sets it. */
extern void (*cp_frame_inside)(UInt n);

/* Begins, or ends, an activation for good. cp_frame_close() and cp_frame_open() alone interrupt it,
 * to write a profile. */
static inline void cp_frame_arrive(Stack *s, Frame *f)
{
    const Child *c = cp_frame_child(f);

    cp_frame_open(f);
    if (UNLIKELY(c && c->function->toggles && c->function->activity.live == 1))
        cp_frame_inside(++s->n_inside);
}

static inline void cp_frame_leave(Stack *s, const Frame *f)
{
    const Child *c = cp_frame_child(f);

    cp_frame_close(f);
    if (UNLIKELY(c && c->function->toggles && c->function->activity.live == 0))
        cp_frame_inside(--s->n_inside);
}

/* Drops frames until n are left, and goes back to the context of the oldest dropped. */
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
