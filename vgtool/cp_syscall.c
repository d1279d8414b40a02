/* cp_syscall.c - the wrapped function of the core, and what becomes of exec and of limits. */
#include "cp_syscall.h"

#include "cp_arch.h"
#include "cp_blocking.h"
#include "cp_core.h"
#include "cp_filter.h"
#include "cp_fixed.h"
#include "libvex_trc_values.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"

/* Constants of the kernel that Valgrind's headers lack. */
enum {
    EMPTY_PATH = 0x1000,
    LIMIT_NOFILE = 7,
    LIMIT_AS = 9,
    MAP_UNRESERVED = 0x4000,
    DUPFD_CLOSE_EXEC = 1030
};

static void set_call(ThreadId tid, const Call *call)
{
    cp_arch_set_register(tid, cp_arch_syscall[0], call->number);
    for (UInt i = 0; i < CP_SYSCALL_ARGUMENTS; i++)
        cp_arch_set_register(tid, cp_arch_syscall[1 + i], call->args[i]);
}

static Bool is_text(Addr at)
{
    return at && VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ);
}

/*--- Exec ---*/

/* The number in "/proc/self/fd/N", "/proc/PID/fd/N" or "/dev/fd/N"; -1: it is none. */
static Int descriptor_of(const HChar *path)
{
    static const HChar *const folders[] = {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"};
    HChar own[32], *end;
    Long number;

    VG_(sprintf)(own, "/proc/%d/fd/", VG_(getpid)());
    for (UInt i = 0; i < 4; i++) {
        const HChar *folder = i < 3 ? folders[i] : own;
        SizeT size = VG_(strlen)(folder);

        if (VG_(strncmp)(path, folder, size) || !path[size])
            continue;
        number = VG_(strtoll10)(path + size, &end);
        return *end ? -1 : (Int)number;
    }
    return -1;
}

/* The file of the descriptor has still the name under which it was opened. */
static Bool is_named(Int fd, const HChar *name)
{
    struct vg_stat open, named;

    return VG_(fstat)(fd, &open) == 0 && !sr_isError(VG_(stat)(name, &named)) &&
           open.dev == named.dev && open.ino == named.ino;
}

/* A descriptor of the program to be executed. The core starts the tool first, which has to find it
 * open. Returns a copy that the caller closes, or -1. */
static Int write_descriptor(HChar *path, Int fd)
{
    SysRes copy;
    Int copied = -1;

    if (VG_(clo_trace_children)) {
        copy = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_DUPFD, (UWord)VG_(fd_hard_limit), 0, 0,
                               0, 0, 0);
        copied = sr_isError(copy) ? -1 : (Int)sr_Res(copy);
    }
    VG_(sprintf)(path, "/proc/self/fd/%d", copied < 0 ? fd : copied);
    return copied;
}

/* Names what is executed so that the core finds it. False: by the name that it has. */
static Bool name_program(const Call *call, HChar path[VKI_PATH_MAX], Int *copy)
{
    Bool at = call->number == __NR_execveat;
    const HChar *given = (const HChar *)call->args[at];
    Int fd;

    if (!is_text((Addr)given))
        return False;
    if (clo_fixed_machine && cp_fixed_find(path, given))
        return True;
    if (cp_core_is_own_program(given)) {
        cp_core_file_name(VG_(cl_exec_fd), path, VKI_PATH_MAX);
        if (!is_named(VG_(cl_exec_fd), path))
            *copy = write_descriptor(path, VG_(cl_exec_fd));
        return True;
    }
    fd = at && !*given && call->args[4] & EMPTY_PATH ? (Int)call->args[0] : descriptor_of(given);
    if (fd < 0)
        return False;
    *copy = write_descriptor(path, fd);
    return True;
}

/* Puts bytes at *at, below what the thread's stack has in use, and lowers *at for more. False:
 * there is no room. */
static Bool put_below(ThreadId tid, Addr *at, const void *bytes, SizeT size)
{
    Addr to = (*at - size) & ~(Addr)15;

    if (!VG_(am_is_valid_for_client)(to, size, VKI_PROT_READ | VKI_PROT_WRITE) &&
        !VG_(extend_stack)(tid, to))
        return False;
    VG_(memcpy)((void *)to, bytes, size);
    *at = to;
    return True;
}

/* Makes the call execve of the path. */
static Bool change_program(ThreadId tid, Call *call, Addr *at, const HChar *path)
{
    if (!put_below(tid, at, path, VG_(strlen)(path) + 1))
        return False;
    if (call->number == __NR_execveat) {
        call->args[1] = call->args[2];
        call->args[2] = call->args[3];
    }
    call->number = __NR_execve;
    call->args[0] = *at;
    return True;
}

