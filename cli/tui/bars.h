/* bars.h - the first and the last line of the screen: the title above; keys, a message or the
 * prompt below. */
#ifndef TUI_BARS_H
#define TUI_BARS_H

#include "tui/browser_state.h"

void bars_draw(struct browser *browser);

#endif
