/*
 * cp_near_copy.c - copies: the program's instructions as they are, with a counter wherever the
 * program may leave them (cp_near_count.h).
 *
 * A counter lies in an array of the current context, whose address is loaded each time; that takes
 * a register and changes flags. So a basic block that ends a run counts where flags are not read
 * any more, and if possible where a register is overwritten before it is read. What is left (one
 * block in ten) counts by instructions that keep flags, and spills. Without contexts a counter's
 * address is known, and takes no register where flags are free.
 *
 * Each cycle in the code passes an event check: on jumps backwards, calls, indirect jumps, and
 * returns to where no call waits for them; a return that one waits for has a call before it. So no
 * counter is bumped more often between two checks than a loop is unrolled, and the scheduler,
 * which empties counters of 32 bits, is asked often enough.
 */
#include "cp_arch.h"
#include "cp_block.h"
#include "cp_core.h"
#include "cp_engine.h"
#include "cp_frame.h"
#include "cp_names.h"
#include "cp_near_count.h"
#include "pub_tool_tooliface.h"

enum {
    SHORT_MOST = 64, /* instructions of a copy, where nothing depends on where it ends */
    REPEAT_BITS = 6  /* repetitions below 2^6 are counted inline; see cp_engine_init() */
};

static Pool repeats = {.size = sizeof(NearRepeat), .tag = "cp.near.4"};
static Pool walks = {.size = sizeof(NearWalk), .tag = "cp.near.7"};

/* The copy that is being made. */
static Place *copied;
static Insn insns[NEAR_MOST + 1];
static UInt n_insns;
static UShort live[NEAR_MOST + 1]; /* flags that are, before each instruction */

static Bool ends(const Insn *in)
{
    return in->kind > INSN_JCC;
}

static void find_live_flags(void)
{
    const Insn *last = &insns[n_insns - 1];
    UInt flags = FLAGS_ALL;

    if (!ends(last))
        flags = cp_near_flags_at(last->address + last->length);
    else if (last->kind == INSN_JMP || last->kind == INSN_CALL)
        flags = cp_near_flags_at(last->target);
    live[n_insns] = (UShort)flags;
    for (UInt i = n_insns; i-- > 0;) {
        if (insns[i].kind == INSN_JCC)
            flags |= cp_near_flags_at(insns[i].target);
        flags = insns[i].flags_read | (flags & ~(UInt)insns[i].flags_killed);
        live[i] = (UShort)flags;
    }
}

/* Both ways of the branch, with its prediction. Where both lead to one address, VEX does not tell
 * them apart: then the way of je, and of each even condition, counts as the other one. */
static void put_predicted_jcc(const Insn *in, const Function *from)
{
    Addr next = in->address + in->length;
    Bool is_taken = in->target != next || in->condition & 1;
    AccessPoint *point = cp_near_branch_point(in);
    UChar *over = cp_put_jcc_later(in->condition ^ 1u);

    cp_near_put_conditional(point, is_taken, cp_near_flags_at(in->target) != 0);
    cp_near_put_edge(in->target, in->address, from);
    cp_put_here(over);
    cp_near_put_conditional(point, in->target == next && !is_taken, cp_near_flags_at(next) != 0);
}

static void put_jcc(const Insn *in, const Function *from)
{
    UChar *over;

    if (clo_branch_sim) {
        put_predicted_jcc(in, from);
        return;
    }
    if (in->target > in->address) {
        cp_put(0x0f), cp_put(0x80u | in->condition);
        cp_near_put_link(in->target, from);
        return;
    }
    over = cp_put_jcc_later(in->condition ^ 1u);
    cp_near_put_edge(in->target, in->address, from);
    cp_put_here(over);
}

/*--- Counting ---*/