/* Has the next program get the paths that this one means by names of a fixed machine: in its
 * arguments, or in its environment, `list`. */
static Bool change_texts(ThreadId tid, UWord *list, Addr *at)
{
    HChar **texts = (HChar **)*list, **changed, *text;
    Bool is_changed = False;
    UWord n = 0;

    if (!is_text(*list))
        return False;
    while (texts[n])
        n++;
    changed = VG_(malloc)("cp.syscall.1", (n + 1) * sizeof *changed);
    for (UWord i = 0; i <= n; i++) {
        text = texts[i] ? cp_fixed_text(texts[i]) : NULL;
        changed[i] = text ? text : texts[i];
        is_changed |= text != NULL;
    }
    is_changed = is_changed && put_below(tid, at, changed, (n + 1) * sizeof *changed);
    if (is_changed)
        *list = *at;
    VG_(free)(changed);
    return is_changed;
}

/* False: the call is as it was. */
static Bool change_exec(ThreadId tid, Call *call, const HChar *path)
{
    enum { UNUSED = 1024 }; /* the red zone, and more */
    Addr at = VG_(get_SP)(tid) - UNUSED;
    UWord first = call->number == __NR_execveat;
    Bool is_changed = False;

    for (UWord i = 1; clo_fixed_machine && i <= 2; i++)
        is_changed |= change_texts(tid, &call->args[first + i], &at);
    return (path && change_program(tid, call, &at, path)) || is_changed;
}

/*--- Limits of descriptors ---*/

static struct vki_rlimit descriptors;

void cp_syscall_init(void)
{
    /* The core has raised the limit, where it could, by what it keeps for itself. */
    VG_(getrlimit)(LIMIT_NOFILE, &descriptors);
    if (descriptors.rlim_cur < descriptors.rlim_max)
        descriptors.rlim_cur -= CP_RESERVED_FDS;
}

static Int set_limit(const struct vki_rlimit *limit)
{
    if (limit->rlim_cur > limit->rlim_max)
        return VKI_EINVAL;
    if (limit->rlim_max > descriptors.rlim_max && VG_(geteuid)() != 0)
        return VKI_EPERM;
    descriptors = *limit;
    return 0;
}

/* Answers a call about that limit. */
static Bool is_limit(ThreadId tid, const Call *call)
{
    const UWord *a = call->args;
    Bool both = call->number == __NR_prlimit64 && a[1] == LIMIT_NOFILE &&
                (!a[0] || (Int)a[0] == VG_(getpid)());
    Addr new = both ? a[2] : call->number == __NR_setrlimit ? a[1] : 0;
    Addr old = both ? a[3] : call->number == __NR_getrlimit ? a[1] : 0;
    const struct vki_rlimit before = descriptors;
    Int error = 0;

    if (!both && ((call->number != __NR_setrlimit && call->number != __NR_getrlimit) ||
                  a[0] != LIMIT_NOFILE))
        return False;
    if ((new && !VG_(am_is_valid_for_client)(new, sizeof before, VKI_PROT_READ)) ||
        (old && !VG_(am_is_valid_for_client)(old, sizeof before, VKI_PROT_WRITE)))
        error = VKI_EFAULT;
    else if (new)
        error = set_limit((const struct vki_rlimit *)new);
    if (!error && old)
        *(struct vki_rlimit *)old = before;
    cp_arch_set_result(tid, -error);
    return True;
}

