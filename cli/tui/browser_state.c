#include <config.h>

#include "tui/browser_state.h"

#include "base/memory.h"
#include "tui/view.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*--- The history ---*/

struct view *browser_current(const struct browser *b)
{
    return b->history.views[b->history.at];
}

static void drop(struct history *h, size_t from)
{
    while (h->n > from) {
        struct view *v = h->views[--h->n];

        v->class->free(v);
    }
}

void browser_open(struct browser *b, struct view *view)
{
    struct history *h = &b->history;

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
    h->views[at]->class->update(h->views[at]);
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

/*--- Opening views ---*/

/* A view of the whole profile. */
static struct view *view_of(struct browser *b, enum view_id id)
{
    switch (id) {
    case VIEW_OWN:
        return view_own(b, &b->browsed);
    case VIEW_OWN_LINES:
        return view_blame(b, &b->browsed);
    case VIEW_SECTIONS:
        return view_sections(b, &b->browsed);
    case VIEW_HEAP:
        return view_heap(b, &b->browsed);
    case VIEW_DATA:
        return view_data(b, &b->browsed);
    case VIEW_CURVES:
        return view_curves(b, &b->browsed);
    case VIEW_FUNCTIONS:
        return view_functions(b, &b->browsed);
    default:
        return view_table(b, &b->browsed, id);
    }
}

void browser_open_view(struct browser *b, enum view_id id)
{
    const char *measure = view_kinds[id].measure;
    bool own = id == VIEW_OWN || id == VIEW_OWN_LINES;
    struct view *view;

    if (own && !browsed_has_own_code(&b->browsed)) {
        browser_say(b, "no code is known to be your own; l lists all functions");
        return;
    }
    if (!view_exists(id, b->browsed.profile)) {
        char *lack = view_lack(id, "this profile");

        browser_say(b, "%s%s", lack,
                    id == VIEW_DATA && view_exists(VIEW_LINES, b->browsed.profile)
                        ? ", L shows the use of lines"
                        : "");
        free(lack);
        return;
    }
    view = view_of(b, id);
    if (measure && !view->class->suits(browsed_self(&b->browsed))) {
        browsed_choose_measure(&b->browsed, measure);
        view->class->update(view);
    }
    browser_open(b, view);
}

void browser_open_first(struct browser *b)
{
    enum view_id view = view_first(b->browsed.profile);

    if (view == VIEW_BOTH)
        view = browsed_has_own_code(&b->browsed) ? VIEW_OWN : VIEW_FUNCTIONS;
    browser_open_view(b, view);
}

void browser_open_function(struct browser *b, size_t row, const char *lack)
{
    if (row == SIZE_MAX)
        browser_say(b, "%s", lack);
    else
        browser_open(b, b->browsed.has_calls
                            ? view_calls(b, &b->browsed, row)
                            : view_source(b, &b->browsed, row, (struct place){NULL, 0}, false));
}

void browser_open_line(struct browser *b, size_t row, struct place place)
{
    if (row != SIZE_MAX)
        browser_open(b, view_source(b, &b->browsed, row, place, false));
    else
        browser_say(b, "no function is known here");
}

void browser_say(struct browser *b, const char *format, ...)
{
    va_list arguments;

    free(b->message);
    va_start(arguments, format);
    b->message = xvasprintf(format, arguments);
    va_end(arguments);
}