static Counted counted_by(UInt first, UInt last)
{
    Counted b = {.first = first, .last = last};
    InstrCost costs[NEAR_MOST];
    const Insn *unknown = NULL;

    VG_(memset)(costs, 0, sizeof costs);
    for (UInt i = first; i <= last; i++) {
        InstrCost *c = &costs[i - first];
        if (insns[i].is_new && (!unknown || cp_access_gathers(&insns[i])))
            unknown = &insns[i];
        c->ir = 1;
        c->delta = (UShort)(i == first ? 0 : insns[i].address - insns[i - 1].address);
        if (clo_cache_sim && insns[i].kind != INSN_REPEAT)
            cp_near_add_cost(i, c);
        if (clo_branch_sim)
            cp_near_add_branches(insns, i, c);
    }
    b.slot = cp_block_next(insns[first].address, costs, last - first + 1)->slot;
    cp_block_costs(costs, last - first + 1, b.totals);
    if (unknown)
        cp_near_note_unknown(copied->function, b.slot, unknown);
    return b;
}

static NearMark mark_of(const Counted *b, UInt i, Bool counted, UInt rounds)
{
    return (NearMark){.guest = (UInt)insns[i].address,
                      .slot = b->slot,
                      .counted = counted,
                      .rounds = rounds,
                      .held = cp_near_held()};
}

/* Where a basic block counts best: the index of the instruction behind the counter. More than
 * `last`: flags are never free. */
static UInt counting_place(UInt first, UInt last)
{
    UInt i;

    for (i = first; i <= last && !cp_only_counts; i++)
        if (!live[i] && cp_near_free_registers(&insns[i], &insns[last], True))
            return i;
    for (i = first; i <= last && live[i];)
        i++;
    return i;
}

/*--- Instructions ---*/

/*
 * stmxcsr. VEX knows of no exceptions: their flags are never set. To clear them in the processor
 * takes a hundred cycles, so what VEX has is stored instead; but first something else, which
 * faults while all registers are the program's.
 */
static void put_store_status(const Insn *in)
{
    UInt reg = in->reads & 1u << REG_AX ? in->reads & 1u << REG_CX ? REG_DX : REG_CX : REG_AX;

    cp_put_access(in, False, 0x89, reg);
    cp_near_put_spill(SPILL_AX, reg);
    cp_put_load_32(reg, cp_at(&cp_near.mxcsr));
    cp_put_access(in, False, 0x89, reg);
    cp_near_put_fill(reg, SPILL_AX);
}

/* The part of an instruction that accesses memory. */
static void put_memory(const Insn *in)
{
    if (in->has_x87)
        cp_near_use_x87();
    if (in->has_masks)
        cp_near_use_wide();
    switch (in->kind) {
    case INSN_PLAIN:
        cp_near_put_plain(in);
        break;
    case INSN_STATUS:
        put_store_status(in);
        break;
    default:
        cp_near_put_call_memory(in);
        break;
    }
}

/* The rest of the instruction. */
static void put_branch(const Insn *in)
{
    Function *f = copied->function;

    switch (in->kind) {
    case INSN_JCC:
        put_jcc(in, f);
        break;
    case INSN_JMP:
        cp_near_put_jump(in, f);
        break;
    case INSN_JMP_INDIRECT:
        if (clo_branch_sim && cp_near_is_indirect(insns, (UInt)(in - insns)))
            cp_near_put_indirect(cp_near_branch_point(in));
        cp_near_put_jump_indirect(in, f);
        break;
    case INSN_CALL:
        cp_near_put_call(in, f);
        break;
    case INSN_CALL_INDIRECT:
        if (clo_branch_sim && cp_near_is_indirect(insns, (UInt)(in - insns)))
            cp_near_put_indirect(cp_near_branch_point(in));
        cp_near_put_call_indirect(in, f);
        break;
    case INSN_RET:
        cp_near_put_return(in);
        break;
    default:
        break;
    }
}

/* The part of an instruction of the basic block up to insns[last] that accesses memory. */
static void put_tested(UInt i, UInt last, const NearMark *mark)
{
    cp_near_mark(mark);
    if (clo_cache_sim) {
        /* Handlers that a JIT compiler's code relies on go on with its registers. */
        const Bool exact = copied->is_made;
        UInt free = cp_near_free_registers(&insns[i], &insns[last], exact) | cp_near_held();
        cp_near_put_fetch(&insns[i], live[i], free);
        cp_near_put_tests(i, &insns[i], live[i], free);
    }
    put_memory(&insns[i]);
    if (clo_cache_sim)
        cp_near_end_tests();
    if (clo_branch_sim && cp_access_retries(&insns[i]))
        cp_near_put_conditional(cp_near_branch_point(&insns[i]), False, live[i + 1] != 0);
}

