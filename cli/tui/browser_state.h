/* browser_state.h - the state that the browser's parts and views share: the profile, the views that
 * the user has gone through, the prompt, and the message in the last line. */
#ifndef TUI_BROWSER_STATE_H
#define TUI_BROWSER_STATE_H

#include "tui/browsed.h"
#include "tui/browser.h"

#include <stdbool.h>
#include <stddef.h>

struct view;

/*
 * The views that the user has gone through, for going back and forward. The history owns its views.
 * One of zeros is empty.
 */
enum { HISTORY_MAX = 64 };
struct history {
    struct view *views[HISTORY_MAX]; /* the user can go forward to the views behind `at` */
    size_t n, at;
};

enum { PROMPT_MAX = 512 };
enum prompt_kind { PROMPT_NONE, PROMPT_FILTER, PROMPT_FILE };
struct prompt {
    enum prompt_kind kind;
    char text[PROMPT_MAX]; /* in the locale's encoding */
};

struct browser {
    const struct browser_input *input;
    struct browsed browsed;
    bool inlines; /* inlined functions are apart in `browsed` */
    struct history history;
    struct prompt prompt;
    char *message; /* in the last line until the next key; NULL: none */
    bool done;
};

/* The view on the screen. */
struct view *browser_current(const struct browser *browser);
/* Goes on to `view`; the one before is kept for going back, those behind it are dropped. */
void browser_open(struct browser *browser, struct view *view);
/* Goes one view back or forward. Returns false where there is none. */
bool history_back(struct history *history);
bool history_forward(struct history *history);
void history_clear(struct history *history);
/* Goes on to a view of the whole profile, by a measure that it has, or says what would have it. */
void browser_open_view(struct browser *browser, enum view_id view);
/* Begins with the heap or with data, where the profile is about that; else with own code, or, where
 * none is known, with all functions. */
void browser_open_first(struct browser *browser);
/* Goes on to the calls of a row's function, or to its source where calls are not known. SIZE_MAX:
 * says `lack`. */
void browser_open_function(struct browser *browser, size_t row, const char *lack);
/* Goes on to a place in the source of a row's function, or says that none is known (SIZE_MAX). */
void browser_open_line(struct browser *browser, size_t row, struct place place);
/* Shows a message in the last line until the next key. */
void browser_say(struct browser *browser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
