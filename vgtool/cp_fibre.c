/*
 * Data structure: parked stacks, a list: frames that were left otherwise than by returning, kept
 * until their memory is used again, since a fibre may go on in them, be it in another thread.
 */
#include "cp_fibre.h"

#include "pub_tool_aspacemgr.h"

/* Bytes. A jump that lowers sp by more than FAR, or one to a function's first instruction by more
 * than NEAR, is looked at for a change of stack: hardly any function has so big a frame and leaves
 * it behind where it jumps to another. */
#define FAR  65536
#define NEAR 1024

/*--- Parking ---*/

static Parked *parked;

/* How many of the list have their youngest frame at such an sp: mostly none. */
enum { PLACES = 1024 };
static UInt n_at[PLACES];

static UInt *place_of(UWord sp)
{
    return &n_at[sp / sizeof(UWord) % PLACES];
}

static void add(Parked *q)
{
    q->next = parked;
    parked = q;
    ++*place_of(q->frames[q->n - 1].sp);
}

static Parked *take(Parked **at)
{
    Parked *q = *at;

    *at = q->next;
    --*place_of(q->frames[q->n - 1].sp);
    return q;
}

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
    for (Parked **p = &parked; *p;) {
        const Parked *q = *p;
        if (reaches_into(q->frames, q->n, frames, n) && reaches_into(frames, n, q->frames, q->n))
            VG_(free)(take(p));
        else
            p = &(*p)->next;
    }
}

/* Takes the frames from index n on off the stack and keeps them; goes back to the context of the
 * oldest. */
static void park(Stack *s, UInt n)
{
    UInt count = s->n - n;
    Parked *q;

    if (!count)
        return;
    drop_overlapping(s->frames + n, count);
    q = VG_(malloc)("cp.stack.2", sizeof *q + count * sizeof(Frame));
    q->n = count;
    q->of = s;
    q->base = s->base;
    q->below = n;
    VG_(memcpy)(q->frames, s->frames + n, count * sizeof(Frame));
    add(q);
    cp_frame_pop(s, n);
}

/* Goes on in a parked stack, whose place is `at` in the list; what runs now is parked. */
static void unpark(Stack *s, Parked **at)
{
    Parked *q = take(at);
    Bool is_of_it = q->of == s && q->base == s->base;

    /* Frames that were parked off the stack that runs go back to where they were; another stack's
     * replace it. */
    park(s, !is_of_it ? 0 : q->below < s->n ? q->below : s->n);
    s->base = q->base;
    while (s->n + q->n > s->max)
        cp_frame_grow(s);
    for (UInt i = 0; i < q->n; i++) {
        s->frames[s->n++] = q->frames[i];
        cp_frame_arrive(s, &q->frames[i]);
    }
    VG_(free)(q);
}

/*--- Irregular moves ---*/

/* The number of frames that are left when sp is `sp`, if that lies in the running stack: frames
 * below it are dead. ~0: it lies elsewhere. */
static UInt frames_at(Stack *s, UWord sp)
{
    UInt i = s->n;

    while (i) {
        UInt end = i; /* frames [i, end): a run between signals, of falling sp */
        while (i && s->frames[i - 1].kind != FRAME_SIGNAL)
            i--;
        if (i < end && sp > s->frames[end - 1].sp && sp <= s->frames[i].sp + CP_RETURN_SLOT) {
            while (end > i && s->frames[end - 1].sp < sp)
                end--;
            return end;
        }
        if (i)
            i--;
    }
    return ~0u;
}

/* Whether it returns from the call that the frame stands for, by a jump perhaps. */
static Bool returns_from(const Frame *f, const Move *m)
{
    if (f->sp + CP_RETURN_SLOT != m->sp || !f->back)
        return False;
    return m->to ? !m->is_entry && cp_function_at(f->back) == m->to : f->back == m->target;
}

/* The parked stack whose top frame is returned from, one of another thread where this one has none;
 * where `exact` is false, to another place, in this thread. */
static Parked **find_parked(const Stack *s, const Move *m, Bool exact)
{
    Parked **other = NULL;

    if (LIKELY(!*place_of(m->sp - CP_RETURN_SLOT)))
        return NULL;
    for (Parked **p = &parked; *p; p = &(*p)->next) {
        const Frame *t = &(*p)->frames[(*p)->n - 1];
        if (exact ? !returns_from(t, m) : t->sp + CP_RETURN_SLOT != m->sp)
            continue;
        if ((*p)->of == s)
            return p;
        if (exact)
            other = p;
    }
    return other;
}

static Bool same_memory(UWord a, UWord b)
{
    const NSegment *x = VG_(am_find_nsegment)(a), *y = VG_(am_find_nsegment)(b);

    return x == y;
}

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

static void go_on_in(Stack *s, Parked **found)
{
    unpark(s, found);
    cp_frame_pop(s, s->n - 1);
}

void cp_fibre_move(Stack *s, const Move *m)
{
    Parked **found = find_parked(s, m, True);
    UInt n;

    if (!s->n)
        return;
    n = frames_at(s, m->sp);
    if (n < s->n && returns_from(&s->frames[n], m))
        park(s, n); /* from several calls at once */
    else if (found)
        go_on_in(s, found);
    else if (begins_fibre(s, m))
        new_fibre(s);
    else if (n < s->n)
        park(s, n);
    else if (n == ~0u && (found = find_parked(s, m, False)))
        go_on_in(s, found);
    else if (n == ~0u &&
             (m->sp > s->frames[0].sp + CP_RETURN_SLOT || !same_memory(m->sp, cp_frame_top(s)->sp)))
        new_fibre(s);
}

Bool cp_fibre_is_move(Stack *s, const Move *m)
{
    const Frame *t = cp_frame_top(s);

    if (!t || t->kind == FRAME_SIGNAL)
        return False;
    if (t->back && (m->sp > t->sp || t->sp - m->sp > (m->is_entry ? NEAR : FAR)))
        return True;
    return m->sp != t->sp && find_parked(s, m, True);
}

/* Left by threads that have ended: more are not kept. */
enum { MAX_LEFT = 1000 };

void cp_fibre_forget(Stack *stack, UWord sp)
{
    UInt n_left = 0;

    for (Parked **p = &parked; *p;) {
        Parked *q = *p;
        Bool is_its = q->of == stack;

        if (is_its)
            q->of = NULL;
        n_left += !q->of;
        if ((is_its && same_memory(q->frames[q->n - 1].sp, sp)) || (!q->of && n_left > MAX_LEFT))
            VG_(free)(take(p));
        else
            p = &q->next;
    }
}
