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
#include "tui/pane_table.h"
#include "tui/view.h"

#include <stdbool.h>
#include <stddef.h>

struct list;

struct list_class {
    /* All that is known of an item. */
    struct pane_row (*item)(const struct list *list, size_t item);
    /* Makes the items, for the settings of what is browsed. Returns how many they are. */
    size_t (*load)(struct list *list);
    /* True where they were made for other settings. NULL: settings have no part in them. */
    bool (*is_stale)(const struct list *list);
    /* Chooses the columns of list->drawn, from pane_table_begin() on. */
    void (*columns)(struct list *list);
    /* Does what Enter does on an item. */
    void (*open)(struct list *list, size_t item);
    /* Frees what the kind of list has of its own. NULL: nothing. */
    void (*unload)(struct list *list);
    /* The value that the list is sorted by, the greatest first, as long doubles, which hold every
     * count. NULL: that of the cell. */
    long double (*value)(const struct list *list, size_t item);
    /* Measures items for list_fit(), by pane_table_widen(). NULL: each that is sorted. */
    void (*measure)(struct list *list);
    /* All that the filter searches; the caller frees it. NULL: the name. */
    char *(*words)(const struct list *list, size_t item);
    bool by_name;        /* items of one value are in the order of their names */
    bool is_all_code;    /* items are functions of all code, of which own code alone can be shown */
    bool first_stays;    /* where nobody has chosen an item, the first one stays selected */
    int self, inclusive; /* the columns that ACTION_INCLUSIVE turns to; both 0: none */
    /* The number of lines that stand below an item, which is open: items from *first on, beyond
     * those that are sorted. NULL: none ever. */
    size_t (*below)(const struct list *list, size_t item, size_t *first);
};

enum { LIST_NO_KEY = -1 };

/* Every kind of list begins with this. */
struct list {
    struct view view;
    const struct list_class *class;
    struct pane_table drawn;
    bool is_measured; /* the width of each column is known */
    char **texts;     /* by item, while they are sorted: neither names nor places */
    size_t n;         /* the number of items */
    size_t *order;    /* all items as they are sorted, the greatest first */
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

/* A new list of `size` bytes, drawn from a table, all else of it zero. The caller sets what `load`
 * needs, and the column that it is sorted by, and calls list_start(). */
void *list_make(size_t size, const struct view_class *view_class, const struct list_class *class,
                struct browser *browser, struct browsed *browsed, const char *empty);
struct view *list_start(struct list *list);
/* Makes other items. */
void list_reload(struct list *list);

/* For list_class.columns: measures and shows the columns of list->drawn.table. */
void list_fit(struct list *list);
/* Makes the columns those of a table whose cells are made, of which a row's `row` is the first. */
void list_show_table(struct list *list, const struct table *table);

/* The item that is selected, or SIZE_MAX. */
size_t list_selected(const struct view *view);
/* Selects an item, if it is shown. */
void list_select(struct list *list, size_t item);
/* Shows the items anew, after one was opened or closed. The selection stays at its item. */
void list_show(struct list *list);
/* The number of items that the filter finds, without those below them. */
size_t list_n_found(const struct list *list);

/* For struct view_class: the row and the place of the selected item. */
size_t list_row(const struct view *view);
struct place list_place(const struct view *view);

/* For struct view_class. The selection stays at its item. */
void list_update(struct view *view);
void list_head(struct view *view, int column);
void list_filter(struct view *view, const char *text);
/* Does the actions that change the order, and what is shown of it. Returns false for other actions.
 */
bool list_act(struct view *view, enum action action);
void list_end(struct view *view);

/* The members of a struct view_class that all lists have alike, with an `update` that calls
 * list_update(), and a `filter` that calls list_filter(). */
#define LIST_VIEW_BY(keys, update_list, filter_list)                                \
    .hints = keys, .update = update_list, .head = list_head, .filter = filter_list, \
    .row = list_row, .place = list_place, .free = list_end
#define LIST_VIEW(keys) LIST_VIEW_BY(keys, list_update, list_filter)

#endif
