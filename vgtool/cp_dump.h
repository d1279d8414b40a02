/*
 * cp_dump.h - writes the raw profile (doc/format.md).
 */
#ifndef CP_DUMP_H
#define CP_DUMP_H

#include "cp_tool.h"
#include "pub_tool_tooliface.h"

/*--- The header ---*/

/* The end of the process, if that is known. */
typedef enum { CP_ENDED_UNKNOWN, CP_ENDED_CODE, CP_ENDED_EXEC } CpEnd;

/* Has the header keep a text on what the run was made with. */
void cp_header_setup(const HChar *text);

/* Finds the program's path. Call it when the program is loaded. */
void cp_header_init(void);

/*--- Records ---*/

/*
 * Writes the profile to a temporary name beside its own and renames it, so no reader ever sees half
 * a profile. CP_ENDED_CODE comes with a `code`. On failure it prints the reason and leaves nothing
 * behind.
 */
void cp_dump(CpEnd end, Int code);

/* Writes what was collected so far to a file of its own: ".1", ".2"... behind the name. `trigger`
 * is the reason. */
void cp_dump_part(const HChar *trigger);

/* Removes the profile that the last cp_dump() wrote, because the announced exec failed. */
void cp_dump_withdraw(void);

/* Forgets the name of the profile. A forked child has another process number, and so another name.
 */
void cp_dump_forget_name(void);

#endif
