/*
 * cp_ll.h - the last level: it takes the references that missed the first one, and counts misses.
 */
#ifndef CP_LL_H
#define CP_LL_H

#include "cp_block.h"
#include "cp_tool.h"

void cp_ll_init(const Geometry *g);

/* Makes it as it was at first. Nothing waits. */
void cp_ll_empty(void);

/* The first level missed in an access of the point's kind and size at this address. The reference
 * to the last level may wait. */
void cp_ll_miss(Addr address, AccessPoint *point);

/* Makes the references that have waited for long. cp_pending_add() asks for it. */
void cp_ll_go_on(void);

/* Called with each miss of I1 and D1, once it is known whether the last level has missed too, and
 * all of it is counted, if it is not NULL. */
extern void (*cp_ll_missed)(Addr address, AccessPoint *point, Bool last);

/* Makes all references that wait. Counts are complete then. */
void cp_ll_finish(void);

#endif
