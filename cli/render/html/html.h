/*
 * html.h - a report as one HTML page that needs nothing else: it fetches nothing (and forbids
 * itself to), is readable and prints without its script, and follows the reader's light or dark.
 *
 * A page is written from top to bottom: html_begin, then its sections, each once, then html_end.
 * Other writers' parts (a flame graph) stand between html_section() and
 * html_section_end().
 *
 * Names are escaped as xml.h says; the page is UTF-8.
 */
#ifndef HTML_HTML_H
#define HTML_HTML_H

#include "annotate/annotation.h"
#include "render/text/diff.h"
#include "render/text/table.h"
#include "source/source_file.h"

#include <stdbool.h>
#include <stdio.h>

/* The sections of a page, in their order; a page has a set of them, which are the links on top. */
enum html_part {
    HTML_COSTS = 1,
    HTML_FLAME = 2,
    HTML_SOURCE = 4,
};

/* Begins a page. `title` is the program's name; `than` the name of the profile that it is compared
 * with, or NULL. */
void html_begin(FILE *out, const char *title, const char *than, unsigned parts);
/* Begins one part's section, with its heading. */
void html_section(FILE *out, enum html_part part);
void html_section_end(FILE *out);
/* Writes a line below a heading. */
void html_note(FILE *out, const char *text);
/* Ends the page. Returns 0, or -1 with errno where writing failed. */
int html_end(FILE *out);

/* Writes program, command, caches, and totals with misses and their rates. */
void html_summary(const struct table *t, FILE *out);
/* Writes the table's rows, with full counts and names. Functions that are `linked` (by index in the
 * profile; NULL: none) lead to their source. */
void html_functions(const struct table *t, const bool *linked, FILE *out);

/* Write the totals of both profiles, and the functions that changed. */
void html_diff_summary(const struct diff_view *v, FILE *out);
void html_diff_functions(const struct diff_view *v, FILE *out);

/* The source of one function. */
struct html_source {
    const struct annotation *annotation;
    struct source_finder *finder;
    const struct annotation_view *view; /* chooses the shown lines */
    const struct table *table;          /* its columns of numbers are the lines', too */
    const struct row *row;              /* the function */
    bool open;                          /* it is unfolded at first */
};
void html_source(const struct html_source *s, FILE *out);

#endif
