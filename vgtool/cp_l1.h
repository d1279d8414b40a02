/*
 * cp_l1.h - D1. cp_cache.h declares the function that generated code calls.
 */
#ifndef CP_L1_H
#define CP_L1_H

#include "cp_block.h"
#include "cp_tool.h"

void cp_l1_init(const Geometry *d1);

/* Makes an access of the point's size, which a line has room for if it begins at most `room` behind
 * the line's beginning. True on a miss. Changes no vectors where cp_l1_is_usual() and the address
 * is below CP_L1_QUICK. */
Bool cp_l1_access(Addr a, const AccessPoint *point, UWord room);
#define CP_L1_QUICK (1ULL << 42)

/* Makes the cache as it was at first. */
void cp_l1_empty(void);

/* Puts the clock back if it has come to `late`. Call it where the program's code stops running. */
void cp_l1_pause(Int late);

/*
 * Where D1 of the usual geometry has what a reference by a copy needs, all of it the tool's own
 * data. Each way of each set has an index, by which `lines` has the negative address of the line in
 * it, and `times` its time. A line is in the way ways[line & hint_mask], if that has its address:
 * then a reference stores the clock as the time and advances it.
 */
enum { CP_L1_BITS = 6 };
typedef struct {
    const UShort *ways;
    UInt hint_mask;
    const ULong *lines;
    Int *times;
    Int *clock;
} UsualCache;

/* False: D1 has another geometry, or a reference does more. */
Bool cp_l1_is_usual(UsualCache *usual);

/* Takes back the last reference to D1, which a copy made. `before`: the way's time then. The result
 * is for cp_l1_repeat(), which makes the reference again. */
Int *cp_l1_take_back(Int before);
void cp_l1_repeat(Int *time);

#endif
