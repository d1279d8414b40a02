/*
 * tool.h - the Valgrind tool and its parts: whether all is there, starts, and is of the Valgrind
 * that this program was built with.
 */
#ifndef RUN_TOOL_H
#define RUN_TOOL_H

#include "run/machine.h"

#define TOOL_FILE     "cprof-" VG_PLATFORM
#define TOOL_LAUNCHER "cprof-launch"

/* Looks at /proc, the tool's folder and each part in it, and starts the tool. After an error it
 * looks no further than it can. */
void tool_look(struct findings *findings);

/* tool_look() before a run. Returns 0, or STATUS_ERROR having said the first thing that is wrong.
 */
int tool_check(void);

/* The licence of a tool that is linked with this Valgrind. */
const char *tool_licence(void);

#endif
