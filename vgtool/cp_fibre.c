/* cp_fibre.c - finds out where an irregular change of the stack leads to, and parks or moves
 * frames. */
#include "cp_fibre.h"

#include "cp_parked.h"
#include "pub_tool_aspacemgr.h"

/* Bytes. A jump may change the stack if it lowers sp by more than FAR, or by more than FIBRE_NEAR
 * and goes to a function's first instruction: hardly any function has so big a frame and leaves it
 * behind where it jumps to another. */
#define FAR 65536

/*--- Parking ---*/

/* The index of the call whose frame this is, or within which it is. */
static UInt call_of(const Frame *frames, UInt i)
{
    while (i && cp_frame_is_within(&frames[i]))
        i--;
    return i;
}

/* The end of the frames of the call at index `at` and of those within it. */
static UInt end_of(const Frame *frames, UInt n, UInt at)
{
    for (at++; at < n && (frames[at].kind == FRAME_JUMP || frames[at].kind == FRAME_SECTION); at++)
        ;
    return at;
}

/* Takes the frames from index n on off the stack and keeps them; goes back to the context of the
 * oldest. */
static void park(Stack *s, UInt n)
{
    UInt n_dead = s->n_gone > n ? s->n_gone - n : 0;

    if (n == s->n)
        return;
    if (n + n_dead < s->n)
        cp_parked_add(s->frames + n, s->n - n, n_dead, s, s->base, n);
    s->n_gone -= n_dead;
    cp_frame_pop(s, n);
}

/* Parks frames where the move returns from the call of the oldest. */
static void park_callees(Stack *s, UInt n)
{
    UInt end = end_of(s->frames, s->n, n);

    if (end < s->n)
        cp_parked_add(s->frames + n, s->n - n, end - n, s, s->base, n);
    cp_frame_pop(s, n);
}

void cp_fibre_give_up(Stack *s, UInt n)
{
    for (UInt i = n; i < s->n; i++) {
        cp_frame_close(&s->frames[i]);
        cp_frame_lose(&s->frames[i]);
        cp_frame_open(&s->frames[i]);
    }
    cp_frame_pop(s, n);
}

/*
 * Goes on in parked frames, as a return from the one with index `at`, or in the function that was
 * called there, and parks what runs now. What lies on top of that frame stays parked: a scheduler's
 * stack that was called from there.
 */
static void go_on_in(Stack *s, Parked *q, UInt at, Bool in_callee)
{
    Bool is_of_it = q->stack == s && q->base == s->base;
    UInt n = end_of(q->frames, q->n, at);

    cp_frame_leave_tree(s);
    cp_parked_take(q);
    if (n < q->n)
        cp_parked_add(q->frames + n, q->n - n, 0, q->stack, q->base, q->below + n);
    /* Frames of the running stack go back to where they were; those of another stack replace it. */
    park(s, !is_of_it ? 0 : q->below < s->n ? q->below : s->n);
    s->base = q->base;
    while (s->n + n > s->max)
        cp_frame_grow(s);
    for (UInt i = 0; i < n; i++) {
        s->frames[s->n++] = q->frames[i];
        cp_frame_arrive(s, cp_frame_top(s));
    }
    if (in_callee) {
        cp_fibre_give_up(s, s->n - n + at + 1);
        cp_enter(cp_frame_top(s)->child->node);
    } else {
        cp_fibre_give_up(s, call_of(s->frames, s->n - 1));
    }
    VG_(free)(q);
}

/* Parks the frames of a waiting thread's stack up to this index. They also stay there, under what
 * the thread does until it leaves the stack, but nothing goes on in them. */
static Parked *park_of(Stack *s, UInt at)
{
    UInt n = end_of(s->frames, s->n, at);

    cp_parked_add(s->frames, n, s->n_gone, s, s->base, 0);
    for (UInt i = s->n_gone; i < n; i++)
        if (s->frames[i].kind == FRAME_SECTION)
            s->frames[i].entry = NULL;
    s->n_gone = n;
    return cp_parked_list();
}

/*--- Where a move leads to ---*/

/* True if `callee` may lie on the same stack as its caller `f`: lower, and not far away in other
 * memory. */
static Bool same_stack(const Frame *f, const Frame *callee)
{
    return callee->kind != FRAME_SIGNAL && f->kind != FRAME_SIGNAL && callee->sp <= f->sp &&
           (f->sp - callee->sp <= FAR || cp_frame_same_memory(f->sp, callee->sp));
}

