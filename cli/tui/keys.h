/* keys.h - the keys of the browser: one table that the browser obeys, its help screen shows and the
 * manual page is made from. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "table/view_kinds.h"

#include <stddef.h>
#include <stdio.h>

enum action {
    ACTION_NONE,
    ACTION_QUIT,
    ACTION_HELP,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_PAGE_UP,
    ACTION_PAGE_DOWN,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_NEXT_PANE,
    ACTION_OPEN,
    ACTION_BACK,
    ACTION_FORWARD,
    ACTION_CALLS,
    ACTION_CALLERS,
    ACTION_TREE,
    ACTION_TREE_BELOW,
    ACTION_SOURCE,
    ACTION_ASM,
    ACTION_DIFF,
    ACTION_TIME,
    ACTION_GROUP,
    ACTION_FILTER,
    ACTION_OWN_ONLY,
    ACTION_SORT_LEFT,
    ACTION_SORT_RIGHT,
    ACTION_REVERSE,
    ACTION_INCLUSIVE,
    ACTION_EVENT,
    ACTION_EVENT_BACK,
    ACTION_PERCENT,
    ACTION_INLINES,
    ACTION_EXPAND,
    ACTION_COLLAPSE,
    ACTION_HOTTEST,
    ACTION_FULL_PATHS,
    ACTION_MARK,
    ACTION_NEXT_MARK,
    ACTION_COPY,
    ACTION_WRITE,
    ACTION_ESCAPE,
    ACTION_REDRAW,
    ACTION_VIEWS, /* + enum view_id: opens the view, by the key of view_kinds */
    ACTION_OWN = ACTION_VIEWS + VIEW_OWN,
    ACTION_BLAME = ACTION_VIEWS + VIEW_OWN_LINES,
    ACTION_FUNCTIONS = ACTION_VIEWS + VIEW_FUNCTIONS,
    ACTION_SECTIONS = ACTION_VIEWS + VIEW_SECTIONS,
    ACTION_HEAP = ACTION_VIEWS + VIEW_HEAP,
    ACTION_DATA = ACTION_VIEWS + VIEW_DATA,
    ACTION_CURVES = ACTION_VIEWS + VIEW_CURVES
};

/* A binding. `keys` are curses codes or characters, at most three, and 0; `shown` is their name.
 * Rows without an action are headings. */
struct key_binding {
    int keys[4];
    const char *shown;
    enum action action;
    const char *help;
};

/* How many there are, with headings, and each of them. */
size_t keys_count(void);
struct key_binding key_binding_at(size_t i);

/* The action of a key. */
enum action key_action(int key);
/* The name of an action's keys. */
const char *key_shown(enum action action);

/* Writes the table for help texts and the manual page. */
void keys_write(FILE *out);

#endif
