/*
 * cp_request.h - which parts of the run are collected: client requests of callgrind and cachegrind,
 * so that programs that have these work unchanged, and functions that switch collecting.
 *
 * Only counts are switched: shadow stacks and caches go on.
 */
#ifndef CP_REQUEST_H
#define CP_REQUEST_H

#include "cp_function.h"
#include "cp_tool.h"

/* Registers the requests with the core. Call it before the options are read. */
void cp_request_init(void);

/* Begins in the state that the options ask for. Call it when they are known. */
void cp_request_begin(void);

/* Remembers a --toggle-collect=PATTERN; '*' and '?' stand for any text and any character. */
void cp_request_toggle(const HChar *pattern);

/* The patterns, in the order of the options. *n_functions: how many of the functions so far match.
 */
UInt cp_request_toggle_count(void);
const HChar *cp_request_toggle_at(UInt i, UInt *n_functions);

/* Writes the profile so far as a part of its own, for this reason. cp_main sets it. */
extern void (*cp_request_dump_part)(const HChar *trigger);

/* True if the function's name switches collecting. Call it once for each function, at its first
 * execution. */
Bool cp_request_is_toggle(Addr start);

/* From now on n functions that switch collecting are on the running thread's stack. */
void cp_request_inside(UInt n);

/* True if anything has ever switched collecting. Also tells how often collecting began and ended; a
 * beginning at the start of the program does not count. */
Bool cp_request_switched(ULong *began, ULong *ended);

/*--- Sections and events of the program ---*/

/*
 * The requests by which a program names its sections and counts events of its own
 * (doc/format.md). Anything may be asked: what is wrong is not counted, and said once.
 */

/* Asks the core to report threads, for runs without contexts. Call it when all options are known.
 */
void cp_marker_init(void);

#endif
