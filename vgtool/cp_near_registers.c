/*
 * cp_near_registers.c - registers of the program that the processor has and the core does not know,
 * of x87 and AVX-512, where threads begin and go on, and where signals come: a handler of the
 * program begins without, and what it has interrupted finds them again when it returns.
 */
#include "cp_core.h"
#include "cp_near.h"
#include "pub_tool_machine.h"

/* Registers that a signal has interrupted, the latest last. Handlers that jump never return: the
 * oldest ones are forgotten. */
enum { INTERRUPTIONS = 256 };
typedef struct {
    NearWide wide;
    NearX87 x87;
    ThreadId tid;
    Addr sp;
} Interruption;
static Interruption *interruptions;
static UInt n;

void cp_near_keep(const void *state, Bool in_copy)
{
    cp_near_keep_x87(state, in_copy);
    cp_near_keep_wide(state, in_copy);
}

void cp_near_watch_call(IRSB *out, const IRDirty *call)
{
    cp_near_watch_call_x87(out, call);
    cp_near_watch_call_wide(out, call);
}

void cp_near_begin_thread_registers(ThreadId tid)
{
    cp_near_begin_thread_x87(tid);
    cp_near_begin_thread_wide(tid);
}

void cp_near_thread_registers(ThreadId tid)
{
    cp_near_thread_x87(tid);
    cp_near_thread_wide(tid);
}

void cp_near_signal(ThreadId tid)
{
    Interruption *i;

    if (cp_near.x87 == X87_UNUSED && !cp_near.wide)
        return;
    cp_near_thread_registers(tid);
    if (!interruptions)
        interruptions = cp_core_memory(INTERRUPTIONS * sizeof *interruptions);
    if (n == INTERRUPTIONS)
        VG_(memmove)(interruptions, interruptions + 1, --n * sizeof *interruptions);
    i = &interruptions[n++];
    i->tid = tid;
    i->sp = VG_(get_SP)(tid);
    cp_near_put_away_x87(&i->x87);
    cp_near_put_away_wide(&i->wide);
}

void cp_near_after_signal(ThreadId tid)
{
    Addr sp = VG_(get_SP)(tid);
    UInt i = n;

    while (i && !(interruptions[i - 1].tid == tid && interruptions[i - 1].sp == sp))
        i--;
    if (!i)
        return;
    cp_near_thread_registers(tid);
    cp_near_take_back_x87(&interruptions[i - 1].x87);
    cp_near_take_back_wide(&interruptions[i - 1].wide);
    n--;
    VG_(memmove)(&interruptions[i - 1], &interruptions[i], (n + 1 - i) * sizeof *interruptions);
}
