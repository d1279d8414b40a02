#include <config.h>

#include "paths/flame.h"

#include "base/array.h"
#include "base/memory.h"
#include "cprof_internal.h"
#include "paths/flame_build.h"

#include <stdlib.h>

/*--- Frames one after another ---*/

void flame_begin(struct flame_build *b, struct flame *f, const struct cprof_profile *p,
                 int64_t least)
{
    *f = (struct flame){.profile = p};
    *b = (struct flame_build){.flame = f, .least = least < 1 ? 1 : least};
}

void flame_wait(struct flame_build *b, const struct flame_frame *frame, size_t from, size_t size)
{
    GROW(b->waiting, b->n_waiting, b->room);
    b->waiting[b->n_waiting++] = (struct flame_waiting){*frame, from, size};
}

bool flame_next(struct flame_build *b, struct flame_waiting *next)
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
void flame_place(struct flame_build *b, size_t first)
{
    size_t n = b->n_waiting - first;
    struct flame_frame *parent = &b->flame->frames[b->flame->n - 1];
    int64_t start = parent->start;

    if (n > 1)
        qsort(b->waiting + first, n, sizeof *b->waiting, by_value);
    for (size_t i = b->n_waiting; i-- > first;) {
        struct flame_frame *frame = &b->waiting[i].frame;

        frame->parent = (uint32_t)(b->flame->n - 1);
        frame->depth = parent->depth + 1;
        frame->start = start;
        start += frame->value;
    }
    b->flame->hidden += parent->hidden;
}

void flame_end(struct flame_build *b)
{
    free(b->waiting);
}

/*--- From the root ---*/

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
            flame_wait(b, &child, c, 0);
        } else if (value > 0) {
            frame->hidden += value;
            frame->n_hidden++;
        }
    }
    frame->self = column_value(measure, tree_self(t, node));
    flame_place(b, first);
}

void flame_load(struct flame *f, const struct tree *t, const struct column *measure, int64_t least)
{
    struct flame_build build;
    struct flame_waiting next;
    struct flame_frame root = {.function = CPROF_NONE,
                               .parent = CPROF_NONE,
                               .value = column_value(measure, tree_inclusive(t, 0))};

    flame_begin(&build, f, t->profile, least);
    flame_wait(&build, &root, 0, 0);
    while (flame_next(&build, &next))
        expand(&build, t, measure, (uint32_t)next.from);
    flame_end(&build);
}

void flame_free(struct flame *f)
{
    free(f->frames);
    *f = (struct flame){.n = 0};
}

/*--- Comparing ---*/

/* The key of a frame in the old graph: the frame that it stands on, and its function. */
struct frame_key {
    uint32_t parent, id;
    bool inlined;
};

struct frame_index {
    const struct flame *old;
    const uint32_t *ids;
    struct map map;
};

static int same_frame(const void *owner, uint32_t index, const void *key)
{
    const struct frame_index *l = owner;
    const struct flame_frame *frame = &l->old->frames[index];
    const struct frame_key *k = key;

    return frame->parent == k->parent && l->ids[frame->function] == k->id &&
           frame->inlined == k->inlined;
}

static uint32_t hash_of(const struct frame_key *k)
{
    return map_hash(map_mix((uint64_t)k->parent << 32 | k->id, k->inlined));
}

static void index_frames(struct frame_index *l)
{
    for (size_t i = 1; i < l->old->n; i++) {
        const struct flame_frame *frame = &l->old->frames[i];
        struct frame_key key = {frame->parent, l->ids[frame->function], frame->inlined};

        if (map_add(&l->map, hash_of(&key), (uint32_t)i) != 0)
            memory_die();
    }
}

int64_t flame_compare(struct flame *f, const struct flame *old, const uint32_t *ids,
                      const uint32_t *old_ids)
{
    struct frame_index lookup = {.old = old, .ids = old_ids};
    uint32_t *partners = xcalloc(f->n, sizeof *partners); /* the root's partner is the root */
    int64_t gone = old->frames[0].value, found = 0;

    index_frames(&lookup);
    f->frames[0].old = old->frames[0].value;
    found += old->frames[0].self;
    for (size_t i = 1; i < f->n; i++) {
        struct flame_frame *frame = &f->frames[i];
        struct frame_key key = {partners[frame->parent], ids[frame->function], frame->inlined};

        partners[i] = key.parent == CPROF_NONE
                          ? CPROF_NONE
                          : map_find(&lookup.map, hash_of(&key), same_frame, &lookup, &key);
        if (partners[i] == CPROF_NONE)
            continue;
        frame->old = old->frames[partners[i]].value;
        found += old->frames[partners[i]].self;
    }
    map_release(&lookup.map);
    free(partners);
    return gone - found;
}
