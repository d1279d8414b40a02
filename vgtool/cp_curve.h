/*
 * cp_curve.h - miss curves: the misses of a last level of any size that is fully associative, by
 * stack distances of what I1 and D1 miss, in the order in which the simulated last level sees it.
 *
 * Each miss is counted with the least of some sizes that would have been large enough for it to be
 * a hit. An access to two lines hits where both do. Counts are kept by (context, access point), as
 * misses are, and with --data by what the address belongs to.
 */
#ifndef CP_CURVE_H
#define CP_CURVE_H

#include "cp_block.h"
#include "cp_tool.h"

#define CURVE_FIRST 0 /* the step of the first use of a line, which misses in any cache */

/* Misses at a step, which other caches than those of larger steps have. */
typedef struct {
    UInt keys[2]; /* the context and the access point; or the datum and the kind of access */
    UInt step;
    ULong count;
} CurveCount;

typedef enum { CURVE_CODE, CURVE_DATA, CURVE_SUBJECTS } CurveSubject;

/* Call it when all options are known, after cp_data_init(). */
void cp_curve_init(const Geometry *ll);

/* The step of the miss that cp_ll_missed() tells of. */
extern UInt cp_curve_step;

/* Counts a miss of a datum. */
void cp_curve_add_data(UInt datum, PointKind kind, UInt step);

/* Forgets all counts. */
void cp_curve_reset(void);

/* The bytes of the cache of a step but CURVE_FIRST. They grow with it. */
ULong cp_curve_size(UInt step);

/* Number of steps, up to the last one with a count, or that of the simulated cache. */
UInt cp_curve_steps(void);

/* The counts that are not 0, by what they are of, then by step, in a new array. */
const CurveCount **cp_curve_sorted(CurveSubject subject, UInt *n);

#endif
