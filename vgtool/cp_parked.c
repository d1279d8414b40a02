/* cp_parked.c - data structure: a list of parked frames, and a hash table of those near the top, by
 * sp. */
#include "cp_parked.h"

enum { PLACES = 4096 };

static Parked *list;
static Entry *table[PLACES];

static Entry **place_of(UWord sp)
{
    return &table[sp / sizeof(UWord) % PLACES];
}

static UWord sp_of(const Entry *e)
{
    return e->parked->frames[cp_parked_index(e)].sp;
}

Parked *cp_parked_list(void)
{
    return list;
}

Entry *cp_parked_next(const Entry *e, UWord sp)
{
    Entry *next = e ? e->next : *place_of(sp);

    while (next && sp_of(next) != sp)
        next = next->next;
    return next;
}

/*--- One piece ---*/

static UInt min_uint(UInt a, UInt b)
{
    return a < b ? a : b;
}

static void find_range(Parked *q)
{
    q->low = ~(UWord)0;
    q->high = 0;
    for (UInt i = 0; i < q->n; i++) {
        UWord start = cp_frame_start(&q->frames[i]);
        q->low = start < q->low ? start : q->low;
        q->high = start > q->high ? start : q->high;
    }
}

static void enter(Parked *q)
{
    q->n_entries = min_uint(q->n - q->n_dead, PARKED_LOOK);
    for (UInt i = 0; i < q->n_entries; i++) {
        Entry **place = place_of(q->frames[q->n - 1 - i].sp);
        q->entries[i] = (Entry){.next = *place, .parked = q};
        *place = &q->entries[i];
    }
    find_range(q);
}

static void leave(Parked *q)
{
    for (UInt i = 0; i < q->n_entries; i++) {
        Entry **p = place_of(sp_of(&q->entries[i]));
        while (*p != &q->entries[i])
            p = &(*p)->next;
        *p = (*p)->next;
    }
}

void cp_parked_take(Parked *q)
{
    leave(q);
    *q->link = q->next;
    if (q->next)
        q->next->link = q->link;
}

void cp_parked_move(Parked *q, UInt first, UInt end, UWord by)
{
    leave(q);
    for (UInt i = first; i < end; i++)
        q->frames[i].sp += by;
    enter(q);
}

static void lose_entries(Frame *frames, UInt n)
{
    for (UInt i = 0; i < n; i++)
        cp_frame_lose(&frames[i]);
}

/* Keeps only its n oldest frames; nothing if all of these are dead. */
static void cut(Parked *q, UInt n)
{
    UInt left = n <= q->n_dead ? 0 : n;

    lose_entries(q->frames + left, q->n - left);
    if (!left) {
        cp_parked_take(q);
        VG_(free)(q);
        return;
    }
    leave(q);
    q->n = n;
    enter(q);
}

/*--- Frames that are dead ---*/

static Bool reaches_into(const Parked *q, UWord low, UWord high)
{
    for (UInt i = 0; i < q->n; i++) {
        UWord start = cp_frame_start(&q->frames[i]);
        if (start >= low && start <= high)
            return True;
    }
    return False;
}

/*
 * True if the called function's frame still has the return address, where calls push none. It saves
 * it at the beginning of its own frame, which lies where it calls others. A function that calls
 * none need not save it, so the topmost frame counts as alive.
 */
static Bool is_saved(const Parked *q, UInt frame)
{
    enum { SAVED = 512 }; /* bytes in which it lies */
    UWord top = q->frames[frame].sp, low, word;
    UInt i = frame + 1;

    while (i < q->n && q->frames[i].sp >= top)
        i++;
    if (i == q->n)
        return True;
    low = q->frames[i].sp;
    if (!cp_frame_read(low, &word) || !cp_frame_read(top - sizeof word, &word))
        return False;
    for (UWord at = low; at < top && at < low + SAVED; at += sizeof word)
        if (*(const UWord *)at == q->frames[frame].back)
            return True;
    return False;
}

