/*
 * function_table.h - rows as a table of text, and the lines below it.
 *
 * Counts are right-aligned, texts left-aligned; every line ends with its last character. A table
 * that would be wider than `width` first rounds its counts where it may ("117.2M", "117M"), leaves
 * out the last counts where texts need that, and then shortens its texts: table_text.h. It never
 * breaks a line.
 */
#ifndef TEXT_FUNCTION_TABLE_H
#define TEXT_FUNCTION_TABLE_H

#include "render/text/table_text.h"
#include "resolve/resolve.h"
#include "table/columns.h"
#include "table/groups.h"
#include "table/rows.h"
#include "table/table.h"

#include <stdio.h>

struct function_table {
    const struct rows *rows; /* sorted and filtered */
    size_t n_shown;          /* the first N of them are shown */
    struct column_list columns;
    const struct column *measure; /* the own cost for totals and shares */
    const struct column *sort;    /* the order of the rows */
    bool spare_paths; /* inclusive costs and calls may be left out before counts are rounded */
    bool percent;     /* counts are percentages of their column's total */
    bool filtered;    /* rows were filtered */
    enum group_by by; /* the kind of rows */
    bool whole_names; /* where the width is no limit, no name is shortened, however long it is */
    struct text_screen screen;
    const char *root;                   /* see location.h */
    const char *program;                /* for totals and hints; NULL: not known */
    const enum name_quality *qualities; /* by the object's index in the profile, or NULL */
    unsigned kinds; /* set by function_table_rows(): the kinds of code of the rows, 1 << kind */
    bool rounded;   /* set by function_table_rows(): counts were rounded */
    bool *left_out; /* set by function_table_rows(): by column, it was left out; NULL: none was;
                       freed by closing_fitting() */
};

/* Begins a table with the columns, whose rows are struct row, for forms without a limit. */
void function_table_begin(const struct function_table *t, struct table *table);
/* Writes the heads of columns and the rows. */
void function_table_rows(struct function_table *t, FILE *out);
/* Writes the rows as Markdown, and how many there are in all. */
void function_table_markdown(const struct function_table *t, FILE *out);

/*--- The lines below ---*/

/* Writes lines about hidden rows, rounded counts and costs that are bounds, and hints. */
void closing_write(struct function_table *t, FILE *out);
/* Writes that counts were rounded or columns left out, if so; and frees the list of them. */
void closing_fitting(struct function_table *t, FILE *out);
/* The sentence about shown inclusive costs that are bounds; NULL where none is. The caller frees
 * it. */
char *closing_bounds(const struct function_table *t);

#endif
