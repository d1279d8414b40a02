/*
 * cp_near_quick.c - calls and jumps that lead back to an ancestor, or to what is hidden, and their
 * returns; fetches that miss, and accesses to lines that are not where they were last.
 *
 * Copies call it while vectors are the program's: it is compiled without any, and calls nothing
 * that is not.
 */
#include "cp_fibre.h"
#include "cp_frame.h"
#include "cp_l1.h"
#include "cp_ll.h"
#include "cp_near.h"
#include "cp_parked.h"
#include "cp_pending.h"
#include "cp_stack.h"

#ifdef __SSE__
#error "this file must not use vectors"
#endif

const UChar *cp_near_quick_call(UWord sp, const NearCall *n)
{
    Child *c = cp_near.child;
    Frame *top = cp_now.top;

    if (!c->activation || top == cp_now.end || !cp_inclusive_by_tree ||
        c->function->argument_options || c->function->toggles)
        return n->asks;
    top->sp = sp;
    top->back = n->site->back;
    top->is_awaited = False;
    top->kind = FRAME_CALL;
    top->is_watched = cp_inclusive_open_watched(c);
    top->node = cp_now.node;
    top->child = c;
    top->host = n->after;
    cp_now.top = top + 1;
    cp_near.target = c->host;
    c->calls++;
    cp_enter(c->node);
    return n->entered;
}

/* Closes frames down to `end`, the ones on top first. False: a function among theirs switches
 * collecting, and all are as they were. */
static Bool close_to(const Frame *end)
{
    for (const Frame *f = cp_now.top; f-- > end;)
        if (f->child && f->child->function->toggles)
            return False;
    for (const Frame *f = cp_now.top; f-- > end;)
        cp_frame_close(f);
    return True;
}

const UChar *cp_near_quick_return(UWord sp, Addr target)
{
    Frame *t = cp_now.top - 1;

    while (t->kind == FRAME_JUMP)
        t--;
    if (t->kind != FRAME_CALL || t->sp + CP_RETURN_SLOT != sp || t->back != target ||
        t->is_awaited || t->host == cp_frame_return || (!t->is_watched && t == cp_now.top - 1) ||
        !cp_inclusive_by_tree || clo_heap || !cp_now.function ||
        cp_now.function->argument_options || !close_to(t))
        return NULL;
    t->is_watched = False;
    cp_now.top = t + 1;
    return t->host;
}

/*--- Jumps ---*/

/* Children that jumps lead to, by context and function. */
enum { JUMPS = 1024 };
static Child *jumps[JUMPS];

static Child **jump_place(const Node *from, const Function *f)
{
    return &jumps[((Addr)from / sizeof *from + (Addr)f / 16 * 7) % JUMPS];
}

static Bool is_jump(const Child *c, const Node *from, const Function *f)
{
    return c && c->parent == from && c->function == f && !c->site;
}

void cp_near_jumped(Child *c)
{
    *jump_place(c->parent, c->function) = c;
}

static Child *jump_child(const Node *from, const Function *f)
{
    Child *c = *jump_place(from, f);

    return is_jump(c, from, f) ? c : NULL;
}

/* True if cp_fibre_is_move() is false of the jump for sure. */
static Bool stays(UWord sp, Bool is_entry)
{
    const Frame *t = cp_now.top - 1;
    const Stack *s = cp_frame_stacks;

    if (t->sp == sp)
        return True;
    if (!t->back || sp > t->sp || t->sp - sp > FIBRE_NEAR)
        return False;
    if (is_entry)
        return True;
    if (s->next || s->n_interruptions || cp_parked_list())
        return False;
    for (UInt i = 0; i < PARKED_LOOK && t >= s->frames; i++, t--)
        if (t->sp + CP_RETURN_SLOT == sp)
            return False;
    return True;
}

const UChar *cp_near_quick_jump(UWord sp, const Place *p)
{
    const Bool is_entry = p->guest == p->function->start;
    const Function *f = p->function;
    Node *from = cp_now.node;
    Frame *top = cp_now.top, *at = top - 1;
    Child *c;

    if (!cp_now.function || cp_now.function->kind != FUNCTION_CODE || f->kind != FUNCTION_CODE ||
        f->is_made || f->argument_options || f->toggles || !cp_inclusive_by_tree)
        return NULL;
    c = jump_child(from, f);
    if (!c || !stays(sp, is_entry))
        return NULL;
    while (at->kind == FRAME_JUMP && at->child->node != c->node)
        at--;
    if (at->kind > FRAME_JUMP || !at->child)
        return NULL;
    if (at->child->node == c->node) {
        if (!close_to(at + 1))
            return NULL;
        cp_now.top = at + 1;
    } else {
        if (top == cp_now.end)
            return NULL;
        *top = (Frame){.sp = top[-1].sp,
                       .back = top[-1].back,
                       .kind = FRAME_JUMP,
                       .node = from,
                       .child = c,
                       .host = cp_near_routines.return_jump};
        cp_frame_open(top);
        cp_now.top = top + 1;
    }
    c->calls += is_entry;
    cp_enter(c->node);
    return p->unchecked;
}

/*--- Fetches and accesses ---*/

static void go_on(const NearReference *r)
{
    cp_ll_go_on();
}

static Bool fetch(const NearReference *r)
{
    return cp_fetched_refer((FetchedLine *)(Addr)r->line);
}

NearRefer *cp_near_quick_fetch(const NearReference *r)
{
    Bool missed = fetch(r);

    if (r->has_next)
        missed |= fetch(r + 1);
    return missed && cp_pending_add(r->address, r->point) ? go_on : NULL;
}

NearRefer *cp_near_quick_data(const NearReference *r)
{
    const Addr a = cp_near.addresses[0];

    cp_near.guest->guest_RSP = cp_near.sp; /* for cp_data.c */
    if (a >= CP_L1_QUICK)
        return (NearRefer *)(Addr)r->refer;
    return cp_l1_access(a, r->point, r->room) && cp_pending_add(a, r->point) ? go_on : NULL;
}