/* The lowest sp of the code whose frames end before index `end`. A signal's frame has that of the
 * code it interrupted, which may lie a little lower when it goes on. */
static UWord lowest(const Stack *s, UInt end)
{
    const Frame *f = &s->frames[end];

    return end < s->n && f->kind == FRAME_SIGNAL ? f->sp - FIBRE_NEAR : cp_frame_start(f - 1) + 1;
}

/* The number of frames that are left when sp is `sp`, if that lies in the running stack: frames
 * below it are dead. ~0: it lies elsewhere. */
static UInt frames_at(const Stack *s, UWord sp)
{
    const Frame *frames = s->frames;
    UInt i = s->n;

    while (i) {
        UInt end = i--; /* frames [i, end): on one stack, of falling sp */
        Bool is_above = frames[i].kind != FRAME_SIGNAL && sp >= lowest(s, end);
        if (is_above && sp <= frames[i].sp)
            return end;
        for (; i && same_stack(&frames[i - 1], &frames[i]); i--)
            if (is_above && sp > frames[i].sp && sp <= frames[i - 1].sp)
                return i;
        if (is_above && sp > frames[i].sp && sp <= frames[i].sp + MOVE_RETURN_SLOT)
            return i;
    }
    return ~0u;
}

/* True if the move leaves code made at run time. */
static Bool is_in_made(void)
{
    return cp_now.function && cp_now.function->is_made;
}

/* True if the move goes to where the frame's call returns to, wherever its stack lies. A jump does
 * where it goes back into the function that called, or that is there if none did; or to the very
 * address, if a function begins there, such as the core's that ends a signal. Which part of
 * code made at run time that is may have changed since. */
static Bool leads_back(const Frame *frames, UInt at, const Move *m)
{
    const Function *caller;

    if (!frames[at].back || frames[at].kind == FRAME_SIGNAL)
        return False;
    if (!m->to)
        return frames[at].back == m->target;
    if (m->is_entry)
        return frames[at].back == m->to->start;
    caller = frames[call_of(frames, at)].node->function;
    if (UNLIKELY(caller->kind > FUNCTION_STUB))
        caller = cp_function_at(frames[at].back);
    return caller == m->to || (is_in_made() && caller->is_made && m->to->is_made);
}

/* True if the move returns from the frame's call, perhaps by a jump. */
static Bool returns_from(const Frame *frames, UInt at, const Move *m)
{
    return frames[at].sp + MOVE_RETURN_SLOT == m->sp && leads_back(frames, at, m);
}

/* True if the move is a return that took the frame's return address, which the program had
 * replaced: so a retpoline calls. */
static Bool returns_elsewhere(const Frame *f, const Move *m)
{
    return CP_RETURN_SLOT && !m->to && f->kind != FRAME_SIGNAL && f->sp + CP_RETURN_SLOT == m->sp;
}

/* True if the move goes on in the function that was called from there, which then returns by
 * itself. Where calls push a return address, it lies there, and is what the move is known by. */
static Bool goes_on_in(const Frame *f, const Move *m)
{
    return !CP_RETURN_SLOT && m->to && !m->is_entry && f->child && f->child->function == m->to;
}

/* A frame that is on no running stack: it is parked, or near the top of a waiting thread's stack.
 */
typedef struct {
    Parked *parked;
    Stack *on; /* NULL: it is parked */
    UInt at;
    Bool in_callee; /* goes_on_in() */
} Place;

static Bool find_on(Stack *on, const Move *m, Place *place)
{
    for (UInt i = on->n;
         i > on->n_gone && on->n - i < PARKED_LOOK && on->frames[i - 1].kind != FRAME_SIGNAL; i--)
        if (returns_from(on->frames, i - 1, m)) {
            *place = (Place){.on = on, .at = i - 1};
            return True;
        }
    return False;
}

/* Finds the frame that the move returns from, in another thread if this one has none. The scheduler
 * that a fibre has called in another thread may still run there when the fibre goes on here. */
static Bool find_left(const Stack *s, const Move *m, Place *place)
{
    UWord sp = m->sp - MOVE_RETURN_SLOT;
    Bool found = False;

    for (Entry *e = cp_parked_next(NULL, sp); e; e = cp_parked_next(e, sp)) {
        const Frame *frames = e->parked->frames;
        UInt at = cp_parked_index(e);
        Bool in_callee = goes_on_in(&frames[at], m);
        if (!(in_callee || leads_back(frames, at, m)) || (found && e->parked->stack != s))
            continue;
        *place = (Place){.parked = e->parked, .at = at, .in_callee = in_callee};
        found = True;
        if (e->parked->stack == s)
            return True;
    }
    for (Stack *other = cp_frame_stacks; other && !m->is_entry; other = other->next)
        if (other != s && find_on(other, m, place))
            return True;
    return found;
}

