/*
 * Data structure #1: a stack of frames for each thread, the oldest first. #2: parked stacks: frames
 * that were left otherwise than by returning, kept until their memory is used again, since a fibre
 * may go on in them.
 *
 * Between two signal frames, sp falls from frame to frame. A tail call's frame has the sp and the
 * return address of the call it lives in.
 */
#include "cp_stack.h"

#include "cp_object.h"
#include "cp_request.h"
#include "cp_section.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

typedef enum { FRAME_CALL, FRAME_JUMP, FRAME_SIGNAL } FrameKind;

typedef struct {
    UWord sp;       /* where the return address lies */
    UWord back;     /* the return address */
    Node *node;     /* the context that the call was made in, or the signal came in */
    Child *child;   /* whose activation this is; NULL: nobody's (a stub's, a signal's) */
    CallSite *made; /* the call that has not arrived yet, when a signal came between */
    FrameKind kind;
} Frame;

typedef struct Parked {
    struct Parked *next;
    Node *base;
    UInt below; /* how many frames were under them */
    UInt n;
    Frame frames[];
} Parked;

typedef struct {
    Frame *frames;
    UInt n, max;
    Node *base; /* the root that the oldest frame hangs under: the thread's, or a fibre's */
    Node *root; /* the thread's */
    Parked *parked;
    Node *node;     /* cp_now.node while another thread runs */
    UInt n_inside;  /* functions on it that switch collecting */
    Bool open_end;  /* cp_now.function was NULL */
    CallSite *made; /* an indirect call that has not arrived */
} Stack;

static Stack *stacks; /* by thread */
static ThreadId running;
static Stack *s; /* the running thread's */

/* Bytes by which the code at the bottom of a stack may raise sp: a program's start takes its
 * arguments off. */
#define BOTTOM_ROOM 64
#define FAR         65536 /* bytes: a jump that lowers sp by more is looked at for a change of stack */

/*--- Frames ---*/

static Frame *top(void)
{
    return s->n ? &s->frames[s->n - 1] : NULL;
}

static inline void open_frame(const Frame *f)
{
    if (f->child) {
        cp_activity_open(&f->child->function->activity);
        cp_activity_open(&f->child->edge->activity);
    }
}

static inline void close_frame(const Frame *f)
{
    if (f->child) {
        cp_activity_close(&f->child->edge->activity);
        cp_activity_close(&f->child->function->activity);
    }
}

static __attribute__((noinline)) void grow_frames(void)
{
    s->max = s->max ? 2 * s->max : 256;
    s->frames = VG_(realloc)("cp.stack.1", s->frames, s->max * sizeof *s->frames);
}

static inline Frame *push(FrameKind kind, UWord sp, UWord back, Node *node)
{
    if (UNLIKELY(s->n == s->max))
        grow_frames();
    s->frames[s->n] = (Frame){.sp = sp, .back = back, .node = node, .kind = kind};
    return &s->frames[s->n++];
}

/* An activation begins, or ends, for good: not just to be written down. */
static inline void arrive(const Frame *f)
{
    open_frame(f);
    if (UNLIKELY(f->child && f->child->function->toggles && f->child->function->activity.live == 1))
        cp_request_inside(++s->n_inside);
}

static inline void leave(const Frame *f)
{
    close_frame(f);
    if (UNLIKELY(f->child && f->child->function->toggles && f->child->function->activity.live == 0))
        cp_request_inside(--s->n_inside);
}

/* Drops frames until n are left and goes back to the context of the oldest dropped. */
static void pop_to(UInt n)
{
    Node *node = cp_now.node;

    while (s->n > n) {
        node = s->frames[--s->n].node;
        leave(&s->frames[s->n]);
    }
    cp_enter(node);
}

static inline void count_call(Child *c, Bool counts)
{
    counts &= cp_collecting;
    c->node->calls += counts;
    c->edge->calls += counts;
}

/* The frame stands for an activation of where the child leads to, from now on. `counts`: it was
 * called, not just run into. */
static void activate(Frame *f, Child *c, Bool counts)
{
    if (f->child)
        leave(f);
    f->child = c;
    arrive(f);
    count_call(c, counts);
    cp_enter(c->node);
}

/*--- Parking ---*/

/* Parked frames that lie in the memory which these frames use are dead. */
static void drop_overlapping(UWord low, UWord high)
{
    for (Parked **p = &s->parked; *p;) {
        Parked *q = *p;
        if (q->frames[q->n - 1].sp <= high && q->frames[0].sp >= low) {
            *p = q->next;
            VG_(free)(q);
        } else {
            p = &q->next;
        }
    }
}

