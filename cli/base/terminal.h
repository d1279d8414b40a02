/*
 * terminal.h - what is known of the terminal behind a file descriptor.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>

/* Its width in columns: $COLUMNS where that is set, else what the terminal says; 0 where there is
 * no terminal. */
unsigned terminal_width(int fd);

/* True where colours are welcome: on a terminal that is not "dumb", without $NO_COLOR. */
bool terminal_color(int fd);

#endif
