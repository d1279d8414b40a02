/*
 * cp_near_routines.c - code between Valgrind's dispatcher and copies. It is written once, at the
 * start, by the same assembler as copies.
 *
 * VEX's code has the thread's registers in memory, at %rbp, and the core's stack in %rsp. Entering
 * loads all of them, leaving stores them. Flags are kept as a value that VEX calls COPY: the bits
 * themselves.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_frame.h"
#include "cp_near.h"

Lookup cp_near_lookups[LOOKUP_SIZE] __attribute__((aligned(CP_HUGE_PAGE)));

void VG_(disp_cp_xindir)(void);
void VG_(disp_cp_evcheck_fail)(void);
ULong LibVEX_GuestAMD64_get_rflags(const VexGuestAMD64State *state);

#define GUEST(field) cp_off(REG_BP, offsetof(Guest, field))
#define STATE(field) cp_at(&cp_near.field)
#define NOW(field)   cp_at(&cp_now.field)
#define FRAME(field) (offsetof(Frame, field) - sizeof(Frame)) /* of the one on top */

enum { MXCSR_DEFAULT = 0x1f80, CC_OP_COPY = 0 };
static const UInt mxcsr_of_core = MXCSR_DEFAULT, x87_control_of_core = 0x027f;

/* The offset of a register among the guest's, which are in the processor's order. */
static Mem guest_register(UInt reg)
{
    return cp_off(REG_BP, offsetof(Guest, guest_RAX) + 8 * reg);
}

/* vmovdqu: 6F loads, 7F stores; of 32 bytes, or of the 16 lower ones. */
static void put_vectors(UInt opcode, Bool is_wide)
{
    for (UInt n = 0; n < 16; n++) {
        cp_put(0xc5);
        cp_put((n < 8 ? 0xfa : 0x7a) | (is_wide ? 4 : 0));
        cp_put(opcode);
        cp_put_operand(n, cp_off(REG_BP, offsetof(Guest, guest_YMM0) + 32 * n));
    }
}

/*
 * Where all upper halves are 0 they are not loaded, since the processor would take them for used:
 * then instructions of SSE take many times as long.
 */
static void put_load_vectors(void)
{
    UChar *wide, *done;

    for (UInt n = 0; n < 16; n++) { /* vmovdqu, vpor of xmm0 */
        cp_put(0xc5), cp_put(n ? 0xf9 : 0xfa), cp_put(n ? 0xeb : 0x6f);
        cp_put_operand(0, cp_off(REG_BP, offsetof(Guest, guest_YMM0) + 32 * n + 16));
    }
    cp_put(0xc4), cp_put(0xe2), cp_put(0x79), cp_put(0x17), cp_put(0xc0); /* vptest %xmm0, %xmm0 */
    wide = cp_put_jcc_later(IF_NOT_EQUAL);
    put_vectors(0x6f, False);
    done = cp_put_jump_later();
    cp_put_here(wide);
    put_vectors(0x6f, True);
    cp_put_here(done);
}

/* A jump over what follows if the word is the number. */
static UChar *put_unless(Mem m, Int number)
{
    cp_put_number_op(False, OP_CMP, m, number);
    return cp_put_jcc_later(IF_EQUAL);
}

/* EVEX's vextracti64x4 $1, which stores an upper half, 3B, or vinserti64x4 $1, which loads it, 3A.
 */
static void put_upper_halves(UInt opcode)
{
    for (UInt n = 0; n < 16; n++) {
        cp_put(0x62), cp_put(n < 8 ? 0xf3 : 0x73);
        cp_put(opcode == 0x3a ? 0x85 | (~n & 15) << 3 : 0xfd);
        cp_put(0x48), cp_put(opcode);
        cp_put_operand(n, STATE(upper[n]));
        cp_put(1);
    }
}