/* The calls whose result is a new descriptor. */
static Bool is_opening(const Call *call)
{
    static const UShort numbers[] = {
#ifdef __NR_open
        __NR_open,         __NR_creat,
#endif
        __NR_openat,       __NR_dup,           __NR_socket,   __NR_accept,
        __NR_accept4,      __NR_epoll_create1, __NR_eventfd2, __NR_timerfd_create,
        __NR_memfd_create, __NR_inotify_init1, CP_NR_OPENAT2,
    };

    for (UInt i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (call->number == numbers[i])
            return True;
    return call->number == __NR_fcntl &&
           (call->args[1] == VKI_F_DUPFD || call->args[1] == DUPFD_CLOSE_EXEC);
}

/* The kernel has the limit of before, since the core opens files of its own. */
static void hold_limit(ThreadId tid, const Call *call)
{
    ULong result = cp_arch_result(tid);

    if (result < descriptors.rlim_cur || (Long)result < 0 || !is_opening(call))
        return;
    VG_(close)((Int)result);
    cp_arch_set_result(tid, call->number == __NR_fcntl ? -VKI_EINVAL : -VKI_EMFILE);
}

/*--- Memory ---*/

/* Sizes that the core may have no room for where the kernel has: it keeps half of 128 GB for
 * itself. The kernel has none above LARGE_END. */
#define LARGE     (1UL << 33)
#define LARGE_END (1UL << 46)

/* Says once that room was refused that the program asked for without using it at once. */
static void note_room(ThreadId tid, const Call *call)
{
    static Bool is_said;
    Word result = (Word)cp_arch_result(tid);
    ULong size = call->args[1];
    struct vki_rlimit limit;

    if (is_said || call->number != __NR_mmap || size < LARGE || size > LARGE_END ||
        (result != -VKI_ENOMEM && result != -VKI_EINVAL) || (size & (VKI_PAGE_SIZE - 1)) ||
        (call->args[2] != VKI_PROT_NONE && !(call->args[3] & MAP_UNRESERVED)) ||
        VG_(getrlimit)(LIMIT_AS, &limit) || limit.rlim_cur < size)
        return;
    is_said = True;
    VG_(umsg)("no room for a mapping of %llu bytes\n", size);
}

/*--- The call ---*/

#ifdef CP_WRAPS_vgPlain_client_syscall
void __real_vgPlain_client_syscall(ThreadId tid, UInt reason);
void __wrap_vgPlain_client_syscall(ThreadId tid, UInt reason);

/* The program's registers stay as they are, but for the result. */
static void restore_arguments(ThreadId tid, const Call *call)
{
    for (UInt i = 0; i < CP_SYSCALL_ARGUMENTS; i++)
        if (cp_arch_syscall[1 + i] != CP_RESULT_OFFSET)
            cp_arch_set_register(tid, cp_arch_syscall[1 + i], call->args[i]);
}

/* Exec returns only where it fails. */
static void make_exec(ThreadId tid, const Call *call, UInt reason)
{
    HChar path[VKI_PATH_MAX];
    Call changed = *call;
    Int copy = -1;

    if (change_exec(tid, &changed, name_program(call, path, &copy) ? path : NULL))
        set_call(tid, &changed);
    __real_vgPlain_client_syscall(tid, reason);
    if (copy >= 0)
        VG_(close)(copy);
    restore_arguments(tid, call);
}

/* The kernel has the main stack reach down to its pointer, and so does the core, where it makes the
 * call. Who answers before, may write there, too. */
static void extend_stack(ThreadId tid)
{
    Addr end = VG_(get_SP)(tid) - CP_RED_ZONE;
    const NSegment *segment = tid == 1 ? VG_(am_find_nsegment)(end) : NULL;

    if (segment && segment->kind == SkResvn && segment->smode == SmUpper)
        (void)VG_(extend_stack)(tid, end);
}

/* True if a fixed machine answers the call itself. */
static Bool is_answered(ThreadId tid, const Call *call)
{
    Word result;

    if (!clo_fixed_machine || !cp_fixed_call(tid, call, &result))
        return False;
    cp_arch_set_result(tid, result);
    return True;
}

/* Makes the call, with the paths that the program means. */
static void make_call(ThreadId tid, const Call *call, UInt reason)
{
    Call changed = *call;
    Bool is_changed = clo_fixed_machine && cp_fixed_lead_back(tid, &changed);

    if (is_changed)
        set_call(tid, &changed);
    __real_vgPlain_client_syscall(tid, reason);
    if (is_changed)
        restore_arguments(tid, call);
}

void __wrap_vgPlain_client_syscall(ThreadId tid, UInt reason)
{
    Call call = {.number = cp_arch_register(tid, cp_arch_syscall[0])};

    for (UInt i = 0; i < CP_SYSCALL_ARGUMENTS; i++)
        call.args[i] = cp_arch_register(tid, cp_arch_syscall[1 + i]);
    if (reason != VEX_TRC_JMP_SYS_SYSCALL) {
        __real_vgPlain_client_syscall(tid, reason);
        return;
    }
    extend_stack(tid);
    if (cp_filter_call(tid, &call, VG_(get_IP)(tid)) || is_limit(tid, &call) ||
        is_answered(tid, &call))
        return;
    if (call.number == __NR_execve || call.number == __NR_execveat) {
        make_exec(tid, &call, reason);
        return;
    }
    if (cp_blocking_before(tid, &call))
        return;
    make_call(tid, &call, reason);
    hold_limit(tid, &call);
    cp_blocking_after(tid, &call);
    note_room(tid, &call);
}
#endif
