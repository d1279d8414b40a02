/* cp_wait.c - calls that wait for descriptors, for moments and for signals. */
#include "cp_wait.h"

#include "cp_arch.h"
#include "cp_clock.h"
#include "cp_core.h"
#include "cp_descriptor.h"
#include "cp_sent.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"

/* Constants of the kernel that Valgrind's headers lack. */
enum { NOT_WAITING = 04000, POLL_OUT = 4, POLL_URGENT = 2 };
enum { MSG_DONT_WAIT = 0x40, MSG_WAIT_ALL = 0x100 };
enum { SOL_SOCKET = 1, SO_ERROR = 4, SO_RECEIVE_LIMIT = 20, SO_SEND_LIMIT = 21 };
enum { ABSOLUTE = 1, REALTIME = 0, MONOTONIC = 1 };

#define MILLISECOND 1000000ULL

static const struct vki_timespec none = {0, 0};

static UWord arg(const Blocking *b, UInt i)
{
    return cp_arch_call_argument(b->guest, i);
}

static void set_result(const Blocking *b, Word result)
{
    cp_arch_set_state_result(b->guest, result);
}

static Bool may_read(Addr at, SizeT size)
{
    return VG_(am_is_valid_for_client)(at, size, VKI_PROT_READ);
}

static Bool is_time(Addr at)
{
    const struct vki_timespec *t = (const struct vki_timespec *)at;

    return may_read(at, sizeof *t) && t->tv_sec >= 0 && (ULong)t->tv_nsec < 1000 * MILLISECOND;
}

/* The call with other arguments, and its result. */
static UWord make_with(const Blocking *b, const CallRegisters *regs, Word *result)
{
    CallRegisters own = *regs;
    UWord error = cp_schedule_make(b, &own);

    *result = (Word)cp_arch_state_result(&own);
    return error;
}

static Word system_call(UInt number, UWord a, UWord b, UWord c, UWord d, UWord e)
{
    SysRes r = VG_(do_syscall)(number, a, b, c, d, e, 0, 0, 0);

    return sr_isError(r) ? -(Word)sr_Err(r) : (Word)sr_Res(r);
}

/*--- Descriptors ---*/

static void set_files(Turn *me, const struct vki_pollfd *files, UInt n)
{
    if (n > me->room) {
        me->room = 2 * n;
        me->files = VG_(realloc)("cp.wait.1", me->files, me->room * sizeof *files);
    }
    VG_(memcpy)(me->files, files, n * sizeof *files);
    me->n_files = n;
    me->is_outside = False;
    for (UInt i = 0; i < n; i++)
        me->is_outside |=
            (files[i].events & VKI_POLLIN) != 0 && cp_descriptor_kind(files[i].fd) == FILE_OUTSIDE;
}

/* Waits for the descriptors and the deadline of `me`. What comes from outside counts as not there,
 * whether it is or not. */
static UWord wait_for(Turn *me, const Blocking *b, const struct vki_pollfd *files, UInt n)
{
    me->timed_out = False;
    set_files(me, files, n);
    if (!me->is_outside && cp_core_is_ready(me->files, n)) {
        me->n_files = 0;
        me->has_deadline = False;
        return 0;
    }
    return cp_schedule_wait(me, b);
}

/* The limit that a socket has for waiting calls. */
static Bool socket_limit(Int fd, UInt option, ULong *ns)
{
    struct vki_timeval limit = {0, 0};
    UInt size = sizeof limit;

    if (system_call(__NR_getsockopt, (UWord)fd, SOL_SOCKET, option, (UWord)&limit, (UWord)&size))
        return False;
    *ns = (ULong)limit.tv_sec * 1000 * MILLISECOND + (ULong)limit.tv_usec * 1000;
    return *ns != 0;
}

static Bool never_waits(Int fd, UWord flags)
{
    Word status = system_call(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0);

    return status < 0 || status & NOT_WAITING || flags & MSG_DONT_WAIT;
}

