/*
 * cp_spread.h - how often each value was met, of many values: least, middle and greatest of them
 * follow from that.
 *
 * So many different values are kept exactly. Beyond that all are rounded down to their first bits,
 * by less than one in 256; the least and the greatest stay exact.
 */
#ifndef CP_SPREAD_H
#define CP_SPREAD_H

#include "cp_tool.h"

enum { SPREAD_VALUES = 16384, SPREAD_BITS = 9 };

typedef struct {
    ULong value, count; /* count 0: free */
} SpreadValue;

typedef struct {
    SpreadValue *values; /* a hash table, of `room` */
    UInt n, room;
    Bool rounded;
    ULong least, greatest;
} Spread;

void cp_spread_add(Spread *s, ULong value);
/* Forgets all values. */
void cp_spread_reset(Spread *s);
/* The values by size, `n` of them, in a new array (VG_(free) it). */
SpreadValue *cp_spread_sorted(const Spread *s);

#endif
