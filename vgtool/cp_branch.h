/*
 * cp_branch.h - the branch predictor: cachegrind's (cachegrind/cg_branchpred.c), so that the counts
 * are equal to its.
 */
#ifndef CP_BRANCH_H
#define CP_BRANCH_H

#include "cp_tool.h"
#include "cp_section.h"

/* A conditional branch at the site is (1) or is not (0) taken; counts a misprediction. */
VG_REGPARM(2) void cp_branch_conditional(UWord taken, Site *site);
/* An indirect jump or call at the site goes to `target`; counts a misprediction. */
VG_REGPARM(2) void cp_branch_indirect(Addr target, Site *site);

#endif
