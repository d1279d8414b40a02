/*
 * cp_allocator.c - which calls of allocation functions count, and whether they still run.
 */
#include "cp_allocator.h"

static inline Bool is_call(const Frame *f, UWord sp)
{
    return f->kind == FRAME_CALL && f->sp == sp;
}

/* The index of the frame of the running call, whose return address lies at sp; s->n: it has none,
 * or not there. */
static inline UInt running_call(const Stack *s, UWord sp)
{
    UInt i = s->n;

    if (LIKELY(i && is_call(&s->frames[i - 1], sp)))
        return i - 1;
    while (i && cp_frame_is_within(&s->frames[i - 1]))
        i--;
    return i && is_call(&s->frames[i - 1], sp) ? i - 1 : s->n;
}

/* True if the call's frame is its own still. One that is not awaited has a frame of its own
 * function. */
static inline Bool has_frame(const Stack *s, const HeapCall *call)
{
    const Frame *f = &s->frames[call->frame];

    if (f->kind != FRAME_CALL || f->sp != call->sp)
        return False;
    return call->is_awaited ? f->is_awaited : f->child && f->child->function == call->function;
}

/* True if the call has not returned where the function of that frame is called, with this sp. */
static inline Bool is_running(const Stack *s, const HeapCall *call, UInt frame, UWord sp)
{
    if (LIKELY(!call->is_awaited && call->frame >= frame))
        return False;
    return call->frame < s->n && has_frame(s, call) &&
           (call->is_awaited || s->frames[call->frame].sp != sp);
}

const HeapCall *cp_allocator_running(const Stack *s, UInt n, ThreadId tid)
{
    const HeapCalls *calls = &cp_heap_threads[tid];
    UInt i = calls->n;

    while (i && (calls->calls[i - 1].frame >= n || !has_frame(s, &calls->calls[i - 1])))
        i--;
    return i ? &calls->calls[i - 1] : NULL;
}

/* Gives up the innermost call. */
static inline void give_up(ThreadId tid, const HeapCall *call)
{
    if (call->is_awaited || UNLIKELY(clo_data))
        cp_heap_leave(tid);
    else
        cp_heap_drop(tid);
}

/* Gives up calls of allocation functions that the program has left, and returns the innermost one;
 * NULL: there is none. `frame`, sp: of the function that is called. */
static inline const HeapCall *running_allocator(const Stack *s, ThreadId tid, UInt frame, UWord sp)
{
    const HeapCall *call;

    while ((call = cp_heap_innermost(tid)) != NULL && !is_running(s, call, frame, sp))
        give_up(tid, call);
    return call;
}

/* True if a signal's handler runs in frames from index `first` up to `end`. */
static Bool is_interrupted(const Stack *s, UInt first, UInt end)
{
    while (first < end && s->frames[first].kind != FRAME_SIGNAL)
        first++;
    return first < end;
}

/* True if the call counts in another one, or is another one that goes back to its beginning. */
static Bool is_counted(const HeapCall *outer, const Function *f, UWord sp)
{
    return outer->is_closed || (outer->function == f && outer->sp == sp);
}

/* Most calls of functions that free need not be awaited: they have done so by now, and it has to be
 * known only whether they still run. */
static Bool has_to_wait(const Function *f, const Frame *frame)
{
    return !cp_role_frees(f->role) || f->role->is_wrapper || !frame->child ||
           frame->child->function != f;
}

/* Follows a call within others, or of a function that is not plain. */
static __attribute__((noinline)) void call_other(Stack *s, ThreadId tid, Function *f,
                                                 const void *state, UWord sp)
{
    UInt frame = running_call(s, sp);
    const HeapCall *outer = running_allocator(s, tid, frame, sp);
    HeapCall *call;
    Bool is_apart;

    is_apart = outer && is_interrupted(s, outer->frame, frame);
    if (frame == s->n || (outer && !is_apart && is_counted(outer, f, sp)))
        return;
    call = cp_heap_call(tid);
    call->state = state;
    call->sp = sp;
    call->frame = frame;
    call->is_apart = is_apart;
    call->is_awaited = has_to_wait(f, &s->frames[frame]);
    if (call->is_awaited)
        s->frames[frame].is_awaited = True;
    cp_heap_begin(call, f);
}

/* True if no call runs, or one that has returned, which nobody had to see. */
static inline Bool is_alone(const Stack *s, const HeapCalls *calls, UInt frame)
{
    const HeapCall *c = calls->calls;

    if (!calls->n)
        return True;
    return calls->n == 1 && !c->is_awaited && (c->frame >= frame || !has_frame(s, c));
}

/* Most calls are of plain functions, and in no others: call_other() would do the same. */
void cp_allocator_call(Stack *s, ThreadId tid, Function *f, const void *state, UWord sp)
{
    HeapCalls *calls = &cp_heap_threads[tid];
    UInt frame = s->n - 1;
    HeapCall *call;
    Frame *t;

    if (UNLIKELY(!f->plain_argument || !s->n || !is_call(&s->frames[frame], sp) ||
                 !is_alone(s, calls, frame))) {
        call_other(s, tid, f, state, sp);
        return;
    }
    t = &s->frames[frame];
    if (calls->n)
        give_up(tid, calls->calls);
    call = cp_heap_call(tid);
    call->state = state;
    call->sp = sp;
    call->frame = frame;
    call->is_apart = False;
    call->is_awaited = !f->is_plain_free || !t->child || t->child->function != f;
    if (call->is_awaited)
        t->is_awaited = True;
    if (f->is_plain_free)
        cp_heap_begin_plain_free(call, f);
    else
        cp_heap_begin_plain_alloc(call, f);
}

void cp_allocator_each_active(const Stack *s, void (*list)(Activity *a))
{
    for (UInt i = 0; i < s->n; i++) {
        const Frame *f = &s->frames[i];
        const Child *c = cp_frame_child(f);
        if (f->kind == FRAME_SECTION && f->entry)
            list(&f->entry->section->function->activity);
        if (!c)
            continue;
        list(&c->function->activity);
        if (c->edge)
            list(&c->edge->activity);
        for (Node *n = cp_child_is_folded(c) ? c->parent : c->node; n && n != c->node;
             n = n->parent) {
            list(&n->function->activity);
            if (n->edge)
                list(&n->edge->activity);
        }
    }
}
