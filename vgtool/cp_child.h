/*
 * cp_child.h - programs that a traced process goes on as (exec) but that cannot be traced. They run
 * natively, unprofiled, and the profile says so.
 *
 * The core would refuse them: it does not start a program of another machine, and denies one that
 * would get more rights. So a run would do other things than it does natively.
 */
#ifndef CP_CHILD_H
#define CP_CHILD_H

#include "cp_tool.h"

/* Call it at the start. Descriptors that the launcher left in the range that the core has for
 * itself are for the tool, and for that of the next program, if it is traced. */
void cp_child_init(void);

/* Call it before execve and execveat. It decides whether the core traces the next program. */
void cp_child_before(UInt number, const UWord *args);

/* Call it where that call failed. */
void cp_child_failed(void);

/* The reason why the process leaves the tool, and the program: "a 32-bit program: /bin/x". NULL: it
 * does not leave. */
const HChar *cp_child_left(void);

#endif
