#include <config.h>

#include "tui/history.h"

#include "tui/view.h"

#include <string.h>

struct view *history_current(const struct history *h)
{
    return h->views[h->at];
}

static void drop(struct history *h, size_t from)
{
    while (h->n > from) {
        struct view *v = h->views[--h->n];

        v->class->free(v);
    }
}

void history_open(struct history *h, struct view *view)
{
    if (h->n)
        drop(h, h->at + 1);
    if (h->n == HISTORY_MAX) {
        /* The first view, the list, stays. */
        h->views[1]->class->free(h->views[1]);
        memmove(h->views + 1, h->views + 2, (HISTORY_MAX - 2) * sizeof(struct view *));
        h->n--;
    }
    h->at = h->n;
    h->views[h->n++] = view;
}

static bool go(struct history *h, size_t at)
{
    if (at >= h->n)
        return false;
    h->at = at;
    history_current(h)->class->update(history_current(h));
    return true;
}

bool history_back(struct history *h)
{
    return h->at && go(h, h->at - 1);
}

bool history_forward(struct history *h)
{
    return go(h, h->at + 1);
}

void history_clear(struct history *h)
{
    drop(h, 0);
    h->at = 0;
}