static void release(void)
{
    cp_near_put_release();
    cp_near_end_hold();
}

static void put_walk(Addr here, UInt ir)
{
    NearWalk *w = cp_pool_add(&walks);

    cp_near_put_help(cp_put_jump_later(), here, cp_near_routines.help, HELP_WALK, w);
    *w = (NearWalk){.ir = ir, .resume = cp_code};
}

/* The last basic block of a run, or the only one: insns[first] to insns[last]. */
static void put_block(UInt run, UInt first, UInt last)
{
    const Counted b = counted_by(run, last);
    UInt at = counting_place(first, last), n = last - first + (insns[last].kind <= INSN_PLAIN);
    Bool counted = False, keeps_flags = at > last;

    if (cp_stack_walks())
        put_walk(insns[first].address, last - first + 1);
    if (clo_cache_sim)
        cp_near_hold(insns, first, n, False);
    for (UInt i = first; i <= last; i++) {
        NearMark mark;
        if (i == first + n)
            release();
        if (i == (keeps_flags ? first : at)) {
            UInt free = cp_near_free_registers(&insns[i], &insns[last], True) | cp_near_held();
            cp_near_put_count(&b, 1, cp_near_one_of(free), keeps_flags);
            counted = True;
        }
        mark = mark_of(&b, i, counted, 0);
        put_tested(i, last, &mark);
        put_branch(&insns[i]);
    }
    if (n > last - first)
        release();
}

/* A basic block that goes on in the next one of its run, or leaves it by a branch. */
static void put_inner_block(UInt run, UInt first, UInt last)
{
    const Counted b = counted_by(run, last);

    for (UInt i = first; i <= last; i++) {
        NearMark mark = mark_of(&b, i, False, 0);
        put_tested(i, last, &mark);
    }
    cp_near_put_exit(&b, &insns[last], copied->function);
}

/* Makes the counters of a repeated instruction's accesses and branches. */
static void count_repeated(NearRepeat *r, UInt i)
{
    InstrCost data = {.ir = 0}, branch = {.bc = 1};
    ULong n;
    Bool is_constant = cp_near_knows_register(insns, i, REG_CX, &n);

    if (clo_cache_sim) {
        cp_near_put_fetch(&insns[i], live[i], 0);
        cp_near_add_cost(i, &data);
        r->data_slot = cp_block_next(insns[i].address, &data, 1)->slot;
    }
    if (clo_branch_sim && !(is_constant && !n)) {
        r->branch = cp_near_branch_point(&insns[i]);
        r->branch_slot = cp_block_next(insns[i].address, &branch, 1)->slot;
        r->is_constant = is_constant;
    }
    if (clo_cache_sim || clo_branch_sim)
        cp_near_begin_repeat(r, &insns[i], i);
}

/* Adds rcx to a counter of 32 bits, and to the total of its column. rax is free. */
static void put_add_cx(UInt slot, UInt column)
{
    Mem counter = cp_near_put_counter(REG_AX, slot);

    cp_put_op(False, 0x01, REG_CX, counter); /* add %ecx, counter */
    if (cp_keeps_totals)
        cp_put_op(True, 0x01, REG_CX, cp_at(&cp_totals[column]));
}

/* Counts rcx repetitions. With --rep=each, that of Ir includes the test that ends them. */
static void put_repetitions(const NearRepeat *r)
{
    put_add_cx(r->rep_slot, CP_COLUMN_REP);
    if (clo_rep_one)
        cp_put_set(REG_CX, 1);
    else
        cp_put(0x83), cp_put(0xc1), cp_put(1); /* add $1, %ecx */
    put_add_cx(r->slot, CP_COLUMN_IR);
}

/* A repeated string instruction. So many repetitions that a counter of 32 bits could overflow are
 * counted by the helper. */
