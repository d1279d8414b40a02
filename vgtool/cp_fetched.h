/*
 * cp_fetched.h - I1. The line of each fetch is known when code is generated, so each line has a
 * record at a fixed address: it says if the line is in the cache, and when it was last used. A
 * fetch that hits is a comparison and two stores.
 */
#ifndef CP_FETCHED_H
#define CP_FETCHED_H

#include "cp_tool.h"

typedef struct {
    UInt is_absent; /* 0, or its set's number plus 1 */
    Int time;       /* of the last use, if it is in the cache */
} FetchedLine;

/* The time of the last fetch of all. */
extern Int cp_fetched_clock;

/* Sets up the cache, which has this many sets, a power of two, and ways. */
void cp_fetched_init(UInt sets, UInt ways);

/* The record of the line with this number: below 2 GB as long as there is room for it. */
FetchedLine *cp_fetched_line(UWord number);
Bool cp_fetched_has_room(void);

/* Refers to the line. True on a miss. */
Bool cp_fetched_refer(FetchedLine *l);

/* As those of cp_l1.h. */
void cp_fetched_empty(void);
void cp_fetched_pause(Int late);

#endif
