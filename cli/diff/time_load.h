/*
 * time_load.h - how the rows of exact counts beside samples come to be: time_rows.h.
 */
#ifndef DIFF_TIME_LOAD_H
#define DIFF_TIME_LOAD_H

#include "diff/own_diff.h"
#include "diff/time_rows.h"

/* Makes the rows, of functions' lines or of functions. The profiles, which must outlive them, have
 * samples as the sampled one's first event and Ir as an event of the exact one: time_problem() says
 * so. */
void time_table_load(struct time_table *table, const struct cprof_profile *exact,
                     const struct cprof_profile *sampled, bool by_line);
/* Makes the rows of own code, with what it is charged with (own.h) of both: as far as both know
 * what other code cost for whom. A function is own code on both sides where `crates` say so of the
 * exact one. */
void time_table_load_own(struct time_table *table, const struct cprof_profile *exact,
                         const struct cprof_profile *sampled,
                         const struct crates *const crates[DIFF_SIDES], bool by_line);

#endif
