/* cp_schedule.c - who runs next with a fixed schedule, and the core's lock. */
#include "cp_schedule.h"

#include "cp_arch.h"
#include "cp_clock.h"
#include "cp_core.h"
#include "cp_futex.h"
#include "cp_sent.h"
#include "cp_timer.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

/* While nobody can run, a thread looks as often for what comes from outside, in ns; and so long
 * nobody overtakes the one that has waited longest for it. */
enum { PERIOD = 1000000, GRACE = 100000000 };

/* Things from outside are looked at though threads run, after so many turns, or ns of the
 * fixed clock: they may wait for it without waiting in a call. */
enum { DRAIN_TURNS = 20000, DRAIN_NS = 200000000 };

static ULong decisions;
static ULong idle_since, last_look; /* by the machine's clock; 0: somebody runs */
static ULong turns, drained_turns, drained_at;

void cp_schedule_decided(void)
{
    decisions++;
}

ULong cp_schedule_decisions(void)
{
    return decisions;
}

Bool cp_schedule_is_alone(void)
{
    ULong at;

    return cp_turns_alive == 1 && !cp_timer_next(&at);
}

/*--- Who waits for what ---*/

static Bool waits_inside(const Turn *t, UWord unused)
{
    return t->state == TURN_WAITING && (t->n_files || t->signals) && !t->is_outside;
}

static Bool is_outside(const Turn *t, UWord unused)
{
    return t->state == TURN_OUTSIDE || t->state == TURN_BACK ||
           (t->state == TURN_WAITING && t->is_outside);
}

static Bool may_time_out(const Turn *t, UWord unused)
{
    return t->state == TURN_WAITING && t->has_deadline;
}

static Bool is_due(const Turn *t, UWord now)
{
    return may_time_out(t, 0) && t->deadline <= now;
}

/* The signals that are there for any thread that waits for some. */
static Bool has_signal(const Turn *t)
{
    ULong pending = 0;

    (void)VG_(do_syscall)(__NR_rt_sigpending, (UWord)&pending, sizeof pending, 0, 0, 0, 0, 0, 0);
    return (pending & t->signals) != 0;
}

/* The thread need not wait any longer. */
static Bool has_come(const Turn *t)
{
    if (t->state != TURN_WAITING)
        return t->state == TURN_BACK;
    if (t->signals && has_signal(t))
        return True;
    return t->n_files && cp_core_is_ready(t->files, t->n_files);
}

static void wake_all(TurnTest *is)
{
    ULong order = 0;

    for (Turn *t; (t = cp_turn_oldest(is, 0, order));) {
        order = t->order;
        if (has_come(t))
            cp_turn_ready(t);
    }
}

/*--- Deadlines ---*/

static Turn *earliest(void)
{
    Turn *best = NULL;
    ULong order = 0;

    for (Turn *t; (t = cp_turn_oldest(may_time_out, 0, order)); order = t->order)
        if (!best || t->deadline < best->deadline)
            best = t;
    return best;
}

/* Ends the waits that have lasted long enough, in the order of their deadlines. */
static void expire(void)
{
    ULong now = cp_clock_now();

    for (Turn *t; (t = earliest()) && is_due(t, now);) {
        t->timed_out = True;
        cp_turn_ready(t);
        if (!clo_fixed_clock)
            cp_schedule_decided();
    }
    if (clo_fixed_clock && cp_timer_fire())
        wake_all(waits_inside);
}

/* Sets a fixed clock ahead to the next deadline. */
static void go_forward(void)
{
    const Turn *t = earliest();
    ULong at, now = cp_clock_now();

    if (!clo_fixed_clock || (!cp_timer_next(&at) && !t))
        return;
    if (!cp_timer_next(&at) || (t && t->deadline < at))
        at = t->deadline;
    if (at > now)
        cp_clock_skip(at - now);
    expire();
}

/*--- Outside ---*/

/* Nobody can run: the one that has waited longest may come, and later all. */
static void admit(void)
{
    Turn *t = cp_turn_oldest(is_outside, 0, 0);

    if (!t)
        return;
    if (has_come(t)) {
        cp_turn_ready(t);
        return;
    }
    if (!idle_since || cp_clock_real() - idle_since < GRACE)
        return;
    wake_all(is_outside);
    if (!cp_turn_is_idle())
        cp_schedule_decided();
}