/* The parked frame that a return to another place leads to, from the frame that was on top when it
 * was parked in this thread. */
static Entry *find_inexact(const Stack *s, const Move *m)
{
    UWord sp = m->sp - MOVE_RETURN_SLOT;

    for (Entry *e = cp_parked_next(NULL, sp); e; e = cp_parked_next(e, sp))
        if (e->parked->stack == s && cp_parked_index(e) == e->parked->n - 1)
            return e;
    return NULL;
}

/* True if the jump goes to where a call returns to, and not into a function that was called. */
static Bool has_returned(const Stack *s, const Move *m)
{
    const Move back = {.sp = m->sp + MOVE_RETURN_SLOT, .to = m->to};
    Place place;

    for (UInt i = s->n; i > s->n_gone; i--)
        if (s->frames[i - 1].kind != FRAME_SIGNAL && returns_from(s->frames, i - 1, &back))
            return True;
    return find_left(s, &back, &place);
}

/* True if the jump goes back to a function's first instruction, from a call that a signal's handler
 * has put there. */
static Bool ends_injected(const Stack *s, const Move *m)
{
    const Frame *t = cp_frame_top(s);

    return t && t->kind == FRAME_CALL && t->back == m->to->start && m->sp > t->sp &&
           m->sp - t->sp <= CP_RED_ZONE + 64;
}

void cp_fibre_place(const Stack *s, Move *m)
{
    if (m->is_entry)
        m->is_entry = !ends_injected(s, m);
    else if (has_returned(s, m))
        m->sp += MOVE_RETURN_SLOT;
}

/*--- Stacks that were copied elsewhere, as Go's runtime does where one is too small ---*/

/* True if the frame's return address also lies `by` bytes further. If the address is not known, it
 * must be one of code, and the same in both places. */
static Bool is_copied(const Frame *f, UWord by)
{
    UWord at = cp_frame_start(f), old, copy;
    const NSegment *code;

    if (!cp_frame_read(at + by, &copy))
        return False;
    if (f->back)
        return copy == f->back;
    code = VG_(am_find_nsegment)(copy);
    return code && code->hasX && cp_frame_read(at, &old) && old == copy;
}

/* A stack that was copied. */
typedef struct {
    Place place; /* of the frame that the move returns from, or a jump's in it */
    Bool runs;   /* the copied stack is the running one */
    UInt first;  /* the oldest frame that was moved */
    UWord by;
} Copy;

/* True if the move returns from the call of frames[at] in a copy of its stack. */
static Bool is_copy(const Frame *frames, UInt at, const Move *m, Copy *c)
{
    UInt call = call_of(frames, at);

    c->by = m->sp - MOVE_RETURN_SLOT - frames[at].sp;
    c->place.at = at;
    if (!c->by || !leads_back(frames, at, m))
        return False;
    c->first = call;
    while (c->first && same_stack(&frames[c->first - 1], &frames[c->first]) &&
           is_copied(&frames[c->first - 1], c->by))
        c->first--;
    return c->first < call;
}

static Bool find_copy_in(const Frame *frames, UInt from, UInt n, const Move *m, Copy *c)
{
    for (UInt i = n; i > from && n - i < PARKED_LOOK; i--)
        if (is_copy(frames, i - 1, m, c))
            return True;
    return False;
}

/* Finds the copy that a jump leads to. Only a scheduler's jumps do. */
static Bool find_copy(const Stack *s, const Move *m, Copy *c)
{
    if (!m->to || m->is_entry)
        return False;
    c->place = (Place){.parked = NULL};
    c->runs = True;
    if (find_copy_in(s->frames, s->n_gone, s->n, m, c))
        return True;
    c->runs = False;
    for (Parked *q = cp_parked_list(); q; q = q->next) {
        c->place.parked = q;
        if (find_copy_in(q->frames, q->n_dead, q->n, m, c))
            return True;
    }
    for (Stack *other = cp_frame_stacks; other; other = other->next) {
        c->place = (Place){.on = other};
        if (other != s && find_copy_in(other->frames, other->n_gone, other->n, m, c))
            return True;
    }
    return False;
}

static void go_on_at(Stack *s, const Place *place)
{
    go_on_in(s, place->on ? park_of(place->on, place->at) : place->parked, place->at,
             place->in_callee);
}

