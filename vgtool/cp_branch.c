/*
 * cp_branch.c - the tables of the branch predictor.
 */
#include "cp_branch.h"

#include "cp_arch.h"
#include "cp_misses.h"

UChar cp_branch_counters[CP_BRANCH_COUNTERS];
UInt cp_branch_history;
Addr cp_branch_targets[CP_BRANCH_TARGETS];

UInt cp_branch_counter_of(Addr address)
{
    return (UInt)(address >> CP_ZERO_BITS) & ((1u << CP_BRANCH_ADDRESS_BITS) - 1);
}

UInt cp_branch_target_of(Addr address)
{
    return (UInt)(address >> CP_ZERO_BITS) & (CP_BRANCH_TARGETS - 1);
}

VG_REGPARM(2) void cp_branch_conditional(UWord taken, AccessPoint *point)
{
    UChar *counter = &cp_branch_counters[cp_branch_history | cp_branch_counter_of(point->address)];

    if ((*counter >= 2) != taken)
        cp_misses_add(point, CP_COLUMN_BCM, 1, 0);
    if (taken && *counter < 3)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
    cp_branch_history =
        (cp_branch_history << 1 | (UInt)taken << CP_BRANCH_ADDRESS_BITS) & CP_BRANCH_HISTORY_MASK;
}

VG_REGPARM(2) void cp_branch_indirect(Addr target, AccessPoint *point)
{
    Addr *last = &cp_branch_targets[cp_branch_target_of(point->address)];

    if (*last != target)
        cp_misses_add(point, CP_COLUMN_BIM, 1, 0);
    *last = target;
}
