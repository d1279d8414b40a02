/*
 * cp_near_call.c - calls and returns in copies, with the records of cp_stack.h.
 *
 * A call writes a frame of the child that the call led to last, which costs about twenty
 * instructions; it asks the helper where that child is watched, where there is no room, or where it
 * leads nowhere. The frame says where its return goes on: so a return is a jump to the address in
 * the frame on top, whoever made it, and code behind the call looks whether the return was the one
 * that the frame waits for. Frames of VEX's code lead to a routine.
 */
#include "cp_arch.h"
#include "cp_frame.h"
#include "cp_leap.h"
#include "cp_near.h"
#include "cp_stack.h"

#define STATE(field) cp_at(&cp_near.field)
#define NOW(field)   cp_at(&cp_now.field)
#define CHILD(field) cp_off(REG_AX, offsetof(Child, field))
#define BACK_OFFSET  (offsetof(Frame, sp) + sizeof(UWord))

/* The frame on top, where a register has the room behind it. */
#define TOP(reg, offset) cp_off(reg, (offset) - sizeof(Frame))

static Pool calls = {.size = sizeof(NearCall), .tag = "cp.near.5"};
static Pool entries = {.size = sizeof(NearEntry), .tag = "cp.near.7"};

NearCall *cp_near_new_call(const Insn *in, Function *f, Addr target)
{
    NearCall *n = cp_pool_add(&calls);

    n->site = cp_site_next(f, in->address, in->address + in->length, target);
    return n;
}

void cp_near_put_find_child(const NearCall *n, const Function *f)
{
    cp_put_load(REG_AX, NOW(node));
    if (!cp_call_is_first(f, n->site->slot))
        cp_put_load(REG_AX, cp_off(REG_AX, offsetof(Node, further)));
    cp_put_load(REG_AX, cp_off(REG_AX, (SizeT)cp_call_offset(f, n->site->slot)));
}

/*--- Registers ---*/

static void save_flags(void) /* rax is free */
{
    cp_put_flags_to_ax();
    cp_near_put_spill(SPILL_FLAGS, REG_AX);
}

static void restore_flags(void)
{
    cp_near_put_fill(REG_AX, SPILL_FLAGS);
    cp_put_flags_from_ax();
}

/*--- Steps ---*/

static void put_push(Addr back)
{
    cp_put(0x68);
    cp_put_word((UInt)back);
}

/* The address that an indirect jump or call goes to, to cp_near.rip. */
static void put_target(const Insn *in)
{
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_put_access(in, True, 0x8b, REG_AX);
    cp_put_store(STATE(rip), REG_AX);
    cp_near_put_fill(REG_AX, SPILL_AX);
}

void cp_near_put_call_memory(const Insn *in)
{
    if (in->kind == INSN_CALL_INDIRECT || in->kind == INSN_JMP_INDIRECT)
        put_target(in);
    if (in->kind == INSN_CALL || in->kind == INSN_CALL_INDIRECT)
        put_push(in->address + in->length);
}

/* Writes the frame of a call that goes back to `back`; rcx: the room for it. Changes rdx. Returns
 * the place of the address, of 32 bits, where its return goes on. */
static UChar *put_frame(Addr back)
{
    UChar *after;

    cp_put_load(REG_DX, NOW(node));
    cp_put_store(cp_off(REG_CX, offsetof(Frame, sp)), REG_SP);
    cp_put_store_number(cp_off(REG_CX, BACK_OFFSET), (UInt)back);
    cp_put_store(cp_off(REG_CX, offsetof(Frame, node)), REG_DX);
    cp_put_load(REG_DX, CHILD(activation));
    cp_put_store(cp_off(REG_CX, offsetof(Frame, child)), REG_DX);
    cp_put_store_number(cp_off(REG_CX, offsetof(Frame, host)), 0);
    after = cp_code - 4;
    cp_put_lea(REG_CX, cp_off(REG_CX, sizeof(Frame)));
    cp_put_store(NOW(top), REG_CX);
    return after;
}