/* Takes the frames from index n on off the stack and keeps them; goes back to the context of the
 * oldest. */
static void park(UInt n)
{
    UInt count = s->n - n;
    Parked *q;

    if (!count)
        return;
    drop_overlapping(top()->sp, s->frames[n].sp);
    q = VG_(malloc)("cp.stack.2", sizeof *q + count * sizeof(Frame));
    q->n = count;
    q->base = s->base;
    q->below = n;
    VG_(memcpy)(q->frames, s->frames + n, count * sizeof(Frame));
    q->next = s->parked;
    s->parked = q;
    pop_to(n);
}

/* Goes on in a parked stack, whose place is `at` in the list; what runs now is parked. */
static void unpark(Parked **at)
{
    Parked *q = *at;

    *at = q->next;
    /* Frames that were parked off the stack that runs go back to where they were; another stack's
     * replace it. */
    park(q->base == s->base && q->below < s->n ? q->below : q->base == s->base ? s->n : 0);
    s->base = q->base;
    while (s->n + q->n > s->max)
        grow_frames();
    for (UInt i = 0; i < q->n; i++) {
        s->frames[s->n++] = q->frames[i];
        arrive(&q->frames[i]);
    }
    VG_(free)(q);
}

/*--- Irregular moves ---*/

/* The number of frames that are left when sp is `sp`, if that lies in the running stack: frames
 * below it are dead. ~0: it lies elsewhere. */
static UInt frames_at(UWord sp)
{
    UInt i = s->n;

    while (i) {
        UInt end = i; /* frames [i, end): a run between signals, of falling sp */
        while (i && s->frames[i - 1].kind != FRAME_SIGNAL)
            i--;
        if (i < end && sp > s->frames[end - 1].sp && sp <= s->frames[i].sp + 8) {
            while (end > i && s->frames[end - 1].sp < sp)
                end--;
            return end;
        }
        if (i)
            i--;
    }
    return ~0u;
}

/* The parked stack whose top frame a return to `target` with this sp would pop; where `exact` is
 * false, the target may be another. */
static Parked **find_parked(UWord sp, UWord target, Bool exact)
{
    for (Parked **p = &s->parked; *p; p = &(*p)->next) {
        const Frame *t = &(*p)->frames[(*p)->n - 1];
        if (t->sp + 8 == sp && (!exact || t->back == target))
            return p;
    }
    return NULL;
}

static Bool same_memory(UWord a, UWord b)
{
    const NSegment *x = VG_(am_find_nsegment)(a), *y = VG_(am_find_nsegment)(b);

    return x == y;
}

static void new_fibre(void)
{
    park(0);
    s->base = cp_context_child(s->root, 0, cp_function_pseudo(FUNCTION_FIBRE))->node;
    cp_now.node = s->base;
    cp_now.counts = s->base->counts;
    cp_now.function = NULL;
    s->made = NULL;
}

/* sp is where no call or return has put it. target: where a return goes; 0: it was a jump. */
static void irregular(UWord sp, UWord target)
{
    Parked **parked = target ? find_parked(sp, target, True) : NULL;
    UInt n;

    if (!s->n)
        return;
    n = frames_at(sp);
    if (n != ~0u && n < s->n && s->frames[n].sp + 8 == sp && s->frames[n].back == target)
        parked = NULL; /* it is a plain return, of several frames at once */
    if (parked) {
        unpark(parked);
        pop_to(s->n - 1);
    } else if (n != ~0u) {
        if (n < s->n)
            park(n);
    } else if ((parked = find_parked(sp, target, False))) {
        unpark(parked);
        pop_to(s->n - 1);
    } else if (sp > s->frames[0].sp + 8 || !same_memory(sp, top()->sp)) {
        new_fibre();
    }
}

/*--- Arrivals ---*/

/* The context that code at the bottom of the running stack hangs under. */
static Node *bottom(void)
{
    Frame *t = top();

    if (!t)
        return s->base;
    return cp_context_child(t->node, 0, cp_function_pseudo(FUNCTION_SIGNAL))->node;
}

/* Code begins that nothing has called: a thread's or a fibre's first, a handler, or what these jump
 * to. */
static void begin(Function *f, UWord sp, Bool is_entry)
{
    while (s->n && top()->kind == FRAME_JUMP)
        pop_to(s->n - 1);
    activate(push(FRAME_JUMP, sp + BOTTOM_ROOM, 0, bottom()), cp_context_child(bottom(), 0, f),
             is_entry);
}

/* Where a jump out of `from` to f leads to, as seen from (parent, site): mostly where the last one
 * did. These are always the same for one `from`. */
