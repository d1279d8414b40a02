/*
 * list.h - the parts of views that are one list: items that are sorted by columns, by keys or by a
 * click on a head, and filtered by a text.
 *
 * Items are numbers from 0 on; only the kind of list knows their meaning.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "table/rows.h"
#include "table/table.h"
#include "tui/view.h"

#include <stdbool.h>
#include <stddef.h>

struct list;

struct list_class {
    /* The name that the filter searches. */
    const char *(*name)(const struct list *list, size_t item);
    /* The value that the list is sorted by, the greatest first. Long doubles hold every count. */
    long double (*value)(const struct list *list, size_t item);
    /* The text that items of one value are sorted by, or NULL for all of them; may be NULL. */
    const char *(*text)(const struct list *list, size_t item);
    /* The order of items of one value and text, as of strcmp; may be NULL: they are sorted by
     * number. */
    int (*compare)(const struct list *list, size_t a, size_t b);
    /* Makes the pane's columns. */
    void (*columns)(struct list *list);
    /* The number of lines that stand below an item, which is open: items from *first on, beyond
     * those that are sorted. NULL: none ever. */
    size_t (*below)(const struct list *list, size_t item, size_t *first);
    /* The row of a function, or of a line of one, that an item is; NULL: it is none, or none ever
     * is. */
    const struct row *(*row)(const struct list *list, size_t item);
    /* True where an item is own code. NULL: items are no functions, or all are own. */
    bool (*own)(const struct list *list, size_t item);
};

enum { LIST_NO_KEY = -1 };

/* Every kind of list begins with this. */
struct list {
    struct view view;
    const struct list_class *class;
    size_t n;      /* the number of items */
    size_t *order; /* all items as they are sorted, the greatest first */
    size_t *shown; /* the items that the filter finds, in order, with those below them; the pane has
                      as many lines */
    size_t room;   /* of `shown` */
    bool *found;   /* by item: the filter finds it */
    char *text;    /* the filter's text, in small letters; NULL: none, all are found */
    char *names;   /* the names of all items, in small letters, one behind another; NULL before the
                      first filter */
    int sort;      /* a key of its kind, from 0 on */
    bool reversed;
    int keys[PANE_COLUMNS]; /* by column: the key that it sorts by */
};

/* A list of `size` bytes with its view and its pane, all else of it zero. */
void *list_new(size_t size, const struct view_class *class, struct browser *browser,
               struct data *data, pane_line_fn *line, const char *empty);
/* Gives items to a new list, and shows all. */
void list_begin(struct list *list, const struct list_class *class, size_t n);
/* Replaces the items. */
void list_renew(struct list *list, size_t n);
/* Frees all that it holds. */
void list_free(struct list *list);

/* The item that is selected, or SIZE_MAX. */
size_t list_selected(const struct view *view);
/* Selects an item, if it is shown. */
void list_select(struct list *list, size_t item);
/* Shows the items anew, after one was opened or closed. The selection stays at its item. */
void list_show(struct list *list);
/* The number of items that the filter finds, without those below them. */
size_t list_n_found(const struct list *list);

/* For list_class.columns: adds a column that sorts by `key`, or LIST_NO_KEY; `rising`: the least
 * first, as texts are. */
void list_add(struct list *list, int key, bool rising, const struct pane_column *column);
/* Adds the columns of functions' names and places. */
void list_add_names(struct list *list, int name_key, int place_key);
/* Adds the columns of a number (data.h). */
void list_add_numbers(struct list *list, int key, const char *head);
/* Adds the columns of inclusive costs, with room for the mark of a lower bound where `rows` has
 * one. */
void list_add_inclusive(struct list *list, int key, const struct rows *rows);

/* For struct view_class: the row and the place of the selected item, by list_class.row. */
const struct row *list_selected_row(const struct view *view);
size_t list_row(const struct view *view);
struct place list_place(const struct view *view);

/* For struct view_class. The selection stays at its item. */
void list_update(struct view *view);
void list_head(struct view *view, int column);
void list_filter(struct view *view, const char *text);
/* Does the actions that change the order, and what is shown of it. Returns false for other actions.
 */
bool list_act(struct view *view, enum action action);

/*
 * Figures: the columns of numbers of a table (table/table.h) in a list: rounded, and then left out,
 * where texts would have no room.
 */

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
