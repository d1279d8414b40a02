/*
 * cp_marker.h - the requests by which a program names its sections and counts events of its own
 * (doc/format.md). Anything may be asked: what is wrong is not counted, and said once.
 */
#ifndef CP_MARKER_H
#define CP_MARKER_H

#include "cp_tool.h"

/* Handles a request of thread `tid`. False: it is none of these. */
Bool cp_marker_handle(ThreadId tid, const UWord *words, UWord *answer);

/* Asks the core to report threads, for runs without contexts. Call it when all options are known.
 */
void cp_marker_init(void);

#endif