static Child *jump_child(Node *from, Node *parent, Addr site, Function *f)
{
    if (UNLIKELY(!from->jumped_to || from->jumped_to->function != f))
        from->jumped_to = cp_context_child(parent, site, f);
    return from->jumped_to;
}

/* A stub was called or jumped to: it gets its own cost, and waits to be replaced by what it jumps
 * to. */
static void enter_stub(Function *f)
{
    Bool from_stub = cp_now.function && cp_now.function->kind == FUNCTION_STUB;
    Node *parent = from_stub ? cp_now.node->parent : cp_now.node;
    Addr site = from_stub ? cp_now.node->site : 0;

    cp_enter(cp_context_child(parent, site, f)->node);
}

/*
 * A jump out of a function. The new one takes the old one's place in time, but hangs under it, as a
 * call would: that is how it is written. Going round in jumps does not nest: a function that the
 * running call has jumped through already is gone back to.
 */
static void jump(Function *f, UWord sp, Bool is_entry)
{
    Node *from = cp_now.node;
    UInt i = s->n;
    Child *c;

    while (i && s->frames[i - 1].kind == FRAME_JUMP && s->frames[i - 1].child->function != f)
        i--;
    if (!i || s->frames[i - 1].kind == FRAME_SIGNAL) {
        begin(f, sp, is_entry);
        return;
    }
    c = jump_child(from, from, 0, f);
    if (s->frames[i - 1].child && s->frames[i - 1].child->function == f) {
        pop_to(i);
        count_call(c, is_entry);
        cp_enter(c->node);
    } else {
        UWord at = s->frames[i - 1].sp, back = s->frames[i - 1].back;
        activate(push(FRAME_JUMP, at, back, from), c, is_entry);
    }
}

/* A stub has jumped to what it stands for. Where the stub was called, the call is one of that. */
static void leave_stub(Function *f, UWord sp, Bool is_entry)
{
    Node *stub = cp_now.node;
    Frame *t = top();

    cp_enter(stub->parent);
    if (t && t->kind == FRAME_CALL && !t->child && t->node == stub->parent)
        activate(t, jump_child(stub, stub->parent, stub->site, f), True);
    else if (cp_now.function != f)
        jump(f, sp, is_entry);
}

/* Where the call at `site` leads to when it goes to f: mostly where it did the last time. */
static inline Child *child_at(CallSite *site, Node *parent, Function *f)
{
    if (UNLIKELY(site->last_parent != parent || site->last_child->function != f)) {
        site->last_child = cp_context_child(parent, site->address, f);
        site->last_parent = parent;
    }
    return site->last_child;
}

VG_REGPARM(3) void cp_stack_check(Function *f, UWord sp, UWord is_entry)
{
    if (!cp_now.function && s->made) {
        CallSite *site = s->made;
        Child *c = child_at(site, cp_now.node, f);
        s->made = NULL;
        if (f->kind == FUNCTION_STUB)
            cp_enter(c->node);
        else
            activate(top(), c, True);
        return;
    }
    /* A function that was jumped to is left as one that was called; the first at the bottom of a
     * stack has no caller's frame to be left for. */
    if (s->n && (top()->sp < sp || top()->sp - sp > FAR) && top()->kind != FRAME_SIGNAL &&
        top()->back)
        irregular(sp, 0);
    if (!cp_now.function)
        begin(f, sp, is_entry);
    else if (cp_now.function == f)
        return;
    else if (f->kind == FUNCTION_STUB)
        enter_stub(f);
    else if (cp_now.function->kind == FUNCTION_STUB)
        leave_stub(f, sp, is_entry);
    else
        jump(f, sp, is_entry);
}

/*--- Calls and returns ---*/

CallSite *cp_stack_site(Addr address, Addr back, Addr target)
{
    CallSite **slot = cp_block_call(), *site = *slot;

    if (site && site->address == address && site->back == back && site->target == target)
        return site;
    *slot = site = VG_(calloc)("cp.stack.3", 1, sizeof *site);
    site->address = address;
    site->back = back;
    site->target = target;
    return site;
}

VG_REGPARM(2) void cp_stack_call(CallSite *site, UWord sp)
{
    Node *parent = cp_now.node;
    Frame *f;
    Child *c;

    if (UNLIKELY(site->last_parent != parent)) {
        if (!site->callee)
            site->callee = cp_function_called(site->target);
        site->last_child = cp_context_child(parent, site->address, site->callee);
        site->last_parent = parent;
    }
    c = site->last_child;
    f = push(FRAME_CALL, sp, site->back, parent);
    if (UNLIKELY(c->function->kind == FUNCTION_STUB)) {
        cp_enter(c->node);
        return;
    }
    f->child = c;
    arrive(f);
    count_call(c, True);
    cp_enter(c->node);
}

