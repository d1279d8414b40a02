#include <config.h>

/*
 * Primary data structure: one array of all paths with an own cost, each followed from its last
 * function to its root. The paths of a frame are neighbours there. Sorting brings those with the
 * same next caller together: they are the frames on it.
 */
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "paths/flame.h"
#include "paths/flame_build.h"

#include <stdlib.h>

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

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
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
static void expand(struct reversal *r, size_t from, size_t size)
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
        expand(&r, next.from, next.size);
    flame_build_end(&r.build);
    free(r.items);
}
