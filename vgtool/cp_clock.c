/* cp_clock.c - a clock of executed superblocks. */
#include "cp_clock.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

/* The fixed clock: about what a superblock, a system call and a look at the processor's clock take
 * natively, with which loops that wait for a moment end. */
enum { NS_SUPERBLOCK = 20, NS_CALL = 300, NS_LOOK = 20, CYCLES_NS = 3 };

#define SECOND 1000000000ULL
#define BOOT   (100 * SECOND)
#define DATE   (1767225600 * SECOND) /* 2026-01-01, of the boot */

/* Clocks of the kernel that Valgrind's headers lack. */
enum { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS, CLOCK_THREAD };
enum { CLOCK_REALTIME_COARSE = 5, CLOCK_REALTIME_ALARM = 8, CLOCK_TAI = 11 };

static ULong used;     /* ns of the processor */
static ULong skipped;  /* and others */
static Bool was_asked; /* for the machine's */

void cp_clock_stop(ULong superblocks)
{
    used = superblocks * NS_SUPERBLOCK;
}

void cp_clock_skip(ULong ns)
{
    skipped += ns;
}

static ULong real(UInt clock)
{
    struct vki_timespec t = {0, 0};

    (void)VG_(do_syscall)(__NR_clock_gettime, clock, (UWord)&t, 0, 0, 0, 0, 0, 0);
    return cp_clock_span(&t);
}

ULong cp_clock_real(void)
{
    return real(CLOCK_MONOTONIC);
}

ULong cp_clock_now(void)
{
    return clo_fixed_clock ? BOOT + used + skipped : cp_clock_real();
}

ULong cp_clock_span(const struct vki_timespec *t)
{
    return (ULong)t->tv_sec * SECOND + (ULong)t->tv_nsec;
}

static Bool has_date(UInt clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
           clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static ULong fixed(UInt clock)
{
    if (clock == CLOCK_PROCESS || clock == CLOCK_THREAD || (Int)clock < 0)
        return used;
    return cp_clock_now() + (has_date(clock) ? DATE : 0);
}

ULong cp_clock_moment(UInt clock, ULong at)
{
    ULong is = clo_fixed_clock ? fixed(clock) : real(clock), now = cp_clock_now();

    return at > is ? now + (at - is) : now;
}

ULong cp_clock_of_machine(UInt clock, ULong at)
{
    ULong is = real(clock), moment = cp_clock_moment(clock, at);

    return clo_fixed_clock ? is + (moment - cp_clock_now()) : at;
}

/*--- Calls ---*/

static Bool may_write(Addr at, SizeT size)
{
    return VG_(am_is_valid_for_client)(at, size, VKI_PROT_WRITE);
}

static Word give_time(Addr at, ULong ns, UInt unit)
{
    struct vki_timespec *t = (struct vki_timespec *)at;

    if (!may_write(at, sizeof *t))
        return -VKI_EFAULT;
    t->tv_sec = (Long)(ns / SECOND);
    t->tv_nsec = (Long)(ns % SECOND / unit);
    return 0;
}

static Bool asks(const Call *call)
{
    return call->number == __NR_clock_gettime || call->number == __NR_gettimeofday
#ifdef __NR_time
           || call->number == __NR_time
#endif
        ;
}

Bool cp_clock_call(ThreadId tid, const Call *call)
{
    Word result;

    if (!clo_fixed_clock) {
        was_asked |= asks(call);
        return False;
    }
    cp_clock_skip(NS_CALL);
    if (call->number == __NR_clock_gettime) {
        if (call->args[0] > CLOCK_TAI && (Int)call->args[0] > 0)
            return False;
        result = give_time(call->args[1], fixed((UInt)call->args[0]), 1);
    } else if (call->number == __NR_gettimeofday) {
        result = call->args[0] ? give_time(call->args[0], fixed(CLOCK_REALTIME), 1000) : 0;
#ifdef __NR_time
    } else if (call->number == __NR_time) {
        result = (Word)(fixed(CLOCK_REALTIME) / SECOND);
        if (call->args[0] && may_write(call->args[0], sizeof result))
            *(Word *)call->args[0] = result;
#endif
    } else {
        return False;
    }
    cp_arch_set_result(tid, result);
    return True;
}

void cp_clock_after(ThreadId tid, const Call *call)
{
    enum { TICKS = 100, TIMES = 4 }; /* a second; fields of struct tms */

    if (!clo_fixed_clock)
        return;
    if (call->number == __NR_getrusage) {
        (void)give_time(call->args[1], used, 1000);
        (void)give_time(call->args[1] + sizeof(struct vki_timespec), 0, 1000);
    } else if (call->number == __NR_times) {
        if (call->args[0] && may_write(call->args[0], TIMES * sizeof(UWord)))
            *(UWord *)call->args[0] = used / (SECOND / TICKS);
        cp_arch_set_result(tid, (Word)(cp_clock_now() / (SECOND / TICKS)));
    }
}

/*--- The processor's clock ---*/

static ULong cycles(void)
{
    skipped += NS_LOOK;
    return CYCLES_NS * cp_clock_now();
}

/* ld.so reads the clock in each program, and only prints it. */
static Bool is_of_loader(Addr at)
{
    const NSegment *segment = VG_(am_find_nsegment)(at);
    const HChar *path = segment ? VG_(am_get_filename)(segment) : NULL;

    return path && (VG_(strstr)(path, "/ld-") || VG_(strstr)(path, "/ld.so"));
}

void cp_clock_instruction(IRDirty *call, Addr at)
{
    void *helper = cp_arch_clock(call->cee->name, cycles);

    if (helper && clo_fixed_clock)
        call->cee->addr = VG_(fnptr_to_fnentry)(helper);
    else if (helper)
        was_asked |= !is_of_loader(at);
}

Bool cp_clock_was_asked(void)
{
    return was_asked;
}
