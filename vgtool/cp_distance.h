/*
 * cp_distance.h - stack distances: how large a fully associative cache would have to be for a line
 * to be still there, where the line that was not used for the longest time is replaced.
 */
#ifndef CP_DISTANCE_H
#define CP_DISTANCE_H

#include "cp_tool.h"

/* Uses the line with this number. Returns the least number of lines of a cache that has it; 0: it
 * was never used. */
UInt cp_distance_use(UWord line);

/* Forgets all uses. */
void cp_distance_empty(void);

#endif
