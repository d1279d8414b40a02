/*
 * html_output.h - a report of one profile, or of what changed between two, as an HTML page.
 */
#ifndef REPORT_HTML_OUTPUT_H
#define REPORT_HTML_OUTPUT_H

#include "names/crates.h"
#include "render/text/diff.h"
#include "render/text/table.h"
#include "report/show.h"

#include <stdio.h>

/* Functions that a page has without -n: more are more than anybody reads, and make it slow. */
enum { HTML_LIMIT = 2000 };

/* Checks what --html needs. Returns 0 or STATUS_USAGE. */
int html_check(const struct show_settings *settings);

/* Write a page: of the rows of `t`, or of a comparison, with a flame graph where call paths are
 * known, coloured by `crates`. Return an exit status, having said what is wrong. */
int html_report(const struct table *t, const struct crates *crates, FILE *out);
int html_report_diff(const struct diff_view *view, FILE *out);

#endif
