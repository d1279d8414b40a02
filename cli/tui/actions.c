#include <config.h>

#include "tui/actions.h"

#include "tui/prompting.h"
#include "tui/screen.h"
#include "tui/view.h"

#include <stdint.h>
#include <stdlib.h>

/*--- Changing what is shown ---*/

static void change_measure(struct browser *b, size_t by)
{
    struct browsed *d = &b->browsed;
    bool (*suits)(const struct column *measure) = browser_current(b)->class->suits;
    size_t left = d->n_measures;

    do {
        d->measure = (d->measure + by) % d->n_measures;
    } while (--left && suits && !suits(browsed_self(d)));
    browser_current(b)->class->update(browser_current(b));
    if (browsed_self(d)->help)
        browser_say(b, "%s: %s", browsed_self(d)->name, browsed_self(d)->help);
}

static void change_numbers(struct browser *b)
{
    enum numbers next = browsed_numbers(&b->browsed) + 1;

    b->browsed.numbers = next < N_NUMBERS ? next : NUMBERS_BOTH;
    browser_current(b)->class->update(browser_current(b));
}

static size_t chosen_row(const struct browser *b)
{
    const struct view *v = browser_current(b);

    return v->class->row ? v->class->row(v) : SIZE_MAX;
}

static void mark(struct browser *b)
{
    size_t row = chosen_row(b);

    if (row == SIZE_MAX)
        return;
    b->browsed.marked[row] = !b->browsed.marked[row];
    pane_move(view_pane(browser_current(b)), 1);
}

/* Goes down, and on from the first line, to a line whose function is marked. */
static void next_mark(struct browser *b)
{
    struct view *v = browser_current(b);
    struct pane *p = view_pane(v);
    size_t from = p->selected;

    for (size_t i = 1; i <= p->n; i++) {
        size_t row;

        p->selected = (from + i) % p->n;
        row = chosen_row(b);
        if (row != SIZE_MAX && b->browsed.marked[row])
            return;
    }
    p->selected = from;
    browser_say(b, "nothing here is marked; m marks");
}

static void copy_name(struct browser *b)
{
    size_t row = chosen_row(b);
    char *name;

    if (row == SIZE_MAX)
        return;
    name = browsed_name(&b->browsed, row);
    screen_copy(name);
    browser_say(b, "copied: %s", name);
    free(name);
}

/* Goes on to the other profile; the views of this one go with it. */
static void change_inlines(struct browser *b)
{
    const struct cprof_profile *other =
        b->input->reload ? b->input->reload(b->input->reload_data, !b->inlines) : NULL;
    size_t measure = b->browsed.measure;
    enum numbers numbers = b->browsed.numbers;
    bool own_only = b->browsed.own_only;

    if (!other) {
        browser_say(b, "%s",
                    b->input->old ? "inlined functions stay apart in a comparison"
                                  : "this profile does not tell inlined functions apart");
        return;
    }
    history_clear(&b->history);
    browsed_free(&b->browsed);
    browsed_load(&b->browsed, other, b->input->packages, b->input->root, b->input->sources,
                 b->input->threads);
    b->browsed.measure = measure;
    b->browsed.numbers = numbers;
    b->browsed.own_only = own_only;
    b->inlines = !b->inlines;
    browser_open_first(b);
    browser_say(b, b->inlines ? "inlined functions are apart"
                              : "inlined functions are part of their callers");
}

/*--- Opening views ---*/

static void open_tree(struct browser *b, size_t row)
{
    if (!b->browsed.profile->n_contexts)
        browser_say(b, "no call paths in this profile; %s",
                    b->browsed.has_calls ? "c shows callers and callees"
                                         : "'cargo cprof callgrind' counts them");
    else
        browser_open(b, view_tree(b, &b->browsed, row));
}

static void open_calls(struct browser *b)
{
    size_t row = chosen_row(b);

    if (!b->browsed.has_calls)
        browser_say(b, "no calls in this profile; 'cargo cprof callgrind' counts them");
    else if (row != SIZE_MAX)
        browser_open(b, view_calls(b, &b->browsed, row));
}

static struct place chosen_place(const struct browser *b)
{
    const struct view *v = browser_current(b);

    return v->class->place ? v->class->place(v) : (struct place){NULL, 0};
}

static void open_source(struct browser *b, bool instructions)
{
    size_t row = chosen_row(b);

    if (row != SIZE_MAX)
        browser_open(b, view_source(b, &b->browsed, row, chosen_place(b), instructions));
}

/* Without call paths, those of the function are all that is known. */
static void open_callers(struct browser *b)
{
    size_t row = chosen_row(b);

    if (!b->browsed.profile->n_contexts)
        open_calls(b);
    else if (row != SIZE_MAX)
        browser_open(b, view_callers(b, &b->browsed, row, chosen_place(b)));
}

