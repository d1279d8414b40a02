/*
 * cp_branch.h - the branch predictor. It is cachegrind's (cachegrind/cg_branchpred.c), and gives
 * the same counts.
 */
#ifndef CP_BRANCH_H
#define CP_BRANCH_H

#include "cp_block.h"
#include "cp_tool.h"

/* The conditional branch at the access point is (1) or is not (0) taken. Counts a misprediction. */
VG_REGPARM(2) void cp_branch_conditional(UWord taken, AccessPoint *point);
/* The indirect jump or call at the access point goes to `target`. Counts a misprediction. */
VG_REGPARM(2) void cp_branch_indirect(Addr target, AccessPoint *point);

/*
 * The tables, for copies (cp_near.h). A conditional branch has the counter cp_branch_counters[
 * cp_branch_history | cp_branch_counter_of(its address)]: 2 bits that saturate, and 2 and 3 predict
 * that it is taken. The history is the outcomes of the last branches, shifted to the left.
 */
enum {
    CP_BRANCH_ADDRESS_BITS = 7,
    CP_BRANCH_COUNTERS = 1 << 14,
    CP_BRANCH_HISTORY_MASK = CP_BRANCH_COUNTERS - (1 << CP_BRANCH_ADDRESS_BITS),
    CP_BRANCH_TARGETS = 1 << 9
};
extern UChar cp_branch_counters[CP_BRANCH_COUNTERS];
extern UInt cp_branch_history;
/* Indirect branches: the last target of the branches whose address has the same low bits. */
extern Addr cp_branch_targets[CP_BRANCH_TARGETS];

UInt cp_branch_counter_of(Addr address);
UInt cp_branch_target_of(Addr address);

#endif
