/*
 * cp_heap_path.c - data structure: a hash table of paths by (node, active activities).
 */
#include "cp_heap_path.h"

#include "cp_hash.h"

const HChar *const cp_heap_names[HEAP_COLUMNS] = {
    [HEAP_ALLOCS] = "Allocs",
    [HEAP_REALLOCS] = "Reallocs",
    [HEAP_BYTES] = "Bytes",
    [HEAP_FREED] = "Freed",
    [HEAP_FREES] = "Frees",
    [HEAP_TEMPORARY] = "Temporary",
    [HEAP_LIFE] = "Life",
    [HEAP_PEAK_BYTES] = "PeakBytes",
    [HEAP_PEAK_BLOCKS] = "PeakBlocks",
    [HEAP_END_BYTES] = "EndBytes",
    [HEAP_END_BLOCKS] = "EndBlocks",
    [HEAP_MAPS] = "Maps",
    [HEAP_MAP_BYTES] = "MapBytes",
    [HEAP_UNMAP_BYTES] = "UnmapBytes",
};

/* Beyond this many paths for each context that is allowed, inclusive counts get a lower bound. */
enum { PATHS_PER_CONTEXT = 4 };

void (*cp_heap_each_active)(void (*list)(Activity *a));

Pool cp_heap_paths = {.size = sizeof(HeapPath), .tag = "cp.heap.1"};
static Pool actives = {.size = sizeof(Activity *), .tag = "cp.heap.2"};
HeapPath *cp_heap_last_paths[CP_HEAP_LAST];
static HashTable table;

/*--- Paths ---*/

static UInt hash_path(const void *element)
{
    const HeapPath *p = element;

    return cp_hash(p->node, p->active, p->by_tree);
}

static Bool same_path(const void *a, const void *b)
{
    const HeapPath *x = a, *y = b;

    return x->node == y->node && x->active == y->active && x->by_tree == y->by_tree;
}

static void list(Activity *a)
{
    if (!a->is_active || a->is_listed)
        return;
    a->is_listed = True;
    *(Activity **)cp_pool_add(&actives) = a;
}

/* Notes which activities are active. */
static void list_active(HeapPath *p)
{
    p->first_active = actives.n;
    cp_heap_each_active(list);
    p->n_active = actives.n - p->first_active;
    for (UInt i = p->first_active; i < actives.n; i++)
        cp_heap_active_at(i)->is_listed = False;
}

static HeapPath *new_path(const HeapPath *key)
{
    HeapPath *p = cp_pool_add(&cp_heap_paths);

    *p = *key;
    p->id = cp_heap_paths.n - 1;
    return p;
}

HeapPath *cp_heap_other_path(void)
{
    HeapPath key = {.node = cp_now.node->id, .active = cp_active, .by_tree = cp_inclusive_by_tree};
    HeapPath *p;
    void **place;

    if (!cp_heap_paths.n)
        new_path(&(HeapPath){.node = 0});
    if (!cp_collecting)
        return cp_heap_path_at(0);
    p = cp_hash_get(&table, &key, hash_path, same_path);
    if (!p && cp_heap_paths.n / PATHS_PER_CONTEXT >= clo_max_contexts)
        key.active = 0;
    place = p ? NULL : cp_hash_find(&table, &key, hash_path, same_path);
    if (place && !*place) {
        *place = p = new_path(&key);
        if (key.active)
            list_active(p);
    }
    return *cp_heap_last(key.node) = p ? p : *place;
}

Activity *cp_heap_active_at(UInt index)
{
    return *(Activity **)cp_pool_at(&actives, index);
}
