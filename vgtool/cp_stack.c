/* cp_stack.c - data structure: a stack of frames for each thread, the oldest first (cp_frame.h). */
#include "cp_stack.h"

#include "cp_allocator.h"
#include "cp_arch.h"
#include "cp_argument.h"
#include "cp_block.h"
#include "cp_context.h"
#include "cp_fibre.h"
#include "cp_frame.h"
#include "cp_object.h"
#include "cp_parked.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

/*--- Calls in the code ---*/

CallSite *cp_site_next(Function *function, Addr address, Addr back, Addr target)
{
    CallSite **slot = cp_superblock_call(), *site = *slot;

    if (site && site->address == address && site->back == back && site->target == target)
        return site;
    /* If the superblock has other code now, the record of its old call is used again. */
    if (!site) {
        *slot = site = VG_(calloc)("cp.site.1", 1, sizeof *site);
        site->slot = cp_context_call_slot(function);
    } else {
        cp_context_clear_call(function, site->slot);
    }
    *site = (CallSite){.address = address,
                       .back = back,
                       .target = target,
                       .slot = site->slot,
                       .thunk = site->thunk};
    return site;
}

/*--- Entries of sections ---*/

/*
 * The entries of sections on shadow stacks.
 *
 * An open entry is a frame of its own, on top of that of the call in which it began, with the sp
 * and the return address of that call. In the tree, the section is a child of the function that
 * entered it, and what the function runs from then on has a context below the section.
 *
 * An entry belongs to its thread, not to its call: where the call returns, the entry goes on in the
 * caller, and it may end in a function that is called from where it began. The contexts of all
 * frames on top change then. Frames that the program leaves otherwise take their entries with them,
 * and are given up with them.
 */

/* The context of the section below `node`; counts an entry if `counts`. */
static Node *enter(Node *node, const Section *section, Bool counts)
{
    Child *below = cp_context_child(node, 0, section->function);

    below->calls += counts && cp_collecting;
    return below->node;
}

/* The context in which a function goes on below the section. */
static Node *go_on(Node *node, const Section *section, Bool counts)
{
    return cp_context_child(enter(node, section, counts), 0, node->function)->node;
}

/* Puts an entry on top of the stack. `counts`: it begins; else it goes on. */
static void cp_nest_push(Stack *s, SectionEntry *entry, Bool counts)
{
    const Frame *top = cp_frame_top(s);
    Frame frame = {.is_watched = True,
                   .sp = top->sp,
                   .back = top->kind == FRAME_SIGNAL ? 0 : top->back,
                   .node = cp_now.node,
                   .entry = entry,
                   .host = cp_frame_return,
                   .kind = FRAME_SECTION};

    if (s->n == s->max)
        cp_frame_grow(s);
    s->frames[s->n++] = frame;
    cp_section_open(entry);
    cp_enter(go_on(cp_now.node, entry->section, counts));
}

/* Makes the frame stand for another child, of the same function. */
static void replace_child(Frame *f, Child *c)
{
    if (c->edge != f->child->edge) {
        cp_activity_open(&c->edge->activity);
        cp_activity_close(&f->child->edge->activity);
    }
    f->child = c;
}

/* Works out the contexts of frames from index i on again; that of the oldest is to be `node`. */
static void replant(Stack *s, UInt i, Node *node)
{
    for (; i < s->n; i++) {
        Frame *f = &s->frames[i];
        f->node = node;
        if (f->kind == FRAME_SIGNAL) {
            node = cp_context_child(node, 0, cp_function_pseudo(FUNCTION_SIGNAL))->node;
        } else if (f->kind == FRAME_SECTION) {
            if (f->entry)
                node = go_on(node, f->entry->section, False);
        } else if (f->child) {
            replace_child(f, cp_context_child(node, f->child->site, f->child->function));
            node = f->child->node;
        }
    }
    cp_enter(node);
}