/* Waits until the descriptor can be read or written, which another thread may do first. False:
 * *result is set. */
static Bool wait_one(Turn *me, const Blocking *b, Int fd, Short events, UWord *error)
{
    struct vki_pollfd file = {.fd = fd, .events = events};
    ULong limit = 0;
    Bool has_limit =
        socket_limit(fd, events == VKI_POLLIN ? SO_RECEIVE_LIMIT : SO_SEND_LIMIT, &limit);

    limit += cp_clock_now();
    do {
        me->has_deadline = has_limit;
        me->deadline = limit;
        me->restarts = !has_limit;
        *error = wait_for(me, b, &file, 1);
        if (*error)
            return False;
        if (me->timed_out) {
            set_result(b, -VKI_EAGAIN);
            return False;
        }
    } while (!cp_core_is_ready(&file, 1));
    return True;
}

static UWord read_one(Turn *me, const Blocking *b, UWord flags)
{
    Int fd = (Int)arg(b, 0);
    UWord error;

    if (cp_schedule_is_alone() || cp_descriptor_kind(fd) == FILE_READY || never_waits(fd, flags))
        return cp_schedule_make(b, b->guest);
    if (flags & MSG_WAIT_ALL) {
        cp_schedule_decided();
        return cp_schedule_outside(me, b);
    }
    return wait_one(me, b, fd, VKI_POLLIN, &error) ? cp_schedule_make(b, b->guest) : error;
}

/*--- Writing ---*/

/* Pipes and sockets that are ready have room for so much. */
enum { PIECE = 4096 };

/* Once a part is written, a signal must not end the call. */
static const vki_sigset_t but_kill = {{~(1UL << (_VKI_NSIG - 1))}};

/* Writes piece by piece, each when there is room. */
static UWord write_pieces(Turn *me, const Blocking *b, const struct vki_iovec *v, UInt n)
{
    Blocking quiet = *b;
    Int fd = (Int)arg(b, 0);
    UWord error = 0;
    Word done = 0, r = 0;

    quiet.blocked = &but_kill;
    for (UInt i = 0; i < n; i++)
        for (SizeT at = 0; at < v[i].iov_len; at += (SizeT)r) {
            SizeT size = v[i].iov_len - at < PIECE ? v[i].iov_len - at : PIECE;

            if (!wait_one(me, done ? &quiet : b, fd, POLL_OUT, &error)) {
                if (!error && done)
                    set_result(b, done);
                return error;
            }
            r = system_call(__NR_write, (UWord)fd, (UWord)v[i].iov_base + at, size, 0, 0);
            if (r <= 0) {
                set_result(b, done ? done : r);
                return 0;
            }
            done += r;
        }
    set_result(b, done);
    return 0;
}

static UWord write_one(Turn *me, const Blocking *b, UWord flags, const struct vki_iovec *v, UInt n)
{
    Int fd = (Int)arg(b, 0);
    SizeT size = 0;
    UWord error;

    if (cp_schedule_is_alone() || cp_descriptor_kind(fd) == FILE_READY || never_waits(fd, flags))
        return cp_schedule_make(b, b->guest);
    for (UInt i = 0; i < n; i++)
        size += v[i].iov_len;
    if (size > PIECE && !flags && may_read((Addr)v[0].iov_base, v[0].iov_len))
        return write_pieces(me, b, v, n);
    return wait_one(me, b, fd, POLL_OUT, &error) ? cp_schedule_make(b, b->guest) : error;
}

static UWord write_call(Turn *me, const Blocking *b)
{
    struct vki_iovec one = {.iov_base = (void *)arg(b, 1), .iov_len = arg(b, 2)};
    const struct vki_iovec *v = &one;
    UInt n = 1;

    if (b->number == __NR_writev) {
        v = (const struct vki_iovec *)arg(b, 1);
        n = (UInt)arg(b, 2);
        if (!may_read((Addr)v, n * sizeof *v))
            n = 0;
    } else if (b->number == __NR_sendmsg) {
        n = 0;
    }
    return write_one(me, b,
                     b->number == __NR_sendto    ? arg(b, 3) | (arg(b, 4) ? 1UL << 63 : 0)
                     : b->number == __NR_sendmsg ? arg(b, 2)
                                                 : 0,
                     v, n);
}

