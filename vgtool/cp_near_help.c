/*
 * cp_near_help.c - the helper: what copies ask for where a shadow stack changes in a way that is
 * not the usual one, and where there is no copy to go on in.
 */
#include "cp_frame.h"
#include "cp_leap.h"
#include "cp_near.h"
#include "cp_stack.h"

/* Enters what the frame on top goes back to, as generated code does after cp_stack_back(). */
static void take_frame_off(void)
{
    const Node *node = (--cp_now.top)->node;

    cp_enter((Node *)node);
}

/* True if what the frame on top is about can be entered without the helper, from here on. */
static Bool is_plain(const Frame *f, const Function *function)
{
    return f->child && f->child->activation && !f->is_watched && f->child->node == cp_now.node &&
           f->child->function == function;
}

/* Code of the function has been come to, perhaps by a jump from a context of another one: then
 * copies follow the next such jump by themselves. */
static void note_jump(const Node *from, const Function *f)
{
    const Frame *top = cp_now.top - 1;
    Child *last = from->jumped_to;

    if (last && last->watched != CHILD_IS_FAN && last->function == f)
        cp_near_jumped(last);
    else if (top->kind == FRAME_JUMP && top->child->parent == from && top->child->function == f)
        cp_near_jumped(top->child);
}

static const UChar *help_check(Place *p, UWord sp)
{
    Node *from = cp_now.node;
    const Frame *before = cp_now.top;
    Bool from_stub = !cp_now.function || cp_now.function->kind == FUNCTION_STUB;
    Bool is_stub = p->function->kind == FUNCTION_STUB;
    Frame *top;

    cp_stack_check(p->function, sp, p->guest == p->function->start);
    top = cp_now.top - 1;
    if (!is_stub && !from_stub)
        note_jump(from, p->function);
    if (is_stub && !from_stub && cp_now.node->function == p->function && cp_now.top == before &&
        cp_now.node->parent == from) {
        from->stubbed = cp_node(cp_now.node->id);
    } else if ((top->kind == FRAME_CALL || top->kind == FRAME_JUMP) && is_plain(top, p->function)) {
        Bool has_jumped = top->kind == FRAME_JUMP;
        if (has_jumped && !(cp_now.top == before + 1 && top->child->parent == top->node &&
                            !top->is_watched && p->guest == p->function->start))
            return p->unchecked;
        p->is_entry = True;
        top->child->entry = p->guest;
        top->child->host = cp_low(p->unchecked);
        if (has_jumped) {
            top->host = cp_near_routines.return_jump;
            if (top->node->jumped_to)
                cp_near_found(&top->node->jumped_to, top->child);
        }
    }
    return p->unchecked;
}

/* Goes on at an address, by the core where there is no copy, or if the scheduler is to be asked. */
static UChar *go_on(Guest *guest)
{
    const Place *p;

    if (!guest->host_EvC_COUNTER)
        return NULL;
    guest->host_EvC_COUNTER--;
    p = cp_near_arrive(guest->guest_RIP);
    return p ? p->checked : NULL;
}

static const UChar *help_call(const NearCall *n, UWord sp)
{
    Child **slot = cp_node_call(cp_now.node, n->site->slot), *child;

    cp_stack_call(n->site, sp);
    child = *slot;
    cp_now.top++->host = n->after; /* cp_stack_call() has left the frame there */
    child->calls++;
    cp_enter(child->node);
    cp_near_know(n->link, n->site->callee);
    /* The callee may have been found just now, in the midst of another function. What is discarded
     * stays in memory: the copy at hand goes on, and its jump leads to a new copy. */
    cp_function_discard();
    return n->jump;
}

/* True if the scheduler is to be asked, which cp_near_routines.ask does where it gets NULL. */
static Bool is_event(void)
{
    return !--cp_near.events;
}

/* For cp_near_routines.ask, which goes on in a copy as it left one: a copy that is made may need
 * registers of x87 in the processor. NULL: there is no copy, and the helper is called once more. */
