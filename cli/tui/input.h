/*
 * input.h - waiting for keys and for signals that end the program, whichever comes first.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <signal.h>

/* Blocks the signals that end a program, since the terminal must be given back first, and returns a
 * file descriptor that they come from; `*old` is what was blocked before. */
int input_hold_signals(sigset_t *old);
/* Waits until there is a key, or the window's size has changed: 0; or the number of a signal. */
int input_wait(int signals);

#endif