static void put_repeat(UInt i)
{
    NearRepeat *r = cp_pool_add(&repeats);
    const InstrCost rep = {.rep = 1};
    const Counted counted = counted_by(i, i);
    NearMark mark = mark_of(&counted, i, True, 0);
    UChar *many, *none;

    cp_context_repeats();
    r->slot = counted.slot;
    r->rep_slot = cp_block_next(insns[i].address, &rep, 1)->slot;
    mark.repeats = r->rep_slot + 1;
    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_near_put_spill(SPILL_AX, REG_AX);
    if (live[i]) {
        cp_put_flags_to_ax();
        cp_near_put_spill(SPILL_FLAGS, REG_AX);
    }
    cp_put(0x48), cp_put(0xc1), cp_put(0xe9), cp_put(REPEAT_BITS); /* shr, of rcx */
    many = cp_stack_walks() ? cp_put_jump_later() : cp_put_jcc_later(IF_NOT_EQUAL);
    cp_near_put_fill(REG_CX, SPILL_CX);
    put_repetitions(r);
    if (live[i]) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
    }
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    none = cp_put_jump_later();
    cp_put_here(many);
    if (live[i]) {
        cp_near_put_fill(REG_AX, SPILL_FLAGS);
        cp_put_flags_from_ax();
    }
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_near_put_help(cp_put_jump_later(), insns[i].address, cp_near_routines.help, HELP_REPEAT, r);
    cp_put_here(none);
    r->resume = cp_code;
    count_repeated(r, i);
    cp_near_mark(&mark);
    cp_near_put_plain(&insns[i]);
    if (clo_cache_sim || clo_branch_sim)
        cp_near_end_repeat(r);
}

/* A loop that is one basic block, and begins the copy: several of its rounds are counted at once.
 */
static void put_loop(UInt last)
{
    enum { MOST_ROUNDS = 8 };
    const Counted b = counted_by(0, last);
    UInt rounds = last < 12 ? 8 : last < 24 ? 4 : 2;
    Addr head = insns[0].address, behind = insns[last].address + insns[last].length;
    UChar *start, *exits[MOST_ROUNDS], *joins[MOST_ROUNDS];
    Bool keeps_flags = cp_near_flags_at(behind) != 0;

    if (clo_cache_sim)
        cp_near_hold(insns, 0, last, True);
    start = cp_code;
    for (UInt k = 0; k < rounds; k++) {
        cp_near_fetch_again(k > 0);
        for (UInt i = 0; i <= last; i++) {
            NearMark mark = mark_of(&b, i, False, k);
            put_tested(i, last, &mark);
        }
        exits[k] = cp_put_jcc_later(insns[last].condition ^ 1u);
    }
    cp_near_fetch_again(False);
    if (live[0]) {
        cp_near_put_count(&b, rounds, cp_near_one_of(cp_near_held()), True);
        cp_near_put_release();
        cp_near_put_edge(head, head, NULL); /* by its checked entry */
    } else {
        cp_near_put_count(&b, rounds, cp_near_one_of(cp_near_held()), False);
        cp_put_number_op(False, OP_SUB, cp_at(&cp_near.events), (Int)rounds);
        cp_put_jcc(IF_GREATER, start);
        cp_near_put_release();
        cp_near_put_help(cp_put_jump_later(), head, cp_near_routines.leave_event, 0, NULL);
    }
    for (UInt k = 0; k < rounds; k++) {
        cp_put_here(exits[k]);
        cp_near_put_count(&b, k + 1, cp_near_one_of(cp_near_held()), keeps_flags);
        joins[k] = cp_put_jump_later();
    }
    for (UInt k = 0; k < rounds; k++)
        cp_put_here(joins[k]);
    release();
}

static Bool is_own_loop(UInt first, UInt i)
{
    return !clo_branch_sim && !cp_stack_walks() && !copied->is_made && !first &&
           insns[i].kind == INSN_JCC && insns[i].target == insns[0].address;
}

/* True if the basic block that ends with the branch insns[i] is not the last one of its run. Models
 * and walks ask for each basic block by itself; where code may change, flags count as needed at its
 * exits. */
static Bool is_inner(UInt i)
{
    return !clo_cache_sim && !clo_branch_sim && !cp_stack_walks() && !copied->is_made &&
           i + 1 < n_insns && insns[i + 1].kind != INSN_REPEAT;
}

