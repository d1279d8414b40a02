/* cp_blocking.c - the core's functions for calls that may block, and for all calls. */
#include "cp_blocking.h"

#include "cp_arch.h"
#include "cp_clock.h"
#include "cp_core.h"
#include "cp_descriptor.h"
#include "cp_futex.h"
#include "cp_schedule.h"
#include "cp_sent.h"
#include "cp_timer.h"
#include "cp_wait.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

const HChar *cp_blocking_init(void)
{
    const HChar *problem = cp_schedule_init();

    if (clo_fixed_schedule)
        cp_descriptor_init();
    return problem;
}

/*--- Calls that may block ---*/

#ifdef CP_WRAPS_SCHEDULE

/* Constants of the kernel that Valgrind's headers lack. */
enum { LOCK_WAIT = 7, LOCK_WAIT_OF_FILE = 38, NOT_WAITING = 04000, FIFO = 0010000, KIND = 0170000 };
enum { LOCK_PI2 = 13 };

/* Calls that may last until another process, or another thread, does something. */
static Bool lasts(const Call *call)
{
    switch (call->number) {
    case __NR_wait4:
    case __NR_waitid:
    case __NR_flock:
        return True;
    case __NR_fcntl:
        return call->args[1] == LOCK_WAIT || call->args[1] == LOCK_WAIT_OF_FILE;
    default:
        return False;
    }
}

/* Calls that may last as well, and the kernel decides when other threads see what they do. */
static Bool interferes(const Call *call)
{
    switch (call->number) {
    case __NR_semop:
    case __NR_semtimedop:
    case __NR_msgrcv:
    case __NR_msgsnd:
    case __NR_mq_timedsend:
    case __NR_mq_timedreceive:
    case __NR_io_getevents:
    case __NR_splice:
    case __NR_tee:
    case __NR_vmsplice:
    case __NR_sendfile:
    case __NR_recvmmsg:
    case __NR_sendmmsg:
    case CP_NR_IO_URING_ENTER:
        return True;
    default:
        return False;
    }
}

/* Opening a pipe by name waits for who opens the other end. */
static Bool opens_pipe(const Call *call)
{
    Bool at = call->number == __NR_openat;
    const HChar *path = (const HChar *)call->args[at];
    struct vg_stat st;

    return cp_arch_opens((UInt)call->number) && !(call->args[1 + at] & NOT_WAITING) && path &&
           !sr_isError(VG_(stat)(path, &st)) && (st.mode & KIND) == FIFO;
}

static Bool is_wait(const Call *call)
{
    UInt op = (UInt)call->args[1] & ~(UInt)(VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME);

    return call->number == __NR_futex && (op == VKI_FUTEX_WAIT || op == VKI_FUTEX_WAIT_BITSET ||
                                          op == VKI_FUTEX_LOCK_PI || op == LOCK_PI2);
}

static UWord wait_for_futex(Turn *me, const Blocking *b)
{
    UWord error = 0;
    Word result = 0;

    if (cp_futex_waits(me, &me->call, &result)) {
        error = cp_schedule_wait(me, b);
        result = me->timed_out ? -CP_ETIMEDOUT : 0;
    }
    if (!error)
        cp_arch_set_state_result(b->guest, result);
    return error;
}

/* Other processes have the word, too. */
static UWord wait_in_kernel(Turn *me, const Blocking *b)
{
    const ULong second = 1000000000;
    Blocking limited = *b;
    CallRegisters registers;
    ULong at;
    UWord error;

    cp_schedule_decided();
    if (!cp_futex_limit(&me->call, &at))
        return cp_schedule_outside(me, b);
    me->limit = (struct vki_timespec){(Long)(at / second), (Long)(at % second)};
    VG_(memcpy)(&registers, b->guest, sizeof registers);
    cp_arch_set_call_argument(&registers, 3, (UWord)&me->limit);
    limited.guest = &registers;
    error = cp_schedule_outside(me, &limited);
    if (!error)
        cp_arch_set_state_result(b->guest, (Word)cp_arch_state_result(&registers));
    return error;
}

static UWord make(Turn *me, const Blocking *b)
{
    const Call *call = &me->call;
    UWord error;

    if (is_wait(call) && cp_futex_is_own(call))
        return wait_for_futex(me, b);
    if (cp_wait_call(me, b, &error))
        return error;
    if (b->number == __NR_sched_yield) {
        error = cp_schedule_yield(me, b);
        if (!error)
            cp_arch_set_state_result(b->guest, 0);
        return error;
    }
    if (is_wait(call))
        return wait_in_kernel(me, b);
    if (cp_schedule_is_alone())
        return cp_schedule_make(b, b->guest);
    if (interferes(call) || opens_pipe(call)) {
        cp_schedule_decided();
        return cp_schedule_outside(me, b);
    }
    return lasts(call) ? cp_schedule_outside(me, b) : cp_schedule_make(b, b->guest);
}

UWord __wrap_vgModuleLocal_do_syscall_for_client_WRK(Word, void *, const void *, const void *,
                                                     Word);