/* The address of the code that follows, of 32 bits. */
static void put_address(UChar *at)
{
    UInt here = cp_low(cp_code);

    __builtin_memcpy(at, &here, sizeof here);
}

static void set_after(UChar *at, NearCall *n)
{
    put_address(at);
    n->after = cp_code;
    cp_near_add_door(cp_code, True);
}

/* See cp_counts_in_node. `node`: the register that has the one that is entered. */
static void put_counted(UInt node, UInt scratch)
{
    if (cp_counts_in_node)
        return;
    cp_put_load(scratch, cp_off(node, offsetof(Node, counted)));
    cp_put_store(NOW(counted), scratch);
}

/* Enters the child in rax, which need not be watched and so is a node. Changes rcx and rdx. */
static void put_enter(void)
{
    cp_put_number_op(True, OP_ADD, CHILD(calls), 1);
    cp_put_store(NOW(node), REG_AX);
    cp_put_load(REG_CX, CHILD(function));
    cp_put_store(NOW(function), REG_CX);
    put_counted(REG_AX, REG_CX);
}

/* Goes on if the word below the stack pointer, which a return has taken, is `back`; otherwise to
 * the end of the jump that is returned. Changes rcx, but no flags: they may be read elsewhere. */
static UChar *put_compare_target(Addr back)
{
    UChar *same, *other;

    cp_put_load(REG_CX, cp_off(REG_SP, (SizeT)-8));
    cp_put_lea(REG_CX, cp_off(REG_CX, (SizeT)-back));
    cp_put(0xe3); /* jrcxz */
    same = cp_code++;
    other = cp_put_jump_later();
    *same = (UChar)(cp_code - (same + 1));
    return other;
}

/* Where a return goes on: rcx has cp_now.top; rcx and rax are spilled. */
static void put_after(Addr back, const Function *f)
{
    Bool flags = cp_near_flags_at(back) != 0;
    UChar *other, *wrong[2];

    if (flags)
        save_flags();
    cp_put_move(REG_AX, REG_CX);
    other = put_compare_target(back);
    cp_put_lea(REG_CX, cp_off(REG_SP, (SizeT)-8));
    cp_put_compare(REG_CX, TOP(REG_AX, offsetof(Frame, sp)));
    wrong[0] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_number_op(True, OP_CMP, TOP(REG_AX, BACK_OFFSET), (Int)back);
    wrong[1] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_lea(REG_AX, TOP(REG_AX, 0));
    cp_put_store(NOW(top), REG_AX);
    cp_put_load(REG_CX, cp_off(REG_AX, offsetof(Frame, node)));
    cp_put_store(NOW(node), REG_CX);
    cp_put_load(REG_AX, cp_off(REG_CX, offsetof(Node, function)));
    cp_put_store(NOW(function), REG_AX);
    put_counted(REG_CX, REG_AX);
    if (flags)
        restore_flags();
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_put(0xe9);
    cp_near_put_link(back, f);
    cp_put_here(other);
    for (UInt i = 0; i < 2; i++)
        cp_put_here(wrong[i]);
    if (flags)
        restore_flags();
    cp_put_jump(cp_near_routines.return_slow);
}

/* Code for a child, in rax, that is marked as watched: goes back where it need not be now. Changes
 * rdx. */
static void put_watched(UChar *at, const UChar *unwatched)
{
    UChar *here;

    cp_put_here(at);
    cp_put_store_number(STATE(target), 0);
    here = cp_code - 4;
    cp_put_jump(cp_near_routines.watched);
    put_address(here);
    cp_put_jcc(IF_EQUAL, unwatched);
}

/* As put_watched(), for the child of a call: asks C if it has to be watched. */
static void put_watched_call(UChar *at, const UChar *unwatched, const NearCall *n)
{
    put_watched(at, unwatched);
    cp_put_store(STATE(child), REG_AX);
    cp_put_set(REG_DX, (Addr)n);
    cp_put_jump(cp_near_routines.quick);
}

