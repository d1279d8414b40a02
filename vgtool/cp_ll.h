/*
 * cp_ll.h - the last level: references of what missed the first one, and the counts of misses.
 */
#ifndef CP_LL_H
#define CP_LL_H

#include "cp_block.h"
#include "cp_tool.h"

void cp_ll_init(const Geometry *g);

/* A miss of the first level by an access of the point's kind and size at that address. Its
 * reference to the last level may wait. */
void cp_ll_miss(Addr address, AccessPoint *point);

/* Makes all references that wait: counts are complete then. */
void cp_ll_finish(void);

#endif