/* Threads run all the time; what has come meanwhile shall not wait forever. */
static void drain(void)
{
    ULong order = 0;

    if (turns - drained_turns < DRAIN_TURNS && cp_clock_now() - drained_at < DRAIN_NS)
        return;
    for (Turn *t; (t = cp_turn_oldest(is_outside, 0, order)); order = t->order)
        if (has_come(t)) {
            cp_turn_ready(t);
            cp_schedule_decided();
        }
    drained_turns = turns;
    drained_at = cp_clock_now();
}

/*--- Turns ---*/

static Turn *pick(void)
{
    Bool was_idle;

    expire();
    was_idle = !cp_turn_running && cp_turn_is_idle();
    wake_all(waits_inside);
    if (was_idle && !cp_turn_is_idle()) /* so it was not from inside */
        cp_schedule_decided();
    if (!cp_turn_is_idle() && cp_turn_oldest(is_outside, 0, 0)) {
        drain();
        return cp_turn_take();
    }
    drained_turns = turns;
    drained_at = cp_clock_now();
    if (cp_turn_oldest(is_outside, 0, 0))
        admit();
    else if (cp_turn_is_idle())
        go_forward();
    return cp_turn_take();
}

/* The turn goes to the next thread, or to nobody. True: to `self`. Call it with the guard. */
static Bool hand_on(const Turn *self)
{
    static Bool hands; /* another thread may come, while it lets go of the guard */
    Turn *t;

    if (hands)
        return False;
    hands = True;
    t = pick();
    hands = False;
    turns++;
    cp_turn_running = NULL;
    if (t) {
        idle_since = 0;
        cp_turn_give(t, self);
    } else if (!idle_since) {
        idle_since = last_look = cp_clock_real();
    }
    return t && t == self;
}

static Bool can_look(const Turn *t, UWord unused)
{
    return t->state == TURN_WAITING || t->state == TURN_BACK;
}

/* Nobody has the turn, and who has just given it up does not look for what comes. */
static void appoint(void)
{
    Turn *t = cp_turn_running ? NULL : cp_turn_oldest(can_look, 0, 0);

    if (t)
        cp_turn_tell(t, TOKEN_LOOK);
}

/* Real time goes on where something outside lasts and others wait for a moment. */
static void look(void)
{
    cp_turn_lock();
    if (!cp_turn_running) {
        ULong real = cp_clock_real();

        if (clo_fixed_clock && real - idle_since > GRACE && cp_turn_oldest(is_outside, 0, 0)) {
            Bool was_idle = cp_turn_is_idle();
            cp_clock_skip(real - last_look);
            expire();
            if (was_idle && !cp_turn_is_idle())
                cp_schedule_decided();
        }
        last_look = real;
        (void)hand_on(NULL);
    }
    cp_turn_unlock();
}

/* True: it is the thread's turn. */
static Bool takes_turn(Turn *me)
{
    (void)__sync_bool_compare_and_swap(&me->token, TOKEN_LOOK, TOKEN_NONE);
    return __sync_bool_compare_and_swap(&me->token, TOKEN_TURN, TOKEN_NONE);
}

/* NULL: somebody else will tell; else how long until something may have come from outside. */
static const struct vki_timespec *period(void)
{
    static const struct vki_timespec p = {0, PERIOD};
    ULong at;

    if (cp_turn_running)
        return NULL;
    return cp_turn_oldest(is_outside, 0, 0) || cp_turn_oldest(waits_inside, 0, 0) ||
                   cp_turn_oldest(may_time_out, 0, 0) || cp_timer_next(&at)
               ? &p
               : NULL;
}

/* Waits for the turn. No signal comes through. */
static void await(Turn *me)
{
    while (!takes_turn(me)) {
        const struct vki_timespec *p = period();

        (void)VG_(do_syscall)(__NR_futex, (UWord)&me->token,
                              VKI_FUTEX_WAIT | VKI_FUTEX_PRIVATE_FLAG, TOKEN_NONE, (UWord)p, 0, 0,
                              0, 0);
        if (!cp_turn_running)
            look();
    }
}

/*--- Waiting in a call ---*/