/* Upper halves are not loaded, either, where they are all 0. */
static void put_load_wide_vectors(void)
{
    UChar *unused = put_unless(STATE(wide), 0), *wide, *done;

    for (UInt n = 0; n < 16; n++) { /* vmovdqu, vpor of ymm0 */
        cp_put(0xc5), cp_put(n ? 0xfd : 0xfe), cp_put(n ? 0xeb : 0x6f);
        cp_put_operand(0, STATE(upper[n]));
    }
    cp_put(0xc4), cp_put(0xe2), cp_put(0x7d), cp_put(0x17), cp_put(0xc0); /* vptest %ymm0, %ymm0 */
    cp_put(0xc5), cp_put(0xf8), cp_put(0x77);                             /* vzeroupper */
    wide = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_here(unused);
    put_load_vectors();
    done = cp_put_jump_later();
    cp_put_here(wide);
    put_vectors(0x6f, True);
    put_upper_halves(0x3a);
    cp_put_here(done);
}

/* Calls a function of the tool. rbx is changed; VEX's code expects nothing of it. */
static void put_c_call(const void *function)
{
    cp_put_move(REG_BX, REG_SP);
    cp_put(0x48), cp_put(0x83), cp_put(0xe4), cp_put(0xf0); /* and $-16, %rsp */
    cp_put_call(function);
    cp_put_move(REG_SP, REG_BX);
}

/*--- Entering ---*/

static void put_control(UInt operation, const volatile void *word) /* fldcw 5, fnstcw 7 */
{
    cp_put_op(False, 0xd9, operation, cp_at(word));
}

/* Called where registers of x87 are not in the processor. */
static void (*enter_x87)(Guest *guest);

static void put_enter_x87(void)
{
    UChar *unused = put_unless(STATE(x87), X87_UNUSED), *here;

    here = put_unless(STATE(x87), X87_IN_PROCESSOR);
    cp_put_move(REG_DI, REG_BP);
    put_c_call(enter_x87);
    cp_put_here(here);
    put_control(5, &cp_near.x87_control);
    cp_put_here(unused);
}

/* An exception that is unmasked and pending is lost: it would come at the next instruction of the
 * core's. */
static void put_leave_x87(void)
{
    UChar *unused = put_unless(STATE(x87), X87_UNUSED), *none;

    put_control(7, &cp_near.x87_control);
    cp_put(0xdf), cp_put(0xe0); /* fnstsw %ax */
    cp_put(0xa8), cp_put(0x80); /* test $128, %al */
    none = cp_put_jcc_later(IF_EQUAL);
    cp_put(0xdb), cp_put(0xe2); /* fnclex */
    cp_put_here(none);
    put_control(5, &x87_control_of_core);
    cp_put_here(unused);
}

/* The core's counter of events, the rounding mode, the base of FS, and vectors. */
static void put_enter_state(void)
{
    UChar *over;

    cp_put_load_32(REG_AX, GUEST(host_EvC_COUNTER));
    cp_put_lea_32(REG_AX, cp_off(REG_AX, 1)); /* which the stub has decremented */
    cp_put_store_32(STATE(events), REG_AX);
    if (clo_copies_events) {
        cp_put_number_op(False, OP_CMP, STATE(events), clo_copies_events);
        over = cp_put_jcc_later(IF_AT_MOST);
        cp_put_store_number(STATE(events), (UInt)clo_copies_events);
        cp_put_here(over);
    }
    cp_put_load_32(REG_AX, GUEST(guest_SSEROUND));
    cp_put(0x83), cp_put(0xe0), cp_put(3);    /* and $3, %eax */
    cp_put(0xc1), cp_put(0xe0), cp_put(13);   /* shl $13, %eax */
    cp_put(0x0d), cp_put_word(MXCSR_DEFAULT); /* or */
    cp_put_store_32(STATE(mxcsr), REG_AX);
    over = put_unless(GUEST(guest_SSEROUND), 0);
    cp_put_load_mxcsr(STATE(mxcsr));
    cp_put_here(over);
    cp_put_load(REG_AX, GUEST(guest_FS_CONST));
    cp_put_compare(REG_AX, STATE(fs));
    over = cp_put_jcc_later(IF_EQUAL);
    cp_put_store(STATE(fs), REG_AX);
    cp_put(0xf3), cp_put(0x48), cp_put(0x0f), cp_put(0xae), cp_put(0xd0); /* wrfsbase %rax */
    cp_put_here(over);
    put_enter_x87();
    put_load_wide_vectors();
}

