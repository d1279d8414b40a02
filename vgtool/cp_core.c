/*
 * cp_core.c - functions of the core and of VEX that the tool replaces by the linker (--wrap), and
 * what a newer core does that an older one does not.
 *
 * Each replacement is there only where valgrind.m4 asks for it. Without them all counts are the
 * same; the tool is slower, and lines of debug information that the core does not understand may
 * end a run.
 */
#include "cp_core.h"

#include "cp_arch.h"

#include "libvex_ir.h"
#include "pub_tool_libcfile.h"

/*
 * From 3.25 on, the core lets a program shut itself in by Landlock. The tool is in the same process
 * and could not write the profile then. So the program is told what a kernel without Landlock says,
 * and what it is told by an older core: ENOSYS.
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

#ifdef CP_WRAPS_vgModuleLocal_read_debuginfo_dwarf3
/* The core's reader of DWARF lines. That of 3.19 aborts on DWARF 5 of rustc and clang. Symbols are
 * still read; the tool needs no lines. */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}
#endif

#ifdef CP_WRAPS_vgModuleLocal_read_callframe_info_dwarf3
/* The core's reader of unwind tables, which took 4 % of a run of a large program that is soon done.
 * They are for stack traces. The tool asks for none, and reads itself where functions begin. */
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void);
void __wrap_vgModuleLocal_read_callframe_info_dwarf3(void)
{
}
#endif

/*
 * VEX goes over a block again after the tool has: dead code, constants, dead code once more, and a
 * check of types, which it makes of its own block before, too. What the tool adds has neither
 * constants to fold nor dead code, and the pass is checked by its tests (--cprof-check): without
 * them translation takes a sixth less time. VEX's own optimiser does not come here, being in one
 * object file.
 */
#ifdef CP_WRAPS_sanityCheckIRSB
void __real_sanityCheckIRSB(const IRSB *block, const HChar *caller, Bool flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB *block, const HChar *caller, Bool flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB *block, const HChar *caller, Bool flat, IRType word)
{
    if (clo_check)
        __real_sanityCheckIRSB(block, caller, flat, word);
}
#endif

#ifdef CP_WRAPS_isFlatIRSB
/* Another check of VEX's, of what it has made itself. */
Bool __real_isFlatIRSB(const IRSB *block);
Bool __wrap_isFlatIRSB(const IRSB *block);
Bool __wrap_isFlatIRSB(const IRSB *block)
{
    return !clo_check || __real_isFlatIRSB(block);
}
#endif

#ifdef CP_WRAPS_cprop_BB
IRSB *__wrap_cprop_BB(IRSB *block);
IRSB *__wrap_cprop_BB(IRSB *block)
{
    return block;
}
#endif

#ifdef CP_WRAPS_do_deadcode_BB
void __wrap_do_deadcode_BB(IRSB *block);
void __wrap_do_deadcode_BB(IRSB *block)
{
}
#endif