/*--- Without contexts ---*/

/* In a section cp_leap.h is told of a call, return or jump, which has changed the stack and goes to
 * `target`; 0: to cp_near.rip. Keeps flags: by jrcxz, which jumps 8 bits. */
static void put_leap(NearHelp help, Addr target)
{
    UChar *none;

    if (!cp_keeps_totals)
        return;
    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_put_load(REG_CX, cp_at(&cp_section_inside));
    cp_put(0xe3);
    none = cp_code++;
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_near_put_help(cp_put_jump_later(), target, cp_near_routines.help, help, NULL);
    *none = (UChar)(cp_code - (none + 1));
    cp_near_put_fill(REG_CX, SPILL_CX);
}

/* Goes on at cp_near.rip. */
static void put_flat(NearHelp help)
{
    put_leap(help, 0);
    cp_put_jump(cp_near_routines.lookup);
}

/* Without call paths: where the return of a call goes on, by 16 bits of the stack pointer at the
 * address that it takes off: code that compares the address, in rax, and puts return_slow back; rcx
 * and rax are spilled, and rcx has the index. */
enum { RETURNS_SIZE = 1 << 16 };
static ULong returns[RETURNS_SIZE] __attribute__((aligned(64)));

void cp_near_init_returns(void)
{
    for (UInt i = 0; i < RETURNS_SIZE && !clo_contexts; i++)
        returns[i] = (Addr)cp_near_routines.return_slow;
}

/* True if a return without call paths is a jump to the code behind its call: see `returns`. */
static Bool finds_returns(void)
{
    return !clo_contexts && !cp_keeps_totals;
}

/* movzwl %sp, %ecx */
static void put_stack_index(void)
{
    cp_put(0x0f), cp_put(0xb7), cp_put(0xcc);
}

/* mov $number, returns(, %rcx, 8); returns the number's place, of 32 bits */
static UChar *put_store_return(const UChar *number)
{
    cp_put_indexed(True, 0xc7, 0, REG_CX, 3, returns);
    cp_put_word(cp_low(number));
    return cp_code - 4;
}

/* Says where the return of a call goes on, which has pushed the address. */
static UChar *put_note_return(void)
{
    UChar *after;

    cp_near_put_spill(SPILL_CX, REG_CX);
    put_stack_index();
    after = put_store_return(NULL);
    cp_near_put_fill(REG_CX, SPILL_CX);
    return after;
}

/* Where it does. An address is returned to once for each call: so each cycle in the code has an
 * event check. */
static void put_returned(UChar *at, Addr back, const Function *f)
{
    UChar *same;

    put_address(at);
    cp_near_add_door(cp_code, True);
    (void)put_store_return(cp_near_routines.return_slow);
    cp_put_lea(REG_CX, cp_off(REG_AX, (SizeT)-back));
    cp_put(0xe3); /* jrcxz */
    same = cp_code++;
    cp_put_jump(cp_near_routines.return_slow);
    *same = (UChar)(cp_code - (same + 1));
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_put(0xe9);
    cp_near_put_link(back, f);
}

/*--- Direct calls ---*/

static void put_followed_call(const Insn *in, Function *f)
{
    Addr back = in->address + in->length;
    NearCall *n = cp_near_new_call(in, f, in->target);
    Bool flags = cp_near_flags_at(in->target) != 0;
    UChar *watched, *full, *after;
    const UChar *unwatched;

    cp_near_put_spill_all(flags);
    cp_near_put_find_child(n, f);
    cp_put_load(REG_CX, NOW(top));
    cp_put_number_op(True, OP_CMP, CHILD(watched), 0);
    watched = cp_put_jcc_later(IF_NOT_EQUAL);
    unwatched = cp_code;
    cp_put_compare(REG_CX, NOW(end));
    full = cp_put_jcc_later(IF_NOT_BELOW);
    after = put_frame(back);
    put_enter();
    n->entered = cp_code;
    cp_near_put_fill_all(flags);
    n->jump = cp_code;
    n->link = cp_near_put_edge(in->target, ~0UL, n->site->callee);
    put_watched_call(watched, unwatched, n);
    cp_put_here(full);
    n->asks = cp_code;
    cp_near_put_fill_all(flags);
    cp_near_put_help(cp_put_jump_later(), in->target, cp_near_routines.ask, HELP_CALL, n);
    set_after(after, n);
    put_after(back, f);
}

