#include "cp_fibre.h"

#include "cp_parked.h"

#include "pub_tool_aspacemgr.h"

/* Bytes. A jump that lowers sp by more than FAR, or one to a function's first instruction by more
 * than NEAR, is looked at for a change of stack: hardly any function has so big a frame and leaves
 * it behind where it jumps to another. */
#define FAR  65536
#define NEAR 1024

/*--- Parking ---*/

/* Takes the frames from index n on off the stack and keeps them; goes back to the context of the
 * oldest. */
static void park(Stack *s, UInt n)
{
    if (n == s->n)
        return;
    cp_parked_add(s->frames + n, s->n - n, s, s->base, n);
    cp_frame_pop(s, n);
}

/* The call that the frame with this index is of, or is jumped to in. */
static UInt call_of(const Frame *frames, UInt i)
{
    while (i && frames[i].kind == FRAME_JUMP && frames[i].back)
        i--;
    return i;
}

/*
 * Goes on in parked frames, as a return from the one with index `at`; what runs now is parked. What
 * lies on top of that frame (a scheduler's stack that was called from there) stays parked.
 */
static void go_on_in(Stack *s, Parked *q, UInt at)
{
    Bool is_of_it = q->of == s && q->base == s->base;
    UInt n = call_of(q->frames, at) + 1;

    while (n < q->n && q->frames[n].kind == FRAME_JUMP)
        n++;
    cp_parked_take(q);
    if (n < q->n)
        cp_parked_add(q->frames + n, q->n - n, q->of, q->base, q->below + n);
    /* Frames that were parked off the stack that runs go back to where they were; another stack's
     * replace it. */
    park(s, !is_of_it ? 0 : q->below < s->n ? q->below : s->n);
    s->base = q->base;
    while (s->n + n > s->max)
        cp_frame_grow(s);
    for (UInt i = 0; i < n; i++) {
        s->frames[s->n++] = q->frames[i];
        cp_frame_arrive(s, &q->frames[i]);
    }
    cp_frame_pop(s, call_of(s->frames, s->n - 1));
    VG_(free)(q);
}

/*--- Where a move leads to ---*/

/* Whether `callee` may lie on the same stack as `f`, which called it: lower, and not far away in
 * other memory. */
static Bool same_stack(const Frame *f, const Frame *callee)
{
    return callee->kind != FRAME_SIGNAL && f->kind != FRAME_SIGNAL && callee->sp <= f->sp &&
           (f->sp - callee->sp <= FAR || cp_frame_same_memory(f->sp, callee->sp));
}

/* The number of frames that are left when sp is `sp`, if that lies in the running stack: frames
 * below it are dead. ~0: it lies elsewhere. */
static UInt frames_at(Stack *s, UWord sp)
{
    const Frame *frames = s->frames;
    UInt i = s->n;

    while (i) {
        UInt end = i--; /* frames [i, end): on one stack, of falling sp */
        while (i && same_stack(&frames[i - 1], &frames[i]))
            i--;
        if (frames[i].kind == FRAME_SIGNAL || sp <= cp_frame_start(&frames[end - 1]) ||
            sp > frames[i].sp + CP_RETURN_SLOT)
            continue;
        while (end > i && frames[end - 1].sp < sp)
            end--;
        return end;
    }
    return ~0u;
}

/* Whether it goes to where the frame's call returns to, wherever its stack lies. */
static Bool leads_back(const Frame *f, const Move *m)
{
    if (!f->back)
        return False;
    return m->to ? !m->is_entry && cp_function_at(f->back) == m->to : f->back == m->target;
}

/* Whether it returns from the call that the frame stands for, by a jump perhaps. */
static Bool returns_from(const Frame *f, const Move *m)
{
    return f->sp + CP_RETURN_SLOT == m->sp && leads_back(f, m);
}

/* A parked frame that is returned from, one of another thread where this one has none. */
static Entry *find_parked(const Stack *s, const Move *m)
{
    UWord sp = m->sp - CP_RETURN_SLOT;
    Entry *other = NULL;

    for (Entry *e = cp_parked_next(NULL, sp); e; e = cp_parked_next(e, sp)) {
        if (!leads_back(&e->of->frames[cp_parked_index(e)], m))
            continue;
        if (e->of->of == s)
            return e;
        other = other ? other : e;
    }
    return other;
}

/* The same for a return to another place, out of what was on top when it was parked in this thread.
 */
static Entry *find_inexact(const Stack *s, const Move *m)
{
    UWord sp = m->sp - CP_RETURN_SLOT;

    for (Entry *e = cp_parked_next(NULL, sp); e; e = cp_parked_next(e, sp))
        if (e->of->of == s && cp_parked_index(e) == e->of->n - 1)
            return e;
    return NULL;
}

/* Whether it returns from a frame near the top, which has another stack on top of it that lies
 * higher. */
