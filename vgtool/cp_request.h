/*
 * cp_request.h - which parts of the run are collected: client requests of callgrind and cachegrind,
 * so that programs that are annotated for these work unchanged, and functions that switch
 * collecting.
 *
 * Switching concerns counts alone: shadow stacks and the caches go on.
 */
#ifndef CP_REQUEST_H
#define CP_REQUEST_H

#include "cp_function.h"
#include "cp_tool.h"

/* Registers the requests with the core; call before the options are read. */
void cp_request_init(void);

/* The options have been read: begins in the state that they ask for. */
void cp_request_begin(void);

/* Remembers a --toggle-collect=PATTERN; '*' and '?' stand for any text and any character. */
void cp_request_toggle(const HChar *pattern);

/* How many patterns there are; pattern `i`, in the order of the options, and how many of the
 * functions asked for match it. */
UInt cp_request_toggle_count(void);
const HChar *cp_request_toggle_at(UInt i, UInt *n_functions);

/* Set by cp_main: writes the profile so far as a part of its own, for this reason. */
extern void (*cp_request_dump_part)(const HChar *trigger);

/* Whether collecting is switched by the function's name. Asked once for each function, when it
 * first runs. */
Bool cp_request_is_toggle(Addr start);

/* How many functions that switch collecting are on the running thread's stack, from now on. */
void cp_request_inside(UInt n);

/* Whether anything has ever switched collecting, and how often it began and ended (a beginning at
 * the start of the program is none). */
Bool cp_request_switched(ULong *began, ULong *ended);

#endif
