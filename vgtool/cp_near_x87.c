/*
 * cp_near_x87.c - x87's registers, which are MMX's, too. VEX computes with 64 bits of the 80, in
 * fields of the thread's registers; copies use those of the processor.
 *
 * VEX's code changes none of these as long as the program does not use x87 there, so they stay in
 * the processor while it runs, but for the control word. The core empties them each time that it
 * begins to execute code: before, they are saved with all their bits. A superblock of VEX's that
 * uses x87 begins with a call that moves them to the fields. The way into the next copy moves them
 * back.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_ir.h"
#include "cp_near.h"
#include "pub_tool_threadstate.h"

/* VEX has these: between the fields and the image that fnsave writes. */
void amd64g_dirtyhelper_FNSAVE(VexGuestAMD64State *state, HWord image);
VexEmNote amd64g_dirtyhelper_FRSTOR(VexGuestAMD64State *state, HWord image);

/* The image that fnsave writes. */
typedef struct {
    UShort control, unused, status, unused_2, tags, unused_3[9];
    UChar registers[8][10]; /* from the stack's top */
} Image;

enum { COMPONENT = 1 }; /* that xsave writes */

static NearX87 *threads; /* of the running one the registers alone */
static ThreadId running;

enum { CONTROL_DEFAULT = 0x037f };
static const UShort control_of_core = 0x027f;

void cp_near_use_x87(void)
{
    if (cp_near.x87)
        return;
    threads = cp_core_memory(VG_N_THREADS * sizeof *threads);
    for (UInt i = 0; i < VG_N_THREADS; i++)
        threads[i].where = X87_IN_FIELDS;
    cp_near.x87 = X87_IN_FIELDS;
}

/* The system gives a thread the registers of the one that makes it. */
void cp_near_begin_thread_x87(ThreadId tid)
{
    if (!threads)
        return;
    threads[tid] = threads[running];
    threads[tid].where = cp_near.x87;
    threads[tid].control = cp_near.x87_control;
}

/*--- Moving them ---*/

static void save(X87State *saved)
{
    __asm__ volatile("xsave64 %0" : "+m"(*saved) : "a"(COMPONENT), "d"(0));
}

static void restore(const X87State *saved)
{
    __asm__ volatile("xrstor64 %0" : : "m"(*saved), "a"(COMPONENT), "d"(0));
}

void cp_near_thread_x87(ThreadId tid)
{
    if (threads && tid != running) {
        threads[running].where = cp_near.x87;
        threads[running].control = cp_near.x87_control;
        cp_near.x87 = threads[tid].where;
        cp_near.x87_control = threads[tid].control;
    }
    running = tid;
    if (cp_near.x87 == X87_IN_PROCESSOR) {
        save(&threads[tid].saved);
        cp_near.x87 = X87_SAVED;
    }
}

/* A register of MMX has all exponent bits set; in one of x87 that is an infinity, or no number. */
static Bool is_mmx(const Image *image)
{
    enum { TOP = 7 << 11 };

    return !(image->status & TOP) && !image->tags;
}

static void to_fields(Guest *guest)
{
    Image image;

    if (cp_near.x87 == X87_UNUSED || cp_near.x87 == X87_IN_FIELDS)
        return;
    if (cp_near.x87 == X87_SAVED)
        restore(&threads[running].saved);
    __asm__ volatile("fnsave %0\n\tfldcw %1" : "=m"(image) : "m"(control_of_core));
    image.control = (UShort)cp_near.x87_control;
    (void)amd64g_dirtyhelper_FRSTOR(guest, (HWord)&image);
    for (UInt i = 0; i < 8 && is_mmx(&image); i++)
        if (image.registers[i][8] == 0xff && image.registers[i][9] == 0xff)
            VG_(memcpy)(&guest->guest_FPREG[i], image.registers[i], 8);
    cp_near.x87 = X87_IN_FIELDS;
}

void cp_near_enter_x87(Guest *guest)
{
    Image image;

    if (cp_near.x87 == X87_SAVED) {
        restore(&threads[running].saved);
    } else {
        VG_(memset)(&image, 0, sizeof image);
        amd64g_dirtyhelper_FNSAVE(guest, (HWord)&image);
        __asm__ volatile("frstor %0" : : "m"(image));
        cp_near.x87_control = image.control;
    }
    cp_near.x87 = X87_IN_PROCESSOR;
}

