/*
 * cp_patched.h - code of files that the program may change while it runs.
 *
 * The core has translations of code without a file look whether it has changed, and forgets those
 * of memory whose protection changes. It takes code of files for lasting. Where such memory is
 * writable, or is another view of memory that is, its translations have to look, too.
 */
#ifndef CP_PATCHED_H
#define CP_PATCHED_H

#include "cp_tool.h"

/* True if code of a file lies in these bytes, and the program may change it without a system call
 * that would tell. */
Bool cp_patched_may_be(Addr address, SizeT size);

/* Call it after each system call that succeeded. */
void cp_patched_syscall(UInt number, const UWord *args, UWord result);

#endif
