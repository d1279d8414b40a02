/*
 * cp_near_wide.c - registers that AVX-512 has brought, which VEX knows nothing of: masks, 16 more
 * vectors, and the upper halves of the others. Only copies use them.
 *
 * Neither the core nor VEX's code changes masks and the further vectors, and each thread of the
 * program is one of the system: they stay in the processor. Upper halves are stored and loaded on
 * the ways between copies and VEX's code.
 */
#include "cp_core.h"
#include "cp_ir.h"
#include "cp_near.h"
#include "pub_tool_threadstate.h"

/* Components of the state that xsave writes, by their numbers. */
enum { MASKS = 5, UPPER_HALVES = 6, VECTORS = 7, STAYING = 1 << MASKS | 1 << VECTORS };
enum { PRESENT_OFFSET = 512 };

typedef UChar Upper[16][32];
static Upper *threads; /* those of threads that do not run */
static ThreadId running;

Bool cp_near_has_wide(void)
{
    enum { SYSTEM_SAVES = 1 << 27, AVX512 = 1 << 16, USED = 0xe6 };
    static Int has = -1;
    UInt saved, high;

    if (has < 0) {
        has = 0;
        if (cp_near_cpuid(1, 0).c & SYSTEM_SAVES) {
            __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
            has = (saved & USED) == USED && (cp_near_cpuid(7, 0).b & AVX512) != 0;
        }
    }
    return has;
}

static void restore(const void *state)
{
    __asm__ volatile("xrstor64 (%0)" : : "r"(state), "a"(STAYING), "d"(0) : "memory");
}

void cp_near_use_wide(void)
{
    static const NearWide none;

    if (cp_near.wide)
        return;
    restore(none.state); /* spilled registers may be left in them */
    threads = cp_core_memory(VG_N_THREADS * sizeof *threads);
    cp_near.wide = True;
}

/* The system gives a thread the registers of the one that makes it. */
void cp_near_begin_thread_wide(ThreadId tid)
{
    if (threads)
        VG_(memcpy)(threads[tid], cp_near.upper, sizeof cp_near.upper);
}

void cp_near_thread_wide(ThreadId tid)
{
    if (threads && tid != running) {
        VG_(memcpy)(threads[running], cp_near.upper, sizeof cp_near.upper);
        VG_(memcpy)(cp_near.upper, threads[tid], sizeof cp_near.upper);
    }
    running = tid;
}

/*--- Signals ---*/

void cp_near_keep_wide(const void *state, Bool in_copy)
{
    const UChar *bytes = state;

    if (!cp_near.wide)
        return;
    restore(state);
    if (!in_copy)
        return;
    if (bytes[PRESENT_OFFSET] & 1 << UPPER_HALVES)
        VG_(memcpy)(cp_near.upper, bytes + cp_near_cpuid(13, UPPER_HALVES).b, sizeof cp_near.upper);
    else
        VG_(memset)(cp_near.upper, 0, sizeof cp_near.upper);
}

static void keep(NearWide *kept)
{
    VG_(memcpy)(kept->upper, cp_near.upper, sizeof kept->upper);
    VG_(memset)(kept->state + PRESENT_OFFSET, 0, 64);
    __asm__ volatile("xsave64 (%0)" : : "r"(kept->state), "a"(STAYING), "d"(0) : "memory");
}

void cp_near_put_away_wide(NearWide *kept)
{
    static const NearWide none;

    if (!cp_near.wide)
        return;
    keep(kept);
    VG_(memset)(cp_near.upper, 0, sizeof cp_near.upper);
    restore(none.state);
}

void cp_near_take_back_wide(const NearWide *kept)
{
    if (!cp_near.wide)
        return;
    VG_(memcpy)(cp_near.upper, kept->upper, sizeof kept->upper);
    restore(kept->state);
}

/*--- The instructions xsave and xrstor ---*/

/* The dynamic linker saves all registers that may hold arguments while it binds a call. VEX's code
 * saves those that it knows; the others are kept here, for some addresses. */
enum { SAVED = 64 };
typedef struct {
    NearWide kept;
    Addr at;
} Saved;
static Saved *saved;

static Saved *saved_at(Addr at)
{
    for (UInt i = 0; i < SAVED; i++)
        if (saved[i].at == at)
            return &saved[i];
    return NULL;
}

static void on_xsave(Addr at)
{
    static UInt oldest;
    Saved *s;

    if (!cp_near.wide)
        return;
    if (!saved)
        saved = cp_core_memory(SAVED * sizeof *saved);
    s = saved_at(at);
    if (!s)
        s = &saved[oldest++ % SAVED];
    s->at = at;
    keep(&s->kept);
}

static void on_xrstor(Addr at)
{
    const Saved *s = saved ? saved_at(at) : NULL;

    if (s)
        cp_near_take_back_wide(&s->kept);
}

/* VEX calls these for a part of the work, with the guest's registers and the address. */
void cp_near_watch_call_wide(IRSB *out, const IRDirty *d)
{
    if (!cp_near_has_wide())
        return;
    if (!VG_(strcmp)(d->cee->name, "amd64g_dirtyhelper_XSAVE_COMPONENT_1_EXCLUDING_XMMREGS"))
        cp_ir_call(out, 1, "xsave", on_xsave, mkIRExprVec_1(d->args[1]), d->guard);
    if (!VG_(strcmp)(d->cee->name, "amd64g_dirtyhelper_XRSTOR_COMPONENT_1_EXCLUDING_XMMREGS"))
        cp_ir_call(out, 1, "xrstor", on_xrstor, mkIRExprVec_1(d->args[1]), d->guard);
}

/*--- Vectors of 256 bits ---*/

/* True for the prefix that AVX has brought, which segments and a size of addresses may precede. */
static Bool has_vex_prefix(Addr at)
{
    const UChar *bytes = (const UChar *)at;

    while (*bytes == 0x2e || *bytes == 0x36 || *bytes == 0x3e || *bytes == 0x26 || *bytes == 0x64 ||
           *bytes == 0x65 || *bytes == 0x67)
        bytes++;
    return *bytes == 0xc4 || *bytes == 0xc5;
}

/* Instructions of AVX clear all bits of their vector above those that they set. VEX's code clears
 * up to 256, and other instructions but xrstor leave these alone. */
void cp_near_watch_put_wide(IRSB *out, const IRStmt *put, Addr at)
{
    enum { SIZE = 32, LOW = 16 };
    Int offset = put->Ist.Put.offset - (Int) __builtin_offsetof(Guest, guest_YMM0);
    Int end = offset % SIZE + sizeofIRType(typeOfIRExpr(out->tyenv, put->Ist.Put.data));

    if (!cp_near_has_wide() || offset < 0 || offset >= 16 * SIZE || end <= LOW ||
        !has_vex_prefix(at))
        return;
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, cp_ir_word((Addr)cp_near.upper[offset / SIZE]),
                                    IRExpr_Const(IRConst_V256(0))));
}
