/*
 * why_misses.h - what of the change of a count of misses is other lines, and what is layout: by the
 * miss curves of both profiles.
 *
 * First uses of lines are misses of every cache, so their change is that of the lines in use. A
 * curve has the misses of a last level that is fully associative, behind the I1 and D1 that were
 * simulated: what it misses besides is for its size, and what the simulated one misses more is for
 * its sets, which depends on where things lie. There is no such twin of a first level.
 */
#ifndef DIFF_WHY_MISSES_H
#define DIFF_WHY_MISSES_H

#include "diff/diff.h"

#include <stdbool.h>
#include <stdint.h>

struct why_misses {
    enum {
        WHY_MISSES_NONE,    /* the event counts none */
        WHY_MISSES_UNKNOWN, /* a profile has no miss curves, or not of all misses */
        WHY_MISSES_OTHER,   /* the simulated caches differ */
        WHY_MISSES_FIRST,   /* `first` is known */
        WHY_MISSES_DIVIDED  /* all are known, and add up to the change */
    } state;
    int64_t first, capacity, conflict; /* changes: first uses, for the size, for the sets */
    uint64_t size;                     /* of the last level, in bytes */
    /* The change of accesses, of misses of the first level; "reads and writes". */
    bool accesses_known;
    int64_t accesses;
    const char *accesses_name;
};

/* Divides the change of an event, or of a sum of events, whose totals are `old` and `new`. */
void why_misses_load(struct why_misses *misses, const struct diff *diff, const char *event,
                     int64_t old_total, int64_t new_total);

#endif
