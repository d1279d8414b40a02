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
#include "names/crates.h"
#include "render/text/diff.h"
#include "render/text/function_table.h"
#include "render/text/table_text.h"
#include "source/source_file.h"
#include "table/curves.h"
#include "table/own.h"
#include "table/view_kinds.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* The sections of a page, in their order. */
enum html_part {
    HTML_WHY,
    HTML_TIME,
    HTML_VIEWS, /* + enum view_id */
    HTML_OWN = HTML_VIEWS + VIEW_OWN,
    HTML_COSTS = HTML_VIEWS + VIEW_FUNCTIONS,
    HTML_FLAME = HTML_VIEWS + N_VIEWS,
    HTML_SANDWICH, /* the script fills it, from the flame graph */
    HTML_SOURCE,
    N_HTML_PARTS
};
#define HTML_BIT(part) (1u << (part))

/* The head of a page. */
struct html_page {
    const char *title;   /* the program's name */
    const char *part;    /* the sections that it is of; NULL: the whole program */
    const char *than;    /* the profile that it is compared with, or NULL */
    unsigned parts;      /* HTML_BIT of each that it has, which are the links on top */
    bool functions;      /* its rows are functions */
    const char *command; /* that ran it, "callgrind --release"; NULL: not known */
    time_t when;         /* the profile was written; 0: not known */
    const char *machine; /* that it ran on, "Linux x86_64"; NULL: not known */
};

/* Begins a page. */
void html_begin(FILE *out, const struct html_page *page);
/* Begins one part's section, with its heading; `functions` as in the page's head. */
void html_section(FILE *out, enum html_part part, bool functions);
void html_section_end(FILE *out);
/* Writes a line below a heading. */
void html_note(FILE *out, const char *text);
/* Writes an entry of a list of names and texts; nothing where the text is empty or NULL. */
void html_entry(FILE *out, const char *name, const char *text);
/* Ends the page. Returns 0, or -1 with errno where writing failed. */
int html_end(FILE *out);

/* Writes cards: the total, the costliest function of the user's own code, and the share of each
 * crate; then program, command, caches, and totals with misses and their rates. `own` may be NULL;
 * `linked` is that of html_functions(). */
void html_summary(const struct function_table *t, const struct crates *crates,
                  const struct own *own, const bool *linked, FILE *out);
/* Writes the functions of own code, by what they are charged with. */
void html_own(const struct function_table *t, const struct own *own, const bool *linked, FILE *out);
/* Writes the sections that the program named, those that cost most first. */
void html_sections(const struct function_table *t, FILE *out);
/* Writes miss curves, drawn and as a table. */
void html_curves(const struct curves *curves, FILE *out);
/* Writes the rows of a table, which the reader may sort and filter; `what` they are. Without that
 * they stay as they are, and shares have no bars. Functions that are `linked` (by index in the
 * profile; NULL: none) lead to their source. */
void html_rows(const struct table *table, const char *what, const bool *linked, FILE *out);
/* A table in pieces: the heads, then rows any number of times, then the end. Its class is
 * "sortable", with what the rows are, or another. */
void html_rows_begin(const struct table *table, const char *class, const char *what, FILE *out);
void html_rows_put(const struct table *table, bool bars, const bool *linked, FILE *out);
void html_rows_end(FILE *out);
/* Writes the cells of a row that has been begun, and its end. */
void html_cells(const struct table *table, size_t row, bool bars, const bool *linked, FILE *out);
/* Writes a table below its lines; `sortable`: of functions, which the reader may sort and
 * filter. */
void html_table(const struct table *table, bool sortable, FILE *out);
/* Writes the table's rows, with full counts and names. Functions that are `linked` (by index in the
 * profile; NULL: none) lead to their source. */
void html_functions(const struct function_table *t, const bool *linked, FILE *out);

/* Write the totals of both profiles, why these changed, the functions of own code by the change of
 * what they are charged with, and all functions that changed. */
void html_diff_summary(const struct diff_view *v, FILE *out);
void html_diff_why(const struct diff_view *v, FILE *out);
void html_diff_own(const struct diff_view *v, FILE *out);
void html_diff_functions(const struct diff_view *v, FILE *out);

/* The source of one function. */
struct html_source {
    const struct annotation *annotation;
    struct source_finder *finder;
    const struct annotation_view *view; /* chooses the shown lines */
    const struct function_table *table; /* its columns of numbers are the lines', too */
    const struct row *row;              /* the function */
    int64_t value; /* its cost by the table's measure, or what it is charged with */
    bool open;     /* it is unfolded at first */
};
/* True where some line of the source would be shown. */
bool html_source_is_known(const struct html_source *s);
void html_source(const struct html_source *s, FILE *out);

#endif
