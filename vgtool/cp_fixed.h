/*
 * cp_fixed.h - a fixed machine (--fixed-machine=yes): all that programs look at of the machine, of
 * their checkout and of the tool is answered alike everywhere, so that equal work has equal counts.
 *
 * - the initial stack: where it lies, how its texts are aligned, its list of the kernel's entries
 *   (cp_fixed_stack.c)
 * - paths of the program's folder, as argv[0], /proc/self/exe and /proc/self/maps have them
 *   (cp_fixed_names.c)
 * - processors, memory, names and limits, by system calls (cp_fixed_calls.c) and by files
 *   (cp_fixed_files.c)
 * - the class of the processor, by CPUID and the like (cp_arch_class in cp_arch.h)
 *
 * Input stays: arguments, the program's environment, files, the current folder, the users.
 */
#ifndef CP_FIXED_H
#define CP_FIXED_H

#include "cp_filter.h"
#include "cp_tool.h"
#include "libvex_ir.h"

/* The machine's processors, KB of memory, and names. */
enum { CP_FIXED_PROCESSORS = 4, CP_FIXED_MEMORY = 16 << 20 };
#define CP_FIXED_NODE    "localhost"
#define CP_FIXED_RELEASE "6.1.0"
#define CP_FIXED_VERSION "#1 SMP"

/*--- The stack (cp_fixed_stack.c) ---*/

/* Makes the initial stack anew. Call it before the program's first instruction. */
void cp_fixed_start(ThreadId tid);

/*--- Names (cp_fixed_names.c) ---*/

/* Call it at the start. */
void cp_fixed_init_names(void);

/* Writes the name by which the program sees the absolute path of `size` bytes. */
void cp_fixed_put_name(HChar name[VKI_PATH_MAX], const HChar *path, SizeT size);

/* The name of the program's own file; "": it is not known. */
const HChar *cp_fixed_program(void);

/* Writes the path that the program means by a name. False: it is no such name. */
Bool cp_fixed_find(HChar path[VKI_PATH_MAX], const HChar *name);

/* The text with each name in it led back, in memory that nobody frees; NULL: it has no names. */
HChar *cp_fixed_text(const HChar *text);

/* Leads the paths among the call's arguments back, in memory that the thread's next call may
 * overwrite. False: the call is as it was. */
Bool cp_fixed_lead_back(ThreadId tid, Call *call);

/*--- Calls and files (cp_fixed_calls.c, cp_fixed_files.c) ---*/

/* Call it at the start. */
void cp_fixed_init_calls(void);

/* A thread begins: it runs on the processors of its parent. */
void cp_fixed_thread(ThreadId parent, ThreadId child);

/* Answers what depends on the machine. True: *result is that of the call, which is not to be made.
 */
Bool cp_fixed_call(ThreadId tid, const Call *call, Word *result);
Bool cp_fixed_file(const Call *call, Word *result);

/* The path that the call is about: that of its first argument which is one; NULL: there is none. */
const HChar *cp_fixed_path(const Call *call);

#endif
