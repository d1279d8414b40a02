/*
 * groups.h - a profile as rows over a key other than the function: line, file, crate or object.
 *
 * Own costs are grouped by where each was spent: a line and a file are those of the instruction (of
 * inlined code its own source's), a crate and an object those of the function. They add up to the
 * program's total.
 *
 * The inclusive cost of a group is what was spent while a function of the group was on the stack,
 * each instruction once; of a line or a file, while an instruction there was executing or in a
 * call. It is computed from the call paths. Where these are not known there is none: inclusive
 * costs of functions overlap, and no sum of them is that of a group. Recursion is folded in call
 * paths (recursion.h): a group that may have dropped off one has a lower bound, and says so.
 *
 * Calls of a crate or an object are those of its functions; lines and files have none.
 */
#ifndef TABLE_GROUPS_H
#define TABLE_GROUPS_H

#include "cprof.h"
#include "names/crates.h"
#include "table/rows.h"

enum group_by { GROUP_FUNCTION, GROUP_LINE, GROUP_FILE, GROUP_CRATE, GROUP_OBJECT };

/*
 * What rows of groups are rows of: the profile, without its calls where groups cannot have
 * inclusive costs. Columns are to be loaded for it. Shares everything with `profile`.
 */
struct cprof_profile groups_view(const struct cprof_profile *profile, enum group_by by);

/*
 * Makes a row of each group that has a cost, in no particular order; rows_free() afterwards. `view`
 * and `crates` must outlive them. With GROUP_FUNCTION this is rows_load() with crates.
 *
 * A row's name is the group's: the path of a file, "PATH:LINE" of a line, a crate's label, the
 * object's path; code without a file is named after its object. `function` is one that the group
 * has; `crate` and `object` are set where the group has but one by its key.
 */
void groups_load(struct rows *rows, const struct cprof_profile *view, const struct crates *crates,
                 enum group_by by);

/* "function" and "functions", and so on. */
const char *group_word(enum group_by by, bool plural);

#endif
