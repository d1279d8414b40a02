/*
 * groups.h - a profile as rows of lines, files, crates or objects.
 *
 * An own cost belongs to the place where it was spent: to the line and the file of the instruction
 * (of inlined code, in its own source), and to the crate and the object of the function. Own costs
 * add up to the program's total.
 *
 * The inclusive cost of a group is the cost of all that ran while a function of the group was on
 * the stack, each instruction once; of a line or a file, while an instruction there was executing
 * or in a call. It is computed from the call paths. Groups have none where these are not known:
 * inclusive costs of functions overlap, and no sum of them is that of a group. Call paths leave
 * recursion out (recursion.h): a group that a path may have lost has a lower bound, and is marked.
 *
 * The calls of a crate or an object are those of its functions; lines and files have none.
 */
#ifndef TABLE_GROUPS_H
#define TABLE_GROUPS_H

#include "cprof.h"
#include "names/crates.h"
#include "table/rows.h"

enum group_by { GROUP_FUNCTION, GROUP_LINE, GROUP_FILE, GROUP_CRATE, GROUP_OBJECT };

/* Events without inclusive costs and calls where groups cannot have any. */
struct events groups_events(struct events events, enum group_by by);

/*
 * Makes a row of each group that has a cost, in no particular order; rows_free() frees them.
 * `profile` and `crates` must outlive the rows. With GROUP_FUNCTION it makes the rows of
 * rows_load(), with crates.
 *
 * A row's name is the group's: the path of a file, "PATH:LINE" of a line, a crate's label, the
 * object's path; code without a file is named after its object. `function` is one of the group's
 * functions; `crate` and `object` are set where the key has only one.
 */
void groups_load(struct rows *rows, const struct cprof_profile *profile,
                 const struct crates *crates, enum group_by by);

/* The word for a group: "function" and "functions", and so on. */
const char *group_word(enum group_by by, bool plural);

#endif
