/*
 * cp_near_hold.c - registers that tests for accesses have for a whole basic block, which does not
 * touch them.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

static UInt held[2] = {NO_BASE, NO_BASE};

UInt cp_near_held(void)
{
    return (held[0] == NO_BASE ? 0 : 1u << held[0]) | (held[1] == NO_BASE ? 0 : 1u << held[1]);
}

void cp_near_put_release(void)
{
    for (UInt k = 0; k < 2; k++)
        if (held[k] != NO_BASE)
            cp_put_load(held[k], STATE(held[k]));
}

void cp_near_end_hold(void)
{
    held[0] = held[1] = NO_BASE;
}

/* The instructions whose tests need registers or flags. */
static UInt count_tested(const Insn *insns, UInt first, UInt n)
{
    UInt tested = 0;

    for (UInt i = first; i < first + n; i++)
        tested += cp_near_accesses(i)->n && !insns[i].rip_at;
    return tested;
}

void cp_near_hold(const Insn *insns, UInt first, UInt n, Bool is_loop)
{
    enum { FEW = 2 };
    UInt used = 1u << REG_SP, unused;

    if (count_tested(insns, first, n) < (is_loop ? 1 : FEW))
        return;
    for (UInt i = first; i < first + n; i++)
        used |= insns[i].reads | insns[i].writes;
    unused = ~used & 0xffff;
    for (UInt k = 0; k < 2 && unused; k++, unused &= unused - 1) {
        held[k] = (UInt)__builtin_ctz(unused);
        cp_put_store(STATE(held[k]), held[k]);
    }
}
