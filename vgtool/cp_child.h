/*
 * cp_child.h - programs that a traced process goes on as (exec), and that cannot be traced: they
 * run as they would natively, unprofiled, and the profile says so.
 *
 * The core would refuse them: a program of another machine is not started, one that gets more
 * rights by being executed is denied, and so the run would do other things than it does natively.
 */
#ifndef CP_CHILD_H
#define CP_CHILD_H

#include "cp_tool.h"

/* Call before execve and execveat: decides whether the core traces what begins. */
void cp_child_before(UInt number, const UWord *args);

/* Call where that failed. */
void cp_child_failed(void);

/* Why the process leaves the tool, and for which program: "a 32-bit program: /bin/x". NULL: it does
 * not. */
const HChar *cp_child_left(void);

#endif
