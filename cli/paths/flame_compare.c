#include <config.h>

/* The frames of one flame graph against those of another. */
#include "base/memory.h"
#include "cprof_internal.h"
#include "paths/flame.h"

#include <stdlib.h>

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
