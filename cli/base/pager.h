/*
 * pager.h - long output on a terminal, shown a screen at a time by the program that $PAGER names.
 *
 * Between pager_begin() and the program's end, standard output leads to the pager, and so does
 * standard error where it is the terminal, too. A pager that is not there, or that quits early, is
 * no error.
 */
#ifndef BASE_PAGER_H
#define BASE_PAGER_H

#include <stdbool.h>

/* Starts the pager where standard output is a terminal: $PAGER, or else less, which ends by itself
 * where all fits on the screen (LESS=FRX, unless that is set). An empty $PAGER, or cat, is none. */
void pager_begin(void);

/* True where links (OSC 8) reach the terminal: there is no pager, or it is less, with -R in LESS
 * and of a version that passes them on. */
bool pager_shows_links(void);

/* Waits until the pager has ended. Standard output has been closed. */
void pager_end(void);

#endif
