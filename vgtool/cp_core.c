/*
 * cp_core.c - functions of the core and of VEX that the tool replaces by the linker (--wrap), and
 * what a newer core does but an older one does not.
 *
 * valgrind.m4 decides on each replacement. Without them all counts are the same, but the tool is
 * slower, and a run may end at lines of debug information that the core does not understand.
 */
#include "cp_core.h"

#include "cp_arch.h"
#include "libvex_ir.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"

SizeT cp_core_file_name(Int fd, HChar *name, SizeT size)
{
    HChar link[40];
    SSizeT n;

    VG_(sprintf)(link, "/proc/self/fd/%d", fd);
    n = VG_(readlink)(link, name, size - 1);
    n = n > 0 ? n : 0;
    name[n] = '\0';
    return (SizeT)n;
}

Bool cp_core_is_own_program(const HChar *path)
{
    HChar own[32];

    VG_(sprintf)(own, "/proc/%d/exe", VG_(getpid)());
    return !VG_(strcmp)(path, "/proc/self/exe") || !VG_(strcmp)(path, "/proc/thread-self/exe") ||
           !VG_(strcmp)(path, own);
}

/*
 * From 3.25 on, the core lets a program restrict itself by Landlock. The tool is in the same
 * process and could not write the profile any more. So the program gets ENOSYS, as from a kernel
 * without Landlock and from an older core.
 */
void cp_core_syscall(ThreadId tid, UInt number, const UWord *args, UWord result)
{
    UWord flags = args[2]; /* 0: the result is a file descriptor; else a version */

    if (number != CP_NR_LANDLOCK_CREATE_RULESET)
        return;
    if (!flags)
        VG_(close)((Int)result);
    cp_arch_set_result(tid, -VKI_ENOSYS);
}

/* --vgdb; 0: no. */
extern Int VG_(clo_vgdb);

Bool cp_core_debugs(void)
{
    return VG_(clo_vgdb) != 0;
}

/*--- Threads, for a fixed schedule ---*/

extern void *VG_(get_ThreadState)(ThreadId tid);
extern Bool VG_(is_exiting)(ThreadId tid);
extern SysRes VG_(do_sys_sigaction)(Int, const vki_sigaction_toK_t *, vki_sigaction_fromK_t *);

CoreStatus cp_core_status(ThreadId tid)
{
    return (CoreStatus)((const volatile UInt *)VG_(get_ThreadState)(tid))[1];
}

Bool cp_core_is_exiting(ThreadId tid)
{
    return VG_(is_exiting)(tid);
}

#ifdef CP_WRAPS_SCHEDULE
UWord __real_vgModuleLocal_do_syscall_for_client_WRK(Word, void *, const void *, const void *,
                                                     Word);
UWord cp_core_make(Word number, void *registers, const vki_sigset_t *blocked,
                   const vki_sigset_t *after, Word size)
{
    return __real_vgModuleLocal_do_syscall_for_client_WRK(number, registers, blocked, after, size);
}
#else
UWord cp_core_make(Word number, void *registers, const vki_sigset_t *blocked,
                   const vki_sigset_t *after, Word size)
{
    return 0;
}
#endif

static vki_sigaction_fromK_t action_of(UInt signal)
{
    vki_sigaction_fromK_t action;

    VG_(memset)(&action, 0, sizeof action);
    (void)VG_(do_sys_sigaction)((Int)signal, NULL, &action);
    return action;
}

Bool cp_core_is_ignored(UInt signal)
{
    const vki_sigaction_fromK_t action = action_of(signal);

    return action.ksa_handler == VKI_SIG_IGN ||
           (action.ksa_handler == VKI_SIG_DFL && (signal == VKI_SIGCHLD || signal == VKI_SIGCONT ||
                                                  signal == VKI_SIGURG || signal == VKI_SIGWINCH));
}

Bool cp_core_restarts(UInt signal)
{
    return (action_of(signal).sa_flags & VKI_SA_RESTART) != 0;
}

