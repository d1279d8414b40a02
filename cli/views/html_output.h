/*
 * html_output.h - a report of one profile, or of what changed between two, as an HTML page.
 */
#ifndef VIEWS_HTML_OUTPUT_H
#define VIEWS_HTML_OUTPUT_H

#include "render/text/diff.h"
#include "render/text/function_table.h"
#include "table/own.h"
#include "views/view_form.h"

#include <stdio.h>
#include <time.h>

/* Functions that a page has without -n: more are more than anybody reads, and make it slow. */
enum { HTML_LIMIT = 2000 };

/* Own code, and all functions. */
enum { HTML_TIMES = 2 };

/* The material of a page of one profile. */
struct html_subject {
    const struct function_table *table;
    const struct view_input *views; /* all that there are have a part of the page */
    const struct own *own;          /* own code; NULL: there is none, or it is not to be shown */
    const struct table *time;       /* HTML_TIMES tables of the profile beside exact counts, either
                                             of them empty; NULL: there are none */
    const char *command;            /* that ran it, "callgrind --release"; NULL: not known */
    time_t when;                    /* the profile was written; 0: not known */
    bool here;                      /* it is of a run on this machine */
    bool full_paths, threads;       /* of the flame graph (flame_output.h) */
};

/* Write a page: of one profile, or of a comparison, with a flame graph where call paths are known.
 * Return an exit status, having said what is wrong. */
int html_report(const struct html_subject *subject, FILE *out);
int html_report_diff(const struct diff_view *view, FILE *out);

#endif
