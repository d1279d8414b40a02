/*
 * input.h - waiting for a key or a signal that ends the program, whichever comes first.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <signal.h>

/* Blocks the signals that end a program, since the terminal must be given back first, and returns a
 * file descriptor that they come from; `*old` is what was blocked before. */
int input_hold_signals(sigset_t *old);
/* Waits for a key or a change of the window's size, and returns 0; or for a signal, and returns its
 * number. */
int input_wait(int signals);

#endif
