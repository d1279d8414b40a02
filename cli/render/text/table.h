/*
 * table.h - rows as a table of text.
 *
 * Counts are right-aligned, texts left-aligned; every line ends with its last character. A table
 * that would be wider than `width` first shortens its texts (names in the middle, places at the
 * start), then its counts where it may ("117.2M", "117M"), and leaves out the last counts in the
 * end; it never breaks a line.
 */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "table/columns.h"
#include "table/groups.h"
#include "resolve/resolve.h"
#include "table/rows.h"

#include <stdio.h>

struct table {
    const struct rows *rows; /* sorted and filtered */
    size_t n_shown;          /* of them, the first */
    const struct column *const *columns;
    size_t n_columns;             /* fewer once columns were left out */
    const struct column *measure; /* the own cost that totals and shares are of */
    const struct column *sort;    /* what rows are sorted by */
    bool spare_paths;             /* inclusive costs and calls may go before counts are rounded */
    bool percent;                 /* every count as a percentage of its column's total */
    bool filtered;                /* rows were filtered */
    enum group_by by;             /* what rows are */
    unsigned width;               /* columns of the terminal, or wished for */
    bool fixed;                   /* `width` is a real limit: shorten counts too */
    bool color;
    bool utf8;
    const char *root;                   /* see location.h */
    const char *program;                /* for the heading and hints; NULL: not known */
    const enum name_quality *qualities; /* per object of the profile, or NULL */
    bool rounded;                       /* set by what is written: counts were */
    char *left_out;                     /* the same: columns that were, "Bi, Bim"; or NULL */
};

/* What a row has in a column of text, as it is; the caller frees it. */
char *table_text(const struct table *t, const struct column *column, const struct row *row);
/* A row's number in a column of counts in full, or "inlined" for calls that nobody counts; for the
 * caller to free. */
char *table_count(const struct table *t, const struct column *column, const struct row *row);
/* The column heads and the rows. */
void table_rows(struct table *t, FILE *out);
/* The rows as Markdown, and what there is in all. */
void table_markdown(const struct table *t, FILE *out);

#endif
