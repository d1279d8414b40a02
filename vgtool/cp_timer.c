/* cp_timer.c - timers of the program, by the fixed clock. */
#include "cp_timer.h"

#include "cp_arch.h"
#include "cp_clock.h"
#include "cp_core.h"
#include "cp_sent.h"
#include "pub_tool_aspacemgr.h"

#define SECOND      1000000000ULL
#define MICROSECOND 1000ULL

typedef struct {
    Bool is_set;
    ULong deadline, interval; /* 0: it fires once */
} Timer;

/* By the numbers of setitimer(): of real time, of the program's and of the process's processor
 * time, which are all one here. */
enum { REAL, TIMERS = 3 };
static Timer timers[TIMERS];
static const UInt signals[TIMERS] = {VKI_SIGALRM, VKI_SIGVTALRM, VKI_SIGPROF};

static Timer *next(void)
{
    Timer *best = NULL;

    for (UInt i = 0; i < TIMERS; i++)
        if (timers[i].is_set && (!best || timers[i].deadline < best->deadline))
            best = &timers[i];
    return best;
}

Bool cp_timer_next(ULong *at)
{
    const Timer *t = next();

    if (t)
        *at = t->deadline;
    return t != NULL;
}

void cp_timer_fire(void)
{
    ULong now = cp_clock_now();

    for (Timer *t; (t = next()) && t->deadline <= now;) {
        t->is_set = t->interval != 0;
        if (t->is_set)
            t->deadline += t->interval * (1 + (now - t->deadline) / t->interval);
        cp_sent_timer(signals[t - timers]);
    }
}

void cp_timer_fork(void)
{
    VG_(memset)(timers, 0, sizeof timers);
}

/*--- Calls ---*/

/* As in the kernel's struct itimerval. */
typedef struct {
    Long interval_s, interval_us, value_s, value_us;
} Setting;

static ULong left_of(const Timer *t)
{
    ULong now = cp_clock_now();

    return !t->is_set ? 0 : t->deadline > now ? t->deadline - now : MICROSECOND;
}

static void set(Timer *t, ULong value, ULong interval)
{
    *t = (Timer){value != 0, cp_clock_now() + value, interval};
}

static Word set_timer(Timer *t, const Setting *new, Setting *old)
{
    ULong left = left_of(t);

    if ((new && !VG_(am_is_valid_for_client)((Addr) new, sizeof *new, VKI_PROT_READ)) ||
        (old && !VG_(am_is_valid_for_client)((Addr)old, sizeof *old, VKI_PROT_WRITE)))
        return -VKI_EFAULT;
    if (new && ((ULong) new->interval_us >= 1000000 || (ULong) new->value_us >= 1000000))
        return -VKI_EINVAL;
    if (old)
        *old = (Setting){(Long)(t->interval / SECOND), (Long)(t->interval % SECOND / MICROSECOND),
                         (Long)(left / SECOND), (Long)(left % SECOND / MICROSECOND)};
    if (new)
        set(t, (ULong) new->value_s *SECOND + (ULong) new->value_us *MICROSECOND,
            (ULong) new->interval_s *SECOND + (ULong) new->interval_us *MICROSECOND);
    return 0;
}

Bool cp_timer_call(ThreadId tid, const Call *call)
{
    const UWord *a = call->args;
    Word result;

    if (!clo_fixed_clock)
        return False;
    if (call->number == __NR_setitimer && a[0] < TIMERS) {
        result = set_timer(&timers[a[0]], (const Setting *)a[1], (Setting *)a[2]);
    } else if (call->number == __NR_getitimer && a[0] < TIMERS) {
        result = set_timer(&timers[a[0]], NULL, (Setting *)a[1]);
#ifdef __NR_alarm
    } else if (call->number == __NR_alarm) {
        result = (Word)((left_of(&timers[REAL]) + SECOND - 1) / SECOND);
        set(&timers[REAL], (UInt)a[0] * SECOND, 0);
#endif
    } else {
        return False;
    }
    cp_arch_set_result(tid, result);
    return True;
}