void cp_near_put_call(const Insn *in, Function *f)
{
    Addr back = in->address + in->length;
    UChar *after;

    if (clo_contexts && in->target != back) {
        put_followed_call(in, f);
        return;
    }
    if (in->target == back || !finds_returns()) {
        if (in->target != back)
            put_leap(HELP_LEAP_CALL, in->target);
        cp_near_put_edge(in->target, ~0UL, f);
        return;
    }
    after = put_note_return();
    cp_near_put_edge(in->target, ~0UL, f);
    put_returned(after, back, f);
}

/*--- Indirect calls and jumps ---*/

void cp_near_put_call_indirect(const Insn *in, Function *f)
{
    Addr back = in->address + in->length;
    UChar *other, *unknown[2], *full, *watched, *event, *after;
    const UChar *found, *unwatched;
    NearCall *n;

    if (finds_returns()) {
        after = put_note_return();
        put_flat(HELP_LEAP_CALL);
        put_returned(after, back, f);
        return;
    }
    if (!clo_contexts) {
        put_flat(HELP_LEAP_CALL);
        return;
    }
    n = cp_near_new_call(in, f, 0);
    cp_near_put_spill_all(True);
    cp_near_put_find_child(n, f);
    cp_put_load(REG_DX, STATE(rip));
    cp_put_compare(REG_DX, CHILD(entry));
    other = cp_put_jcc_later(IF_NOT_EQUAL);
    found = cp_code;
    cp_put_number_op(True, OP_CMP, CHILD(watched), 0);
    watched = cp_put_jcc_later(IF_NOT_EQUAL);
    unwatched = cp_code;
    cp_put_load(REG_CX, NOW(top));
    cp_put_compare(REG_CX, NOW(end));
    full = cp_put_jcc_later(IF_NOT_BELOW);
    after = put_frame(back);
    cp_put_load_32(REG_CX, CHILD(host));
    cp_put_store(STATE(target), REG_CX);
    put_enter();
    n->entered = cp_code;
    cp_put_number_op(False, OP_SUB, STATE(events), 1);
    event = cp_put_jcc_later(IF_AT_MOST);
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    cp_put_here(event);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.leave_event);
    cp_put_here(other);
    cp_put_move_32(REG_CX, REG_DX);
    unknown[0] = cp_near_put_find();
    cp_put_compare(REG_DX, CHILD(entry));
    cp_put_jcc(IF_EQUAL, found);
    unknown[1] = cp_put_jump_later();
    put_watched_call(watched, unwatched, n);
    cp_put_here(unknown[0]);
    cp_put_here(unknown[1]);
    cp_put_here(full);
    n->asks = cp_code;
    cp_near_put_fill_all(True);
    cp_near_put_help(cp_put_jump_later(), 0, cp_near_routines.ask, HELP_CALL_INDIRECT, n);
    set_after(after, n);
    put_after(back, f);
}

/* The jump of a stub: what it goes on to is called by the call that called the stub, if the stub
 * was not jumped to. */