static void remove(Stack *s, UInt at)
{
    s->n--;
    VG_(memmove)(s->frames + at, s->frames + at + 1, (s->n - at) * sizeof *s->frames);
    for (UInt i = 0; i < INTERRUPTIONS; i++)
        if (s->interruptions[i].frame > at)
            s->interruptions[i].frame--;
}

/* Takes the newest entry of the section out of the stack, and closes it; NULL: there is none.
 * `crossed`: a newer one of another section is there. */
static SectionEntry *cp_nest_pull(Stack *s, const Section *section, Bool *crossed)
{
    UInt i = s->n;
    SectionEntry *e = NULL;
    Node *node;

    *crossed = False;
    for (; i; i--) {
        const Frame *f = &s->frames[i - 1];
        if (f->kind != FRAME_SECTION || !f->entry)
            continue;
        if (f->entry->section == section)
            break;
        e = f->entry;
    }
    if (!i)
        return NULL;
    *crossed = e != NULL;
    e = s->frames[i - 1].entry;
    node = s->frames[i - 1].node;
    cp_section_close(e);
    remove(s, i - 1);
    replant(s, i - 1, node);
    return e;
}

/* The index of the call at the top, if it is the one that returns so; ~0: it is not. */
static UInt returns_from(const Stack *s, UWord sp, UWord target)
{
    UInt n = s->n;

    while (n && (s->frames[n - 1].kind == FRAME_JUMP || s->frames[n - 1].kind == FRAME_SECTION))
        n--;
    if (!n || s->frames[n - 1].kind != FRAME_CALL || s->frames[n - 1].sp + CP_RETURN_SLOT != sp ||
        s->frames[n - 1].back != target)
        return ~0u;
    return n - 1;
}

/* Follows a return from the topmost call if there are entries in it, which go on in its caller.
 * False: it is none. */
static Bool cp_nest_return(Stack *s, UWord sp, UWord target)
{
    UInt call = returns_from(s, sp, target), n = 0;
    SectionEntry **carried;

    if (call == ~0u)
        return False;
    carried = VG_(malloc)("cp.nest.1", (s->n - call) * sizeof *carried);
    for (UInt i = call; i < s->n; i++)
        if (s->frames[i].kind == FRAME_SECTION && s->frames[i].entry)
            carried[n++] = s->frames[i].entry;
    cp_frame_pop(s, call);
    for (UInt i = 0; i < n; i++)
        if (s->n)
            cp_nest_push(s, carried[i], False);
        else
            cp_section_lose(carried[i]);
    VG_(free)(carried);
    return True;
}

/*--- Shadow stacks ---*/

static Stack *stacks; /* by thread */
static ThreadId running;
static Stack *s; /* the running thread's */

/*--- Frames ---*/

/* The running stack is changed, or looked at, between these two. While generated code runs, it is
 * cp_now that knows the number of frames. */
static Bool is_held;

static inline void hold(void)
{
    s->n = (UInt)(cp_now.top - s->frames);
    is_held = True;
}

static inline void release(void)
{
    cp_now.top = s->frames + s->n;
    cp_now.end = s->frames + s->max;
    is_held = False;
}

static inline void count_call(Child *c, Bool counts)
{
    counts &= cp_collecting;
    c->calls += counts;
    if (UNLIKELY(c->function->argument_options) && counts)
        cp_argument_count(running, c->node);
}

/* Makes the frame stand for an activation of the child's node. `counts`: this is a call, and not
 * code that runs on into another function. */
static void activate(Frame *f, Child *c, Bool counts)
{
    if (f->child)
        cp_frame_leave(s, f);
    if (UNLIKELY(!cp_frame_is_below(f, c)))
        cp_frame_leave_tree(s);
    f->child = c;
    cp_frame_arrive(s, f);
    count_call(c, counts);
    cp_enter(c->node);
}

/*--- Arrivals ---*/

/* Begins code that nothing has called: a thread's or a fibre's first, a handler, or a jump's target
 * in these. */
