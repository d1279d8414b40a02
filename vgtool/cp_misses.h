/*
 * cp_misses.h - miss counters: misses and mispredictions, by (context, access point).
 *
 * Few of all pairs ever have a miss, so the first one makes the counter. Only misses come here;
 * each access point remembers the counter that it used last.
 */
#ifndef CP_MISSES_H
#define CP_MISSES_H

#include "cp_block.h"
#include "cp_context.h"

typedef struct MissCounter {
    UInt node, point; /* their indices */
    ULong counts[2];  /* first-level misses, or mispredictions; last-level misses */
} MissCounter;

/* The counter of the current context and the access point; made if it is new. */
MissCounter *cp_misses_find(AccessPoint *point);

/* Adds to the access point's counter in the current context. `column` is that of `first`. */
static inline void cp_misses_add(AccessPoint *point, UInt column, UInt first, UInt second)
{
    MissCounter *c = point->misses;

    cp_totals[column] += first;
    if (second)
        cp_totals[column + 1] += second;
    if (UNLIKELY(!cp_collecting))
        return;
    if (UNLIKELY(point->counted_in != cp_now.node))
        c = cp_misses_find(point);
    c->counts[0] += first;
    c->counts[1] += second;
}

/* Adds the counter's counts to their columns. */
void cp_misses_columns(const MissCounter *counter, ULong *columns);

/* Counters by index. */
UInt cp_misses_count(void);
const MissCounter *cp_misses_at(UInt index);

/* Sets all counters to zero. */
void cp_misses_reset(void);

/* All counters, by node and then by access point, in a new array (VG_(free) it). */
const MissCounter **cp_misses_sorted(UInt *n);

#endif
