/*
 * cp_leap.c - data structure: for each thread a stack of the places of return addresses, and of
 * signals.
 */
#include "cp_leap.h"

#include "cp_arch.h"
#include "cp_frame.h"
#include "cp_ir.h"
#include "cp_ll.h"
#include "cp_section.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

/* A place has this bit if it is the stack pointer of code that a signal interrupted. */
#define SIGNAL 1ul

/* Places, from the top, that a return looks at for its own; bytes below the topmost one, beyond
 * which a jump may have changed the stack. */
enum { LOOK = 64, FAR = 65536 };

typedef struct {
    UWord *places;
    UInt n, max;
} Calls;

static Calls *threads;

static Calls *calls_of(ThreadId tid)
{
    if (!threads)
        threads = VG_(calloc)("cp.leap.1", VG_N_THREADS, sizeof *threads);
    return &threads[tid];
}

static Calls *running(void)
{
    return calls_of(VG_(get_running_tid)());
}

static void push(Calls *c, UWord place)
{
    if (c->n == c->max) {
        c->max = c->max ? 2 * c->max : 64;
        c->places = VG_(realloc)("cp.leap.2", c->places, c->max * sizeof *c->places);
    }
    c->places[c->n++] = place;
}

/*--- Leaps ---*/

/* The number of calls that are left when sp is `sp`: of those in the memory of the topmost one, or,
 * out of signals' handlers, of the code that was interrupted. ~0: sp lies elsewhere, as on the
 * stack of a fibre. */
static UInt left_at(const Calls *c, UWord sp)
{
    UInt i = c->n;

    while (i && !cp_frame_same_memory(c->places[i - 1], sp)) {
        do
            i--;
        while (i && !(c->places[i - 1] & SIGNAL));
        if (!i)
            return ~0u;
    }
    while (i && (c->places[i - 1] & ~SIGNAL) < sp)
        i--;
    return i;
}

static void leap(Calls *c, UWord sp)
{
    UInt n = left_at(c, sp);

    if (n == ~0u)
        return;
    c->n = n;
    if (clo_cache_sim)
        cp_ll_finish();
    cp_section_left(VG_(get_running_tid)(), n, sp);
}

/* True if the address is the program's own. Handlers return to code of the core's. */
static Bool is_own(Addr address)
{
    UWord word;

    return cp_frame_read(address & ~(UWord)7, &word);
}

/*--- Generated code calls these ---*/

VG_REGPARM(1) void cp_leap_call(UWord sp)
{
    push(running(), sp);
}

VG_REGPARM(2) void cp_leap_return(UWord sp, UWord target)
{
    ThreadId tid = VG_(get_running_tid)();
    UWord place = sp - CP_RETURN_SLOT;
    Calls *c = calls_of(tid);
    UInt i = c->n;

    while (i && c->n - i < LOOK && c->places[i - 1] != place)
        i--;
    if (i && c->places[i - 1] == place) {
        c->n = i - 1;
        cp_section_carry(tid, i, c->n, sp);
    } else if (!c->n) {
        cp_section_carry(tid, 0, 0, sp);
    } else if (is_own(target)) {
        leap(c, sp);
    }
}

VG_REGPARM(1) void cp_leap_jump(UWord sp)
{
    Calls *c = running();
    UWord top = c->n ? c->places[c->n - 1] & ~SIGNAL : sp;

    if (sp > top || top - sp > FAR)
        leap(c, sp);
}

void cp_leap_follow(IRSB *out, const IRSB *in, Int sp)
{
    IRExpr *after, *inside;

    if (in->jumpkind != Ijk_Call && in->jumpkind != Ijk_Ret &&
        (in->jumpkind != Ijk_Boring || in->next->tag == Iex_Const))
        return;
    after = cp_ir_assign(out, Ity_I64, IRExpr_Get(sp, Ity_I64));
    inside = cp_ir_load(out, cp_ir_word((Addr)&cp_section_inside));
    inside = cp_ir_assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, inside, cp_ir_word(0)));
    if (in->jumpkind == Ijk_Call)
        cp_ir_call(out, 1, "cp_leap_call", cp_leap_call, mkIRExprVec_1(after), inside);
    else if (in->jumpkind == Ijk_Ret)
        cp_ir_call(out, 2, "cp_leap_return", cp_leap_return, mkIRExprVec_2(after, in->next),
                   inside);
    else
        cp_ir_call(out, 1, "cp_leap_jump", cp_leap_jump, mkIRExprVec_1(after), inside);
}

/*--- Threads and signals ---*/

void cp_leap_enter(ThreadId tid, SectionEntry *entry)
{
    Calls *c = calls_of(tid);

    if (!cp_section_is_in(tid))
        c->n = 0;
    entry->depth = c->n;
    entry->sp = VG_(get_SP)(tid);
}

void cp_leap_signal(ThreadId tid)
{
    if (cp_section_is_in(tid))
        push(calls_of(tid), VG_(get_SP)(tid) | SIGNAL);
}

void cp_leap_after_signal(ThreadId tid)
{
    Calls *c = calls_of(tid);

    while (c->n && !(c->places[--c->n] & SIGNAL))
        ;
}
