/*
 * figures.h - the columns of numbers of a table (table/table.h) in a list: rounded, and then left
 * out, where texts would have no room.
 */
#ifndef TUI_FIGURES_H
#define TUI_FIGURES_H

#include "table/table.h"
#include "tui/list.h"

enum { FIGURES_MOST = 8 };

struct figures {
    const struct table_column *columns; /* of numbers, `n` of them */
    size_t n;
    const void *subject;         /* of the columns */
    int widths[2][FIGURES_MOST]; /* of the widest text in full, and rounded */
    bool shown[FIGURES_MOST], rounded;
};

/* Begins anew with columns of numbers, at most FIGURES_MOST. */
void figures_begin(struct figures *figures, const void *subject, const struct table_column *columns,
                   size_t n);
/* Makes room for a row of the columns' subject. */
void figures_widen(struct figures *figures, const void *row);
/* The number of a row that the list is sorted by, if that is one of these columns; else 0. */
long double figures_order(const struct figures *figures, const void *row, int column);

/*
 * Chooses what is shown beside texts of `texts` columns, gaps included: counts are rounded, and
 * columns left out in the order of table_column.spare, until there is room. Texts of `spare` more
 * columns go with the first ones that are left out; returns true where they have room.
 */
bool figures_fit(struct figures *figures, int texts, int spare);
/* The columns that texts have beside those that are shown. */
int figures_room(const struct figures *figures);

/* Columns of names and of places, in this order. */
struct figure_names {
    const struct table_column *columns; /* two of a table */
    int key;                            /* that names sort by; places by the next one */
    int widest;                         /* the width of the widest name */
};
/* Chooses what is shown, and adds all columns to a list: places where there is room for them. The
 * names are whole where half of the screen has room for them. Returns true with places. */
bool figures_add(struct figures *figures, struct list *list, const struct figure_names *names);

/* Adds the columns that are shown to a list, each sorted by its number. */
void figures_columns(const struct figures *figures, struct list *list);
/* Adds the texts of a row to the cells, from column *at on. */
void figures_texts(const struct figures *figures, const void *row, struct pane_cells *cells,
                   int *at, enum look look);

#endif
