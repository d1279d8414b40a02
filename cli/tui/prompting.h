/*
 * prompting.h - the prompt, a text that is typed into the last line: the filter of a list, or the
 * name of a file that a view is written to.
 */
#ifndef TUI_PROMPTING_H
#define TUI_PROMPTING_H

#include "tui/browser_state.h"

#include <stdbool.h>
#include <wchar.h>

/* Begins to ask for the filter of the view. */
void prompting_filter(struct browser *browser);
void prompting_drop_filter(struct browser *browser);
/* Begins to ask for the file that the view is written to. */
void prompting_file(struct browser *browser);
/* Gives a key (`is_key`: a code of curses, else a character) to the prompt, and does what follows
 * from it. */
void prompting_key(struct browser *browser, bool is_key, wint_t key);

#endif
