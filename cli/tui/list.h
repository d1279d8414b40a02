/*
 * list.h - what views have in common that are one list: items that are sorted by columns, by keys
 * or by a click on a head, and filtered by a text.
 *
 * Items are numbers from 0 on; what they stand for is known to the kind of list alone.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "table/rows.h"
#include "tui/view.h"

#include <stdbool.h>
#include <stddef.h>

struct list;

struct list_class {
    /* What the filter looks in. */
    const char *(*name)(const struct list *list, size_t item);
    /* What the list is sorted by, the greatest first. Long doubles hold every count. */
    long double (*value)(const struct list *list, size_t item);
    /* Texts that items of one value are sorted by, or NULL for all of them; may be NULL. */
    const char *(*text)(const struct list *list, size_t item);
    /* The order of items of one value and text, as strcmp; may be NULL. Then they stand as they are
     * numbered. */
    int (*compare)(const struct list *list, size_t a, size_t b);
    /* Makes the pane's columns. */
    void (*columns)(struct list *list);
};

enum { LIST_NO_KEY = -1 };

/* A list begins with it. */
struct list {
    struct view view;
    const struct list_class *class;
    size_t n;      /* items */
    size_t *order; /* all of them as they are sorted, the greatest first */
    size_t *shown; /* those that the filter finds, in order; as many as the pane has lines */
    bool *found;   /* of each item, whether the filter finds it */
    char *text;    /* what it looked for, in small letters; NULL: nothing, all are found */
    char *names; /* of all items, in small letters, one behind another; NULL before it was needed */
    int sort;    /* what it is sorted by: a key of its kind, from 0 on */
    bool reversed;
    int keys[PANE_COLUMNS]; /* of each column: what it is sorted by there */
};

/* Makes a list of `n` items out of a zeroed one, with view->class of its kind; shows all. */
void list_begin(struct list *list, const struct list_class *class, size_t n);
/* Makes it one of other items. */
void list_renew(struct list *list, size_t n);
/* Frees what is in it. */
void list_free(struct list *list);

/* The item that is selected, or SIZE_MAX. */
size_t list_selected(const struct view *view);

/* For list_class.columns: adds a column that sorts by `key`, or LIST_NO_KEY; `rising`: the least
 * first, as texts are. */
void list_add(struct list *list, int key, bool rising, const struct pane_column *column);
/* The same for the names of functions, and where they are. */
void list_add_names(struct list *list, int name_key, int place_key);
/* The same for those of numbers (data.h). */
void list_add_numbers(struct list *list, int key, const char *head);
/* The same for inclusive costs; with room for the mark of a lower bound where `rows` has one. */
void list_add_inclusive(struct list *list, int key, const struct rows *rows);

/* For struct view_class. The selection stays with its item. */
void list_update(struct view *view);
void list_head(struct view *view, int column);
void list_filter(struct view *view, const char *text);
/* Does the actions that change the order; whether it was one. */
bool list_act(struct view *view, enum action action);

#endif
