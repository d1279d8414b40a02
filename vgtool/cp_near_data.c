/*
 * cp_near_data.c - which of the data that copied instructions access counts, and the accesses of
 * repeated ones.
 *
 * VEX leaves a load out whose value is not needed in its basic block, so it is not counted here
 * either.
 */
#include "cp_branch.h"
#include "cp_cache.h"
#include "cp_near.h"

static NearAccesses accesses[NEAR_MOST];

Bool cp_near_knows_accesses(const Insn *in)
{
    Access list[MOST_ACCESSES];

    return cp_accesses(in, list) >= 0;
}

/* True if all that the instruction does is to set a register: from others, from memory, by flags.
 */
static Bool only_sets_register(const Insn *in)
{
    switch (in->map) {
    case 0:
        return in->op == 0x8a || in->op == 0x8b || in->op == 0x8d || in->op == 0x63 ||
               (in->op >= 0xb0 && in->op <= 0xbf) || (in->op >= 0x58 && in->op <= 0x5f) ||
               ((in->op == 0x88 || in->op == 0x89) && in->modrm >= 0xc0);
    case 1: /* cmov, movzx, movsx, bswap */
        return (in->op & 0xf0) == 0x40 || (in->op & 0xf6) == 0xb6 || (in->op & 0xf8) == 0xc8;
    case 2: /* crc32, movbe */
        return in->op == 0xf0 || (in->op == 0xf1 && in->repeat);
    default:
        return False;
    }
}

/* True if it sets all flags, and a register or none. */
static Bool only_sets_flags(const Insn *in)
{
    UInt group = in->modrm >> 3 & 7;

    switch (in->map) {
    case 0:
        return (in->op < 0x40 && ((in->op & 6) == 2 || in->op >= 0x38)) || in->op == 0x84 ||
               in->op == 0x85 || ((in->op == 0xf6 || in->op == 0xf7) && group < 2) ||
               (in->op >= 0x80 && in->op <= 0x83 && group == 7);
    case 1: /* popcnt */
        return in->op == 0xb8;
    default:
        return False;
    }
}

/* The registers and flags that instructions need which come later. */
typedef struct {
    UInt registers;
    Bool flags;
} Needed;

static const Needed all_needed = {~0u, True};

/* The register that an instruction sets; a pop sets the stack pointer as well. */
static UInt result(const Insn *in)
{
    Bool is_pop = !in->map && in->op >= 0x58 && in->op <= 0x5f && (in->op & 7) != REG_SP;

    return is_pop ? in->writes & ~(1u << REG_SP) : in->writes;
}

/* True if the instruction sets 8 or 16 bits of a register. */
static Bool sets_part(const Insn *in)
{
    const Bool has_bytes = !in->map && !(in->op & 1) && (in->op < 0x40 || in->op == 0x8a);

    return has_bytes || (in->has_66 && !in->is_wide);
}

/* VEX takes a register's value for needed unless one of just as many bits replaces it. */
static Bool is_needed(const Insn *in, const Needed *needed)
{
    if (in->code != CODE_LEGACY || (result(in) & needed->registers))
        return True;
    if (result(in) && sets_part(in))
        return True;
    return only_sets_flags(in) ? needed->flags : !only_sets_register(in);
}

/* Prefetches and hints name memory, but VEX does not look at its address. */
static Bool is_hint(const Insn *in)
{
    return in->code == CODE_LEGACY && in->map == 1 &&
           (in->op == 0x0d || (in->op >= 0x18 && in->op <= 0x1f));
}

/* At an access the stack pointer is needed, also where the access will be left out. */
static void need_stack_pointer(Needed *needed, const Insn *in)
{
    static Access list[MOST_ACCESSES];

    if (cp_accesses(in, list) != 0)
        needed->registers |= 1u << REG_SP;
}

static void need(Needed *needed, const Insn *in)
{
    if (is_hint(in))
        return;
    needed->registers = (needed->registers & ~(UInt)in->writes) | in->reads;
    needed->flags = in->flags_read || (needed->flags && in->flags_killed != FLAGS_ALL);
}

/* Goes backwards through the instructions. At an exit all registers are needed. */
static void leave_loads_out(const Insn *insns, UInt n)
{
    Needed needed = all_needed;

    for (UInt i = n; i-- > 0;) {
        const Insn *in = &insns[i];
        if ((in->kind != INSN_PLAIN && in->kind != INSN_STATUS) || cp_access_exits(in)) {
            needed = all_needed;
            continue;
        }
        if (is_needed(in, &needed))
            need(&needed, in);
        else
            accesses[i].n = 0;
        need_stack_pointer(&needed, in);
    }
}

void cp_near_find_accesses(const Insn *insns, UInt n)
{
    for (UInt i = 0; i < n; i++)
        accesses[i].n = (UInt)cp_accesses(&insns[i], accesses[i].list);
    leave_loads_out(insns, n);
}

