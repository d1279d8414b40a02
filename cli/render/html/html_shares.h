/*
 * html_shares.h - the share of each crate in the program's cost, as one bar with a legend of the
 * kinds of code.
 */
#ifndef HTML_HTML_SHARES_H
#define HTML_HTML_SHARES_H

#include "names/crates.h"
#include "table/columns.h"

#include <stdio.h>

void html_shares(const struct cprof_profile *profile, const struct crates *crates,
                 const struct column *measure, FILE *out);

#endif
