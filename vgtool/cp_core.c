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
