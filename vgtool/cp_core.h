/*
 * cp_core.h - the differences between Valgrinds, and functions of the core that it does not
 * publish.
 *
 * valgrind.m4 finds the differences and defines the CP_ macros; of the tool's other files only
 * cp_engine.c and cp_near_*.c use them.
 */
#ifndef CP_CORE_H
#define CP_CORE_H

#include "cp_tool.h"
#include "libvex.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_vkiscnums.h"

/* Memory of zeroes, whole pages, never freed, which costs nothing until it is touched; NULL where
 * there is none. It may be executed: the core's own translations lie in such memory. */
static inline void *cp_core_memory(SizeT size)
{
#ifdef CP_SHADOW_ALLOC_IS_SYSRES
    SysRes memory = VG_(am_shadow_alloc)(size);

    return sr_isError(memory) ? NULL : (void *)sr_Res(memory);
#else
    return VG_(am_shadow_alloc)(size);
#endif
}

/* Makes a system call of the tool's own. */
SysRes VG_(do_syscall)(UWord number, UWord, UWord, UWord, UWord, UWord, UWord, UWord, UWord);

/* Asks for pages of 2 MB, for those that lie in the memory as a whole. */
#define CP_HUGE_PAGE (2 << 20)
static inline void cp_core_huge(void *memory, SizeT size)
{
    const UWord huge_pages = 14; /* MADV_HUGEPAGE, which Valgrind does not name */

    (void)VG_(do_syscall)(__NR_madvise, (UWord)memory, size, huge_pages, 0, 0, 0, 0, 0);
}

/* Makes zeroes of whole pages of memory that is no file's; the system takes back what was touched.
 */
static inline void cp_core_zero(void *memory, SizeT size)
{
    const UWord dont_need = 4; /* MADV_DONTNEED, which Valgrind does not name */
    SysRes done = VG_(do_syscall)(__NR_madvise, (UWord)memory, size, dont_need, 0, 0, 0, 0, 0);

    if (sr_isError(done))
        VG_(memset)(memory, 0, size);
}

/* The symbol of the function at an address, as the linker has it. */
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr address, const HChar **name);

/* The last byte of the program's main stack, and the first that brk() gives it. */
extern Addr VG_(clstk_end), VG_(brk_base);

/* The program's limit of stacks, its auxiliary vector, and the files by which the core shows that
 * vector and the command line in /proc. */
extern struct vki_rlimit VG_(client_rlimit_stack);
extern UWord *VG_(client_auxv);
extern Int VG_(cl_auxv_fd), VG_(cl_cmdline_fd);

/* The main stack grows down to an address. */
Bool VG_(extend_stack)(ThreadId tid, Addr address);
void VG_(set_SP)(ThreadId tid, Addr sp);

/* The thread of the system's number; VG_INVALID_THREADID: it is none of the program's. */
ThreadId VG_(lwpid_to_vgtid)(Int lwpid);

/* True if a debugger can make the core change the code that it translates. */
Bool cp_core_debugs(void);

/* --trace-children. */
extern Bool VG_(clo_trace_children);

/* The descriptor of the program's own file. */
extern Int VG_(cl_exec_fd);

/* Delivers signals that have come to the thread. */
void VG_(poll_signals)(ThreadId tid);

/* The first descriptor that the core and the tool have for themselves, and the number of these. */
extern Int VG_(fd_hard_limit);
enum { CP_RESERVED_FDS = 12 };

/* The state of a thread, of which the core says it in the second word of its record. */
typedef enum { CORE_RUNS = 2, CORE_WAITS, CORE_YIELDS, CORE_HAS_ENDED } CoreStatus;
CoreStatus cp_core_status(ThreadId tid);

/* The thread is about to end. */
Bool cp_core_is_exiting(ThreadId tid);

/* Without an error, 0: makes a call of the program, in which the signals but for those of `blocked`
 * come through. */
UWord cp_core_make(Word number, void *registers, const vki_sigset_t *blocked,
                   const vki_sigset_t *after, Word size);

/* The program ignores the signal, or has no handler and the kernel drops it. */
Bool cp_core_is_ignored(UInt signal);

/* Calls go on after the signal's handler. */
Bool cp_core_restarts(UInt signal);

/* The signal waits to be taken: by the thread of the kernel's number, or (0) by any. */
Bool cp_core_is_pending(Int lwp, UInt signal);

/* Something is there to be read, or room to write; at once. */
Bool cp_core_is_ready(struct vki_pollfd *files, UInt n);

/* The core's functions for its lock and for calls that may block are replaced, as a fixed schedule
 * needs. */
#if defined(CP_WRAPS_vgPlain_client_syscall) && defined(CP_WRAPS_vgPlain_vg_yield) && \
    defined(CP_WRAPS_vgModuleLocal_acquire_sched_lock) &&                             \
    defined(CP_WRAPS_vgModuleLocal_release_sched_lock) &&                             \
    defined(CP_WRAPS_vgModuleLocal_get_sched_lock_owner) &&                           \
    defined(CP_WRAPS_vgModuleLocal_do_syscall_for_client_WRK)
#define CP_WRAPS_SCHEDULE 1
#endif

/* Errors that Valgrind does not name. */
enum { CP_EDEADLK = 35, CP_ETIMEDOUT = 110, CP_EINPROGRESS = 115 };

/* Where the thread goes on. */
void VG_(set_IP)(ThreadId tid, Addr ip);

/* The processor, as VEX describes it. */
void VG_(machine_get_VexArchInfo)(VexArch *arch, VexArchInfo *info);

/* Forgets the translations of `range` bytes of code. The core publishes
 * VG_(discard_translations_safely), which insists on a client request; this one may be called
 * wherever nothing runs. */
void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

/* The kernel's name of the descriptor's file, ended by 0 and cut to `size` bytes with it. Returns
 * its length; 0: there is none. */
SizeT cp_core_file_name(Int fd, HChar *name, SizeT size);

/* True for the kernel's names of the file that the process runs. */
Bool cp_core_is_own_program(const HChar *path);

/* Call it after each system call that succeeded. It may replace the result. */
void cp_core_syscall(ThreadId tid, UInt number, const UWord *args, UWord result);

#endif
