/*
 * bars.h - the first and the last line of the screen: what is shown; what keys do, what the browser
 * says, or what is typed.
 */
#ifndef TUI_BARS_H
#define TUI_BARS_H

#include "tui/browser_state.h"

void bars_draw(const struct browser *browser);

#endif
