/*
 * cp_hidden.c - what a call hides: slow halves of cp_inclusive.h.
 *
 * Copies call it while vectors are the program's: it is compiled without any.
 */
#include "cp_inclusive.h"

static void hide(Activity *a)
{
    a->live++;
    cp_activity_begin(a);
}

static void show(Activity *a)
{
    cp_activity_end(a);
    a->live--;
}

static Bool open_hidden(const Child *c)
{
    Activity *function = &c->function->activity, *edge = &c->edge->activity;

    if (cp_child_is_folded(c)) {
        for (Node *n = c->parent; n != c->node; n = n->parent) {
            hide(&n->function->activity);
            hide(&n->edge->activity);
        }
        cp_activity_open(edge);
        return True;
    }
    if (function->live)
        cp_activity_end(function);
    if (edge->live)
        cp_activity_end(edge);
    return function->live || edge->live || c->function->argument_options;
}

static void close_hidden(const Child *c)
{
    Activity *function = &c->function->activity, *edge = &c->edge->activity;

    if (cp_child_is_folded(c)) {
        cp_activity_close(edge);
        for (Node *n = c->parent; n != c->node; n = n->parent) {
            show(&n->edge->activity);
            show(&n->function->activity);
        }
        return;
    }
    if (edge->live)
        cp_activity_begin(edge);
    if (function->live)
        cp_activity_begin(function);
}

Bool cp_inclusive_open_watched(const Child *c)
{
    if (cp_inclusive_by_tree)
        return open_hidden(c);
    cp_activity_open(&c->function->activity);
    cp_activity_open(&c->edge->activity);
    return True;
}

void cp_inclusive_close(const Child *c)
{
    if (cp_inclusive_by_tree) {
        close_hidden(c);
        return;
    }
    cp_activity_close(&c->edge->activity);
    cp_activity_close(&c->function->activity);
}
