/*
 * cp_near_branch.c - the branch predictor beside copies. On each way out of a conditional branch
 * stands the change of its counter that belongs there; a misprediction is counted behind the copy.
 */
#include "cp_branch.h"
#include "cp_misses.h"
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

/* Code behind the copy, for a misprediction. */
typedef struct {
    UChar *jump;
    const UChar *resume;
    AccessPoint *point;
    Bool is_indirect, taken;
} Tail;

enum { MOST_TAILS = 2 * NEAR_MOST };
static Tail tails[MOST_TAILS];
static UInt n_tails;

static void missed_conditional(const NearReference *r)
{
    cp_misses_add(r->point, CP_COLUMN_BCM, 1, 0);
}

static void missed_indirect(const NearReference *r)
{
    cp_misses_add(r->point, CP_COLUMN_BIM, 1, 0);
}

/* An indirect jump or call whose target VEX knows is none. */
Bool cp_near_is_indirect(const Insn *insns, UInt i)
{
    const Insn *in = &insns[i];
    UInt reg = (in->modrm & 7u) | (in->rex & 1u) << 3;
    ULong target;

    return (in->kind == INSN_JMP_INDIRECT || in->kind == INSN_CALL_INDIRECT) &&
           !(in->modrm >= 0xc0 && cp_near_knows_register(insns, i, reg, &target));
}

void cp_near_add_branches(const Insn *insns, UInt i, InstrCost *cost)
{
    cost->bc += insns[i].kind == INSN_JCC || cp_access_retries(&insns[i]);
    cost->bi += cp_near_is_indirect(insns, i);
}

static void add_tail(UChar *jump, AccessPoint *point, Bool is_indirect, Bool taken)
{
    tl_assert(n_tails < MOST_TAILS);
    tails[n_tails++] = (Tail){.jump = jump,
                              .resume = cp_code,
                              .point = point,
                              .is_indirect = is_indirect,
                              .taken = taken};
}

/* rax is free from here on, and so are flags; `flags`: they are needed later. */
static void spill(Bool flags)
{
    cp_near_put_spill(SPILL_AX, REG_AX);
    if (!flags)
        return;
    cp_put_flags_to_ax();
    cp_near_put_spill(SPILL_FLAGS, REG_AX);
}

static void fill(Bool flags)
{
    if (flags) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
    }
    cp_near_put_fill(REG_AX, SPILL_AX);
}

/* The branch's counter, where rax has the history. */
static Mem counter(const AccessPoint *point)
{
    return cp_off(REG_AX, cp_low(cp_branch_counters) + cp_branch_counter_of(point->address));
}

/* An instruction on a byte in memory, with an immediate: cmp (80, 7) or mov (C6, 0). */
static void put_byte_op(UInt opcode, UInt operation, Mem m, UInt number)
{
    cp_put_op(False, opcode, operation, m);
    cp_put(number);
}

AccessPoint *cp_near_branch_point(const Insn *in)
{
    Bool is_indirect = in->kind == INSN_JMP_INDIRECT || in->kind == INSN_CALL_INDIRECT;

    return cp_point_next(is_indirect ? POINT_INDIRECT : POINT_CONDITIONAL, in->address, in->length,
                         False);
}

void cp_near_put_conditional(AccessPoint *point, Bool taken, Bool flags)
{
    UChar *missed;

    spill(flags);
    cp_put_load_32(REG_AX, cp_at(&cp_branch_history));
    put_byte_op(0x80, OP_CMP, counter(point), taken ? 2 : 1);
    missed = cp_put_jcc_later(taken ? IF_BELOW : IF_ABOVE);
    put_byte_op(0xc6, 0, counter(point), taken ? 3 : 0);
    add_tail(missed, point, False, taken);
    cp_put(0x8d), cp_put(0x84), cp_put(0x00); /* lea number(%rax, %rax), %eax */
    cp_put_word(taken ? 1 << CP_BRANCH_ADDRESS_BITS : 0);
    cp_put_and_32(REG_AX, CP_BRANCH_HISTORY_MASK);
    cp_put_store_32(cp_at(&cp_branch_history), REG_AX);
    fill(flags);
}

void cp_near_put_indirect(AccessPoint *point)
{
    UChar *missed;

    spill(True);
    cp_put_load(REG_AX, STATE(rip));
    cp_put_compare(REG_AX, cp_at(&cp_branch_targets[cp_branch_target_of(point->address)]));
    missed = cp_put_jcc_later(IF_NOT_EQUAL);
    add_tail(missed, point, True, False);
    fill(True);
}

void cp_near_put_branch_tails(void)
{
    for (const Tail *t = tails; t < tails + n_tails; t++) {
        NearRefer *refer = t->is_indirect ? missed_indirect : missed_conditional;
        const NearReference r = {
            .resume = cp_low(t->resume), .refer = cp_low(refer), .point = t->point};
        cp_put_here(t->jump);
        if (t->is_indirect)
            cp_put_store(cp_at(&cp_branch_targets[cp_branch_target_of(t->point->address)]), REG_AX);
        else
            cp_put_op(False, 0xfe, t->taken ? 0 : 1, counter(t->point)); /* incb, decb */
        cp_near_put_model(&r, 1);
    }
    n_tails = 0;
}
