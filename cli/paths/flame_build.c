#include <config.h>

#include "paths/flame_build.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

void flame_build_begin(struct flame_build *b, struct flame *f, const struct cprof_profile *p,
                       int64_t least)
{
    *f = (struct flame){.profile = p};
    *b = (struct flame_build){.flame = f, .least = least < 1 ? 1 : least};
}

void flame_build_push(struct flame_build *b, const struct flame_frame *frame, size_t from,
                      size_t size)
{
    GROW(b->waiting, b->n_waiting, b->room);
    b->waiting[b->n_waiting++] = (struct flame_waiting){*frame, from, size};
}

bool flame_build_pop(struct flame_build *b, struct flame_waiting *next)
{
    struct flame *f = b->flame;

    if (!b->n_waiting)
        return false;
    *next = b->waiting[--b->n_waiting];
    GROW(f->frames, f->n, b->frames_room);
    f->frames[f->n++] = next->frame;
    if (next->frame.depth >= f->n_levels)
        f->n_levels = next->frame.depth + 1;
    return true;
}

static int by_value(const void *a, const void *b)
{
    const struct flame_waiting *x = a, *y = b;

    if (x->frame.value != y->frame.value)
        return x->frame.value > y->frame.value ? 1 : -1;
    return (x->from < y->from) - (x->from > y->from);
}

/* Compares frames: the widest comes last, since the stack's last frame is next. */
void flame_build_place(struct flame_build *b, size_t first)
{
    size_t n = b->n_waiting - first;
    struct flame_frame *parent = &b->flame->frames[b->flame->n - 1];
    int64_t start = parent->start;

    if (n > 1)
        sort_items(b->waiting + first, n, sizeof *b->waiting, by_value);
    for (size_t i = b->n_waiting; i-- > first;) {
        struct flame_frame *frame = &b->waiting[i].frame;

        frame->parent = (uint32_t)(b->flame->n - 1);
        frame->depth = parent->depth + 1;
        frame->start = start;
        count_add(&start, frame->value);
    }
    count_add(&b->flame->hidden, parent->hidden);
}

void flame_build_end(struct flame_build *b)
{
    free(b->waiting);
}
