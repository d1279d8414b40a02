/* cp_sent.c - signals that threads and timers send to threads that wait, and who takes those to the
 * process. */
#include "cp_sent.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_libcproc.h"

/* How many of each signal have been sent, and not delivered yet; some are lost on the way. */
static UInt expected[_VKI_NSIG + 1];

static ULong bit_of(UInt signal)
{
    return 1ULL << (signal - 1);
}

/*--- Who is reached ---*/

static Bool is_waited_for(const Turn *t, UWord signal)
{
    return t->state == TURN_WAITING && t->signals & bit_of((UInt)signal);
}

static Bool comes_through(const Turn *t, UInt signal)
{
    return t->in_wait && !t->has_taken && t->blocked && !(t->blocked->sig[0] & bit_of(signal)) &&
           !cp_core_is_ignored(signal);
}

static Bool interrupts(const Turn *t, UWord signal)
{
    return t->state == TURN_WAITING && comes_through(t, (UInt)signal);
}

/* The wait has ended, but the thread has not run since. */
static Bool follows(const Turn *t, UWord signal)
{
    return t->state == TURN_READY && comes_through(t, (UInt)signal);
}

static Bool is_reached(const Turn *t, UInt signal)
{
    return is_waited_for(t, signal) || interrupts(t, signal) || follows(t, signal);
}

/* Who takes a signal to the process: a thread that waits for it, or whose wait it ends; NULL: the
 * one that asks for signals first. */
static Turn *taker(UInt signal)
{
    Turn *t = cp_turn_oldest(is_waited_for, signal, 0);

    if (!t)
        t = cp_turn_oldest(interrupts, signal, 0);
    return t ? t : cp_turn_oldest(follows, signal, 0);
}

/*--- Sending ---*/

/* Another signal of the number would be lost as long as the first one has not been taken. The host
 * thread does that as soon as it can. Called with the guard, which it may take meanwhile. */
static void await_taken(const Turn *t)
{
    enum { MOST = 1000000 };

    if (t->lwp == VG_(gettid)())
        return;
    cp_turn_unlock();
    for (UInt i = 0; i < MOST && t->is_sent; i++)
        (void)VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
    cp_turn_lock();
}

/* Sends the signal to the thread: with what sigqueue() has said, or as tgkill() does. The kernel
 * lets none but the first thread say that it is of kill() or of a timer. */
static Word send(Turn *t, UInt signal, Addr info)
{
    SysRes r;

    if (interrupts(t, signal)) {
        t->interrupted = t->is_sent = True;
        cp_turn_ready(t);
    } else if (is_waited_for(t, signal)) {
        cp_turn_ready(t);
    } else {
        t->is_sent = True;
    }
    r = VG_(do_syscall)(info ? __NR_rt_tgsigqueueinfo : __NR_tgkill, (UWord)VG_(getpid)(),
                        (UWord)t->lwp, signal, info, 0, 0, 0, 0);
    await_taken(t);
    return sr_isError(r) ? -(Word)sr_Err(r) : 0;
}

void cp_sent_timer(UInt signal, Int lwp, Addr info)
{
    UWord process = (UWord)VG_(getpid)();
    Turn *t = lwp ? cp_turn_of_lwp(lwp) : taker(signal);

    expected[signal]++;
    if (t && is_reached(t, signal))
        (void)send(t, signal, info);
    else if (lwp)
        (void)VG_(do_syscall)(info ? __NR_rt_tgsigqueueinfo : __NR_tgkill, process, (UWord)lwp,
                              signal, info, 0, 0, 0, 0);
    else
        (void)VG_(do_syscall)(info ? __NR_rt_sigqueueinfo : __NR_kill, process, signal, info, 0, 0,
                              0, 0, 0);
}

/* Finds the signal that the call sends to a thread, or (0) to the own process. False: it sends
 * none. */
static Bool sends(const Call *call, Int *to, UInt *signal, Addr *info)
{
    const UWord *a = call->args;
    Bool is_own = (Int)a[0] == VG_(getpid)();

    *to = 0;
    *info = 0;
    switch (call->number) {
    case __NR_tkill:
        *to = (Int)a[0];
        *signal = (UInt)a[1];
        return True;
    case __NR_tgkill:
    case __NR_rt_tgsigqueueinfo:
        *to = (Int)a[1];
        *signal = (UInt)a[2];
        *info = call->number == __NR_tgkill ? 0 : a[3];
        return is_own;
    case __NR_kill:
    case __NR_rt_sigqueueinfo:
        *signal = (UInt)a[1];
        *info = call->number == __NR_kill ? 0 : a[2];
        return is_own;
    default:
        return False;
    }
}

Bool cp_sent_call(ThreadId tid, const Call *call)
{
    Int to;
    UInt signal;
    Addr info;
    Turn *t;
    Word result;

    if (!sends(call, &to, &signal, &info) || !signal || signal > _VKI_NSIG ||
        signal == VKI_SIGKILL || signal == VKI_SIGSTOP)
        return False;
    expected[signal]++;
    cp_turn_lock();
    t = to ? cp_turn_of_lwp(to) : taker(signal);
    if (!t || t == cp_turn_running || !is_reached(t, signal)) {
        cp_turn_unlock();
        return False;
    }
    result = send(t, signal, info);
    cp_turn_unlock();
    cp_arch_set_result(tid, result);
    return True;
}

Bool cp_sent_delivered(UInt signal)
{
    if (!expected[signal])
        return False;
    expected[signal]--;
    return True;
}
