/*
 * cp_branch.c - the tables of the branch predictor.
 */
#include "cp_branch.h"

#include "cp_arch.h"
#include "cp_misses.h"

/*
 * Conditional branches: 2-bit saturating counters. The outcomes of the last 7 branches (upper bits)
 * and the low 7 bits of the branch's address that may vary select one. 2 and 3 predict "taken".
 */
#define HISTORY_BITS 7
#define ADDRESS_BITS 7
static UChar counters[1 << (HISTORY_BITS + ADDRESS_BITS)];
static UInt history;

/* Indirect branches: the last target of the branches with the same low 9 bits. */
#define TARGET_BITS 9
static Addr targets[1 << TARGET_BITS];

static UInt low_bits(UWord value, UInt bits)
{
    return (UInt)(value & ((1u << bits) - 1));
}

VG_REGPARM(2) void cp_branch_conditional(UWord taken, AccessPoint *point)
{
    UChar *counter = &counters[low_bits(history, HISTORY_BITS) << ADDRESS_BITS |
                               low_bits(point->address >> CP_ZERO_BITS, ADDRESS_BITS)];

    if ((*counter >= 2) != taken)
        cp_misses_add(point, CP_COLUMN_BCM, 1, 0);
    if (taken && *counter < 3)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
    history = history << 1 | (UInt)taken;
}

VG_REGPARM(2) void cp_branch_indirect(Addr target, AccessPoint *point)
{
    Addr *last = &targets[low_bits(point->address >> CP_ZERO_BITS, TARGET_BITS)];

    if (*last != target)
        cp_misses_add(point, CP_COLUMN_BIM, 1, 0);
    *last = target;
}
