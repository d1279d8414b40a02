/*
 * history.h - the views that the user has gone through, for going back and forward.
 *
 * The history owns its views. One of zeros is empty.
 */
#ifndef TUI_HISTORY_H
#define TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

struct view;

enum { HISTORY_MAX = 64 };

struct history {
    struct view *views[HISTORY_MAX]; /* the user can go forward to the views behind `at` */
    size_t n, at;
};

/* The view on the screen. */
struct view *history_current(const struct history *history);
/* Goes on to `view`, and drops the views behind the current one. */
void history_open(struct history *history, struct view *view);
/* Goes one view back or forward. Returns false where there is none. */
bool history_back(struct history *history);
bool history_forward(struct history *history);
void history_clear(struct history *history);

#endif
