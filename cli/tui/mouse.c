#include <config.h>

#include "tui/mouse.h"

#include "tui/actions.h"
#include "tui/screen.h"
#include "tui/view.h"

enum { WHEEL_LINES = 3 };

/* The release of a button that was held longer than a click takes comes, too, as an event of its
 * own. */
static bool is_click(const MEVENT *event)
{
    return event->bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED);
}

void mouse_click(struct browser *b)
{
    struct view *v = browser_current(b);
    MEVENT event;

    if (getmouse(&event) != OK)
        return;
    for (int i = 0; i < v->n_panes; i++) {
        struct pane *p = &v->panes[i];
        int line = event.y - p->y;

        if (line < 0 || line >= p->height)
            continue;
        if (event.bstate & BUTTON4_PRESSED) {
            pane_move(p, -WHEEL_LINES);
        } else if (event.bstate & BUTTON5_PRESSED) {
            pane_move(p, WHEEL_LINES);
        } else if (!is_click(&event)) {
            continue;
        } else if (line == 0) {
            int column = pane_column_at(p, event.x);

            if (i == 0 && column >= 0 && v->class->head)
                v->class->head(v, column);
        } else if (p->top + (size_t)line - 1 < p->n) {
            v->focus = i;
            p->selected = p->top + (size_t)line - 1;
            if (event.bstate & BUTTON1_DOUBLE_CLICKED)
                actions_do(b, ACTION_OPEN);
        }
    }
}
