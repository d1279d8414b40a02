/* cp_timer.c - the list of timers. */
#include "cp_timer.h"

#include "cp_clock.h"
#include "pub_tool_aspacemgr.h"

#define SECOND      1000000000ULL
#define MICROSECOND 1000ULL

static Timer *timers; /* in the order in which they came */

void cp_timer_add(Timer *t)
{
    Timer **at = &timers;

    while (*at)
        at = &(*at)->next;
    *at = t;
}

void cp_timer_remove(Timer *t)
{
    Timer **at = &timers;

    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
}

static Timer *next(void)
{
    Timer *best = NULL;

    for (Timer *t = timers; t; t = t->next)
        if (t->is_set && (!best || t->deadline < best->deadline))
            best = t;
    return best;
}

Bool cp_timer_next(ULong *at)
{
    const Timer *t = next();

    if (t)
        *at = t->deadline;
    return t != NULL;
}

Bool cp_timer_fire(void)
{
    ULong now = cp_clock_now(), times;
    Bool has_fired = False;

    for (Timer *t; (t = next()) && t->deadline <= now; has_fired = True) {
        times = t->interval ? 1 + (now - t->deadline) / t->interval : 1;
        t->is_set = t->interval != 0;
        t->deadline += t->interval * times;
        t->fire(t, times);
    }
    return has_fired;
}

/*--- Setting ---*/

ULong cp_timer_left(const Timer *t)
{
    ULong now = cp_clock_now();

    return !t->is_set ? 0 : t->deadline > now ? t->deadline - now : MICROSECOND;
}

static struct vki_timespec time_of(ULong ns)
{
    return (struct vki_timespec){(Long)(ns / SECOND), (Long)(ns % SECOND)};
}

static Bool is_time(const struct vki_timespec *t)
{
    return t->tv_sec >= 0 && (ULong)t->tv_nsec < SECOND;
}

Word cp_timer_get(const Timer *t, TimerSetting *setting)
{
    if (!VG_(am_is_valid_for_client)((Addr)setting, sizeof *setting, VKI_PROT_WRITE))
        return -VKI_EFAULT;
    *setting = (TimerSetting){time_of(t->interval), time_of(cp_timer_left(t))};
    return 0;
}

Word cp_timer_set(Timer *t, Bool is_absolute, const TimerSetting *wanted, TimerSetting *before)
{
    TimerSetting setting;
    ULong value;

    if (!VG_(am_is_valid_for_client)((Addr)wanted, sizeof *wanted, VKI_PROT_READ))
        return -VKI_EFAULT;
    setting = *wanted; /* which may be *before, too */
    if (!is_time(&setting.interval) || !is_time(&setting.value))
        return -VKI_EINVAL;
    if (before && cp_timer_get(t, before))
        return -VKI_EFAULT;
    value = cp_clock_span(&setting.value);
    t->is_set = value != 0;
    t->deadline = is_absolute ? cp_clock_moment(t->clock, value) : cp_clock_now() + value;
    t->interval = cp_clock_span(&setting.interval);
    return 0;
}

void cp_timer_fork(void)
{
    for (Timer *t = timers; t; t = t->next)
        t->is_set &= t->stays;
}