UWord cp_schedule_make(const Blocking *b, void *guest)
{
    return cp_core_make(b->number, guest, b->blocked, b->after, b->size);
}

/* Another call than the program's, in which signals come through as in that. */
static UWord make_other(const Blocking *b, Word number, UWord first, UWord second, UWord fourth)
{
    CallRegisters fake;
    Blocking other = *b;

    VG_(memset)(&fake, 0, sizeof fake);
    cp_arch_set_call_argument(&fake, 0, first);
    cp_arch_set_call_argument(&fake, 1, second);
    cp_arch_set_call_argument(&fake, 3, fourth);
    other.number = number;
    return cp_schedule_make(&other, &fake);
}

static UWord await_in_call(Turn *me, const Blocking *b)
{
    UWord error;

    while (!takes_turn(me)) {
        error = make_other(b, __NR_futex, (UWord)&me->token,
                           VKI_FUTEX_WAIT | VKI_FUTEX_PRIVATE_FLAG, (UWord)period());
        if (error)
            return error;
        if (!cp_turn_running)
            look();
    }
    return 0;
}

/* Gives up the turn until it is the thread's again. */
static UWord give_up(Turn *me, const Blocking *b)
{
    UWord error = 0;
    Bool is_own;

    me->timed_out = me->interrupted = me->is_sent = me->has_taken = False;
    me->in_wait = True;
    me->blocked = b->blocked;
    is_own = hand_on(me);
    cp_turn_unlock();
    if (!is_own)
        error = await_in_call(me, b);
    if (me->is_sent && !error) /* a signal is there that has not been taken yet */
        error = make_other(b, __NR_sched_yield, 0, 0, 0);
    me->in_wait = False;
    return error;
}

UWord cp_schedule_wait(Turn *me, const Blocking *b)
{
    cp_turn_lock();
    me->state = TURN_WAITING;
    me->order = cp_turn_order();
    return give_up(me, b);
}

UWord cp_schedule_yield(Turn *me, const Blocking *b)
{
    cp_turn_lock();
    cp_turn_ready(me);
    return give_up(me, b);
}

UWord cp_schedule_outside(Turn *me, const Blocking *b)
{
    cp_turn_lock();
    me->state = TURN_OUTSIDE;
    me->order = cp_turn_order();
    (void)hand_on(NULL);
    appoint();
    cp_turn_unlock();
    return cp_schedule_make(b, b->guest);
}

/*--- Signals ---*/

/* An instruction may have raised it. */
static Bool is_own(UInt signal)
{
    return signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGFPE ||
           signal == VKI_SIGILL || signal == VKI_SIGTRAP || signal == VKI_SIGSYS ||
           signal == VKI_SIGPIPE;
}

/* Sets the registers as after a call that returned, or as before it. */
static void set_result(Turn *t, Bool restarts, Word result)
{
    if (restarts) {
        for (UInt i = 0; i < CP_SYSCALL_ARGUMENTS; i++)
            cp_arch_set_register(t->tid, cp_arch_syscall[1 + i], t->call.args[i]);
        cp_arch_set_register(t->tid, cp_arch_syscall[0], t->call.number);
        VG_(set_IP)(t->tid, t->ip - CP_SYSCALL_SIZE);
    } else {
        cp_arch_set_result(t->tid, result);
        VG_(set_IP)(t->tid, t->ip);
    }
}

void cp_schedule_signal(ThreadId tid, UInt signal)
{
    Turn *t = clo_fixed_schedule ? &cp_turns[tid] : NULL;

    if (!t)
        return;
    if (!cp_sent_delivered(signal) && !is_own(signal))
        cp_schedule_decided();
    if (!t->in_wait)
        return;
    t->in_wait = False;
    if (t->interrupted && t->left && t->deadline > cp_clock_now()) {
        struct vki_timespec *left = (struct vki_timespec *)t->left;
        ULong ns = t->deadline - cp_clock_now();

        left->tv_sec = (Long)(ns / 1000000000);
        left->tv_nsec = (Long)(ns % 1000000000);
    }
    if (t->interrupted)
        set_result(t, t->restarts && cp_core_restarts(signal), -VKI_EINTR);
    else
        set_result(t, t->call.number != __NR_futex && !t->timed_out,
                   t->timed_out && t->call.number == __NR_futex ? -CP_ETIMEDOUT : 0);
}

