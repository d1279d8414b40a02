/*
 * cp_near_found.c - the children that computed calls led to, by context and target, for calls that
 * lead to several. A table without lists: a child takes the place of the one before. It grows where
 * that happens often.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)
#define NOW(field)   cp_at(&cp_now.field)
#define CHILD(field) cp_off(REG_DX, offsetof(Child, field))

enum { LEAST_BITS = 10, MOST_BITS = 19 };
#define FACTOR 0x9e3779b1u

static const UChar *routine;
static Child nowhere, *found[1 << MOST_BITS];
static UInt bits, n_put; /* since it has grown */
static UChar *shift;     /* in the routine: 32 - bits */

static Child **place_of(const Child *c)
{
    return &found[(cp_low(c->parent) + (UInt)c->entry) * FACTOR >> (32 - bits)];
}

/* The children at one place go to one of the two that it becomes. */
static void grow(void)
{
    *shift = (UChar)(32 - ++bits);
    for (UInt i = 1u << (bits - 1); i-- > 0;) {
        Child *c = found[i];
        found[2 * i] = found[2 * i + 1] = &nowhere;
        if (c != &nowhere)
            *place_of(c) = c;
    }
    n_put = 0;
}

void cp_near_found(Child *c)
{
    if (n_put++ >> bits && bits < MOST_BITS)
        grow();
    *place_of(c) = c;
}

/* The table's entry, to rdx. Changes rcx. */
static void put_look_up(void)
{
    cp_put_load(REG_CX, NOW(node));
    cp_put_op(False, 0x03, REG_CX, STATE(rip));      /* add cp_near.rip, %ecx */
    cp_put(0x69), cp_put(0xc9), cp_put_word(FACTOR); /* imul */
    cp_put(0xc1), cp_put(0xe9);                      /* shr */
    shift = cp_code;
    cp_put(32 - LEAST_BITS);
    cp_put(0xc1), cp_put(0xe1), cp_put(3); /* shl */
    cp_put_load(REG_DX, cp_off(REG_CX, cp_low(&found[0])));
}

/* rax: the call's address. Goes on at cp_near.target; flags show equal if the child is the one. */
void cp_near_init_found(void)
{
    UChar *no[2];

    bits = LEAST_BITS;
    for (UInt i = 0; i < 1 << LEAST_BITS; i++)
        found[i] = &nowhere;
    routine = cp_code;
    put_look_up();
    cp_put_compare(REG_AX, CHILD(site));
    no[0] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_CX, STATE(rip));
    cp_put_compare(REG_CX, CHILD(entry));
    no[1] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_CX, NOW(node));
    cp_put_compare(REG_CX, CHILD(parent));
    cp_put_here(no[0]);
    cp_put_here(no[1]);
    cp_put_move(REG_AX, REG_DX);
    cp_put_jump_to_word(STATE(target));
}

void cp_near_put_find(Addr call, const UChar *to)
{
    UChar *at;
    UInt here;

    cp_put_set(REG_AX, call);
    cp_put_store_number(STATE(target), 0);
    at = cp_code - sizeof here;
    cp_put_jump(routine);
    here = cp_low(cp_code);
    __builtin_memcpy(at, &here, sizeof here);
    cp_put_jcc(IF_EQUAL, to);
}