/* Turns to own code only, or back, where the view has no list of its own for that. */
static void change_own_only(struct browser *b)
{
    struct view *v = browser_current(b);

    if (!browsed_has_own_code(&b->browsed)) {
        browser_say(b, "no code is known to be your own");
        return;
    }
    if (!v->class->act(v, ACTION_OWN_ONLY))
        browser_say(b, "here is no function that could be left out");
}

void actions_open_diff(struct browser *b)
{
    struct view *view = b->input->old ? view_diff(b, &b->browsed, b->input) : NULL;

    if (view)
        browser_open(b, view);
    else if (b->input->old)
        browser_say(b, "the two profiles have no event in common");
    else
        browser_say(b, "nothing to compare with; 'cargo cprof browse OLD NEW' opens two profiles");
}

bool actions_open_time(struct browser *b)
{
    struct view *view = b->input->old ? view_time(b, &b->browsed, b->input) : NULL;

    if (view)
        browser_open(b, view);
    return view != NULL;
}

/*--- Moving, and which action is which ---*/

static long page(const struct pane *p)
{
    return p->height > 2 ? p->height - 1 : 1;
}

static bool move_in_pane(struct pane *p, enum action action)
{
    switch (action) {
    case ACTION_UP:
        pane_move(p, -1);
        return true;
    case ACTION_DOWN:
        pane_move(p, 1);
        return true;
    case ACTION_PAGE_UP:
        pane_move(p, -page(p));
        return true;
    case ACTION_PAGE_DOWN:
        pane_move(p, page(p));
        return true;
    case ACTION_FIRST:
        pane_select(p, 0);
        return true;
    case ACTION_LAST:
        pane_select(p, SIZE_MAX);
        return true;
    default:
        return false;
    }
}

static bool open_view(struct browser *b, enum action action)
{
    switch (action) {
    case ACTION_HELP:
        browser_open(b, view_help(b, &b->browsed));
        return true;
    case ACTION_CALLS:
        open_calls(b);
        return true;
    case ACTION_CALLERS:
        open_callers(b);
        return true;
    case ACTION_TREE:
        open_tree(b, SIZE_MAX);
        return true;
    case ACTION_TREE_BELOW:
        open_tree(b, chosen_row(b));
        return true;
    case ACTION_SOURCE:
        open_source(b, false);
        return true;
    case ACTION_ASM:
        open_source(b, true);
        return true;
    case ACTION_GROUP:
        browser_open(b, view_groups(b, &b->browsed));
        return true;
    case ACTION_DIFF:
        actions_open_diff(b);
        return true;
    case ACTION_TIME:
        if (!actions_open_time(b))
            browser_say(b, "no time beside counts; 'cargo cprof browse EXACT SAMPLED' opens both");
        return true;
    case ACTION_BACK:
        if (!history_back(&b->history))
            browser_say(b, "there is no view to go to");
        return true;
    case ACTION_FORWARD:
        if (!history_forward(&b->history))
            browser_say(b, "there is no view to go to");
        return true;
    default:
        if (action >= ACTION_VIEWS)
            browser_open_view(b, action - ACTION_VIEWS);
        return action >= ACTION_VIEWS;
    }
}

void actions_do(struct browser *b, enum action action)
{
    struct view *v = browser_current(b);

    if (move_in_pane(view_pane(v), action) ||
        (v->class->id && action == ACTION_VIEWS + (enum action)v->class->id))
        return;
    if (action != ACTION_OWN_ONLY && (v->class->act(v, action) || open_view(b, action)))
        return;
    switch (action) {
    case ACTION_QUIT:
        b->done = true;
        break;
    case ACTION_NEXT_PANE:
        v->focus = (v->focus + 1) % v->n_panes;
        break;
    case ACTION_FILTER:
        prompting_filter(b);
        break;
    case ACTION_OWN_ONLY:
        change_own_only(b);
        break;
    case ACTION_ESCAPE:
        if (v->filter)
            prompting_drop_filter(b);
        else
            history_back(&b->history);
        break;
    case ACTION_EVENT:
        change_measure(b, 1);
        break;
    case ACTION_EVENT_BACK:
        change_measure(b, b->browsed.n_measures - 1);
        break;
    case ACTION_PERCENT:
        change_numbers(b);
        break;
    case ACTION_INLINES:
        change_inlines(b);
        break;
    case ACTION_MARK:
        mark(b);
        break;
    case ACTION_NEXT_MARK:
        next_mark(b);
        break;
    case ACTION_COPY:
        copy_name(b);
        break;
    case ACTION_WRITE:
        prompting_file(b);
        break;
    case ACTION_REDRAW:
        clearok(stdscr, TRUE);
        break;
    default:
        browser_say(b, "that key does nothing here; ? shows the keys");
    }
}