static const UChar *copy_of(Addr target)
{
    const Lookup *l = &cp_near_lookups[target % LOOKUP_SIZE];

    return l->guest == target ? (const UChar *)l->host : cp_near_place(target)->checked;
}

static const UChar *help_call_indirect(const NearCall *n, UWord sp, Addr target)
{
    Node *parent = cp_now.node;
    const UChar *host;
    Place *p;
    Child *c;

    cp_stack_call_indirect(n->site, sp);
    cp_now.top[-1].host = n->after;
    p = cp_near_place(target);
    if (!p->unchecked || is_event())
        return NULL;
    host = help_check(p, sp);
    c = cp_now.top[-1].child;
    if (c && cp_inclusive_by_tree && c->parent == parent && c->site == n->site->address &&
        c->entry == target)
        cp_near_found(cp_node_call(parent, n->site->slot), c);
    return host;
}

/* In the slot of a jump that copies leave to the routine for arrivals. */
static Child elsewhere = {.node = &elsewhere, .watched = CHILD_WATCHED};

static const UChar *help_jump(const NearCall *n, UWord sp)
{
    Place *p = cp_near_place(n->site->target);
    Node *from = cp_now.node;
    const UChar *host;
    const Frame *top;
    Child **slot;

    if (!p->unchecked)
        return NULL;
    host = help_check(p, sp);
    top = cp_now.top - 1;
    slot = cp_node_call(from, n->site->slot);
    *slot = &elsewhere;
    if (top->kind == FRAME_JUMP && top->node == from && top->child->parent == from &&
        top->child->node == cp_now.node && top->child->function == p->function &&
        p->guest == p->function->start) {
        *slot = top->child;
        cp_near_know(n->link, p->function);
    }
    return host;
}

static const UChar *help_return(UWord sp, Addr target)
{
    const Frame *top = cp_now.top - 1;
    UWord back;

    __builtin_memcpy(&back, (const UChar *)top + offsetof(Frame, sp) + sizeof top->sp, sizeof back);
    if (top->sp + CP_RETURN_SLOT != sp || back != target)
        cp_stack_back(target);
    take_frame_off();
    return is_event() ? NULL : copy_of(target);
}

static const UChar *help_repeat(const NearRepeat *r, ULong n)
{
    cp_near_count_repeated(r->slot, r->rep_slot, n, False);
    return r->resume;
}

static const UChar *help_leap(NearHelp help, Guest *guest)
{
    UWord sp = guest->guest_RSP;

    if (help == HELP_LEAP_CALL)
        cp_leap_call(sp);
    else if (help == HELP_LEAP_RETURN)
        cp_leap_return(sp, guest->guest_RIP);
    else
        cp_leap_jump(sp);
    return go_on(guest);
}

UChar *cp_near_help(const void *subject, NearHelp help, Guest *guest)
{
    UWord sp = guest->guest_RSP;
    Addr target = guest->guest_RIP;

    switch (help) {
    case HELP_CHECK:
        return (UChar *)help_check((Place *)subject, sp);
    case HELP_CALL:
        return (UChar *)help_call(subject, sp);
    case HELP_CALL_INDIRECT:
        return (UChar *)help_call_indirect(subject, sp, target);
    case HELP_JUMP:
        return (UChar *)help_jump(subject, sp);
    case HELP_RETURN:
        return (UChar *)help_return(sp, target);
    case HELP_ALLOCATES: {
        const NearEntry *e = subject;
        cp_stack_allocates(e->function, guest, sp);
        return e->resume;
    }
    case HELP_WALK:
        cp_stack_walk(((const NearWalk *)subject)->ir);
        return ((const NearWalk *)subject)->resume;
    case HELP_REPEAT:
        return (UChar *)help_repeat(subject, guest->guest_RCX);
    case HELP_STALE:
        cp_near_forget_stale(subject);
        return go_on(guest);
    case HELP_MISS:
        return go_on(guest);
    default:
        return (UChar *)help_leap(help, guest);
    }
}
