/*
 * cp_dump.h - writes the raw profile (doc/format.md).
 */
#ifndef CP_DUMP_H
#define CP_DUMP_H

#include "cp_tool.h"

#include "pub_tool_tooliface.h"

/* How the process ended, as far as is known. */
typedef enum { CP_ENDED_UNKNOWN, CP_ENDED_CODE, CP_ENDED_EXEC } CpEnd;

/* Finds out which program this is. Call when the program is loaded. */
void cp_dump_init(void);

/*
 * Writes the profile to a temporary name beside its own and renames it: no reader ever sees half of
 * one. `code` goes with CP_ENDED_CODE. Says what is wrong where that fails, and leaves nothing
 * behind.
 */
void cp_dump(CpEnd end, Int code);

/* The same for what was collected so far, to a file of its own: ".1", ".2"... behind the name.
 * `trigger` says why. */
void cp_dump_part(const HChar *trigger);

/* Removes the profile that the last cp_dump() wrote: an exec that was announced did not happen. */
void cp_dump_withdraw(void);

/* Forgets the name the profile was given: a forked child has another process number. */
void cp_dump_forget_name(void);

#endif
