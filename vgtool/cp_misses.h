/*
 * cp_misses.h - what is counted one by one: misses and mispredictions, by (context, point).
 *
 * Few of all pairs ever have one, so that a pair gets memory with its first. Counting is on the
 * models' slow paths; each point remembers the pair that it was last counted for.
 */
#ifndef CP_MISSES_H
#define CP_MISSES_H

#include "cp_block.h"
#include "cp_context.h"

typedef struct MissCounter {
    UInt node, point; /* their indices */
    ULong counts[2];  /* first-level misses, or mispredictions; last-level misses */
} MissCounter;

/* The pair of the current context and the point; made where it is new. */
MissCounter *cp_misses_find(AccessPoint *point);

/* Adds to the point's numbers in the current context; `column` is the first one's. */
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

/* Sets all to zero. */
void cp_misses_reset(void);

/* All pairs, by node and then by point, in a new array (VG_(free) it). */
const MissCounter **cp_misses_sorted(UInt *n);

#endif