static void begin(Function *f, UWord sp, Bool is_entry)
{
    Addr back = is_entry ? cp_frame_return_address(running) : 0;

    while (s->n && cp_frame_top(s)->kind == FRAME_JUMP)
        cp_frame_pop(s, s->n - 1);
    /* Before cp_frame_push(s, ), which changes what is on top. */
    Node *parent = cp_frame_bottom(s);
    Child *child = cp_context_child(parent, 0, f);
    Frame *frame = back ? cp_frame_push(s, FRAME_CALL, sp, back, parent)
                        : cp_frame_push(s, FRAME_JUMP, sp + BOTTOM_ROOM, 0, parent);

    activate(frame, child, is_entry);
}

/* Follows a jump within code made at run time, whose parts may jump to each other in any order: the
 * function takes the place of the one before, on the path too. False: it is another jump. */
static Bool replace(Function *f, Bool is_entry)
{
    Frame *t = cp_frame_top(s);

    if (!f->is_made || !cp_now.function->is_made || !t || !cp_frame_child(t))
        return False;
    cp_enter(t->node);
    activate(t, cp_context_child(t->node, t->child->site, f), is_entry);
    return True;
}

/* Enters a stub that was called or jumped to. It gets its own cost; the target of its jump will
 * replace it. */
static void enter_stub(Function *f)
{
    Bool from_stub = cp_now.function && cp_now.function->kind == FUNCTION_STUB;
    Node *parent = from_stub ? cp_now.node->parent : cp_now.node;
    Addr site = from_stub ? cp_now.node->site : 0;

    cp_enter(cp_context_child(parent, site, f)->node);
}

/*
 * Follows a jump out of a function. The new function takes the place of the old one in time, but
 * hangs under it, like a call: so it is written. Jumps in a circle do not nest: a function that the
 * running call has already jumped through is gone back to.
 */
static void jump(Function *f, UWord sp, Bool is_entry)
{
    Node *from = cp_now.node;
    const Frame *t = cp_frame_top(s);
    UInt i;
    Child *c;

    if (!cp_frame_can_jump(s, f)) {
        begin(f, sp, is_entry);
        return;
    }
    c = cp_context_jump(from, from, 0, f);
    for (i = s->n; i && s->frames[i - 1].kind == FRAME_JUMP; i--)
        if (s->frames[i - 1].child->node == c->node)
            break;
    if (i && cp_frame_child(&s->frames[i - 1]) && s->frames[i - 1].child->node == c->node) {
        cp_frame_pop(s, i);
        count_call(c, is_entry);
        cp_enter(c->node);
    } else {
        activate(cp_frame_push(s, FRAME_JUMP, t->sp, t->back, from), c, is_entry);
    }
}

/* Replaces a stub by the target of its jump. A call of the stub is a call of the target. */
static void leave_stub(Function *f, UWord sp, Bool is_entry)
{
    Node *stub = cp_now.node;
    Frame *t = cp_frame_top(s);

    cp_enter(stub->parent);
    if (t && t->kind == FRAME_CALL && !t->child && t->node == stub->parent)
        activate(t, cp_context_jump(stub, stub->parent, stub->site, f), True);
    else if (cp_now.function != f)
        jump(f, sp, is_entry);
}

/* The child that a call at `site` in the current context leads to if it goes to f. Mostly it is
 * that of the last call there, which is in the call's slot. */
static inline Child *child_at(const CallSite *site, Function *f)
{
    Node *parent = cp_now.node;
    Child **slot, *c, *last;

    if (UNLIKELY(!site->address))
        return cp_context_child(parent, 0, f);
    slot = cp_node_call(cp_now.node, site->slot);
    last = *slot;
    if (LIKELY(last->parent == parent && last->function == f && last->site == site->address))
        return last;
    c = cp_context_child(parent, site->address, f);
    if (site->target || !cp_child_stays(last, parent))
        *cp_node_call(cp_now.node, site->slot) = c;
    return c;
}

/* A call arrives at the code at hand, which is of f. It may have been translated before a call led
 * into it: then it is run on into from the function that was called. */
