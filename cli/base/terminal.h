/*
 * terminal.h - what is known of the terminal behind a file descriptor.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>

/* True where a terminal is behind the file descriptor, or behind the pager that it leads to. */
bool terminal_is(int fd);

/* Keeps what is known of the terminal behind standard output or error, which is about to lead to
 * something else that shows its text on the same terminal. */
void terminal_keep(int fd);

/* The terminal's width in columns: $COLUMNS where that is set, else what the terminal says; 0 where
 * there is no terminal. */
unsigned terminal_width(int fd);

/* The terminal's height in lines; 0 where there is no terminal, or one that does not say. */
unsigned terminal_height(int fd);

/* True where colours are welcome: on a terminal that is not "dumb", without $NO_COLOR. */
bool terminal_color(int fd);

/* True where links are welcome, too (OSC 8): where colours are, on a terminal that is not known to
 * show them as rubbish, without TERM_URLS=no. */
bool terminal_links(int fd);

#endif
