/* browser_state.h - the state that the browser's parts and views share: the profile, the views that
 * the user has gone through, the prompt, and the message in the last line. */
#ifndef TUI_BROWSER_STATE_H
#define TUI_BROWSER_STATE_H

#include "tui/browser.h"
#include "tui/data.h"
#include "tui/history.h"
#include "tui/keys.h"
#include "tui/prompt.h"

#include <stdbool.h>
#include <stddef.h>

struct view;

struct browser {
    const struct browser_input *input;
    struct data data;
    bool inlines; /* inlined functions are apart in `data` */
    struct history history;
    struct prompt prompt;
    char *message; /* in the last line until the next key; NULL: none */
    bool done;
};

/* The view on the screen. */
struct view *browser_current(const struct browser *browser);
/* Goes on to `view`; the one before is kept for going back. */
void browser_open(struct browser *browser, struct view *view);
/* Goes on to a view of the whole profile, by a measure that it has, or says what would have it. */
void browser_open_view(struct browser *browser, enum view_id view);
/* Begins with the heap or with data, where the profile is about that; else with own code, or, where
 * none is known, with all functions. */
void browser_open_first(struct browser *browser);
/* Goes on to the calls of a row's function, or to its source where calls are not known. SIZE_MAX:
 * nothing is opened. */
void browser_open_function(struct browser *browser, size_t row);
/* Goes on to a place in the source of a row's function, or says that none is known (SIZE_MAX). */
void browser_open_line(struct browser *browser, size_t row, struct place place);
/* Shows a message in the last line until the next key. */
void browser_say(struct browser *browser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