VG_REGPARM(2) void cp_stack_call_indirect(CallSite *site, UWord sp)
{
    push(FRAME_CALL, sp, site->back, cp_now.node);
    s->made = site;
    cp_now.function = NULL;
}

VG_REGPARM(2) void cp_stack_back(UWord sp, UWord target)
{
    UInt n = s->n;

    while (n && s->frames[n - 1].kind == FRAME_JUMP)
        n--;
    if (LIKELY(n && s->frames[n - 1].sp + 8 == sp && s->frames[n - 1].back == target))
        pop_to(n - 1);
    else
        irregular(sp, target);
}

/*--- Interruptions ---*/

static void settle(void)
{
    for (UInt i = s->n; i-- > 0;)
        close_frame(&s->frames[i]);
}

static void resume(void)
{
    for (UInt i = 0; i < s->n; i++)
        open_frame(&s->frames[i]);
}

void cp_stack_restart(void (*change)(void))
{
    if (s)
        settle();
    change();
    if (s)
        resume();
}

/*--- The check ---*/

VG_REGPARM(1) void cp_stack_walk(UWord ir)
{
    static ULong walk;

    walk++;
    for (UInt i = 0; i < s->n && cp_collecting; i++) {
        Function *f = s->frames[i].child ? s->frames[i].child->function : NULL;
        if (!f || f->last_walk == walk)
            continue;
        f->last_walk = walk;
        f->walked += ir;
    }
}

static void compare(void)
{
    for (UInt i = 0; i < cp_function_count(); i++) {
        const Function *f = cp_function(i);
        if (f->walked != f->activity.columns[CP_COLUMN_IR].inclusive)
            VG_(umsg)
        ("check: function at 0x%lx: inclusive Ir %llu, by walking the stack %llu\n", f->start,
         f->activity.columns[CP_COLUMN_IR].inclusive, f->walked);
    }
}

void cp_stack_compare(void)
{
    cp_stack_restart(compare);
}

/*--- Threads and signals ---*/

void cp_stack_switch(ThreadId tid)
{
    if (tid == running)
        return;
    if (s) {
        s->node = cp_now.node;
        s->open_end = !cp_now.function;
        settle();
    }
    running = tid;
    s = &stacks[tid];
    if (!s->root) {
        s->root = s->base = s->node = cp_context_root(tid);
        s->open_end = True;
    }
    cp_enter(s->node);
    if (s->open_end)
        cp_now.function = NULL;
    resume();
    cp_request_inside(s->n_inside);
}

static void forget_parked(Stack *stack)
{
    while (stack->parked) {
        Parked *q = stack->parked;
        stack->parked = q->next;
        VG_(free)(q);
    }
}

/* A thread's number may be used again: the next one begins with an empty stack, under the same
 * root. */
static void on_exit(ThreadId tid)
{
    Stack *stack = &stacks[tid];

    cp_stack_switch(tid);
    settle();
    stack->n = stack->n_inside = 0;
    forget_parked(stack);
    stack->base = stack->node = stack->root;
    stack->open_end = True;
    stack->made = NULL;
    cp_enter(stack->root);
    cp_now.function = NULL;
}

static void on_signal(ThreadId tid, Int number, Bool alternate)
{
    Frame *f;

    cp_stack_switch(tid);
    f = push(FRAME_SIGNAL, VG_(get_SP)(tid), 0, cp_now.node);
    f->made = s->made;
    /* What was interrupted on the way into a function (a call that has not arrived) is on its way
     * afterwards. */
    f->back = !cp_now.function;
    s->made = NULL;
    cp_now.function = NULL;
}

static void after_signal(ThreadId tid, Int number)
{
    UInt n;

    cp_stack_switch(tid);
    for (n = s->n; n && s->frames[n - 1].kind != FRAME_SIGNAL; n--)
        ;
    if (!n)
        return;
    s->made = s->frames[n - 1].made;
    {
        Bool open_end = s->frames[n - 1].back != 0;
        pop_to(n - 1);
        if (open_end)
            cp_now.function = NULL;
    }
}

void cp_stack_init(void)
{
    stacks = VG_(calloc)("cp.stack.4", VG_N_THREADS, sizeof *stacks);
    VG_(track_pre_thread_ll_exit)(on_exit);
    VG_(track_pre_deliver_signal)(on_signal);
    VG_(track_post_deliver_signal)(after_signal);
}
