# What differs from one Valgrind to the next, as vgtool/cp_core.h and cp_core.c take it:
#   VG_CORE_DEFS    -D options, of this table and of the checks
#   VG_CORE_WRAPS   functions of the core and of VEX that cp_core.c replaces, as options of the linker
#   VG_CORE_LEFT    the others: the tool works without those replacements, but slower

# CPROF_VALGRIND_TESTED: the releases with which the replacements passed all tests. A replaced function is the core's own affair, and
# may get another meaning in the next release: add one here when "make check" passed with it.
m4_define([CPROF_VALGRIND_TESTED], [valgrind-3.19.* | valgrind-3.24.* | valgrind-3.27.*])

# CPROF_VALGRIND_WRAP(SYMBOL, LIBRARY): replaces the function where the library has it and the release is in the table.
AC_DEFUN([CPROF_VALGRIND_WRAP],
  [AC_MSG_CHECKING([whether to replace $1 of lib$2])
   cprof_wrap=no
   AS_CASE([$VG_VERSION], [CPROF_VALGRIND_TESTED],
     [AS_IF([$NM "$VG_LIBDIR/valgrind/lib$2-$VG_ARCH-$VG_OS.a" 2>/dev/null | grep ' T $1$' >/dev/null], [cprof_wrap=yes])])
   AS_IF([test $cprof_wrap = yes],
     [VG_CORE_WRAPS="$VG_CORE_WRAPS -Wl,--wrap=$1"
      VG_CORE_DEFS="$VG_CORE_DEFS -DCP_WRAPS_$1=1"],
     [VG_CORE_LEFT="$VG_CORE_LEFT $1"])
   AC_MSG_RESULT([$cprof_wrap])])

# CPROF_VALGRIND_TRANSLATE: replaces VEX's translator, by which copies are taken, where it has the form that cp_engine.c and cp_near_*.c expect.
AC_DEFUN([CPROF_VALGRIND_TRANSLATE],
  [AC_MSG_CHECKING([for the form of LibVEX_Translate])
   cprof_save_CPPFLAGS=$CPPFLAGS
   CPPFLAGS="$VALGRIND_CFLAGS -DVGA_$VG_ARCH=1 -DVGO_$VG_OS=1 -DVGP_${VG_ARCH}_$VG_OS=1"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM(
       [[#include "pub_tool_basics.h"
         #include "libvex.h"]],
       [[VexTranslateResult (*translate)(VexTranslateArgs *) = LibVEX_Translate;
         VexTranslateArgs a = {.guest_bytes_addr = 1, .traceflags = 0, .addProfInc = 0, .host_bytes_size = 1};
         VexRegisterUpdates updates = VexRegUpdSpAtMemAccess;
         VexGuestExtents extents = {.base = {1}, .len = {1}, .n_used = 1};
         VexTranslateResult r = {.status = VexTransOK, .n_sc_extents = 0, .offs_profInc = -1};
         const UChar *guest = a.guest_bytes;
         UChar *host = a.host_bytes;
         UInt needs = a.needs_self_check(a.callback_opaque, &updates, &extents);
         (void)translate; (void)r; (void)guest; (void)host; (void)needs; (void)*a.host_bytes_used;
         (void)a.preamble_function;]])],
     [cprof_form=known],
     [cprof_form=unknown])
   CPPFLAGS=$cprof_save_CPPFLAGS
   AC_MSG_RESULT([$cprof_form])
   AS_IF([test $cprof_form = known], [CPROF_VALGRIND_WRAP([LibVEX_Translate], [vex])],
     [VG_CORE_LEFT="$VG_CORE_LEFT LibVEX_Translate"])])

# CPROF_VALGRIND_CORE: sets the variables above for $VG_VERSION, whose static libraries are in $VG_LIBDIR.
AC_DEFUN([CPROF_VALGRIND_CORE],
  [AC_MSG_CHECKING([what VG_(am_shadow_alloc) returns])
   cprof_save_CPPFLAGS=$CPPFLAGS
   CPPFLAGS="$VALGRIND_CFLAGS -DVGA_$VG_ARCH=1 -DVGO_$VG_OS=1 -DVGP_${VG_ARCH}_$VG_OS=1"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM(
       [[#include "pub_tool_basics.h"
         #include "pub_tool_aspacemgr.h"]],
       [[SysRes memory = VG_(am_shadow_alloc)(1); (void)memory;]])],
     [cprof_shadow=SysRes],
     [AC_COMPILE_IFELSE([AC_LANG_PROGRAM(
          [[#include "pub_tool_basics.h"
            #include "pub_tool_aspacemgr.h"]],
          [[void *memory = VG_(am_shadow_alloc)(1); (void)memory;]])],
        [cprof_shadow=pointer],
        [AC_MSG_ERROR([neither a SysRes nor a pointer: this Valgrind ($VG_VERSION) needs a change in vgtool/cp_core.h])])])
   CPPFLAGS=$cprof_save_CPPFLAGS
   AC_MSG_RESULT([$cprof_shadow])
   VG_CORE_DEFS=
   VG_CORE_WRAPS=
   VG_CORE_LEFT=
   AS_IF([test $cprof_shadow = SysRes], [VG_CORE_DEFS="-DCP_SHADOW_ALLOC_IS_SYSRES=1"])
   CPROF_VALGRIND_WRAP([vgModuleLocal_read_debuginfo_dwarf3], [coregrind])
   CPROF_VALGRIND_WRAP([vgModuleLocal_read_callframe_info_dwarf3], [coregrind])
   CPROF_VALGRIND_WRAP([vgPlain_am_mmap_anon_float_valgrind], [coregrind])
   CPROF_VALGRIND_WRAP([vgPlain_client_syscall], [coregrind])
   dnl The lock for which threads queue, and calls that may block: a fixed schedule.
   CPROF_VALGRIND_WRAP([vgModuleLocal_acquire_sched_lock], [coregrind])
   CPROF_VALGRIND_WRAP([vgModuleLocal_release_sched_lock], [coregrind])
   CPROF_VALGRIND_WRAP([vgModuleLocal_get_sched_lock_owner], [coregrind])
   CPROF_VALGRIND_WRAP([vgModuleLocal_do_syscall_for_client_WRK], [coregrind])
   CPROF_VALGRIND_WRAP([vgPlain_vg_yield], [coregrind])
   CPROF_VALGRIND_WRAP([sanityCheckIRSB], [vex])
   CPROF_VALGRIND_WRAP([isFlatIRSB], [vex])
   CPROF_VALGRIND_WRAP([cprop_BB], [vex])
   CPROF_VALGRIND_WRAP([do_deadcode_BB], [vex])
   dnl Faults in copies of code, what has to be forgotten, and where code ends; there are none on other processors.
   AS_IF([test "$VG_ARCH" = amd64],
     [CPROF_VALGRIND_WRAP([vgPlain_sigaction], [coregrind])
      CPROF_VALGRIND_WRAP([vgPlain_discard_translations], [coregrind])
      CPROF_VALGRIND_WRAP([vgPlain_translate], [coregrind])])
   CPROF_VALGRIND_TRANSLATE
   AC_SUBST([VG_CORE_DEFS])
   AC_SUBST([VG_CORE_WRAPS])])