static void put_body(void)
{
    UInt first = 0, run = 0;

    for (UInt i = 0; i < n_insns; i++) {
        if (insns[i].kind == INSN_REPEAT) {
            if (i > first)
                put_block(run, first, i - 1);
            put_repeat(i);
        } else if (is_own_loop(first, i)) {
            put_loop(i);
        } else if (insns[i].kind == INSN_JCC && is_inner(i)) {
            put_inner_block(run, first, i);
            first = i + 1;
            continue;
        } else if (insns[i].kind == INSN_JCC || i == n_insns - 1) {
            put_block(run, first, i);
        } else {
            continue;
        }
        first = run = i + 1;
    }
}

/*--- Copies ---*/

/* True if there are instructions from `begin` on that VEX does not know. */
static Bool has_new(UInt begin)
{
    for (UInt i = begin; i < n_insns; i++)
        if (insns[i].is_new)
            return True;
    return False;
}

static Bool has_masks(void)
{
    for (UInt i = 0; i < n_insns; i++)
        if (insns[i].has_masks)
            return True;
    return False;
}

/* Decodes the code at `a` into insns[]: to its end, to an instruction that is left to VEX, to code
 * that copies lead to, or to another function.
 *
 * Which accesses and branches VEX counts depends on all of a superblock of its own. So where they
 * are counted, a superblock is copied as a whole or not at all, unless VEX cannot execute it. */
static void take(const Place *p, const Function *f)
{
    const Bool has_models = clo_cache_sim || clo_branch_sim;
    const UInt most = p->is_made ? MADE_MOST : has_models ? NEAR_MOST : SHORT_MOST;
    const UInt longest = cp_near_longest_block();
    UInt begin = 0; /* of the last superblock */
    Addr a = p->guest;

    for (n_insns = 0; n_insns < most || (has_models && !begin);) {
        Insn *in = &insns[n_insns];

        if (!cp_near_decode(a, in) || !cp_near_copies(in) ||
            (clo_branch_sim && cp_near_may_know_way(insns, n_insns))) {
            if (has_models && !has_new(begin))
                n_insns = begin;
            return;
        }
        n_insns++;
        a += in->length;
        if (ends(in) || n_insns - begin == longest)
            return;
        if (in->kind == INSN_JCC &&
            (cp_near_is_joined(a) || (clo_contexts && cp_function_reached(a, f) != f)))
            return;
        if (cp_near_ends_superblock(in))
            begin = n_insns;
    }
    if (has_models)
        n_insns = begin;
}

static void make(Place *p, Function *f)
{
    const Insn *last = &insns[n_insns - 1];

    copied = p;
    cp_near_begin(p);
    p->function = f;
    p->size = (UInt)(last->address + last->length - p->guest);
    p->n_insns = n_insns;
    find_live_flags();
    if (clo_cache_sim) {
        cp_near_find_accesses(insns, n_insns);
        cp_near_begin_fetches(p->size);
        cp_near_begin_lines();
    }
    p->flags_live = live[0] != 0;
    if (p->is_made)
        cp_near_put_stale(p);
    p->checked = cp_code;
    if (clo_contexts)
        cp_near_put_check(p);
    p->unchecked = cp_code;
    cp_near_add_door(p->checked, False);
    cp_near_add_door(p->unchecked, False);
    if (p->is_made)
        cp_near_put_bytes_check(p);
    if (f->role && p->guest == f->start)
        cp_near_put_allocates(p);
    put_body();
    if (!ends(last))
        cp_near_put_edge(last->address + last->length, last->address, f);
    if (clo_cache_sim) {
        cp_near_put_fetch_tails();
        cp_near_put_cache_tails(p, put_memory);
    }
    if (clo_branch_sim)
        cp_near_put_branch_tails();
    cp_near_put_exit_tails();
    cp_near_end();
}

Bool cp_near_make(Place *p, Function *f)
{
    take(p, f);
    if (!n_insns)
        return False;
    if (has_masks())
        cp_near_spill_to_memory();
    cp_superblock_begin(p->guest, f);
    for (UInt i = 0; clo_names && i < n_insns; i++)
        cp_names_note(insns[i].address);
    make(p, f);
    return True;
}
