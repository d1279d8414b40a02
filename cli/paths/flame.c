#include <config.h>

#include "paths/flame.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "paths/flame_build.h"

#include <stdlib.h>

struct loading {
    struct flame_build build;
    const struct tree *tree;
    const struct column *measure;
    const struct crates *crates; /* NULL: nothing is folded */
};

/* The node that shares the frame of another one, or CPROF_NONE. */
static uint32_t chained(const struct loading *l, uint32_t node)
{
    const struct tree_node *nodes = l->tree->nodes;
    uint32_t child = l->crates ? tree_inlined_child(l->tree, node, l->measure,
                                                    (double)l->build.least, l->crates->own)
                               : CPROF_NONE;

    return child != CPROF_NONE && crates_of(l->crates, nodes[child].function) ==
                                      crates_of(l->crates, nodes[node].function)
               ? child
               : CPROF_NONE;
}

static void add_chained(struct flame *f, struct flame_frame *frame, uint32_t function)
{
    GROW(f->chained, f->n_chained, f->chained_room);
    if (!frame->n_chained++)
        frame->first_chained = f->n_chained;
    f->chained[f->n_chained++] = function;
}

/* Lets the children of the last frame's node wait that are wide enough, and counts the others. */
static void expand_node(struct loading *l, uint32_t node)
{
    const struct tree *t = l->tree;
    struct flame_build *b = &l->build;
    struct flame_frame *frame = &b->flame->frames[b->flame->n - 1];

    for (uint32_t c = t->nodes[node].first_child; c != CPROF_NONE; c = t->nodes[c].next) {
        int64_t value = column_value(l->measure, tree_inclusive(t, c));
        struct flame_frame child = {.function = t->nodes[c].function,
                                    .inlined = t->nodes[c].inlined,
                                    .fold = t->nodes[c].fold,
                                    .calls = t->nodes[c].calls,
                                    .value = value};

        if (value >= b->least) {
            flame_build_push(b, &child, c, 0);
        } else if (value > 0) {
            count_add(&frame->hidden, value);
            frame->n_hidden++;
        }
    }
    count_add(&frame->self, column_value(l->measure, tree_self(t, node)));
}

static void expand(struct loading *l, uint32_t node)
{
    struct flame_build *b = &l->build;
    struct flame_frame *frame = &b->flame->frames[b->flame->n - 1];
    size_t first = b->n_waiting;
    uint32_t next;

    expand_node(l, node);
    while ((next = chained(l, node)) != CPROF_NONE) {
        b->n_waiting = first; /* the only one that waits is this */
        add_chained(b->flame, frame, l->tree->nodes[next].function);
        node = next;
        expand_node(l, node);
    }
    flame_build_place(b, first);
}

static void load(struct loading *l, struct flame *f, int64_t least)
{
    struct flame_waiting next;
    struct flame_frame root = {.function = CPROF_NONE,
                               .parent = CPROF_NONE,
                               .value = column_value(l->measure, tree_inclusive(l->tree, 0))};

    flame_build_begin(&l->build, f, l->tree->profile, least);
    flame_build_push(&l->build, &root, 0, 0);
    while (flame_build_pop(&l->build, &next))
        expand(l, (uint32_t)next.from);
    flame_build_end(&l->build);
}

void flame_load(struct flame *f, const struct tree *t, const struct column *measure, int64_t least)
{
    struct loading l = {.tree = t, .measure = measure};

    load(&l, f, least);
}

void flame_load_chains(struct flame *f, const struct tree *t, const struct column *measure,
                       int64_t least, const struct crates *crates)
{
    struct loading l = {.tree = t, .measure = measure, .crates = crates};

    load(&l, f, least);
}

void flame_free(struct flame *f)
{
    free(f->frames);
    free(f->chained);
    *f = (struct flame){.n = 0};
}