void cp_near_add_cost(UInt i, InstrCost *cost)
{
    for (UInt k = 0; k < accesses[i].n; k++)
        accesses[i].list[k].is_write ? cost->dw++ : cost->dr++;
}

const NearAccesses *cp_near_accesses(UInt i)
{
    return &accesses[i];
}

/*--- Repeated instructions ---*/

/* A counter of 32 bits may have less than what is taken back: then the sums have it. */
void cp_near_count_repeated(UInt slot, UInt rep_slot, ULong n, Bool back)
{
    ULong ir = clo_rep_one ? 1 : n + 1;

    if (back)
        ir = -ir, n = -n;
    if (cp_collecting) {
        cp_context_add(cp_now.node, slot, ir);
        cp_context_add(cp_now.node, rep_slot, n);
    }
    if (cp_keeps_totals) {
        cp_totals[CP_COLUMN_IR] += ir;
        cp_totals[CP_COLUMN_REP] += n;
    }
    if (cp_stack_walks())
        cp_stack_walk(ir);
}

/* True after std: addresses go down. No copy has std or cld. */
static Bool is_backward(void)
{
    return cp_near.guest->guest_DFLAG != 1;
}

/* The accesses of a size from an address on that lie on the line there, if it is its set's most
 * recently used: nothing changes for the model. */
static ULong free_accesses(Addr a, UInt size)
{
    const Mru *mru = &cp_mru_D1;
    Addr begin = a + mru->lines[(a >> mru->line_bits) & (mru->sets - 1)], end = begin + size;

    if (begin >= 1u << mru->line_bits || end > 1u << mru->line_bits)
        return 0;
    return is_backward() ? begin / size + 1 : ((1u << mru->line_bits) - begin) / size;
}

/* One instruction may refer so often that the model's clock comes too far. */
static void refer(Addr a, AccessPoint *point, UInt size)
{
    enum { PAUSE = 1 << 20 };
    static UInt referred;

    if (free_accesses(a, size))
        return;
    cp_cache_data(a, point, cp_cache_room(size));
    if (++referred % PAUSE == 0)
        cp_cache_pause();
}

/* The bytes from a repetition's data to those of the next one. */
static Word step_of(const NearRepeat *r)
{
    return is_backward() ? -(Word)r->size : r->size;
}

/* Refers to the data of so many repetitions. */
static void refer_repeated(const NearRepeat *r, ULong n)
{
    const Word size = step_of(r);
    Addr from = cp_near.from, to = cp_near.to;

    for (Word left = (Word)n, step; left; left -= step, from += step * size, to += step * size) {
        step = left;
        if (r->write && step > (Word)free_accesses(to, r->size))
            step = (Word)free_accesses(to, r->size);
        if (r->read && step > (Word)free_accesses(from, r->size))
            step = (Word)free_accesses(from, r->size);
        if (step)
            continue;
        step = 1;
        if (r->read)
            refer(from, r->read, r->size);
        if (r->write)
            refer(to, r->write, r->size);
    }
}

/* Adds to the counter of the branches of a repeated instruction. */
static void count_branches(const NearRepeat *r, ULong n)
{
    if (cp_collecting)
        cp_context_add(cp_now.node, r->branch_slot, n);
    if (cp_keeps_totals)
        cp_totals[CP_COLUMN_BC] += n;
}

/* The branch back is taken before each repetition. In the end that changes nothing any more. */
static void branch_back(const NearRepeat *r, ULong n)
{
    enum { LEARNED = 16 };
    Bool is_first = n && r->is_constant && cp_near.is_first;

    cp_near.is_first &= !n;
    for (ULong i = is_first; i < n && i < LEARNED; i++)
        cp_branch_conditional(1, r->branch);
    count_branches(r, n - is_first);
}

/* Counts so many repetitions, which have been made. */
static void count_repetitions(const NearRepeat *r, ULong n)
{
    if (r->branch)
        branch_back(r, n);
    if (!clo_cache_sim)
        return;
    refer_repeated(r, n);
    if (cp_collecting)
        cp_context_add(cp_now.node, r->data_slot, n);
    if (!cp_keeps_totals)
        return;
    cp_totals[CP_COLUMN_DR] += r->read ? n : 0;
    cp_totals[CP_COLUMN_DW] += r->write ? n : 0;
}

void cp_near_repeat_ended(const NearReference *reference)
{
    const NearRepeat *r = reference->repeat;

    cp_near.guest->guest_RSP = cp_near.sp; /* for cp_data.c */
    count_repetitions(r, cp_near.count);
    if (!r->branch)
        return;
    cp_branch_conditional(0, r->branch);
    count_branches(r, 1);
}

void cp_near_repeat_stopped(ULong left)
{
    ULong n = cp_near.count - left;
    Addr done = n * (Addr)step_of(cp_near.repeat);

    count_repetitions(cp_near.repeat, n);
    cp_near.from += done;
    cp_near.to += done;
    cp_near.count = left;
}
