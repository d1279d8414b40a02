/*
 * cp_core.h - where one Valgrind differs from the next, and what the core has but does not publish.
 *
 * valgrind.m4 finds the differences and defines the CP_ macros; no other file of the tool knows of
 * them.
 */
#ifndef CP_CORE_H
#define CP_CORE_H

#include "cp_tool.h"

#include "pub_tool_aspacemgr.h"

/* Memory for code that the tool makes, never freed; NULL where there is none. The core's own
 * translations lie in such memory, so it may be executed. */
static inline void *cp_core_code(SizeT size)
{
#ifdef CP_SHADOW_ALLOC_IS_SYSRES
    SysRes memory = VG_(am_shadow_alloc)(size);

    return sr_isError(memory) ? NULL : (void *)sr_Res(memory);
#else
    return VG_(am_shadow_alloc)(size);
#endif
}

/* A system call of the tool's own. */
SysRes VG_(do_syscall)(UWord number, UWord, UWord, UWord, UWord, UWord, UWord, UWord, UWord);

/* The last byte of the program's main stack, and the first of what brk() gives it. */
extern Addr VG_(clstk_end), VG_(brk_base);

/* --trace-children. */
extern Bool VG_(clo_trace_children);

/* Forgets the translations of `range` bytes of code. The core publishes
 * VG_(discard_translations_safely), which insists on being called from a client request; this one
 * may be called where nothing runs. */
void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

/* Call after each system call that succeeded. May exchange what the program gets from it. */
void cp_core_syscall(ThreadId tid, UInt number, const UWord *args, UWord result);

#endif
