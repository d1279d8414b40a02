/*
 * screen.h - the terminal as the browser uses it: taken over, given back, and written to in looks
 * rather than colours.
 *
 * The library below is ncurses with wide characters. All texts handed over are clean
 * (render/text/text.h).
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "render/text/text.h"
#include "tui/palette.h"

#include <ncurses.h>
#include <stdbool.h>

/* NULL where there is a terminal that can be drawn on, or why not, for the caller to free. */
char *screen_problem(void);
/* Takes over the terminal. False where there is none that can be drawn on. */
bool screen_begin(void);
/* Gives the terminal back as it was. It may be called any number of times. */
void screen_end(void);

/* A bar of a share of `width` columns, from 0 to 1, in steps of an eighth of a column where there
 * are such characters. The caller frees it. */
char *screen_bar(double share, unsigned width);

/* Writes `text` into `width` columns of line `y`, filled with blanks, right-aligned with `right`;
 * a text that does not fit is cut, with an ellipsis. `selected` turns the colours round. */
void screen_put(int y, int x, int width, const char *text, enum look look, bool right,
                enum text_cut cut, bool selected);

/* As screen_put(), for a text of which each byte has a look of its own beside `look`; 0: none. A
 * byte has the colour of its own look, and is bold or dim where either look is. */
void screen_put_looks(int y, int x, int width, const char *text, enum look look,
                      const unsigned char *looks, bool selected);

/* Hands `text` to the terminal's clipboard (the sequence OSC 52). */
void screen_copy(const char *text);

#endif
