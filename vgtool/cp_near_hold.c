/*
 * cp_near_hold.c - a register that tests for accesses have for a whole basic block, which does not
 * touch it. Tests that keep flags need rcx.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

static UInt held = NO_BASE;

UInt cp_near_held(void)
{
    return held == NO_BASE ? 0 : 1u << held;
}

void cp_near_put_release(void)
{
    if (held != NO_BASE)
        cp_put_load(held, STATE(held));
}

void cp_near_end_hold(void)
{
    held = NO_BASE;
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
    if (!unused)
        return;
    held = unused & 1u << REG_CX ? REG_CX : (UInt)__builtin_ctz(unused);
    cp_put_store(STATE(held), held);
}