/* Flags do not change from here on. */
static void put_enter_registers(void)
{
    cp_put_store(STATE(guest), REG_BP);
    cp_put_store(STATE(host_sp), REG_SP);
    for (UInt reg = 0; reg < REGS; reg++)
        if (reg != REG_BP)
            cp_put_load(reg, guest_register(reg));
    cp_put_load(REG_BP, guest_register(REG_BP));
    cp_put_jump_to_word(STATE(target));
}

static void make_enter(void)
{
    UChar *backward, *computed, *known, *forward;

    cp_near_routines.enter = cp_put_aligned();
    cp_put_store(STATE(target), REG_AX);
    cp_put_number_op(False, OP_CMP, GUEST(guest_DFLAG), 1);
    backward = cp_put_jcc_later(IF_NOT_EQUAL);
    put_enter_state();
    put_enter_registers();

    cp_near_routines.enter_flags = cp_put_aligned();
    cp_put_store(STATE(target), REG_AX);
    cp_put_here(backward);
    cp_put_number_op(True, OP_CMP, GUEST(guest_CC_OP), CC_OP_COPY);
    computed = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_AX, GUEST(guest_CC_DEP1));
    known = cp_put_jump_later();
    cp_put_here(computed);
    cp_put_move(REG_DI, REG_BP);
    put_c_call(LibVEX_GuestAMD64_get_rflags);
    cp_put_here(known);
    cp_put(0x25),
        cp_put_word(FLAGS_ALL); /* and, or of eax: bit 1 is always set, bit 9 lets interrupts in */
    cp_put(0x0d), cp_put_word(0x202);
    forward = put_unless(GUEST(guest_DFLAG), 1);
    cp_put(0x0d), cp_put_word(0x400);
    cp_put_here(forward);
    cp_put_move(12, REG_AX);
    put_enter_state();
    cp_put_push(12);
    cp_put(0x9d); /* popfq */
    put_enter_registers();
}

/*--- Leaving ---*/

/* General registers to memory; rbp and rsp become the core's. Changes rax. */
static void put_store_registers(void)
{
    cp_put_store(STATE(target), REG_BP);
    cp_put_load(REG_BP, STATE(guest));
    for (UInt reg = 0; reg < REGS; reg++)
        if (reg != REG_BP)
            cp_put_store(guest_register(reg), reg);
    cp_put_load(REG_AX, STATE(target));
    cp_put_store(guest_register(REG_BP), REG_AX);
    cp_put_load(REG_SP, STATE(host_sp));
}

/* The registers with which the core's stack is found. */
static void put_load_last(void)
{
    cp_put_load(REG_AX, guest_register(REG_AX));
    cp_put_load(REG_SP, guest_register(REG_SP));
    cp_put_load(REG_BP, guest_register(REG_BP));
}

/* All registers back to memory, and the processor as the core wants it. */
static void put_leave(void)
{
    UChar *over;

    put_store_registers();
    cp_put_load(REG_AX, NOW(node));
    cp_put_load(REG_AX, cp_off(REG_AX, offsetof(Node, counted)));
    cp_put_store(NOW(counted), REG_AX);
    cp_put(0x9c); /* pushfq */
    cp_put_pop(REG_AX);
    cp_put(0xfc); /* cld */
    cp_put(0x25), cp_put_word(FLAGS_ALL);
    cp_put_store(GUEST(guest_CC_DEP1), REG_AX);
    cp_put_store_number(GUEST(guest_CC_OP), CC_OP_COPY);
    cp_put_store_number(GUEST(guest_CC_DEP2), 0);
    cp_put_store_number(GUEST(guest_CC_NDEP), 0);
    cp_put_load(REG_AX, STATE(rip));
    cp_put_store(GUEST(guest_RIP), REG_AX);
    cp_put_load_32(REG_AX, STATE(events));    /* it may be below 0 after an unrolled loop */
    cp_put(0x31), cp_put(0xc9);               /* xor %ecx, %ecx */
    cp_put(0x83), cp_put(0xe8), cp_put(1);    /* sub $1, %eax */
    cp_put(0x0f), cp_put(0x48), cp_put(0xc1); /* cmovs %ecx, %eax */
    cp_put_store_32(GUEST(host_EvC_COUNTER), REG_AX);
    put_vectors(0x7f, True);
    over = put_unless(STATE(wide), 0);
    put_upper_halves(0x3b);
    cp_put_here(over);
    cp_put(0xc5), cp_put(0xf8), cp_put(0x77); /* vzeroupper */
    over = put_unless(GUEST(guest_SSEROUND), 0);
    cp_put_load_mxcsr(cp_at(&mxcsr_of_core));
    cp_put_here(over);
    put_leave_x87();
}

