#include <config.h>

#include "paths/flame.h"

#include "paths/flame_build.h"

#include <stdlib.h>

/* Lets the children of a frame's node wait that are wide enough, and counts the others. */
static void expand(struct flame_build *b, const struct tree *t, const struct column *measure,
                   uint32_t node)
{
    struct flame_frame *frame = &b->flame->frames[b->flame->n - 1];
    size_t first = b->n_waiting;

    for (uint32_t c = t->nodes[node].first_child; c != CPROF_NONE; c = t->nodes[c].next) {
        int64_t value = column_value(measure, tree_inclusive(t, c));
        struct flame_frame child = {.function = t->nodes[c].function,
                                    .inlined = t->nodes[c].inlined,
                                    .calls = t->nodes[c].calls,
                                    .value = value};

        if (value >= b->least) {
            flame_build_push(b, &child, c, 0);
        } else if (value > 0) {
            frame->hidden += value;
            frame->n_hidden++;
        }
    }
    frame->self = column_value(measure, tree_self(t, node));
    flame_build_place(b, first);
}

void flame_load(struct flame *f, const struct tree *t, const struct column *measure, int64_t least)
{
    struct flame_build build;
    struct flame_waiting next;
    struct flame_frame root = {.function = CPROF_NONE,
                               .parent = CPROF_NONE,
                               .value = column_value(measure, tree_inclusive(t, 0))};

    flame_build_begin(&build, f, t->profile, least);
    flame_build_push(&build, &root, 0, 0);
    while (flame_build_pop(&build, &next))
        expand(&build, t, measure, (uint32_t)next.from);
    flame_build_end(&build);
}

void flame_free(struct flame *f)
{
    free(f->frames);
    *f = (struct flame){.n = 0};
}