Bool cp_core_is_pending(Int lwp, UInt signal)
{
    const HChar *word = lwp ? "\nSigPnd:\t" : "\nShdPnd:\t", *at;
    HChar path[48], text[4096];
    SysRes file;
    Int size;

    if (lwp)
        VG_(sprintf)(path, "/proc/self/task/%d/status", lwp);
    else
        VG_(strcpy)(path, "/proc/self/status");
    file = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(file))
        return False;
    size = VG_(read)((Int)sr_Res(file), text, sizeof text - 1);
    VG_(close)((Int)sr_Res(file));
    text[size > 0 ? size : 0] = '\0';
    at = VG_(strstr)(text, word);
    return at && ((ULong)VG_(strtoll16)(at + VG_(strlen)(word), NULL) >> (signal - 1) & 1);
}

Bool cp_core_is_ready(struct vki_pollfd *files, UInt n)
{
    struct vki_timespec none = {0, 0};
    SysRes r = VG_(do_syscall)(__NR_ppoll, (UWord)files, n, (UWord)&none, 0, 0, 0, 0, 0);

    return !sr_isError(r) && sr_Res(r) > 0;
}

#ifdef CP_WRAPS_vgModuleLocal_read_debuginfo_dwarf3
/* The core's reader of DWARF lines. That of 3.19 aborts on DWARF 5 of rustc and clang. The tool
 * needs no lines; symbols are still read. */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}
#endif

#ifdef CP_WRAPS_vgModuleLocal_read_callframe_info_dwarf3
/* The core's reader of unwind tables. They are for stack traces, which the tool never asks for; it
 * reads by itself where functions begin. The reader took 4 % of a short run of a large program. */
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void);
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void)
{
}
#endif

#ifdef CP_WRAPS_vgPlain_am_mmap_anon_float_valgrind
/* The core's own memory, for its heap and for translations, in pages of 2 MB where the system has
 * such. A short run touches 8 MB of it, by half of its page faults. In a virtual machine, where
 * page faults are expensive, those took a tenth of the run's time. What comes behind large memory
 * shall begin with such a page: addresses up to there are taken, but not used. */
SysRes __real_vgPlain_am_mmap_anon_float_valgrind(SizeT size);
SysRes __wrap_vgPlain_am_mmap_anon_float_valgrind(SizeT size);
SysRes __wrap_vgPlain_am_mmap_anon_float_valgrind(SizeT size)
{
    SysRes memory = __real_vgPlain_am_mmap_anon_float_valgrind(size);
    SizeT rest;

    if (sr_isError(memory))
        return memory;
    cp_core_huge((void *)sr_Res(memory), size);
    rest = -(sr_Res(memory) + size) % CP_HUGE_PAGE;
    if (size >= 2 * CP_HUGE_PAGE && rest)
        (void)__real_vgPlain_am_mmap_anon_float_valgrind(rest);
    return memory;
}
#endif

/*
 * After the tool, VEX goes over a superblock again: dead code, constants, dead code once more, and
 * a check of types, which it also makes before. The tool's statements have neither constants to
 * fold nor dead code, and the tests check the types (--cprof-check). Without these passes
 * translation takes a sixth less time. VEX's own optimiser does not come here: its calls stay
 * within one object file.
 */
#ifdef CP_WRAPS_sanityCheckIRSB
void __real_sanityCheckIRSB(const IRSB *superblock, const HChar *caller, Bool flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB *superblock, const HChar *caller, Bool flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB *superblock, const HChar *caller, Bool flat, IRType word)
{
    if (clo_check)
        __real_sanityCheckIRSB(superblock, caller, flat, word);
}
#endif

#ifdef CP_WRAPS_isFlatIRSB
/* Another check of VEX's own work. */
Bool __real_isFlatIRSB(const IRSB *superblock);
Bool __wrap_isFlatIRSB(const IRSB *superblock);
Bool __wrap_isFlatIRSB(const IRSB *superblock)
{
    return !clo_check || __real_isFlatIRSB(superblock);
}
#endif

#ifdef CP_WRAPS_cprop_BB
IRSB *__wrap_cprop_BB(IRSB *superblock);
IRSB *__wrap_cprop_BB(IRSB *superblock)
{
    return superblock;
}
#endif

#ifdef CP_WRAPS_do_deadcode_BB
void __wrap_do_deadcode_BB(IRSB *superblock);
void __wrap_do_deadcode_BB(IRSB *superblock)
{
}
#endif