static void arrive_by_call(Function *f, UWord sp, Bool is_entry)
{
    CallSite *site = s->pending;
    Function *called =
        is_entry || f->kind == FUNCTION_STUB ? f : cp_function_called(VG_(get_IP)(running));
    Child *c = child_at(site, called);

    s->pending = NULL;
    if (called->kind == FUNCTION_STUB)
        cp_enter(c->node);
    else
        activate(cp_frame_top(s), c, True);
    if (called != f)
        jump(f, sp, is_entry);
}

static void check(Function *f, UWord sp, Bool is_entry)
{
    Move m = {.sp = sp, .to = f, .is_entry = is_entry && !f->is_inner};

    if (s->is_new) {
        s->is_new = False;
        cp_now.function = NULL;
    }
    if (!cp_now.function && s->pending) {
        arrive_by_call(f, sp, is_entry);
        return;
    }
    if (!CP_RETURN_SLOT && f->kind != FUNCTION_STUB)
        cp_fibre_place(s, &m);
    /* Most jumps leave the stack pointer where the call put it. */
    if (!(s->n && cp_frame_top(s)->sp == m.sp) && cp_fibre_is_move(s, &m))
        cp_fibre_move(s, &m);
    if (!cp_now.function)
        begin(f, sp, is_entry);
    else if (cp_now.function == f)
        return;
    else if (f->kind == FUNCTION_STUB)
        enter_stub(f);
    else if (cp_now.function->kind == FUNCTION_STUB)
        leave_stub(f, sp, is_entry);
    else if (!replace(f, is_entry))
        jump(f, sp, is_entry);
}

/* Does what check() does where an indirect call arrives, or a stub goes on to what it was called
 * for, if there is no more to do than to enter the node. False: it is something else. */
static inline Bool arrive(Function *f, UWord sp)
{
    Frame *t = cp_now.top - 1;
    Child *c;

    if (t->kind != FRAME_CALL || t->child || s->is_new)
        return False;
    if (!cp_now.function) {
        if (!s->pending || !s->pending->address || t->node != cp_now.node)
            return False;
        c = *cp_node_call(cp_now.node, s->pending->slot);
        if (c->parent != cp_now.node || c->site != s->pending->address)
            return False;
    } else {
        c = cp_now.node->jumped_to;
        if (cp_now.function->kind != FUNCTION_STUB || !c || t->node != cp_now.node->parent ||
            t->sp != sp)
            return False;
    }
    if (c->function != f || c->watched || !c->activation)
        return False;
    s->pending = NULL;
    t->child = c;
    c->calls++;
    cp_enter(c->node);
    return True;
}

VG_REGPARM(3) void cp_stack_check(Function *f, UWord sp, UWord is_entry)
{
    if (LIKELY(arrive(f, sp)))
        return;
    hold();
    check(f, sp, (Bool)is_entry);
    release();
}

/*--- Calls and returns ---*/

/* Calls the child that the site leads to in the current context. */
static Child *call(CallSite *site, UWord sp)
{
    Node *parent = cp_now.node;
    Child *c;
    Frame *f;

    if (!site->callee)
        site->callee = cp_function_called(site->target);
    c = child_at(site, site->callee);
    f = cp_frame_push(s, FRAME_CALL, sp, site->back, parent);
    if (c->function->kind == FUNCTION_STUB) {
        cp_enter(c->node);
    } else {
        f->child = c;
        cp_frame_arrive(s, f);
        count_call(c, True);
        cp_enter(c->node);
    }
    return c;
}

/* Generated code repeats the last steps: it writes the same frame, counts and enters the node. */
VG_REGPARM(2) void cp_stack_call(CallSite *site, UWord sp)
{
    Child **slot = cp_node_call(cp_now.node, site->slot);
    Node *parent = cp_now.node;

    hold();
    *slot = call(site, sp);
    s->n--;
    (*slot)->calls--;
    cp_now.node = parent;
    release();
}