/* Connecting does not wait, but for an answer: from a thread that accepts, or from elsewhere. */
static UWord connect_one(Turn *me, const Blocking *b)
{
    Int fd = (Int)arg(b, 0), problem = 0;
    Word status = system_call(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0), result;
    UInt size = sizeof problem;
    UWord error = 0;

    if (cp_schedule_is_alone() || status < 0 || status & NOT_WAITING)
        return cp_schedule_make(b, b->guest);
    for (;;) {
        (void)system_call(__NR_fcntl, (UWord)fd, VKI_F_SETFL, (UWord)status | NOT_WAITING, 0, 0);
        result = system_call(__NR_connect, (UWord)fd, arg(b, 1), arg(b, 2), 0, 0);
        (void)system_call(__NR_fcntl, (UWord)fd, VKI_F_SETFL, (UWord)status, 0, 0);
        if (result != -VKI_EAGAIN)
            break;
        me->has_deadline = True; /* as many wait as may */
        me->deadline = cp_clock_now() + MILLISECOND;
        error = cp_schedule_wait(me, b);
        if (error)
            return error;
    }
    if (result == -CP_EINPROGRESS) {
        if (!wait_one(me, b, fd, POLL_OUT, &error))
            return error;
        (void)system_call(__NR_getsockopt, (UWord)fd, SOL_SOCKET, SO_ERROR, (UWord)&problem,
                          (UWord)&size);
        result = -problem;
    }
    set_result(b, result);
    return 0;
}

/*--- Many descriptors ---*/

/* The wait of poll() and its like. */
typedef struct {
    const struct vki_pollfd *files;
    UInt n;
    Bool has_limit;
    ULong limit;
    CallRegisters at_once; /* the arguments of a call that does not wait */
    vki_sigset_t blocked;
    Bool has_blocked;
} Many;

static void set_milliseconds(Many *m, UInt index)
{
    Int ms = (Int)cp_arch_call_argument(&m->at_once, index);

    m->has_limit = ms >= 0;
    m->limit = m->has_limit ? (ULong)ms * MILLISECOND : 0;
    cp_arch_set_call_argument(&m->at_once, index, 0);
}

static void set_time(Many *m, UInt index)
{
    UWord at = cp_arch_call_argument(&m->at_once, index);

    m->has_limit = at != 0;
    if (at && is_time(at))
        m->limit = cp_clock_span((const struct vki_timespec *)at);
    cp_arch_set_call_argument(&m->at_once, index, (UWord)&none);
}

/* The call has a mask of its own, which the core has read. It may not hold back what ends a thread.
 */
static void set_blocked(Many *m, Addr at)
{
    m->has_blocked = at != 0;
    if (!m->has_blocked)
        return;
    m->blocked = *(const vki_sigset_t *)at;
    m->blocked.sig[0] &= but_kill.sig[0];
}

/* The descriptors of select(). The caller frees them. */
static struct vki_pollfd *listed(const Blocking *b, UInt *n)
{
    static const Short events[3] = {VKI_POLLIN, POLL_OUT, POLL_URGENT};
    UInt top = (UInt)arg(b, 0);
    struct vki_pollfd *files;

    *n = 0;
    if (top > 65536)
        top = 65536;
    files = VG_(malloc)("cp.wait.2", (3 * top + 1) * sizeof *files);
    for (UInt i = 0; i < 3; i++) {
        const UChar *set = (const UChar *)arg(b, 1 + i);

        for (UInt fd = 0; set && may_read((Addr)set, (top + 7) / 8) && fd < top; fd++)
            if (set[fd / 8] >> fd % 8 & 1)
                files[(*n)++] = (struct vki_pollfd){.fd = (Int)fd, .events = events[i]};
    }
    return files;
}