static Bool is_running(const Stack *s, const Move *m)
{
    for (UInt i = s->n; i && s->n - i < PARKED_LOOK && !m->is_entry; i--)
        if (returns_from(&s->frames[i - 1], m))
            return True;
    return False;
}

/*--- Stacks that were copied elsewhere, as Go's runtime does where one is too small ---*/

/* Whether the return address of the frame, which lies `by` bytes further now, is there; of one
 * that is not known, whether it is an address of code, and the same in both places. */
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
    Parked *of;     /* NULL: the running one */
    UInt first, at; /* the frames that lie elsewhere now; the last one is that of the call that the
                     * move returns from, or of a jump in it */
    UWord by;
} Copy;

/* Whether the move returns from the call of frames[at] in a copy of its stack. */
static Bool is_copy(const Frame *frames, UInt at, const Move *m, Copy *c)
{
    UInt call = call_of(frames, at);

    c->by = m->sp - CP_RETURN_SLOT - frames[at].sp;
    c->at = at;
    if (!c->by || !leads_back(&frames[at], m))
        return False;
    c->first = call;
    while (c->first && same_stack(&frames[c->first - 1], &frames[c->first]) &&
           is_copied(&frames[c->first - 1], c->by))
        c->first--;
    return c->first < call;
}

static Bool find_copy_in(const Frame *frames, UInt n, const Move *m, Copy *c)
{
    for (UInt i = n; i && n - i < PARKED_LOOK; i--)
        if (is_copy(frames, i - 1, m, c))
            return True;
    return False;
}

/* Only jumps are taken for that: a scheduler's. */
static Bool find_copy(const Stack *s, const Move *m, Copy *c)
{
    if (!m->to || m->is_entry)
        return False;
    c->of = NULL;
    if (find_copy_in(s->frames, s->n, m, c))
        return True;
    for (c->of = cp_parked_list(); c->of; c->of = c->of->next)
        if (find_copy_in(c->of->frames, c->of->n, m, c))
            return True;
    return False;
}

static void go_on_in_copy(Stack *s, const Copy *c)
{
    if (c->of) {
        cp_parked_move(c->of, c->first, c->at, c->by);
        go_on_in(s, c->of, c->at);
        return;
    }
    for (UInt i = c->first; i <= c->at; i++)
        s->frames[i].sp += c->by;
    park(s, call_of(s->frames, c->at));
}

/*--- Irregular moves ---*/

static void new_fibre(Stack *s)
{
    park(s, 0);
    s->base = cp_context_child(s->root, 0, cp_function_pseudo(FUNCTION_FIBRE))->node;
    cp_enter(s->base);
    cp_now.function = NULL;
    s->made = NULL;
}

/*
 * What leaves its frame for a function's first instruction begins a fibre, wherever that one's
 * stack lies: other code gets there by a call, or with the caller's return address on top.
 */
static Bool begins_fibre(Stack *s, const Move *m)
{
    UWord at = m->to ? m->sp : m->sp - CP_RETURN_SLOT;

    if (at <= cp_frame_top(s)->sp && cp_frame_top(s)->sp - at <= NEAR)
        return False;
    if (m->to)
        return m->is_entry;
    return VG_(am_find_nsegment)(m->target) && cp_function_at(m->target)->start == m->target;
}

void cp_fibre_move(Stack *s, const Move *m)
{
    Entry *found = find_parked(s, m);
    Copy copy;
    UInt n;

    if (!s->n)
        return;
    n = frames_at(s, m->sp);
    if (n < s->n && returns_from(&s->frames[n], m))
        park(s, n); /* from several calls at once */
    else if (found)
        go_on_in(s, found->of, cp_parked_index(found));
    else if (begins_fibre(s, m))
        new_fibre(s);
    else if (find_copy(s, m, &copy))
        go_on_in_copy(s, &copy);
    else if (n < s->n)
        park(s, n);
    else if (n == ~0u && (found = find_inexact(s, m)))
        go_on_in(s, found->of, cp_parked_index(found));
    else if (n == ~0u && (m->sp > s->frames[0].sp + CP_RETURN_SLOT ||
                          !cp_frame_same_memory(m->sp, cp_frame_top(s)->sp)))
        new_fibre(s);
}

Bool cp_fibre_is_move(Stack *s, const Move *m)
{
    const Frame *t = cp_frame_top(s);
    Copy copy;

    if (!t || t->kind == FRAME_SIGNAL)
        return False;
    if (t->back && (m->sp > t->sp || t->sp - m->sp > (m->is_entry ? NEAR : FAR)))
        return True;
    if (m->sp == t->sp)
        return False;
    return find_parked(s, m) || is_running(s, m) ||
           (t->back && t->sp - m->sp > NEAR && find_copy(s, m, &copy));
}
