/*
 * cp_timer_file.c - timers of timerfd_create(): each is an eventfd of the kernel, to whose count
 * the intervals that have ended are added. It is read, and waited for, as such a timer is.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_descriptor.h"
#include "cp_timer.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"

/* Constants of the kernel that Valgrind's headers lack. */
enum { ABSOLUTE = 1, FLAGS = 02004000, DUPFD_CLOSE_EXEC = 1030 };
enum { ONLY_CLOSE_EXEC = 4, REALTIME = 0, MONOTONIC = 1, BOOT_TIME = 7, REALTIME_ALARM = 8 };
enum { BOOT_TIME_ALARM = 9 };

typedef struct {
    Timer timer;
    UInt descriptors; /* that are of it */
} TimerFile;

static TimerFile **files; /* by their descriptors; NULL: none */
static UInt n_files;

static TimerFile *file_of(UWord fd)
{
    return fd < n_files ? files[fd] : NULL;
}

static void forget(UWord fd)
{
    TimerFile *f = file_of(fd);

    if (!f)
        return;
    files[fd] = NULL;
    if (--f->descriptors)
        return;
    cp_timer_remove(&f->timer);
    VG_(free)(f);
}

/* The descriptor is of the timer from now on; NULL: of none. */
static void note(UWord fd, TimerFile *f)
{
    forget(fd);
    if (!f)
        return;
    if (fd >= n_files) {
        UInt n = 2 * (UInt)fd + 16;

        files = VG_(realloc)("cp.timer.file.1", files, n * sizeof *files);
        VG_(memset)(files + n_files, 0, (n - n_files) * sizeof *files);
        n_files = n;
    }
    files[fd] = f;
    f->descriptors++;
}

static void count(Timer *t, ULong times)
{
    UInt fd = 0;

    while (!files[fd] || &files[fd]->timer != t)
        fd++;
    (void)VG_(write)((Int)fd, &times, sizeof times);
}

static Bool is_clock(UWord clock)
{
    return clock == REALTIME || clock == MONOTONIC || clock == BOOT_TIME ||
           clock == REALTIME_ALARM || clock == BOOT_TIME_ALARM;
}

static Word create(UWord clock, UWord flags)
{
    const Call event = {.number = __NR_eventfd2};
    TimerFile *f;
    SysRes fd;

    if (!is_clock(clock) || flags & ~(UWord)FLAGS)
        return -VKI_EINVAL;
    fd = VG_(do_syscall)(__NR_eventfd2, 0, flags, 0, 0, 0, 0, 0, 0);
    if (sr_isError(fd))
        return -(Word)sr_Err(fd);
    if ((Int)sr_Res(fd) >= VG_(fd_hard_limit)) {
        VG_(close)((Int)sr_Res(fd));
        return -VKI_EMFILE;
    }
    cp_descriptor_after(&event, (Word)sr_Res(fd));
    f = VG_(calloc)("cp.timer.file.2", 1, sizeof *f);
    f->timer = (Timer){.fire = count, .clock = (UInt)clock, .stays = True};
    cp_timer_add(&f->timer);
    note(sr_Res(fd), f);
    return (Word)sr_Res(fd);
}

/* The count so far is of the timer as it was set before. */
static Word set(UWord fd, Bool is_absolute, const TimerSetting *wanted, TimerSetting *before)
{
    struct vki_pollfd one = {.fd = (Int)fd, .events = VKI_POLLIN};
    Word result = cp_timer_set(&file_of(fd)->timer, is_absolute, wanted, before);
    ULong counted;

    if (!result && cp_core_is_ready(&one, 1))
        (void)VG_(read)((Int)fd, &counted, sizeof counted);
    return result;
}

Bool cp_timer_file_call(const Call *call, Word *result)
{
    const UWord *a = call->args;

    switch (call->number) {
    case __NR_timerfd_create:
        *result = create(a[0], a[1]);
        return True;
    case __NR_timerfd_settime:
        if (!file_of(a[0]))
            return False;
        *result =
            set(a[0], (a[1] & ABSOLUTE) != 0, (const TimerSetting *)a[2], (TimerSetting *)a[3]);
        return True;
    case __NR_timerfd_gettime:
        if (!file_of(a[0]))
            return False;
        *result = cp_timer_get(&file_of(a[0])->timer, (TimerSetting *)a[1]);
        return True;
    default:
        return False;
    }
}

void cp_timer_file_after(const Call *call, Word result)
{
    const UWord *a = call->args;

    switch (call->number) {
    case __NR_close:
        forget(a[0]);
        break;
    case CP_NR_CLOSE_RANGE:
        for (UWord fd = a[0]; fd <= a[1] && fd < n_files && !(a[2] & ONLY_CLOSE_EXEC); fd++)
            forget(fd);
        break;
    case __NR_fcntl:
        if (a[1] != VKI_F_DUPFD && a[1] != DUPFD_CLOSE_EXEC)
            break; /* fall through */
    case __NR_dup:
#ifdef __NR_dup2
    case __NR_dup2:
#endif
    case __NR_dup3:
        if ((UWord)result != a[0])
            note((UWord)result, file_of(a[0]));
        break;
    default:
        break;
    }
}