VG_REGPARM(2) void cp_stack_call_indirect(CallSite *site, UWord sp)
{
    if (UNLIKELY(cp_now.top == cp_now.end)) {
        hold();
        cp_frame_grow(s);
        release();
    }
    *cp_now.top++ = cp_frame_of_call(sp, site->back, NULL);
    s->pending = site;
    cp_now.function = NULL;
}

static void back(UWord sp, UWord target)
{
    UInt n = s->n;

    if (UNLIKELY(clo_heap))
        cp_heap_return(running, sp - CP_RETURN_SLOT);
    if (UNLIKELY(cp_now.function->argument_options))
        cp_argument_chosen(running, cp_now.function);
    while (n && s->frames[n - 1].kind == FRAME_JUMP)
        n--;
    if (LIKELY(n && s->frames[n - 1].kind != FRAME_SECTION &&
               s->frames[n - 1].sp + CP_RETURN_SLOT == sp && s->frames[n - 1].back == target))
        cp_frame_pop(s, n - 1);
    else if (!n || s->frames[n - 1].kind != FRAME_SECTION || !cp_nest_return(s, sp, target))
        cp_fibre_move(s, &(Move){.sp = sp + MOVE_RETURN_SLOT - CP_RETURN_SLOT, .target = target});
}

/* Generated code takes one more frame off, and enters its node. */
VG_REGPARM(1) void cp_stack_back(UWord target)
{
    UWord sp = VG_(get_SP)(running);

    if (LIKELY(cp_allocator_return(cp_now.top - 1, running, sp, target)) ||
        (!s->is_new && cp_frame_close_call(cp_now.top - 1, sp, target))) {
        cp_node_choose_counted(cp_now.top[-1].node);
        return;
    }
    hold();
    back(sp, target);
    s->is_new = !cp_now.function;
    cp_frame_push(s, FRAME_CALL, 0, 0, cp_now.node);
    release();
}

/*--- Translation ---*/

Function *cp_stack_function(Addr address)
{
    return s && !s->is_new ? cp_frame_function(s, address, VG_(get_SP)(running))
                           : cp_function_at(address);
}

/*--- Allocation functions ---*/

/* No frame comes or goes. */
VG_REGPARM(3) void cp_stack_allocates(Function *f, const void *state, UWord sp)
{
    s->n = (UInt)(cp_now.top - s->frames);
    cp_allocator_call(s, running, f, state, sp);
}

static void each_active(void (*list)(Activity *a))
{
    cp_allocator_each_active(s, list);
}

/*--- Sections ---*/

void cp_stack_enter(SectionEntry *entry, Bool counts)
{
    hold();
    cp_frame_leave_tree(s);
    cp_nest_push(s, entry, counts);
    release();
}

SectionEntry *cp_stack_leave(const Section *section, Bool *crossed)
{
    SectionEntry *e;

    hold();
    e = cp_nest_pull(s, section, crossed);
    release();
    return e;
}

void cp_stack_count(UInt event, ULong n)
{
    hold();
    cp_frame_count(s, event, n);
    release();
}

/*--- Interruptions ---*/

void cp_stack_restart(void (*change)(void))
{
    Bool was_held = is_held;

    if (!s) {
        cp_section_settle();
        change();
        cp_section_resume();
        return;
    }
    if (!was_held)
        hold();
    cp_frame_settle(s);
    change();
    cp_frame_resume(s);
    if (!was_held)
        release();
}

/*--- The check ---*/

VG_REGPARM(1) void cp_stack_walk(UWord ir)
{
    hold();
    cp_frame_walk(s, ir);
    release();
}

/*--- Threads and signals ---*/

/* The core uses its numbers again, and which thread gets which depends on when others end; so
 * threads have numbers of their own. Beyond this many, a thread goes on under the root of one that
 * ended, so that programs that start threads for ever do not grow for ever. */
enum { THREADS_APART = 1000 };

