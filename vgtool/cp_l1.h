/*
 * cp_l1.h - the first level, I1 and D1. cp_cache.h declares the functions that generated code
 * calls.
 */
#ifndef CP_L1_H
#define CP_L1_H

#include "cp_tool.h"

void cp_l1_init(const Geometry *i1, const Geometry *d1);

/* Makes both caches as they were at first. */
void cp_l1_empty(void);

/* Puts back clocks that have come far. Call it where the program's code stops running. */
void cp_l1_pause(void);

/*
 * Where a cache of the usual geometry has what a hinted reference needs: all of it is the tool's
 * own data. A line's set begins (line % CP_L1_LINES) * set_size bytes behind `sets`; its tags are
 * of 32 bits, and each way's time is `times` bytes behind its tag. The way is hints[line &
 * hint_mask], if its tag, sign-extended, is line / CP_L1_LINES.
 */
enum { CP_L1_BITS = 6, CP_L1_LINES = 1 << CP_L1_BITS };
typedef struct {
    const UInt *sets;
    UInt set_size, times;
    const UChar *hints;
    UInt hint_mask;
    Int *clock; /* stored in the way, and advanced */
    ULong *mru; /* of cp_mru_I1 or cp_mru_D1 */
} UsualCache;

/* False: the cache, I1 or D1, has another geometry, or a reference does more. */
Bool cp_l1_is_usual(Bool is_d1, UsualCache *usual);

#endif