static void put_leave_stub(void)
{
    UChar *slow[5], *watched;
    const UChar *unwatched;

    cp_near_put_spill_all(True);
    cp_put_load(REG_CX, NOW(node));
    cp_put_load(REG_AX, cp_off(REG_CX, offsetof(Node, jumped_to)));
    cp_put_test(REG_AX);
    cp_put_jcc(IF_EQUAL, cp_near_routines.stub_jump);
    cp_put_load(REG_DX, STATE(rip));
    cp_put_compare(REG_DX, CHILD(entry));
    slow[0] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_number_op(True, OP_CMP, CHILD(watched), 0);
    watched = cp_put_jcc_later(IF_NOT_EQUAL);
    unwatched = cp_code;
    cp_put_load(REG_DX, NOW(top));
    cp_put_compare(REG_SP, TOP(REG_DX, offsetof(Frame, sp)));
    slow[1] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_number_op(True, OP_CMP, TOP(REG_DX, offsetof(Frame, child)), 0);
    slow[2] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_CX, cp_off(REG_CX, offsetof(Node, parent)));
    cp_put_compare(REG_CX, TOP(REG_DX, offsetof(Frame, node)));
    slow[3] = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_number_op(False, OP_SUB, STATE(events), 1);
    slow[4] = cp_put_jcc_later(IF_AT_MOST); /* where the scheduler is asked */
    cp_put_store(TOP(REG_DX, offsetof(Frame, child)), REG_AX);
    cp_put_load_32(REG_CX, CHILD(host));
    cp_put_store(STATE(target), REG_CX);
    put_enter();
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    put_watched(watched, unwatched);
    for (UInt i = 0; i < 5; i++)
        cp_put_here(slow[i]);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.lookup);
}

void cp_near_put_jump_indirect(const Insn *in, const Function *f)
{
    if (!clo_contexts)
        put_flat(HELP_LEAP_JUMP);
    else if (f->kind == FUNCTION_STUB)
        put_leave_stub();
    else
        cp_put_jump(cp_near_routines.lookup);
}

/*--- Returns ---*/

/* lea n(%rsp), %rsp: keeps flags. */
static void put_take_off(UInt n)
{
    cp_put(0x48), cp_put(0x8d), cp_put(0xa4), cp_put(0x24);
    cp_put_word(n);
}

/* A return that takes more than the address off, or that nobody follows. */
static void put_plain_return(UInt pops)
{
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_put_load(REG_AX, cp_off(REG_SP, 0));
    cp_put_store(STATE(rip), REG_AX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    put_take_off(8 + pops);
    if (!clo_contexts) {
        put_flat(HELP_LEAP_RETURN);
        return;
    }
    cp_put_store_number(STATE(help), HELP_RETURN);
    cp_put_jump(cp_near_routines.ask);
}

void cp_near_put_return(const Insn *in)
{
    if (in->pops || (!clo_contexts && !finds_returns())) {
        put_plain_return(in->pops);
        return;
    }
    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_put_load(REG_AX, cp_off(REG_SP, 0)); /* faults here if it does */
    if (!clo_contexts) {
        put_stack_index();
        put_take_off(8);
        cp_put(0xff), cp_put(0x24), cp_put(0xcd); /* jmp *returns(, %rcx, 8) */
        cp_put_word(cp_low(returns));
        return;
    }
    cp_put_load(REG_CX, NOW(top));
    put_take_off(8);
    cp_put_jump_to_word(TOP(REG_CX, offsetof(Frame, host)));
}

/*--- Arrivals ---*/

void cp_near_put_check(Place *p)
{
    UChar *same;

    cp_near_put_spill(SPILL_AX, REG_AX);
    if (p->flags_live)
        save_flags();
    cp_put_set(REG_AX, (Addr)p->function);
    cp_put_compare(REG_AX, NOW(function));
    same = cp_put_jcc_later(IF_EQUAL);
    if (p->flags_live)
        restore_flags();
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_near_put_help(cp_put_jump_later(), p->guest, cp_near_routines.arrive, HELP_CHECK, p);
    cp_put_here(same);
    if (p->flags_live)
        restore_flags();
    cp_near_put_fill(REG_AX, SPILL_AX);
}

void cp_near_put_allocates(const Place *p)
{
    NearEntry *e = cp_pool_add(&entries);

    cp_near_put_help(cp_put_jump_later(), p->guest, cp_near_routines.help, HELP_ALLOCATES, e);
    *e = (NearEntry){.function = p->function, .resume = cp_code};
}
