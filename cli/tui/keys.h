/* keys.h - the keys of the browser: one table that the browser obeys, its help screen shows and the
 * manual page is made from. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

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
    ACTION_OWN,
    ACTION_FUNCTIONS,
    ACTION_CALLS,
    ACTION_CALLERS,
    ACTION_BLAME,
    ACTION_TREE,
    ACTION_TREE_BELOW,
    ACTION_SOURCE,
    ACTION_ASM,
    ACTION_DIFF,
    ACTION_TIME,
    ACTION_GROUP,
    ACTION_SECTIONS,
    ACTION_HEAP,
    ACTION_DATA,
    ACTION_CURVES,
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
    ACTION_REDRAW
};

/* A binding. `keys` are curses codes or characters, at most three, and 0; `shown` is their name.
 * Rows without keys are headings. */
struct key_binding {
    int keys[4];
    const char *shown;
    enum action action;
    const char *help;
};

extern const struct key_binding key_table[];
extern const size_t n_key_table;

/* The action of a key. */
enum action key_action(int key);
/* The binding of an action. */
const struct key_binding *key_binding_of(enum action action);

/* Writes the table for help texts and the manual page. */
void keys_write(FILE *out);

#endif
