/* cp_timer_own.c - the timers that each process has: those of setitimer() and alarm(). */
#include "cp_clock.h"
#include "cp_sent.h"
#include "cp_timer.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vkiscnums.h"

#define SECOND      1000000000ULL
#define MICROSECOND 1000ULL

/* By the numbers of setitimer(): of real time, of the program's and of the process's processor
 * time, which are all one here. */
enum { REAL, OWN_TIMERS = 3 };
static Timer own[OWN_TIMERS];

static void send_own(Timer *t, ULong times)
{
    static const UInt signals[OWN_TIMERS] = {VKI_SIGALRM, VKI_SIGVTALRM, VKI_SIGPROF};

    cp_sent_timer(signals[t - own], 0, 0);
}

static Timer *own_timer(UWord number)
{
    for (UInt i = 0; i < OWN_TIMERS && !own[i].fire; i++) {
        own[i].fire = send_own;
        cp_timer_add(&own[i]);
    }
    return &own[number];
}

/* As in the kernel's struct itimerval. */
typedef struct {
    Long interval_s, interval_us, value_s, value_us;
} OwnSetting;

static void set_own(Timer *t, ULong value, ULong interval)
{
    t->is_set = value != 0;
    t->deadline = cp_clock_now() + value;
    t->interval = interval;
}

static Word set_by(Timer *t, const OwnSetting *new, OwnSetting *old)
{
    ULong left = cp_timer_left(t);

    if ((new && !VG_(am_is_valid_for_client)((Addr) new, sizeof *new, VKI_PROT_READ)) ||
        (old && !VG_(am_is_valid_for_client)((Addr)old, sizeof *old, VKI_PROT_WRITE)))
        return -VKI_EFAULT;
    if (new && ((ULong) new->interval_us >= 1000000 || (ULong) new->value_us >= 1000000))
        return -VKI_EINVAL;
    if (old)
        *old =
            (OwnSetting){(Long)(t->interval / SECOND), (Long)(t->interval % SECOND / MICROSECOND),
                         (Long)(left / SECOND), (Long)(left % SECOND / MICROSECOND)};
    if (new)
        set_own(t, (ULong) new->value_s *SECOND + (ULong) new->value_us *MICROSECOND,
                (ULong) new->interval_s *SECOND + (ULong) new->interval_us *MICROSECOND);
    return 0;
}

Bool cp_timer_own_call(const Call *call, Word *result)
{
    const UWord *a = call->args;

    if (call->number == __NR_setitimer && a[0] < OWN_TIMERS) {
        *result = set_by(own_timer(a[0]), (const OwnSetting *)a[1], (OwnSetting *)a[2]);
        return True;
    }
    if (call->number == __NR_getitimer && a[0] < OWN_TIMERS) {
        *result = set_by(own_timer(a[0]), NULL, (OwnSetting *)a[1]);
        return True;
    }
#ifdef __NR_alarm
    if (call->number == __NR_alarm) {
        Timer *t = own_timer(REAL);

        *result = (Word)((cp_timer_left(t) + SECOND - 1) / SECOND);
        set_own(t, (UInt)a[0] * SECOND, 0);
        return True;
    }
#endif
    return False;
}