void cp_schedule_runs(ThreadId tid)
{
    if (clo_fixed_schedule)
        cp_turns[tid].in_wait = False;
}

/*--- The core's lock ---*/

void cp_schedule_fork(void)
{
    if (!clo_fixed_schedule)
        return;
    cp_turn_fork();
    cp_timer_fork();
    (void)cp_futex_fork();
}

#ifdef CP_WRAPS_SCHEDULE
struct sched_lock;
void __real_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock);
void __wrap_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock);
void __real_vgModuleLocal_release_sched_lock(struct sched_lock *lock);
void __wrap_vgModuleLocal_release_sched_lock(struct sched_lock *lock);
int __real_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock);
int __wrap_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock);

const HChar *cp_schedule_init(void)
{
    if (clo_fixed_schedule)
        cp_turn_init();
    return NULL;
}

/* The parent enters the thread only after the call that creates it. */
static Turn *self(void)
{
    Int lwp = VG_(gettid)();
    Turn *me;

    while (!(me = cp_turn_of_lwp(lwp)))
        (void)VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
    return me;
}

/* The thread has not given up its turn with the lock. */
static Bool has_kept(const Turn *me)
{
    Bool kept;

    cp_turn_lock();
    kept = me->state == TURN_RUNNING && cp_turn_running == me && me->token != TOKEN_TURN;
    cp_turn_unlock();
    return kept;
}

/* A call outside has ended, or a signal has come to a thread that waits. */
static void come_back(Turn *me)
{
    cp_turn_lock();
    if (me->state == TURN_OUTSIDE) {
        me->state = TURN_BACK;
    } else if (me->state == TURN_WAITING) {
        me->interrupted = True;
        cp_turn_ready(me);
    }
    if (!cp_turn_running)
        (void)hand_on(NULL);
    cp_turn_unlock();
}

void __wrap_vgModuleLocal_acquire_sched_lock(struct sched_lock *lock)
{
    Turn *me;

    if (!cp_turn_running && !cp_turns) {
        __real_vgModuleLocal_acquire_sched_lock(lock);
        return;
    }
    if (__real_vgModuleLocal_get_sched_lock_owner(lock) <= 0) /* the core checks it at a fork */
        __real_vgModuleLocal_acquire_sched_lock(lock);
    me = self();
    me->is_sent = False;
    me->has_taken = me->in_wait;
    if (!has_kept(me)) {
        come_back(me);
        await(me);
    }
    me->is_deferred = False;
}

static void end_thread(Turn *me)
{
    static Int unused;

    cp_futex_exit(me);
    /* The kernel would do so once more, when the host thread ends. */
    (void)VG_(do_syscall)(__NR_set_tid_address, (UWord)&unused, 0, 0, 0, 0, 0, 0, 0);
    (void)VG_(do_syscall)(__NR_set_robust_list, 0, 24, 0, 0, 0, 0, 0, 0);
    cp_turn_remove(me);
    (void)hand_on(NULL);
    appoint();
}

void __wrap_vgModuleLocal_release_sched_lock(struct sched_lock *lock)
{
    Turn *me = cp_turn_running;
    CoreStatus status;

    if (!cp_turns) {
        __real_vgModuleLocal_release_sched_lock(lock);
        return;
    }
    status = cp_core_status(me->tid);
    if (status == CORE_WAITS) { /* the call says for what; see cp_blocking.c */
        me->is_deferred = True;
        return;
    }
    cp_turn_lock();
    if (status == CORE_YIELDS) {
        cp_turn_ready(me);
        (void)hand_on(me);
    } else {
        end_thread(me);
    }
    cp_turn_unlock();
}

int __wrap_vgModuleLocal_get_sched_lock_owner(struct sched_lock *lock)
{
    const Turn *t = cp_turn_running;

    if (!cp_turns)
        return __real_vgModuleLocal_get_sched_lock_owner(lock);
    return t && !t->is_deferred ? t->lwp : 0;
}

#else

const HChar *cp_schedule_init(void)
{
    if (!clo_fixed_schedule)
        return NULL;
    clo_fixed_schedule = False;
    return "this Valgrind has other functions than the tool knows";
}

#endif