static UWord wait_many(Turn *me, const Blocking *b, Many *m)
{
    Blocking masked = *b;
    ULong deadline = cp_clock_now() + m->limit;
    UWord error;
    Word result;

    if (m->has_blocked)
        masked.blocked = &m->blocked;
    for (;;) {
        Bool is_over = False;

        if (!m->has_limit || m->limit) {
            me->has_deadline = m->has_limit;
            me->deadline = deadline;
            me->restarts = False;
            error = wait_for(me, &masked, m->files, m->n);
            if (error)
                return error;
            is_over = me->timed_out;
        }
        error = make_with(b, &m->at_once, &result);
        if (error || result || is_over || (m->has_limit && deadline <= cp_clock_now()))
            break;
    }
    set_result(b, result);
    return error;
}

static UWord poll_call(Turn *me, const Blocking *b)
{
    Many m = {.files = (const struct vki_pollfd *)arg(b, 0), .n = (UInt)arg(b, 1)};

    VG_(memcpy)(&m.at_once, b->guest, sizeof m.at_once);
    if (b->number == __NR_ppoll) {
        set_time(&m, 2);
        set_blocked(&m, arg(b, 3));
    } else {
        set_milliseconds(&m, 2);
    }
    if (m.n && !may_read((Addr)m.files, m.n * sizeof *m.files))
        return cp_schedule_make(b, b->guest);
    if (cp_schedule_is_alone() && !m.has_limit)
        return cp_schedule_make(b, b->guest);
    return wait_many(me, b, &m);
}

static UWord epoll_call(Turn *me, const Blocking *b)
{
    const struct vki_pollfd file = {.fd = (Int)arg(b, 0), .events = VKI_POLLIN};
    Many m = {.files = &file, .n = 1};

    VG_(memcpy)(&m.at_once, b->guest, sizeof m.at_once);
    if (b->number == CP_NR_EPOLL_PWAIT2)
        set_time(&m, 3);
    else
        set_milliseconds(&m, 3);
    if (b->number == __NR_epoll_pwait || b->number == CP_NR_EPOLL_PWAIT2)
        set_blocked(&m, arg(b, 4));
    if (cp_schedule_is_alone() && !m.has_limit)
        return cp_schedule_make(b, b->guest);
    return wait_many(me, b, &m);
}

static UWord select_call(Turn *me, const Blocking *b)
{
    Many m = {.n = 0};
    struct vki_pollfd *files;
    UWord error;

    VG_(memcpy)(&m.at_once, b->guest, sizeof m.at_once);
    set_time(&m, 4);
    if (b->number == __NR_pselect6) {
        if (arg(b, 5))
            set_blocked(&m, *(const Addr *)arg(b, 5));
    } else if (m.has_limit && is_time(arg(b, 4))) { /* microseconds */
        const struct vki_timeval *t = (const struct vki_timeval *)arg(b, 4);
        m.limit = (ULong)t->tv_sec * 1000 * MILLISECOND + (ULong)t->tv_usec * 1000;
    }
    if (cp_schedule_is_alone() && !m.has_limit)
        return cp_schedule_make(b, b->guest);
    files = listed(b, &m.n);
    m.files = files;
    error = wait_many(me, b, &m);
    VG_(free)(files);
    return error;
}

/*--- Moments ---*/

