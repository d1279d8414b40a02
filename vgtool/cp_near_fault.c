/*
 * cp_near_fault.c - faults in copies.
 *
 * Which instruction of the program a copied one is says its mark. A handler in front of the core's
 * puts the processor's registers back into the thread's, as if VEX's code had faulted right before
 * the instruction, and corrects what was counted ahead. If the core can mend the fault (it enlarges
 * the stack), the copy goes on.
 *
 * The instructions of the run (cp_near_count.h) before the one that faulted have executed. They are
 * counted as a block of their own, before anything else runs.
 */
#include "cp_arch.h"
#include "cp_block.h"
#include "cp_core.h"
#include "cp_near.h"
#include "cp_stack.h"
#include "pub_tool_libcsignal.h"

/* Left to be counted after a fault: the instructions of the run in front of an address. */
static struct {
    Node *node; /* NULL: nothing */
    const BasicBlock *run;
    Addr end;
} partial;

static UInt count_partial(void)
{
    Addr at = partial.run->start;
    UInt n = 0;

    while (n < partial.run->n_instrs && (at += partial.run->instrs[n].delta) < partial.end)
        n++;
    return n;
}

void cp_near_settle(void)
{
    ULong totals[CP_COLUMNS];
    Node *node = partial.node;
    const BasicBlock *run = partial.run;
    UInt n = node ? count_partial() : 0, slot;

    partial.node = NULL;
    if (!n)
        return;
    cp_superblock_begin(run->start, node->function);
    slot = cp_block_part(run->start, run->instrs, n)->slot;
    if (cp_collecting)
        ++*cp_node_counter(node, slot);
    cp_block_costs(run->instrs, n, totals);
    for (UInt i = 0; i < CP_COLUMNS && cp_keeps_totals; i++)
        cp_totals[i] += totals[i];
    if (cp_stack_walks())
        cp_stack_walk(n);
}

/* NULL: a signal that a program has sent came before the first mark of a copy. */
static const BasicBlock *run_of(const NearMark *m)
{
    const Function *f = cp_now.node->function;

    return m->slot < f->n_slots ? f->blocks[m->slot] : NULL;
}

/* Adds what a copy has counted behind, or takes off what it has counted ahead: 1 or -1. */
static void correct(const NearMark *m, const BasicBlock *run, ULong rcx, Int sign)
{
    Int n = sign * ((Int)m->rounds - (Int)m->counted);
    ULong totals[CP_COLUMNS];

    if (!run)
        return;
    if (m->repeats) {
        /* All repetitions that were left have been counted. */
        cp_near_count_repeated(m->slot, m->repeats - 1, rcx, sign > 0);
        return;
    }
    cp_context_count(m->slot, n);
    if (cp_stack_walks())
        cp_stack_walk((UWord)(-sign * (Int)run->n_instrs));
    cp_block_costs(run->instrs, run->n_instrs, totals);
    for (UInt i = 0; i < CP_COLUMNS && cp_keeps_totals; i++)
        cp_totals[i] += (UWord)n * totals[i];
}

/*--- The handler ---*/

typedef void Handler(Int, vki_siginfo_t *, struct vki_ucontext *);
static Handler *core_handlers[_VKI_NSIG + 1];

#ifndef CP_WRAPS_vgPlain_sigaction /* copies are not taken then; see cp_engine.c */
#define __real_vgPlain_sigaction VG_(sigaction)
#endif
Int __real_vgPlain_sigaction(Int, const vki_sigaction_toK_t *, vki_sigaction_fromK_t *);
Int __wrap_vgPlain_sigaction(Int, const vki_sigaction_toK_t *, vki_sigaction_fromK_t *);

/* The offsets of vectors in the state that the processor saves: xmm, and the upper halves of ymm.
 */
enum { XMM_OFFSET = 160, PRESENT_OFFSET = 512, YMM_OFFSET = 576 };
enum { PRESENT_YMM = 4 }; /* else they are 0, and not saved */

static void take_registers(Guest *g, const struct vki_sigcontext *m, const NearMark *mark)
{
    const UChar *saved = (const UChar *)m->fpstate;
    Bool has_upper = (saved[PRESENT_OFFSET] & PRESENT_YMM) != 0;
    ULong regs[REGS] = {m->rax, m->rcx, m->rdx, m->rbx, m->rsp, m->rbp, m->rsi, m->rdi,
                        m->r8,  m->r9,  m->r10, m->r11, m->r12, m->r13, m->r14, m->r15};

    if (mark->held)
        regs[__builtin_ctz(mark->held)] = cp_near.held;
    VG_(memcpy)(&g->guest_RAX, regs, sizeof regs);
    g->guest_CC_OP = g->guest_CC_DEP2 = g->guest_CC_NDEP = 0;
    g->guest_CC_DEP1 = m->eflags & FLAGS_ALL;
    g->guest_RIP = mark->guest;
    g->host_EvC_COUNTER = cp_near.events ? (UInt)cp_near.events - 1 : 0;
    for (UInt i = 0; i < 16; i++) {
        UChar *vector = (UChar *)&g->guest_YMM0 + 32 * i;
        VG_(memcpy)(vector, saved + XMM_OFFSET + 16 * i, 16);
        if (has_upper)
            VG_(memcpy)(vector + 16, saved + YMM_OFFSET + 16 * i, 16);
        else
            VG_(memset)(vector + 16, 0, 16);
    }
}

