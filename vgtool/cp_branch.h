/*
 * cp_branch.h - the branch predictor: cachegrind's (cachegrind/cg_branchpred.c), so that the counts
 * are equal to its.
 */
#ifndef CP_BRANCH_H
#define CP_BRANCH_H

#include "cp_block.h"
#include "cp_tool.h"

/* A conditional branch at the point is (1) or is not (0) taken; counts a misprediction. */
VG_REGPARM(2) void cp_branch_conditional(UWord taken, AccessPoint *point);
/* An indirect jump or call at the point goes to `target`; counts a misprediction. */
VG_REGPARM(2) void cp_branch_indirect(Addr target, AccessPoint *point);

#endif
