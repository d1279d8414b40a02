/* cp_timer_made.c - timers of timer_create(), which send signals. */
#include "cp_core.h"
#include "cp_sent.h"
#include "cp_timer.h"
#include "cp_turn.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcproc.h"

enum { TO_PROCESS = 0, TO_NOBODY = 1, TO_THREAD = 4 }; /* SIGEV_ */
enum { CODE_OF_TIMER = -2, ABSOLUTE = 1, MOST_CLOCKS = 11 };

/* As in the kernel's struct sigevent, and its siginfo of timers. */
typedef struct {
    UWord value;
    Int signal, notify, thread;
} Event;
typedef struct {
    Int signal, error, code, pad, timer, overrun;
    UWord value;
    UChar unused[96];
} Info;

typedef struct {
    Timer timer;
    Int id;
    Event event;
    UInt overrun; /* intervals that have ended since its signal was sent, but for the first */
} Made;

static Made **created; /* by their ids, which are used once; NULL: it is deleted */
static UInt n_created;

/* While the last signal waits, no other one is sent, as in the kernel. */
static void send(Timer *t, ULong times)
{
    Made *m = (Made *)t;
    Int thread = m->event.notify == TO_THREAD ? m->event.thread : 0;
    Info info = {.signal = m->event.signal,
                 .code = CODE_OF_TIMER,
                 .timer = m->id,
                 .overrun = (Int)(times - 1),
                 .value = m->event.value};

    if (m->event.notify == TO_NOBODY)
        return;
    if (cp_core_is_pending(thread, (UInt)m->event.signal)) {
        m->overrun += (UInt)times;
        return;
    }
    m->overrun = (UInt)times - 1;
    cp_sent_timer((UInt)m->event.signal, thread, (Addr)&info);
}

static Bool is_event(const Event *e)
{
    if (e->notify == TO_NOBODY)
        return True;
    return (e->notify == TO_PROCESS || (e->notify == TO_THREAD && cp_turn_of_lwp(e->thread))) &&
           e->signal > 0 && e->signal <= _VKI_NSIG;
}

static Word create(UWord clock, const Event *event, Int *id)
{
    Event usual = {n_created, VKI_SIGALRM, TO_PROCESS, 0};
    Made *m;

    if (!VG_(am_is_valid_for_client)((Addr)id, sizeof *id, VKI_PROT_WRITE) ||
        (event && !VG_(am_is_valid_for_client)((Addr)event, sizeof *event, VKI_PROT_READ)))
        return -VKI_EFAULT;
    if (((Int)clock > MOST_CLOCKS) || (event && !is_event(event)))
        return -VKI_EINVAL;
    m = VG_(calloc)("cp.timer.made.1", 1, sizeof *m);
    *m = (Made){.timer = {.fire = send, .clock = (UInt)clock},
                .id = (Int)n_created,
                .event = event ? *event : usual};
    created = VG_(realloc)("cp.timer.made.2", created, (n_created + 1) * sizeof(Made *));
    created[n_created++] = m;
    cp_timer_add(&m->timer);
    *id = m->id;
    return 0;
}

static void drop(Made *m)
{
    created[m->id] = NULL;
    cp_timer_remove(&m->timer);
    VG_(free)(m);
}

Bool cp_timer_made_call(const Call *call, Word *result)
{
    const UWord *a = call->args;
    Made *m = a[0] < n_created ? created[a[0]] : NULL;

    *result = -VKI_EINVAL;
    switch (call->number) {
    case __NR_timer_create:
        *result = create(a[0], (const Event *)a[1], (Int *)a[2]);
        return True;
    case __NR_timer_settime:
        if (m)
            *result = cp_timer_set(&m->timer, (a[1] & ABSOLUTE) != 0, (const TimerSetting *)a[2],
                                   (TimerSetting *)a[3]);
        return True;
    case __NR_timer_gettime:
        if (m)
            *result = cp_timer_get(&m->timer, (TimerSetting *)a[1]);
        return True;
    case __NR_timer_getoverrun:
        if (m)
            *result = m->overrun;
        return True;
    case __NR_timer_delete:
        if (m) {
            drop(m);
            *result = 0;
        }
        return True;
    default:
        return False;
    }
}
