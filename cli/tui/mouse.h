/*
 * mouse.h - clicks on lines and heads of columns, and the wheel.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

#include "tui/browser_state.h"

/* Does what the last event of the mouse asks for. */
void mouse_click(struct browser *browser);

#endif
