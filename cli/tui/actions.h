/* actions.h - the actions of keys: moving, opening views, marking, changing what is shown. */
#ifndef TUI_ACTIONS_H
#define TUI_ACTIONS_H

#include "tui/browser_state.h"
#include "tui/keys.h"

/* Does an action, by the pane or the view where one of them has it. */
void actions_do(struct browser *browser, enum action action);
/* Goes on to the comparison with the other profile. */
void actions_open_diff(struct browser *browser);
/* Goes on to time beside counts. Returns false where the two profiles are not an exact one and one
 * of samples. */
bool actions_open_time(struct browser *browser);

#endif