static void go_on_in_copy(Stack *s, const Copy *c)
{
    UInt at = c->place.at;
    Parked *q;

    if (c->runs) {
        for (UInt i = c->first; i < end_of(s->frames, s->n, at); i++)
            s->frames[i].sp += c->by;
        park_callees(s, call_of(s->frames, at));
        return;
    }
    q = c->place.on ? park_of(c->place.on, at) : c->place.parked;
    cp_parked_move(q, c->first, end_of(q->frames, q->n, at), c->by);
    go_on_in(s, q, at, False);
}

/*--- Irregular moves ---*/

/*
 * True if the move stays within the call that led to code made at run time. There an interpreter
 * keeps frames of its own, which come and go by pushes, pops and jumps; what switches stacks is
 * compiled ahead. A page may not be there until it is touched.
 */
static Bool stays(const Frame *t, const Move *m)
{
    return is_in_made() && m->sp <= t->sp &&
           (t->sp - m->sp <= FAR || cp_frame_same_memory(t->sp, m->sp + VKI_PAGE_SIZE));
}

static void new_fibre(Stack *s)
{
    park(s, 0);
    s->base = cp_context_child(s->root, 0, cp_function_pseudo(FUNCTION_FIBRE))->node;
    cp_enter(s->base);
    cp_now.function = NULL;
    s->pending = NULL;
}

/* True if sp is where the code of the topmost frame may have it. */
static Bool is_near_top(const Stack *s, UWord sp)
{
    UWord top = cp_frame_top(s)->sp;

    return sp <= top && top - sp <= FIBRE_NEAR;
}

/*
 * True if the move begins a fibre: it leaves its frame for a function's first instruction, wherever
 * the new stack lies. Other code gets there by a call, or with the caller's return address on top.
 */
static Bool begins_fibre(Stack *s, const Move *m)
{
    UWord at = m->to ? m->sp : m->sp - MOVE_RETURN_SLOT;

    if (is_near_top(s, at))
        return False;
    if (m->to)
        return m->is_entry;
    return VG_(am_find_nsegment)(m->target) && cp_function_at(m->target)->start == m->target;
}

void cp_fibre_move(Stack *s, const Move *m)
{
    Place place;
    Entry *found;
    Copy copy;
    UInt n;

    if (s->n && stays(cp_frame_top(s), m))
        return;
    n = s->n ? frames_at(s, m->sp) : ~0u;

    if (n < s->n_gone)
        n = ~0u;
    if (n < s->n && returns_from(s->frames, n, m))
        park_callees(s, n); /* from several calls at once */
    else if (find_left(s, m, &place))
        go_on_at(s, &place);
    else if (!s->n)
        return;
    else if (n < s->n && returns_elsewhere(&s->frames[n], m))
        park_callees(s, n);
    else if (begins_fibre(s, m))
        new_fibre(s);
    else if (find_copy(s, m, &copy))
        go_on_in_copy(s, &copy);
    else if (n < s->n)
        park(s, n);
    else if (n == ~0u && !is_near_top(s, m->sp) && (found = find_inexact(s, m)))
        go_on_in(s, found->parked, cp_parked_index(found), False);
    else if (n == ~0u && (m->sp > s->frames[0].sp + MOVE_RETURN_SLOT ||
                          !cp_frame_same_memory(m->sp, cp_frame_top(s)->sp)))
        new_fibre(s);
}

/* True if the jump leaves a signal's handler. The handler's stack may lie anywhere, even among the
 * frames of the code that was interrupted. */
static Bool leaves_handler(const Stack *s, const Move *m)
{
    UInt signal = s->n_interruptions
                      ? s->interruptions[(s->n_interruptions - 1) % INTERRUPTIONS].frame
                      : s->n;

    return signal < s->n && s->frames[signal].kind == FRAME_SIGNAL && frames_at(s, m->sp) <= signal;
}

Bool cp_fibre_is_move(Stack *s, const Move *m)
{
    const Frame *t = cp_frame_top(s);
    Place place;
    Copy copy;

    if (!t || t->kind == FRAME_SIGNAL || stays(t, m))
        return False;
    if (t->back && (m->sp > t->sp || t->sp - m->sp > (m->is_entry ? FIBRE_NEAR : FAR)))
        return True;
    if (m->sp == t->sp || m->is_entry)
        return False;
    return find_on(s, m, &place) || leaves_handler(s, m) || find_left(s, m, &place) ||
           (t->back && t->sp - m->sp > FIBRE_NEAR && find_copy(s, m, &copy));
}