/*--- VEX's code ---*/

static Bool overlaps(Int offset, Int size)
{
    static const UShort fields[][2] = {
        {offsetof(Guest, guest_FTOP), sizeof(((Guest *)0)->guest_FTOP)},
        {offsetof(Guest, guest_FPREG), sizeof(((Guest *)0)->guest_FPREG)},
        {offsetof(Guest, guest_FPTAG), sizeof(((Guest *)0)->guest_FPTAG)},
        {offsetof(Guest, guest_FPROUND), sizeof(((Guest *)0)->guest_FPROUND)},
        {offsetof(Guest, guest_FC3210), sizeof(((Guest *)0)->guest_FC3210)}};

    for (UInt i = 0; i < sizeof fields / sizeof *fields; i++)
        if (offset < fields[i][0] + fields[i][1] && fields[i][0] < offset + size)
            return True;
    return False;
}

static void call_to_fields(IRSB *out, IRExpr *guard)
{
    static void *thunk;

    if (!thunk) {
        cp_thunk_begin();
        cp_thunk_state(0);
        thunk = cp_thunk_end((Addr)to_fields);
    }
    cp_ir_call(out, 0, "cp_near_x87", thunk, mkIRExprVec_0(), guard);
}

/* VEX rounds to integers by x87's instructions. */
static Bool does_expression_use(const IRExpr *e)
{
    switch (e->tag) {
    case Iex_Get:
        return overlaps(e->Iex.Get.offset, sizeofIRType(e->Iex.Get.ty));
    case Iex_GetI:
        return overlaps(e->Iex.GetI.descr->base, 1);
    case Iex_Binop:
        return e->Iex.Binop.op == Iop_RoundF64toInt || e->Iex.Binop.op == Iop_RoundF32toInt;
    default:
        return False;
    }
}

static Bool does_use(const IRSB *in, const IRStmt *s)
{
    switch (s->tag) {
    case Ist_Put:
        return overlaps(s->Ist.Put.offset, sizeofIRType(typeOfIRExpr(in->tyenv, s->Ist.Put.data)));
    case Ist_PutI:
        return overlaps(s->Ist.PutI.details->descr->base, 1);
    case Ist_WrTmp:
        return does_expression_use(s->Ist.WrTmp.data);
    default:
        return False;
    }
}

void cp_near_watch_superblock(IRSB *out, const IRSB *in)
{
    for (Int i = 0; i < in->stmts_used; i++)
        if (does_use(in, in->stmts[i])) {
            call_to_fields(out, NULL);
            return;
        }
}

void cp_near_watch_call_x87(IRSB *out, const IRDirty *d)
{
    for (Int i = 0; i < d->nFxState; i++)
        if (overlaps(d->fxState[i].offset, d->fxState[i].size)) {
            call_to_fields(out, d->guard);
            return;
        }
}

/*--- Signals ---*/

/* Registers that are as after finit are not written. */
void cp_near_keep_x87(const void *state, Bool in_copy)
{
    X87State *saved;

    if (cp_near.x87 != X87_IN_PROCESSOR)
        return;
    saved = &threads[running].saved;
    VG_(memcpy)(saved, state, sizeof *saved);
    saved->present &= COMPONENT;
    if (in_copy)
        cp_near.x87_control = saved->present ? saved->control : CONTROL_DEFAULT;
    cp_near.x87 = X87_SAVED;
}

void cp_near_put_away_x87(NearX87 *kept)
{
    if (!threads)
        return;
    *kept = threads[running];
    kept->where = cp_near.x87;
    kept->control = cp_near.x87_control;
    threads[running].saved.present = 0;
    cp_near.x87 = X87_SAVED;
    cp_near.x87_control = CONTROL_DEFAULT;
}

void cp_near_take_back_x87(const NearX87 *kept)
{
    if (!threads)
        return;
    threads[running] = *kept;
    cp_near.x87 = kept->where;
    cp_near.x87_control = kept->control;
}