static void on_signal(Int n, vki_siginfo_t *info, struct vki_ucontext *u)
{
    cp_near_keep((const void *)(Addr)u->uc_mcontext.fpstate, False);
    core_handlers[n](n, info, u);
}

static void on_fault(Int n, vki_siginfo_t *info, struct vki_ucontext *u)
{
    const struct vki_sigcontext *m = &u->uc_mcontext;
    const BasicBlock *run;
    NearMark mark;
    ULong rcx = m->rcx;
    Int *time = NULL;

    if (!cp_near_has(m->rip)) {
        on_signal(n, info, u);
        return;
    }
    cp_near_keep((const void *)(Addr)m->fpstate, True);
    mark = cp_near_mark_of(m->rip);
    run = run_of(&mark);
    take_registers(cp_near.guest, m, &mark);
    correct(&mark, run, rcx, 1);
    if (mark.referred)
        time = cp_l1_take_back((Int)cp_near.time);
    if (mark.repeats && (clo_cache_sim || clo_branch_sim))
        cp_near_repeat_stopped(rcx);
    partial.node = run ? cp_now.node : NULL;
    partial.run = run;
    partial.end = mark.guest;
    core_handlers[n](n, info, u);
    /* The core has mended it; otherwise it does not come back. */
    if (cp_near.x87 == X87_SAVED)
        cp_near.x87 = X87_IN_PROCESSOR;
    partial.node = NULL;
    correct(&mark, run, rcx, -1);
    if (time)
        cp_l1_repeat(time);
}

static Bool is_fault(Int n)
{
    return n == VKI_SIGSEGV || n == VKI_SIGBUS || n == VKI_SIGFPE || n == VKI_SIGILL ||
           n == VKI_SIGTRAP;
}

static Bool is_mine(Addr handler)
{
    return handler == (Addr)on_fault || handler == (Addr)on_signal;
}

/* The core sets its handlers by this function. */
Int __wrap_vgPlain_sigaction(Int n, const vki_sigaction_toK_t *act, vki_sigaction_fromK_t *old)
{
    Handler *before = core_handlers[n];
    vki_sigaction_toK_t mine;
    Int done;

    if (act && (Addr)act->ksa_handler > (Addr)VKI_SIG_IGN) {
        mine = *act;
        core_handlers[n] = (Handler *)(Addr)mine.ksa_handler;
        mine.ksa_handler = (void *)(is_fault(n) ? on_fault : on_signal);
        mine.sa_flags |= is_fault(n) ? VKI_SA_ONSTACK : 0;
        act = &mine;
    }
    done = __real_vgPlain_sigaction(n, act, old);
    if (old && is_mine((Addr)old->ksa_handler)) {
        old->ksa_handler = (void *)before;
        old->sa_flags &= ~(ULong)(is_fault(n) ? VKI_SA_ONSTACK : 0);
    }
    return done;
}

/*--- Threads ---*/

enum { STACK_SIZE = 256 << 10, MAX_THREADS = 512 };
static Bool has_stack[MAX_THREADS];

void cp_near_begin_thread(UInt tid)
{
    if (tid < MAX_THREADS)
        has_stack[tid] = False;
}

/* Threads of one number after the other have the same memory. */
static void give_stack(UInt tid)
{
    static void *memory[MAX_THREADS];
    struct {
        void *sp;
        Int flags;
        SizeT size;
    } stack = {.size = STACK_SIZE};

    if (!memory[tid])
        memory[tid] = cp_core_memory(STACK_SIZE);
    stack.sp = memory[tid];
    has_stack[tid] = True;
    (void)VG_(do_syscall)(__NR_sigaltstack, (UWord)&stack, 0, 0, 0, 0, 0, 0, 0);
}

void cp_near_thread(UInt tid)
{
    static UInt last;

    cp_near_settle();
    if (tid != last)
        cp_near.fs = ~0ULL; /* each thread of the processor has its own */
    last = tid;
    if (tid < MAX_THREADS && !has_stack[tid])
        give_stack(tid);
}
