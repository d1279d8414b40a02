/*
 * cp_pending.h - misses of the first level that wait, in their order, to be referred to the last
 * one.
 *
 * Neither the last level's sets fit in the host's near caches, nor do access points and their
 * counters. They get there while the misses wait.
 */
#ifndef CP_PENDING_H
#define CP_PENDING_H

#include "cp_block.h"
#include "cp_tool.h"

enum { CP_PENDING_STAGE = 8 }; /* so many misses later a counter is fetched ahead */

typedef struct {
    Addr address;
    AccessPoint *point;
} Miss;

/* The earliest comes first. */
extern Miss cp_pending[];
extern UInt cp_pending_count;

/* Where the last level has what it reads for a line. */
typedef struct {
    const UInt *sets, *newest;
    UWord set_mask;
    UInt set_size; /* in words */
    UInt line_bits;
} LastLevel;

/* `many`: several misses wait; else none does, once it has been added. */
void cp_pending_init(const LastLevel *last, Bool many);

/* Adds a miss in an access of the point's kind and size. True: no more may wait, and the caller has
 * to see to cp_ll_go_on(). Changes no vectors. */
Bool cp_pending_add(Addr address, AccessPoint *point);

/* Fetches what the last level reads for the address into the host's caches. */
void cp_pending_fetch_ahead(Addr address);

#endif