/* True if the frame's return address has been written over. A lone frame without one counts as
 * overwritten. */
static Bool is_overwritten(const Parked *q, UInt i)
{
    const Frame *f = &q->frames[i];
    UWord word;

    if (!f->back)
        return f->kind != FRAME_SIGNAL && q->n == 1;
    if (!CP_RETURN_SLOT)
        return !is_saved(q, i);
    return !cp_frame_read(f->sp, &word) || word != f->back;
}

/*
 * The number of frames of `old` that are still alive; `q` is newer. A fibre's whole stack may lie
 * between two frames, in the local variables of a function, or between a fibre and the scheduler
 * that it called: neither is dead then.
 */
static UInt alive(const Parked *old, const Parked *q)
{
    if (old->low > q->high || old->high < q->low)
        return old->n;
    if (!reaches_into(old, q->low, q->high) || !reaches_into(q, old->low, old->high))
        return old->n;
    for (UInt i = 0; i < old->n; i++) {
        UWord start = cp_frame_start(&old->frames[i]);
        if (start >= q->low && start <= q->high && is_overwritten(old, i))
            return i;
    }
    return old->n;
}

/* True if the frame, at the place of a newer one, is dead. Where calls push no return address, a
 * fibre's stack may begin where the frame of the function does that has it among its variables. */
static Bool is_replaced(const Entry *e, const Frame *newer)
{
    UInt i = cp_parked_index(e);

    return cp_frame_is_bottom(&e->parked->frames[i]) == cp_frame_is_bottom(newer) &&
           (CP_RETURN_SLOT || cp_frame_is_bottom(newer) || is_overwritten(e->parked, i));
}

/* Drops older frames at the place of this one: only the newer one is alive. */
static void drop_at(const Frame *f, const Parked *newer)
{
    Entry *e = cp_parked_next(NULL, f->sp);

    while (e) {
        if (e->parked == newer || !is_replaced(e, f)) {
            e = cp_parked_next(e, f->sp);
        } else {
            cut(e->parked, cp_parked_index(e));
            e = cp_parked_next(NULL, f->sp);
        }
    }
}

static void drop_overlapping(const Parked *q)
{
    for (UInt i = 0; i < q->n_entries; i++)
        drop_at(&q->frames[q->n - 1 - i], q);
    for (Parked *old = list, *next; old; old = next) {
        UInt n = old == q ? old->n : alive(old, q);
        next = old->next;
        if (n < old->n)
            cut(old, n);
    }
}

void cp_parked_add(const Frame *frames, UInt n, UInt n_dead, const Stack *stack, Node *base,
                   UInt below)
{
    SizeT size = n * sizeof(Frame);
    Parked *q =
        VG_(malloc)("cp.parked.1", sizeof *q + size + min_uint(n, PARKED_LOOK) * sizeof(Entry));

    q->stack = stack;
    q->base = base;
    q->below = below;
    q->n = n;
    q->n_dead = n_dead;
    VG_(memcpy)(q->frames, frames, size);
    q->entries = (Entry *)&q->frames[n];
    enter(q);
    q->next = list;
    q->link = &list;
    if (list)
        list->link = &q->next;
    list = q;
    drop_overlapping(q);
}

/*--- Threads that end ---*/

/* Kept frames of threads that have ended. */
enum { MAX_LEFT = 1000 };

void cp_parked_forget(const Stack *stack, UWord sp)
{
    UInt n_left = 0;

    for (Parked *q = list, *next; q; q = next) {
        UInt n = q->n;
        next = q->next;
        if (q->stack == stack) {
            q->stack = NULL;
            while (n && cp_frame_same_memory(q->frames[n - 1].sp, sp))
                n--;
        }
        n_left += !q->stack && n;
        if (n_left > MAX_LEFT)
            n = 0;
        if (n < q->n)
            cut(q, n);
    }
}
