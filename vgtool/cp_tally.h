/*
 * cp_tally.h - what is counted one by one: misses and mispredictions, by (context, site).
 *
 * Few of all pairs ever have one, so that a pair gets memory with its first. Counting is on the
 * models' slow paths; each site remembers the pair that it was last counted for.
 */
#ifndef CP_TALLY_H
#define CP_TALLY_H

#include "cp_context.h"
#include "cp_section.h"

typedef struct Tally {
    UInt node, site; /* their indices */
    ULong counts[2]; /* first-level misses, or mispredictions; last-level misses */
} Tally;

/* The pair of the current context and the site; made where it is new. */
Tally *cp_tally_find(Site *site);

/* Adds to the site's numbers in the current context; `column` is the first one's. */
static inline void cp_count(Site *site, UInt column, UInt first, UInt second)
{
    Tally *t = site->tally;

    cp_totals[column] += first;
    if (second)
        cp_totals[column + 1] += second;
    if (UNLIKELY(!cp_collecting))
        return;
    if (UNLIKELY(site->counted_in != cp_now.node))
        t = cp_tally_find(site);
    t->counts[0] += first;
    t->counts[1] += second;
}

/* Sets all to zero. */
void cp_tally_reset(void);

/* All pairs, by node and then by site, in a new array (VG_(free) it). */
const Tally **cp_tally_sorted(UInt *n);

#endif
