/*
 * cp_heap_sum.c - data structure #1: the counts of nodes, an array. #2: a hash table of inclusive
 * counts by activity.
 */
#include "cp_hash.h"
#include "cp_heap_path.h"

typedef struct {
    const Activity *of;
    HeapCounts counts;
} HeapSum;

static Pool sums = {.size = sizeof(HeapSum), .tag = "cp.heap.6"};
static HashTable table;
static HeapCounts *nodes; /* by index; what a node's own paths count */

static UInt hash_sum(const void *element)
{
    return cp_hash((Addr)((const HeapSum *)element)->of, 0, 0);
}

static Bool same_sum(const void *a, const void *b)
{
    return ((const HeapSum *)a)->of == ((const HeapSum *)b)->of;
}

static void add(ULong *to, const ULong *values)
{
    for (UInt i = 0; i < HEAP_COLUMNS; i++)
        to[i] += values[i];
}

static Bool any(const HeapCounts *counts)
{
    for (UInt i = 0; i < HEAP_COLUMNS; i++)
        if (counts->values[i])
            return True;
    return False;
}

static void add_inclusive(const Activity *of, const ULong *values)
{
    const HeapSum key = {.of = of};
    void **place = cp_hash_find(&table, &key, hash_sum, same_sum);

    if (!*place) {
        HeapSum *sum = cp_pool_add(&sums);
        *sum = key;
        *place = sum;
    }
    add(((HeapSum *)*place)->counts.values, values);
}

/* Adds what the tree has to the inclusive counts. A function, or an edge, is on a path at most
 * once. */
static void add_tree(HeapCounts *tree)
{
    for (UInt i = cp_node_count(); i-- > 0;) {
        const Node *n = cp_node(i);
        if (!any(&tree[i]))
            continue;
        add_inclusive(&n->function->activity, tree[i].values);
        if (n->edge)
            add_inclusive(&n->edge->activity, tree[i].values);
        if (n->parent)
            add(tree[n->parent->id].values, tree[i].values);
    }
}

void cp_heap_begin_sums(Bool is_end)
{
    UInt n = cp_node_count() + 1;
    HeapCounts *tree = VG_(calloc)("cp.heap.7", n, sizeof *tree);
    ULong life = cp_heap_life();

    nodes = VG_(calloc)("cp.heap.8", n, sizeof *nodes);
    for (UInt i = 0; i < sums.n; i++)
        VG_(memset)(&((HeapSum *)cp_pool_at(&sums, i))->counts, 0, sizeof(HeapCounts));
    for (UInt i = 1; i < cp_heap_paths.n; i++) {
        const HeapPath *p = cp_heap_path_at(i);
        ULong values[HEAP_COLUMNS];
        cp_heap_values(p, is_end, &life, values);
        add(nodes[p->node].values, values);
        if (p->by_tree)
            add(tree[p->node].values, values);
        for (UInt k = 0; k < p->n_active; k++)
            add_inclusive(cp_heap_active_at(p->first_active + k), values);
    }
    add_tree(tree);
    VG_(free)(tree);
}

void cp_heap_end_sums(void)
{
    VG_(free)(nodes);
    nodes = NULL;
}

const HeapCounts *cp_heap_node(const Node *node)
{
    const HeapCounts *counts = &nodes[node->id];

    return any(counts) ? counts : NULL;
}

const HeapCounts *cp_heap_inclusive(const Activity *activity)
{
    const HeapSum key = {.of = activity}, *sum = cp_hash_get(&table, &key, hash_sum, same_sum);

    return sum && any(&sum->counts) ? &sum->counts : NULL;
}
