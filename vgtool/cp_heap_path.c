/*
 * cp_heap_path.c - data structure: a hash table of paths by (node, active activities).
 */
#include "cp_heap_path.h"

#include "cp_hash.h"

const HChar *const cp_heap_names[HEAP_COLUMNS] = {
    [HEAP_ALLOCS] = "Allocs",
    [HEAP_REALLOCS] = "Reallocs",
    [HEAP_BYTES] = "Bytes",
    [HEAP_FREES] = "Frees",
    [HEAP_FREED] = "Freed",
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

static Pool paths = {.size = sizeof(HeapPath), .tag = "cp.heap.1"};
static Pool actives = {.size = sizeof(Activity *), .tag = "cp.heap.2"};
static HashTable table;

/* The program's live bytes, without those of path 0, and their greatest number. Time is the number
 * of changes. */
static ULong live_bytes, peak_bytes, time, peak_time;

/* The block that was allocated last; 0: none since. */
static UInt newest;

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
    HeapPath *p = cp_pool_add(&paths);

    *p = *key;
    p->id = paths.n - 1;
    return p;
}

HeapPath *cp_heap_path(void)
{
    HeapPath key = {.node = cp_now.node->id, .active = cp_active, .by_tree = cp_inclusive_by_tree};
    HeapPath *p;
    void **place;

    if (!paths.n)
        new_path(&(HeapPath){.node = 0});
    if (!cp_collecting)
        return cp_heap_path_at(0);
    p = cp_hash_get(&table, &key, hash_path, same_path);
    if (LIKELY(p != NULL))
        return p;
    if (paths.n / PATHS_PER_CONTEXT >= clo_max_contexts)
        key.active = 0;
    place = cp_hash_find(&table, &key, hash_path, same_path);
    if (!*place) {
        *place = p = new_path(&key);
        if (key.active)
            list_active(p);
    }
    return *place;
}

UInt cp_heap_path_count(void)
{
    return paths.n;
}

HeapPath *cp_heap_path_at(UInt index)
{
    return cp_pool_at(&paths, index);
}

Activity *cp_heap_active_at(UInt index)
{
    return *(Activity **)cp_pool_at(&actives, index);
}

/*--- Blocks ---*/

/* The path's live blocks are about to change. Keeps what it had at the program's peak, if it has
 * not changed since. */
static void change(HeapPath *p)
{
    if (p->changed <= peak_time) {
        p->peak_bytes = p->live_bytes;
        p->peak_blocks = p->live_blocks;
    }
    p->changed = ++time;
}

static void grow(UInt block)
{
    const LiveBlock *b = cp_live_at(block);
    HeapPath *p = cp_heap_path_at(b->path);

    if (!p->id)
        return;
    change(p);
    p->live_bytes += b->size;
    p->live_blocks++;
    p->births += b->birth;
    live_bytes += b->size;
    if (live_bytes > peak_bytes) {
        peak_bytes = live_bytes;
        peak_time = time;
    }
}

static void shrink(UInt block)
{
    const LiveBlock *b = cp_live_at(block);
    HeapPath *p = cp_heap_path_at(b->path);

    if (!p->id)
        return;
    change(p);
    p->live_bytes -= b->size;
    p->live_blocks--;
    p->births -= b->birth;
    live_bytes -= b->size;
}

void cp_heap_take(UInt block)
{
    shrink(block);
    cp_live_take(block);
}

void cp_heap_stays(UInt block)
{
    cp_live_put_back(block);
    grow(block);
}

/* The block's life ends. Only what is collected counts. */
static void end_life(const LiveBlock *b)
{
    HeapPath *p = cp_heap_path_at(b->path);

    if (p->id && cp_collecting)
        p->counts[HEAP_LIFE] += cp_heap_now() - b->birth;
}

void cp_heap_freed(UInt block, HeapPath *here)
{
    const LiveBlock *b = cp_live_at(block);
    HeapPath *p = cp_heap_path_at(b->path);

    end_life(b);
    if (p->id && cp_collecting) {
        p->counts[HEAP_FREES]++;
        p->counts[HEAP_TEMPORARY] += block == newest;
    }
    if (here && here->id)
        here->counts[HEAP_FREED]++;
    if (block == newest)
        newest = 0;
    cp_live_drop(block);
}

static void settle(UInt block, HeapPath *path, SizeT size)
{
    LiveBlock *b = cp_live_at(block);

    b->size = size;
    b->birth = cp_heap_now();
    b->path = path->id;
    newest = block;
    path->counts[HEAP_BYTES] += size;
    grow(block);
}

/* A block that is at the address now has gone without having been seen. */
static void clear(Addr start, UInt pool)
{
    UInt block = cp_live_find(start, pool != LIVE_HEAP);

    if (!block)
        return;
    cp_heap_take(block);
    cp_heap_freed(block, NULL);
}

UInt cp_heap_add(HeapPath *path, Addr start, SizeT size, UInt pool)
{
    UInt block;

    clear(start, pool);
    block = cp_live_add(start, pool);
    path->counts[HEAP_ALLOCS]++;
    settle(block, path, size);
    return block;
}

void cp_heap_moved(UInt block, HeapPath *path, Addr start, SizeT size)
{
    LiveBlock *b = cp_live_at(block);

    end_life(b);
    clear(start, b->pool);
    b->start = start;
    cp_live_put_back(block);
    path->counts[HEAP_REALLOCS]++;
    settle(block, path, size);
}

/*--- The profile ---*/

void cp_heap_values(const HeapPath *p, Bool is_end, ULong *values)
{
    Bool is_unchanged = p->changed <= peak_time;

    VG_(memcpy)(values, p->counts, sizeof p->counts);
    if (!is_end)
        return;
    values[HEAP_LIFE] += p->live_blocks * cp_heap_now() - p->births;
    values[HEAP_PEAK_BYTES] = is_unchanged ? p->live_bytes : p->peak_bytes;
    values[HEAP_PEAK_BLOCKS] = is_unchanged ? p->live_blocks : p->peak_blocks;
    values[HEAP_END_BYTES] = p->live_bytes;
    values[HEAP_END_BLOCKS] = p->live_blocks;
}

void cp_heap_reset(void)
{
    for (UInt i = 0; i < paths.n; i++)
        VG_(memset)(cp_heap_path_at(i)->counts, 0, sizeof cp_heap_path_at(i)->counts);
}

void cp_heap_fork(void)
{
    peak_bytes = live_bytes;
    peak_time = time;
}
