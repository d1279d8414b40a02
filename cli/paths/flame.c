#include <config.h>

#include "paths/flame.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>

/*--- The order of frames: a stack of frames that wait for their place ---*/

/* A frame whose place depends on its parent's, and its material: `size` items from `from` on. */
struct flame_waiting {
    struct flame_frame frame;
    size_t from, size;
};

struct flame_build {
    struct flame *flame;
    int64_t least;
    struct flame_waiting *waiting;
    size_t n_waiting, room, frames_room;
};

static void flame_build_begin(struct flame_build *b, struct flame *f, const struct cprof_profile *p,
                              int64_t least)
{
    *f = (struct flame){.profile = p};
    *b = (struct flame_build){.flame = f, .least = least < 1 ? 1 : least};
}

static void flame_build_push(struct flame_build *b, const struct flame_frame *frame, size_t from,
                             size_t size)
{
    APPEND(b->waiting, b->n_waiting, b->room) = (struct flame_waiting){*frame, from, size};
}

/* Moves the next frame from the stack to the end of the flame graph. Returns false where all are
 * there. */
static bool flame_build_pop(struct flame_build *b, struct flame_waiting *next)
{
    struct flame *f = b->flame;

    if (!b->n_waiting)
        return false;
    *next = b->waiting[--b->n_waiting];
    APPEND(f->frames, f->n, b->frames_room) = next->frame;
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
static void flame_build_place(struct flame_build *b, size_t first)
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

static void flame_build_end(struct flame_build *b)
{
    free(b->waiting);
}

/*--- Paths from the root on ---*/

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

/*--- Graphs upside down ---*/

/*
 * Primary data structure: one array of all paths with an own cost, each followed from its last
 * function to its root. The paths of a frame are neighbours there. Sorting brings those with the
 * same next caller together: they are the frames on it.
 */

struct reversed_path {
    uint32_t node; /* the node that the path is followed to; 0: it is at its end */
    uint64_t key;  /* function and `inlined` of that node */
    uint64_t calls;
    int64_t self;
};

struct reversal {
    const struct tree *tree;
    struct reversed_path *items;
    struct flame_build build;
};

static void set_key(const struct tree *t, struct reversed_path *item)
{
    const struct tree_node *node = &t->nodes[item->node];

    item->key = (uint64_t)node->function << 1 | node->inlined;
}

static int by_key(const void *a, const void *b)
{
    const struct reversed_path *x = a, *y = b;

    COMPARE(x->key, y->key);
    return (x->node > y->node) - (x->node < y->node);
}

/* Lists all paths with an own cost, at their last functions. */
static size_t collect(struct reversal *r, const struct column *measure)
{
    const struct tree *t = r->tree;
    size_t n = 0;

    r->items = xreallocarray(NULL, t->n, sizeof *r->items);
    for (uint32_t i = 1; i < t->n; i++) {
        int64_t self = column_value(measure, tree_self(t, i));

        if (self > 0) {
            r->items[n] = (struct reversed_path){i, 0, t->nodes[i].calls, self};
            set_key(t, &r->items[n++]);
        }
    }
    return n;
}

/* Makes one frame of `n` paths with the same key, or adds them to the hidden cost. */
static void put_group(struct reversal *r, size_t from, size_t n, bool count_calls)
{
    struct flame_build *b = &r->build;
    struct reversed_path *items = r->items + from;
    struct flame_frame frame = {.function = (uint32_t)(items[0].key >> 1),
                                .inlined = items[0].key & 1};

    for (size_t i = 0; i < n; i++) {
        frame.value += items[i].self;
        if (count_calls)
            calls_add(&frame.calls, items[i].calls);
    }
    if (frame.value >= b->least) {
        flame_build_push(b, &frame, from, n);
    } else {
        count_add(&b->flame->frames[b->flame->n - 1].hidden, frame.value);
        b->flame->frames[b->flame->n - 1].n_hidden++;
    }
}

/* Puts the frames on the last one, whose paths are `size` ones from `from` on. */
static void reversed_expand(struct reversal *r, size_t from, size_t size)
{
    struct flame_build *b = &r->build;
    size_t first = b->n_waiting, end = from + size;
    bool root = b->flame->n == 1;

    for (size_t i = from; i < end && !root; i++) {
        struct reversed_path *item = &r->items[i];

        item->node = r->tree->nodes[item->node].parent;
        set_key(r->tree, item);
        if (!item->node)
            b->flame->frames[b->flame->n - 1].self += item->self;
    }
    sort_items(r->items + from, size, sizeof *r->items, by_key);
    while (from < end) {
        size_t next = from + 1;

        while (next < end && r->items[next].key == r->items[from].key)
            next++;
        if (r->items[from].node)
            put_group(r, from, next - from, root);
        from = next;
    }
    flame_build_place(b, first);
}

void flame_load_reversed(struct flame *f, const struct tree *t, const struct column *measure,
                         int64_t least)
{
    struct reversal r = {.tree = t};
    struct flame_waiting next;
    struct flame_frame root = {.function = CPROF_NONE,
                               .parent = CPROF_NONE,
                               .value = column_value(measure, tree_inclusive(t, 0))};
    size_t n = collect(&r, measure);

    flame_build_begin(&r.build, f, t->profile, least);
    f->reversed = true;
    flame_build_push(&r.build, &root, 0, n);
    while (flame_build_pop(&r.build, &next))
        reversed_expand(&r, next.from, next.size);
    flame_build_end(&r.build);
    free(r.items);
}

/*--- Comparisons ---*/

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

        memory_check(map_add(&l->map, hash_of(&key), (uint32_t)i));
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

/*--- Kinds of functions ---*/

static unsigned char kind_of(const struct crates *crates, uint32_t function)
{
    return (unsigned char)(origin_of(crates_owner(crates, function)) * ORIGIN_SHADES +
                           origin_shade(crates_of(crates, function)));
}

void flame_kinds_load(struct flame_kinds *kinds, const struct cprof_profile *p,
                      const struct crates *crates, const struct column *measure)
{
    *kinds = (struct flame_kinds){.of_function = xreallocarray(NULL, p->n_functions, 1)};
    for (uint32_t i = 0; i < p->n_functions; i++) {
        bool code = crates->of_function[i] != crates->of_object[p->n_objects];

        kinds->of_function[i] = code ? kind_of(crates, i) : FLAME_KIND_NONE;
    }
    /* A function with a cost is code, though nothing tells of which object. */
    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t f = p->costs[i].function;
        int64_t value = column_value(measure, cprof_cost_values(p, i));

        if (value && kinds->of_function[f] == FLAME_KIND_NONE)
            kinds->of_function[f] = kind_of(crates, f);
        count_add(&kinds->self[kinds->of_function[f] == FLAME_KIND_NONE
                                   ? ORIGIN_SYSTEM
                                   : kinds->of_function[f] / ORIGIN_SHADES],
                  value);
    }
}

void flame_kinds_free(struct flame_kinds *kinds)
{
    free(kinds->of_function);
    *kinds = (struct flame_kinds){.of_function = NULL};
}
