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

#endif
