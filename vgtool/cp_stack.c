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
/* Bytes. A jump that lowers sp by more than FAR, or one to a function's first instruction by more
 * than NEAR, is looked at for a change of stack: hardly any function has so big a frame and leaves
 * it behind where it jumps to another. */
#define FAR         65536
#define NEAR        1024

/*--- Frames ---*/

static Frame *top(void)
{
    return s->n ? &s->frames[s->n - 1] : NULL;
}

static void open_frame(const Frame *f)
{
    if (f->child) {
        cp_activity_open(&f->child->function->activity);
        cp_activity_open(&f->child->edge->activity);
    }
}

static void close_frame(const Frame *f)
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
static void arrive(const Frame *f)
{
    open_frame(f);
    if (UNLIKELY(f->child && f->child->function->toggles && f->child->function->activity.live == 1))
        cp_request_inside(++s->n_inside);
}

static void leave(const Frame *f)
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

/* Where a frame begins. */
static UWord start_of(const Frame *f)
{
    return f->kind == FRAME_JUMP && !f->back ? f->sp - BOTTOM_ROOM : f->sp;
}

/* Whether one of `a`'s n frames begins where `b` lies. */
static Bool reaches_into(const Frame *a, UInt n, const Frame *b, UInt n_b)
{
    UWord low = start_of(&b[n_b - 1]), high = start_of(&b[0]);

    if (start_of(&a[n - 1]) > high || start_of(&a[0]) < low)
        return False;
    for (UInt i = 0; i < n; i++)
        if (start_of(&a[i]) >= low && start_of(&a[i]) <= high)
            return True;
    return False;
}

/*
 * Parked frames that lie in the memory which these n frames use are dead. But a fibre's whole stack
 * may lie between two frames, in the local variables of a function: neither is dead then.
 */
static void drop_overlapping(const Frame *frames, UInt n)
{
    for (Parked **p = &s->parked; *p;) {
        Parked *q = *p;
        if (reaches_into(q->frames, q->n, frames, n) && reaches_into(frames, n, q->frames, q->n)) {
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
    drop_overlapping(s->frames + n, count);
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

/* A change of the stack that is not known to be regular. */
typedef struct {
    UWord sp;      /* afterwards */
    UWord target;  /* where a return goes; 0: it is a jump */
    Function *to;  /* the function that a jump goes to, */
    Bool is_entry; /* and whether to its first instruction */
} Move;

/* Whether it returns from the call that the frame stands for, by a jump perhaps. */
static Bool returns_from(const Frame *f, const Move *m)
{
    if (f->sp + 8 != m->sp || !f->back)
        return False;
    return m->to ? !m->is_entry && cp_function_at(f->back) == m->to : f->back == m->target;
}

/* The parked stack whose top frame is returned from; where `exact` is false, to another place. */
static Parked **find_parked(const Move *m, Bool exact)
{
    for (Parked **p = &s->parked; *p; p = &(*p)->next) {
        const Frame *t = &(*p)->frames[(*p)->n - 1];
        if (exact ? returns_from(t, m) : t->sp + 8 == m->sp)
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

/*
 * What leaves its frame for a function's first instruction begins a fibre, wherever that one's
 * stack lies: other code gets there by a call, or with the caller's return address on top.
 */
static Bool begins_fibre(const Move *m)
{
    UWord at = m->to ? m->sp : m->sp - 8;

    if (at <= top()->sp && top()->sp - at <= NEAR)
        return False;
    if (m->to)
        return m->is_entry;
    return VG_(am_find_nsegment)(m->target) && cp_function_at(m->target)->start == m->target;
}

static void go_on_in(Parked **parked)
{
    unpark(parked);
    pop_to(s->n - 1);
}

static void irregular(const Move *m)
{
    Parked **parked = find_parked(m, True);
    UInt n;

    if (!s->n)
        return;
    n = frames_at(m->sp);
    if (n < s->n && returns_from(&s->frames[n], m))
        park(n); /* from several calls at once */
    else if (parked)
        go_on_in(parked);
    else if (begins_fibre(m))
        new_fibre();
    else if (n < s->n)
        park(n);
    else if (n == ~0u && (parked = find_parked(m, False)))
        go_on_in(parked);
    else if (n == ~0u && (m->sp > s->frames[0].sp + 8 || !same_memory(m->sp, top()->sp)))
        new_fibre();
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
    c = cp_context_child(from, 0, f);
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
    const Node *stub = cp_now.node;
    Frame *t = top();

    cp_enter(stub->parent);
    if (t && t->kind == FRAME_CALL && !t->child && t->node == stub->parent)
        activate(t, cp_context_child(t->node, stub->site, f), True);
    else if (cp_now.function != f)
        jump(f, sp, is_entry);
}

/* Whether a jump may have gone to another stack, or out of frames. A function that was jumped to is
 * left as one that was called; the first at the bottom of a stack has no caller's frame to be left
 * for. */
static Bool is_irregular(const Move *m)
{
    const Frame *t = top();

    if (!t || t->kind == FRAME_SIGNAL)
        return False;
    if (t->back && (m->sp > t->sp || t->sp - m->sp > (m->is_entry ? NEAR : FAR)))
        return True;
    return s->parked && m->sp != t->sp && find_parked(m, True);
}

VG_REGPARM(3) void cp_stack_check(Function *f, UWord sp, UWord is_entry)
{
    const Move m = {.sp = sp, .to = f, .is_entry = (Bool)is_entry};

    if (!cp_now.function && s->made) {
        CallSite *site = s->made;
        Child *c = cp_context_child(cp_now.node, site->address, f);
        s->made = NULL;
        if (f->kind == FUNCTION_STUB)
            cp_enter(c->node);
        else
            activate(top(), c, True);
        return;
    }
    if (is_irregular(&m))
        irregular(&m);
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
        irregular(&(Move){.sp = sp, .target = target});
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
        if (f->walked != f->activity.inclusive[CP_COLUMN_IR])
            VG_(umsg)
        ("check: function at 0x%lx: inclusive Ir %llu, by walking the stack %llu\n", f->start,
         f->activity.inclusive[CP_COLUMN_IR], f->walked);
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
