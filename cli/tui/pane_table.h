/*
 * pane_table.h - columns of a table (table/table.h) in a pane: cells of a row are made as it is
 * drawn.
 *
 * Life cycle: pane_table_begin, columns from left to right, then lines; pane_table_begin once more
 * after what is shown has changed; pane_table_free. One of zeros has no columns.
 */
#ifndef TUI_PANE_TABLE_H
#define TUI_PANE_TABLE_H

#include "table/table.h"
#include "tui/browsed.h"
#include "tui/pane.h"

/* A row of a table in a pane, beside its cells. */
struct pane_row {
    const void *row; /* for the table's cells */
    const char
        *name; /* that names are sorted by, and a filter searches; NULL: the text of its cell */
    uint32_t function; /* of the profile that is browsed: its name is coloured; CPROF_NONE: none */
    bool inlined;      /* all of its code was */
    const char *file;  /* of its place, or its object; NULL: not known */
    uint32_t line;
    enum look look;   /* of its cells, but for places and costs */
    const char *sign; /* before its first text; NULL: none */
    bool is_rest;     /* all else: below all other rows */
    bool is_own;      /* own code, though the function may not say so */
    bool opens_there; /* its source is shown from its place on */
    /* With `same_line`: what it is of, whatever it is sorted by; NULL: the function says that. */
    const void *same;
    uint32_t same_line;
};

/* A row that is that of a function, or of a line of one; `row` is for the cells. */
struct pane_row pane_row_of(const struct row *function, const void *row);

struct pane_table {
    struct browsed *browsed;
    struct pane *pane;
    struct table table; /* its subject, and all columns, whether they are shown or not */
    int sort;           /* rows are sorted by the column of that id */
    bool reversed;
    bool dim_places;
    bool rounded; /* counts are */
    int names;    /* the column that has the name of a row's function; -1: none */
    struct {
        bool is_cost; /* a number of the measure: a count, a share, or both */
        bool has_bar; /* which its share is as long as */
        bool shown;
        int full, rounded; /* the width of the widest text in full, and rounded */
        int64_t most;      /* the count with that text */
    } columns[PANE_COLUMNS];
    int column_of[PANE_COLUMNS]; /* by column of the pane: the table's */
};

void pane_table_begin(struct pane_table *table, const void *subject);
void pane_table_free(struct pane_table *table);

/*--- Columns: each adds one, and shows it ---*/

/* A text or a number, of a fixed width or with a share of the room that is left. */
void pane_table_add(struct pane_table *table, const struct table_column *column, int width,
                    int share, enum text_cut cut);
/* The column of a count of rows of functions. */
struct table_column pane_table_cost_column(const struct column *column, const char *heading,
                                           int id);
/* A count of the measure, as the user wishes to see it, and a bar where that is wished. */
void pane_table_add_cost(struct pane_table *table, const struct table_column *column, bool bar);
/* Names of functions, with a share of the room that is left, and places. */
void pane_table_add_names(struct pane_table *table, const struct table_column *name, int share,
                          const struct table_column *place);

/* The cell of a row in a column of a subject: all else has no texts but its name, as
 * table_put_sum() has it. The caller frees it. */
struct cell pane_table_cell(const void *subject, const struct pane_row *row,
                            const struct table_column *column);
/* The column with an id, or -1. */
int pane_table_find(const struct pane_table *table, int id);
/* Makes the cells of a row. */
void pane_table_line(const struct pane_table *table, const struct pane_row *row,
                     struct pane_cells *cells);

/*--- Tables whose columns are as wide as they need ---*/

/* Forgets how wide rows are. */
void pane_table_narrow(struct pane_table *table);
/* Makes room for a row of table->table, of whose columns none is shown yet. */
void pane_table_widen(struct pane_table *table, const struct pane_row *row);
/*
 * Shows the columns of table->table behind those of costs: counts are rounded, and columns left out
 * in the order of table_column.spare, until there is room.
 */
void pane_table_fit(struct pane_table *table);

#endif
