/* cp_near_count.c - counts what copies execute. */
#include "cp_near_count.h"

/* A branch out of what is counted, whose code is written behind the copy. */
typedef struct {
    UChar *at;
    Counted counted;
    Addr target;
    const Function *from;
} Exit;
static Exit exits[NEAR_MOST];
static UInt n_exits;

static Mem counter(UInt base, UInt slot)
{
    return base == NO_BASE ? cp_at(&cp_only_counts[slot]) : cp_near_put_counter(base, slot);
}

Mem cp_near_put_counter(UInt base, UInt slot)
{
    const Function *f = cp_near_copied_function();

    cp_put_load(base, cp_at(cp_counts_in_node ? &cp_now.node : &cp_now.counted));
    if (!cp_slot_is_first(f, slot))
        cp_put_load(base, cp_off(base, offsetof(Node, further)));
    return cp_off(base, (SizeT)cp_slot_offset(f, slot));
}

static void put_count_with_flags(const Counted *c, UInt times, UInt reg)
{
    UInt by = reg == NO_BASE ? REG_CX : reg;
    UInt base = cp_only_counts ? NO_BASE : by == REG_AX ? REG_DX : REG_AX;
    Mem at;

    if (reg == NO_BASE)
        cp_near_put_spill(SPILL_CX, by);
    if (base != NO_BASE)
        cp_near_put_spill(SPILL_AX, base);
    at = counter(base, c->slot);
    cp_put_load_32(by, at);
    cp_put_lea_32(by, cp_off(by, times));
    cp_put_store_32(at, by);
    if (base != NO_BASE)
        cp_near_put_fill(base, SPILL_AX);
    for (UInt i = 0; i < CP_COLUMNS && cp_keeps_totals; i++)
        if (c->totals[i]) {
            cp_put_load(by, cp_at(&cp_totals[i]));
            cp_put_lea(by, cp_off(by, c->totals[i] * times));
            cp_put_store(cp_at(&cp_totals[i]), by);
        }
    if (reg == NO_BASE)
        cp_near_put_fill(by, SPILL_CX);
}

static void put_count(const Counted *c, UInt times, UInt reg)
{
    UInt base = cp_only_counts ? NO_BASE : reg == NO_BASE ? REG_AX : reg;
    Bool spills = base != reg && base != NO_BASE;

    if (spills)
        cp_near_put_spill(SPILL_AX, base);
    cp_put_number_op(False, OP_ADD, counter(base, c->slot), (Int)times);
    if (spills)
        cp_near_put_fill(base, SPILL_AX);
    for (UInt i = 0; i < CP_COLUMNS && cp_keeps_totals; i++)
        if (c->totals[i])
            cp_put_number_op(True, OP_ADD, cp_at(&cp_totals[i]), (Int)(c->totals[i] * times));
}

void cp_near_put_count(const Counted *c, UInt times, UInt reg, Bool flags)
{
    (flags ? put_count_with_flags : put_count)(c, times, reg);
}

static void put_exit_count(const Counted *c, Addr target)
{
    cp_near_put_count(c, 1, NO_BASE, cp_near_flags_at(target) != 0);
}

/* Backwards, which is most often a loop, the branch is the other way round. */
void cp_near_put_exit(const Counted *c, const Insn *in, const Function *from)
{
    UChar *over;

    if (in->target > in->address) {
        tl_assert(n_exits < NEAR_MOST);
        exits[n_exits++] = (Exit){cp_put_jcc_later(in->condition), *c, in->target, from};
        return;
    }
    over = cp_put_jcc_later(in->condition ^ 1u);
    put_exit_count(c, in->target);
    cp_near_put_edge(in->target, in->address, from);
    cp_put_here(over);
}

void cp_near_put_exit_tails(void)
{
    for (UInt i = 0; i < n_exits; i++) {
        const Exit *e = &exits[i];
        cp_put_here(e->at);
        put_exit_count(&e->counted, e->target);
        cp_put(0xe9);
        cp_near_put_link(e->target, e->from);
    }
    n_exits = 0;
}