static void make_leave(NearHelper *helper)
{
    cp_near_routines.leave = cp_put_aligned();
    put_leave();
    cp_put_jump(VG_(disp_cp_xindir));

    cp_near_routines.leave_event = cp_put_aligned();
    put_leave();
    cp_put_op(False, 0xc7, 0, GUEST(host_EvC_COUNTER));
    cp_put_word(~0u);
    cp_put_jump(VG_(disp_cp_evcheck_fail));

    cp_near_routines.help = cp_put_aligned();
    put_leave();
    cp_put_load(REG_DI, STATE(subject));
    cp_put_load(REG_SI, STATE(help));
    cp_put_move(REG_DX, REG_BP);
    put_c_call(helper);
    cp_put_test(REG_AX);
    cp_put_jcc(IF_NOT_EQUAL, cp_near_routines.enter_flags);
    cp_put_jump(VG_(disp_cp_xindir));

    cp_near_routines.miss = cp_put_aligned();
    cp_put_store_number(STATE(help), HELP_MISS);
    cp_put_jump(cp_near_routines.help);
}

/*
 * Calls the helper without leaving: for calls, returns and arrivals, of which it looks at no more
 * than general registers. A program with much recursion does so at each sixth call. popf takes
 * long; so where D is set, which C does not expect, the copy is left.
 */
static void make_ask(NearHelper *helper)
{
    static const UInt changed[] = {REG_CX, REG_DX, REG_BX, REG_SI, REG_DI, 8, 9, 10, 11};
    UChar *backward;

    cp_near_routines.ask = cp_put_aligned();
    put_store_registers();
    cp_put(0x9c); /* pushfq */
    cp_put_flags_to_ax();
    cp_put_push(REG_AX);
    cp_put_test_number(cp_off(REG_SP, 8), 0x400);
    backward = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_AX, STATE(rip));
    cp_put_store(GUEST(guest_RIP), REG_AX);
    cp_near_put_save_vectors();
    cp_put_load(REG_DI, STATE(subject));
    cp_put_load(REG_SI, STATE(help));
    cp_put_move(REG_DX, REG_BP);
    put_c_call(helper);
    cp_near_put_load_vectors();
    cp_put_set(REG_CX, (Addr)cp_near_routines.miss);
    cp_put_test(REG_AX);
    cp_put(0x48), cp_put(0x0f), cp_put(0x44), cp_put(0xc1); /* cmove %rcx, %rax */
    cp_put_store(STATE(target), REG_AX);
    cp_put_pop(REG_AX);
    cp_put_flags_from_ax();
    for (UInt i = 0; i < sizeof changed / sizeof changed[0]; i++)
        cp_put_load(changed[i], guest_register(changed[i]));
    put_load_last();
    cp_put_jump_to_word(STATE(target));

    cp_put_here(backward);
    cp_put_pop(REG_AX);
    cp_put(0x9d); /* popfq */
    put_load_last();
    cp_put_jump(cp_near_routines.help);
}

/*--- Within copies ---*/

static void make_lookup(void)
{
    UChar *event, *miss;

    cp_near_routines.lookup = cp_put_aligned();
    cp_near_put_spill_all(True);
    cp_put_number_op(False, OP_SUB, STATE(events), 1);
    event = cp_put_jcc_later(IF_AT_MOST);
    cp_put_load(REG_AX, STATE(rip));
    cp_put(0x0f), cp_put(0xb7), cp_put(0xc8); /* movzwl %ax, %ecx */
    cp_put(0xc1), cp_put(0xe1), cp_put(4);    /* shl $4, %ecx */
    cp_put_compare(REG_AX, cp_off(REG_CX, cp_low(&cp_near_lookups[0].guest)));
    miss = cp_put_jcc_later(IF_NOT_EQUAL);
    cp_put_load(REG_CX, cp_off(REG_CX, cp_low(&cp_near_lookups[0].host)));
    cp_put_store(STATE(target), REG_CX);
    cp_near_put_fill_all(True);
    cp_put_jump_to_word(STATE(target));
    cp_put_here(event);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.leave_event);
    cp_put_here(miss);
    cp_near_put_fill_all(True);
    cp_put_jump(cp_near_routines.miss);
}