static UWord sleep_call(Turn *me, const Blocking *b)
{
    Bool has_clock = b->number == __NR_clock_nanosleep;
    Addr at = arg(b, has_clock ? 2 : 0);
    Bool is_absolute = has_clock && arg(b, 1) & ABSOLUTE;
    ULong span;
    UWord error;

    if (!is_time(at))
        return cp_schedule_make(b, b->guest);
    span = cp_clock_span((const struct vki_timespec *)at);
    me->has_deadline = True;
    me->restarts = False;
    me->deadline = is_absolute ? cp_clock_moment((UInt)arg(b, 0), span) : cp_clock_now() + span;
    me->left = is_absolute ? 0 : arg(b, has_clock ? 3 : 1);
    if (me->left && !VG_(am_is_valid_for_client)(me->left, sizeof none, VKI_PROT_WRITE))
        me->left = 0;
    error = cp_schedule_wait(me, b);
    if (!error)
        set_result(b, 0);
    return error;
}

/*--- Signals ---*/

/* Only a signal ends it. */
static UWord pause_call(Turn *me, const Blocking *b, Addr mask)
{
    Many m = {.has_blocked = False};
    Blocking masked = *b;
    UWord error;

    set_blocked(&m, mask);
    if (m.has_blocked)
        masked.blocked = &m.blocked;
    me->restarts = False;
    do
        error = cp_schedule_wait(me, &masked);
    while (!error);
    return error;
}

static UWord await_signal(Turn *me, const Blocking *b)
{
    Addr set = arg(b, 0), limit = arg(b, 2);
    CallRegisters at_once;
    ULong deadline;
    UWord error;
    Word result;

    if (!may_read(set, sizeof(ULong)) || (limit && !is_time(limit)))
        return cp_schedule_make(b, b->guest);
    VG_(memcpy)(&at_once, b->guest, sizeof at_once);
    cp_arch_set_call_argument(&at_once, 2, (UWord)&none);
    deadline = cp_clock_now() + (limit ? cp_clock_span((const struct vki_timespec *)limit) : 0);
    me->timed_out = False;
    for (;;) {
        Bool is_over = me->timed_out || (limit && deadline <= cp_clock_now());

        error = make_with(b, &at_once, &result);
        if (!error && result > 0)
            (void)cp_sent_delivered((UInt)result);
        if (error || result != -VKI_EAGAIN || is_over)
            break;
        me->signals = *(const ULong *)set;
        me->has_deadline = limit != 0;
        me->deadline = deadline;
        me->restarts = False;
        error = cp_schedule_wait(me, b);
        if (error)
            return error;
    }
    set_result(b, result);
    return error;
}

/*--- Calls ---*/

Bool cp_wait_call(Turn *me, const Blocking *b, UWord *error)
{
    switch (b->number) {
    case __NR_read:
    case __NR_readv:
    case __NR_accept:
    case __NR_accept4:
        *error = read_one(me, b, 0);
        return True;
    case __NR_recvfrom:
        *error = read_one(me, b, arg(b, 3));
        return True;
    case __NR_recvmsg:
        *error = read_one(me, b, arg(b, 2));
        return True;
    case __NR_write:
    case __NR_writev:
    case __NR_sendto:
    case __NR_sendmsg:
        *error = write_call(me, b);
        return True;
    case __NR_connect:
        *error = connect_one(me, b);
        return True;
#ifdef __NR_poll
    case __NR_poll:
#endif
    case __NR_ppoll:
        *error = poll_call(me, b);
        return True;
#ifdef __NR_epoll_wait
    case __NR_epoll_wait:
#endif
    case __NR_epoll_pwait:
    case CP_NR_EPOLL_PWAIT2:
        *error = epoll_call(me, b);
        return True;
#ifdef __NR_select
    case __NR_select:
#endif
    case __NR_pselect6:
        *error = select_call(me, b);
        return True;
    case __NR_nanosleep:
    case __NR_clock_nanosleep:
        *error = sleep_call(me, b);
        return True;
#ifdef __NR_pause
    case __NR_pause:
        *error = pause_call(me, b, 0);
        return True;
#endif
    case __NR_rt_sigsuspend:
        *error = pause_call(me, b, arg(b, 0));
        return True;
    case __NR_rt_sigtimedwait:
        *error = await_signal(me, b);
        return True;
    default:
        return False;
    }
}