void cp_stack_begin(ThreadId tid)
{
    static UInt n_begun;
    Stack *stack = &stacks[tid];

    if (stack->number && n_begun >= THREADS_APART)
        return;
    stack->number = ++n_begun;
    stack->root = NULL;
}

UInt cp_stack_thread(ThreadId tid)
{
    return stacks[tid].number;
}

void cp_stack_switch(ThreadId tid)
{
    if (tid == running)
        return;
    if (s) {
        hold();
        s->node = cp_now.node;
        s->open_end = !cp_now.function;
        cp_frame_settle(s);
    }
    running = tid;
    s = &stacks[tid];
    if (!s->max)
        cp_frame_grow(s);
    if (!s->root) {
        s->root = s->base = s->node = cp_context_root(s->number);
        s->open_end = True;
    }
    cp_enter(s->node);
    if (s->open_end)
        cp_now.function = NULL;
    cp_frame_resume(s);
    is_held = True;
    cp_frame_inside(s->n_inside);
    release();
}

/* The next thread of this number begins with an empty stack. */
static void on_thread_exit(ThreadId tid)
{
    cp_stack_switch(tid);
    hold();
    cp_frame_empty(s);
    cp_parked_forget(s, VG_(get_SP)(tid));
    cp_enter(s->root);
    cp_now.function = NULL;
    release();
}

void cp_stack_signal(ThreadId tid)
{
    Frame *f;

    cp_stack_switch(tid);
    hold();
    s->interruptions[s->n_interruptions++ % INTERRUPTIONS] = (Interruption){s->n, VG_(get_IP)(tid)};
    f = cp_frame_push(s, FRAME_SIGNAL, VG_(get_SP)(tid), 0, cp_now.node);
    f->pending = s->pending;
    /* If the signal interrupted a call that had not arrived, the call will arrive afterwards. */
    f->back = !cp_now.function || s->is_new;
    s->is_new = False;
    s->pending = NULL;
    cp_now.function = NULL;
    release();
}

/*
 * A handler may make the interrupted code call a function, as Go's does so that goroutines take
 * turns. Then the stack pointer is lower than `sp`, a return address into that code lies there, and
 * a function begins. Its frame is a call's, so that its return ends it.
 */
static void inject_call(ThreadId tid, UWord sp, Addr ip)
{
    static CallSite nowhere;
    UWord now = VG_(get_SP)(tid), code;
    Addr back = cp_frame_return_address(tid), start = VG_(get_IP)(tid);
    Function *from;

    if (now >= sp || sp - now > CP_RED_ZONE + 64 || !ip || !back || !cp_frame_read(start, &code) ||
        cp_function_at(start)->start != start)
        return;
    from = cp_function_at(ip);
    if (cp_function_at(back) != from)
        return;
    /* A call that had not arrived arrives first. */
    if (!cp_now.function)
        check(from, sp, ip == from->start);
    cp_frame_push(s, FRAME_CALL, now, back, cp_now.node);
    nowhere.back = back;
    s->pending = &nowhere;
    cp_now.function = NULL;
}

static void leave_signal(ThreadId tid)
{
    UInt n = s->n;
    Frame signal;

    while (n && s->frames[n - 1].kind != FRAME_SIGNAL)
        n--;
    if (!n)
        return;
    signal = s->frames[n - 1];
    s->pending = signal.pending;
    cp_fibre_give_up(s, n - 1);
    if (signal.back)
        cp_now.function = NULL;
    inject_call(tid, signal.sp, cp_frame_interrupted_at(s, n - 1));
}

void cp_stack_after_signal(ThreadId tid)
{
    cp_stack_switch(tid);
    hold();
    leave_signal(tid);
    release();
}

static void on_overflow(void)
{
    if (s)
        cp_frame_leave_tree(s);
}

void cp_stack_init(void)
{
    cp_context_on_overflow = on_overflow;
    stacks = VG_(calloc)("cp.stack.4", VG_N_THREADS, sizeof *stacks);
    cp_heap_each_active = each_active;
    VG_(track_pre_thread_ll_exit)(on_thread_exit);
}