UWord __wrap_vgModuleLocal_do_syscall_for_client_WRK(Word number, void *guest, const void *blocked,
                                                     const void *after, Word size)
{
    const Blocking b = {number, guest, blocked, after, size};
    Turn *me = cp_turn_running;

    if (!clo_fixed_schedule)
        return cp_schedule_make(&b, guest);
    me->call.number = (UWord)number;
    for (UInt i = 0; i < CP_SYSCALL_ARGUMENTS; i++)
        me->call.args[i] = cp_arch_call_argument(guest, i);
    me->ip = VG_(get_IP)(me->tid);
    me->left = 0;
    me->has_deadline = False;
    me->is_outside = False;
    return make(me, &b);
}

/*--- All calls ---*/

/* The core yields within a call that has created a thread; the thread is to be known before. */
static Bool creates;
static ThreadId created; /* 0: none yet */

void __real_vgPlain_vg_yield(void);
void __wrap_vgPlain_vg_yield(void);
void __wrap_vgPlain_vg_yield(void)
{
    if (!creates)
        __real_vgPlain_vg_yield();
}

static Bool creates_thread(const Call *call)
{
    return call->number == __NR_clone && call->args[0] & VKI_CLONE_THREAD;
}

static Bool forks(const Call *call)
{
#ifdef __NR_fork
    if (call->number == __NR_fork || call->number == __NR_vfork)
        return True;
#endif
    return call->number == __NR_clone && !(call->args[0] & VKI_CLONE_THREAD);
}

/* Numbers of threads are used again as soon as their host threads have ended. */
static void await_ends(void)
{
    for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
        while (cp_core_status(tid) == CORE_HAS_ENDED)
            (void)VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
}

void cp_blocking_thread(ThreadId child)
{
    if (!creates)
        return;
    created = child;
    (void)cp_turn_add(child);
}

static void after_clone(const Call *call, Word result)
{
    Turn *child = &cp_turns[created];

    creates = False;
    if (result < 0) {
        if (created)
            cp_turn_remove(child);
        return;
    }
    cp_turn_lock();
    if (call->args[0] & VKI_CLONE_CHILD_CLEARTID)
        child->cleared = call->args[CP_CLONE_TID];
    child->lwp = (Int)result;
    cp_turn_ready(child);
    cp_turn_unlock();
    __real_vgPlain_vg_yield();
}

/* Futexes by calls that the schedule does not know. Programs take the older one where they get
 * ENOSYS. */
static Bool is_other_futex(const Call *call)
{
    return call->number == CP_NR_FUTEX_WAITV ||
           (call->number >= CP_NR_FUTEX_WAKE && call->number <= CP_NR_FUTEX_REQUEUE);
}

/* Answers calls of timers, by the fixed clock. */
static Bool is_timer(ThreadId tid, const Call *call)
{
    Word result;
    Bool is_answered;

    if (!clo_fixed_schedule || !clo_fixed_clock)
        return False;
    cp_turn_lock();
    is_answered = cp_timer_own_call(call, &result) || cp_timer_made_call(call, &result) ||
                  cp_timer_file_call(call, &result);
    cp_turn_unlock();
    if (is_answered)
        cp_arch_set_result(tid, result);
    return is_answered;
}

Bool cp_blocking_before(ThreadId tid, const Call *call)
{
    if (clo_fixed_schedule) {
        if (is_other_futex(call)) {
            cp_arch_set_result(tid, -VKI_ENOSYS);
            return True;
        }
        if (cp_futex_is_own(call) && cp_futex_call(tid, call))
            return True;
        if (cp_sent_call(tid, call))
            return True;
        if (creates_thread(call)) {
            await_ends();
            creates = True;
            created = 0;
        }
    }
    return cp_clock_call(tid, call) || is_timer(tid, call);
}

void cp_blocking_after(ThreadId tid, const Call *call)
{
    Word result = (Word)cp_arch_result(tid);

    if (result >= 0)
        cp_clock_after(tid, call);
    if (!clo_fixed_schedule)
        return;
    cp_descriptor_after(call, result);
    if (creates_thread(call)) {
        after_clone(call, result);
        return;
    }
    if (result < 0)
        return;
    if (forks(call)) {
        if (cp_futex_fork())
            cp_schedule_decided();
        cp_descriptor_fork();
    } else if (call->number == __NR_set_tid_address) {
        cp_turns[tid].cleared = tid == 1 ? 0 : call->args[0];
    } else if (call->number == __NR_set_robust_list) {
        cp_turns[tid].robust = call->args[0];
    }
    if (clo_fixed_clock) {
        cp_turn_lock();
        cp_timer_file_after(call, result);
        cp_turn_unlock();
    }
    cp_futex_after(tid, call);
}

#else

Bool cp_blocking_before(ThreadId tid, const Call *call)
{
    return cp_clock_call(tid, call);
}

void cp_blocking_after(ThreadId tid, const Call *call)
{
    if ((Word)cp_arch_result(tid) >= 0)
        cp_clock_after(tid, call);
}

void cp_blocking_thread(ThreadId child)
{
}

#endif