void cp_near_clear_lookup(Lookup *l)
{
    l->guest = 0;
    l->host = (Addr)cp_near_routines.leave;
}

/* rdx: the NearCall. */
static void make_quick(void)
{
    cp_near_routines.quick = cp_put_aligned();
    cp_near_put_quick(cp_near_quick_call);
    cp_put(0xff), cp_put(0xe0); /* jmp *%rax */
}

/* The return of a call that was watched. Otherwise the code behind it goes on. */
static void put_quick_return(void)
{
    UChar *unusual;

    cp_near_put_spill(SPILL_DX, REG_DX);
    cp_put_flags_to_ax();
    cp_near_put_spill(SPILL_FLAGS, REG_AX);
    cp_put_load(REG_DX, cp_off(REG_SP, (SizeT)-8));
    cp_near_put_quick(cp_near_quick_return);
    cp_put_test(REG_AX);
    unusual = cp_put_jcc_later(IF_EQUAL);
    cp_put_store(STATE(target), REG_AX);
    cp_near_put_fill(REG_AX, SPILL_FLAGS);
    cp_put_flags_from_ax();
    cp_near_put_fill(REG_DX, SPILL_DX);
    cp_put_load(REG_CX, NOW(top));
    cp_put_jump_to_word(STATE(target));

    cp_put_here(unusual);
    cp_near_put_fill(REG_AX, SPILL_FLAGS);
    cp_put_flags_from_ax();
    cp_near_put_fill(REG_DX, SPILL_DX);
}

static void make_return(void)
{
    cp_near_routines.return_slow = cp_put_aligned();
    if (clo_contexts)
        put_quick_return();
    cp_put_load(REG_AX, cp_off(REG_SP, (SizeT)-8));
    cp_put_store(STATE(rip), REG_AX);
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_put_store_number(STATE(help), HELP_RETURN);
    cp_put_jump(clo_contexts ? cp_near_routines.ask : cp_near_routines.lookup);

    cp_near_routines.return_jump = cp_put_aligned();
    cp_put_lea(REG_CX, cp_off(REG_CX, -sizeof(Frame)));
    cp_put_jump_to_word(cp_off(REG_CX, FRAME(host)));
}

static void make_routines(NearHelper *helper)
{
    make_enter();
    make_leave(helper);
    make_ask(helper);
    make_lookup();
    cp_core_huge(cp_near_lookups, CP_HUGE_PAGE);
    cp_near_clear_lookup(cp_near_lookups); /* only there an empty one seems to be of address 0 */
    make_quick();
    make_return();
    cp_near_make_arrive();
    cp_frame_return = cp_near_routines.return_slow;
}

/* There is one set of routines for each place of spilled registers. */
static NearRoutines by_memory;
static Bool in_vectors;

void cp_near_make_routines(NearHelper *helper, void (*to_processor)(Guest *guest), Bool has_wide)
{
    enter_x87 = to_processor;
    make_routines(helper);
    by_memory = cp_near_routines;
    in_vectors = has_wide;
    if (!has_wide)
        return;
    cp_near_spill_in_vectors(True);
    make_routines(helper);
}

/* Code that jumps to the routine goes on in another one. */
static void replace(const UChar *routine, const UChar *other)
{
    UChar *saved = cp_code;

    cp_code = (UChar *)(Addr)routine;
    cp_put_jump(other);
    cp_code = saved;
}

/* No register is spilled: copies are made only where the program's registers are the guest's. */
void cp_near_spill_to_memory(void)
{
    const NearRoutines old = cp_near_routines;

    if (!in_vectors)
        return;
    in_vectors = False;
    cp_near_spill_in_vectors(False);
    cp_near_routines = by_memory;
    replace(old.return_slow, by_memory.return_slow); /* frames lead to these two */
    replace(old.return_jump, by_memory.return_jump);
    VG_(discard_translations)(0, ~0ULL >> 1, "cprof");
}
