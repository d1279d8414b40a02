/*
 * cp_near_found.c - data structure: where a computed call has led to several children from one
 * context, its slot there has a fan instead of a child: a table of children by the addresses at
 * which they arrive, in which none is in another one's way. It gets another factor, or more room,
 * where a child would be.
 */
#include "cp_near.h"
#include "cp_pieces.h"

#define FAN(field) cp_off(REG_AX, offsetof(Fan, field))

/* A fan begins as a child does that leads nowhere, since copies and C take it for a child at first.
 */
typedef struct {
    UInt mask, factor;
    Child *unused[7];
    Addr entry;   /* NO_ENTRY */
    Node *parent; /* NULL */
    ULong unused_too;
    ULong watched;     /* CHILD_IS_FAN */
    Child *children[]; /* mask + 1 */
} Fan;

_Static_assert(__builtin_offsetof(Fan, entry) == __builtin_offsetof(Child, entry) &&
                   __builtin_offsetof(Fan, parent) == __builtin_offsetof(Child, parent) &&
                   __builtin_offsetof(Fan, watched) == __builtin_offsetof(Child, watched),
               "a fan begins as a child does");

enum { MOST_BITS = 10, TRIES = 100 };

static Child nowhere = {.entry = NO_ENTRY};

static SizeT size_of(UInt mask)
{
    return sizeof(Fan) + (mask + 1) * sizeof(Child *);
}

static Child **place_in(Fan *f, Addr entry)
{
    return &f->children[(UInt)entry * f->factor >> (32 - MOST_BITS) & f->mask];
}

static void clear(Fan *f)
{
    for (UInt i = 0; i <= f->mask; i++)
        f->children[i] = &nowhere;
}

/* False: another child is there. */
static Bool put(Fan *f, Child *c)
{
    Child **place = place_in(f, c->entry);

    if (*place != &nowhere && (*place)->entry != c->entry)
        return False;
    *place = c;
    return True;
}

static Bool put_all(Fan *f, Child *const *list, UInt n)
{
    clear(f);
    for (UInt i = 0; i < n; i++)
        if (!put(f, list[i]))
            return False;
    return True;
}

/* A fan with so many bits in which each child has a place of its own, or as many as are possible
 * where it is as large as a fan may be. */
static Fan *fan_of(Child *const *list, UInt n, UInt bits)
{
    static UInt factor = 0x9e3779b1;
    UInt mask = (1u << bits) - 1;
    Fan *f = cp_piece(size_of(mask));

    *f = (Fan){.watched = CHILD_IS_FAN, .entry = NO_ENTRY, .mask = mask};
    for (UInt i = 0; i < TRIES; i++) {
        f->factor = factor;
        if (put_all(f, list, n))
            return f;
        factor = (factor * 1664525 + 1013904223) | 1;
    }
    if (bits == MOST_BITS)
        return f;
    cp_piece_free(f, size_of(mask));
    return fan_of(list, n, bits + 1);
}

/* The children that are where their entries say, and one more. */
static Fan *with_one_more(Fan *f, Child *c)
{
    Child *list[(1 << MOST_BITS) + 1];
    UInt n = 0, bits = 1;

    for (UInt i = 0; i <= f->mask; i++)
        if (f->children[i] != &nowhere && place_in(f, f->children[i]->entry) == &f->children[i])
            list[n++] = f->children[i];
    list[n++] = c;
    while (bits < MOST_BITS && 1u << bits < n)
        bits++;
    cp_piece_free(f, size_of(f->mask));
    return fan_of(list, n, bits);
}

void cp_near_found(Child **slot, Child *c)
{
    Child *const both[] = {*slot, c};
    Fan *f = (Fan *)*slot;

    if (*slot == c)
        return;
    if ((*slot)->watched != CHILD_IS_FAN)
        *slot = (*slot)->entry == NO_ENTRY ? c : (Child *)fan_of(both, 2, 1);
    else if (!put(f, c) && f->mask + 1 < 1 << MOST_BITS)
        *slot = (Child *)with_one_more(f, c);
    else
        *place_in(f, c->entry) = c;
}

UChar *cp_near_put_find(void)
{
    UChar *no;

    cp_put_number_op(False, OP_CMP, FAN(watched), CHILD_IS_FAN);
    no = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put(0x0f), cp_put_op(False, 0xaf, REG_CX, FAN(factor)); /* imul */
    cp_put_shift_right_32(REG_CX, 32 - MOST_BITS);
    cp_put_op(False, 0x23, REG_CX, FAN(mask)); /* and */
    cp_put(0x48), cp_put(0x8b), cp_put(0x44), cp_put(0xc8), cp_put(offsetof(Fan, children));
    return no;
}
