/*
 * cp_misses.c - data structure: a pool of miss counters, and a hash table of them.
 */
#include "cp_misses.h"

#include "cp_hash.h"

static Pool counters = {.size = sizeof(MissCounter), .tag = "cp.misses.1"};
static HashTable table;

static UInt hash_counter(const void *element)
{
    const MissCounter *c = element;

    return cp_hash(c->node, c->point, 0);
}

static Bool same_counter(const void *a, const void *b)
{
    const MissCounter *x = a, *y = b;

    return x->node == y->node && x->point == y->point;
}

MissCounter *cp_misses_find(AccessPoint *point)
{
    const MissCounter key = {.node = cp_now.node->id, .point = point->id};
    void **entry = cp_hash_find(&table, &key, hash_counter, same_counter);

    if (!*entry) {
        MissCounter *c = cp_pool_add(&counters);
        *c = key;
        *entry = c;
    }
    point->counted_in = cp_now.node;
    return point->misses = *entry;
}

void cp_misses_columns(const MissCounter *counter, ULong *columns)
{
    static const UChar first[] = {[POINT_FETCH] = CP_COLUMN_I1MR,
                                  [POINT_READ] = CP_COLUMN_D1MR,
                                  [POINT_WRITE] = CP_COLUMN_D1MW,
                                  [POINT_CONDITIONAL] = CP_COLUMN_BCM,
                                  [POINT_INDIRECT] = CP_COLUMN_BIM};
    UInt column = first[cp_point(counter->point)->kind];

    columns[column] += counter->counts[0];
    if (column < CP_COLUMN_BC)
        columns[column + 1] += counter->counts[1];
}

UInt cp_misses_count(void)
{
    return counters.n;
}

const MissCounter *cp_misses_at(UInt index)
{
    return cp_pool_at(&counters, index);
}

void cp_misses_reset(void)
{
    for (UInt i = 0; i < counters.n; i++) {
        MissCounter *c = cp_pool_at(&counters, i);
        c->counts[0] = c->counts[1] = 0;
    }
}

/* Makes one stable pass of a radix sort, from `in` to `out` by one of the two indices, which are
 * below `limit`. */
static void distribute(const MissCounter **in, const MissCounter **out, Bool by_node, UInt limit)
{
    UInt *at = VG_(calloc)("cp.misses.3", (SizeT)limit + 1, sizeof *at);

    for (UInt i = 0; i < counters.n; i++)
        at[(by_node ? in[i]->node : in[i]->point) + 1]++;
    for (UInt i = 0; i < limit; i++)
        at[i + 1] += at[i];
    for (UInt i = 0; i < counters.n; i++)
        out[at[by_node ? in[i]->node : in[i]->point]++] = in[i];
    VG_(free)(at);
}

const MissCounter **cp_misses_sorted(UInt *n)
{
    const MissCounter **a = VG_(malloc)("cp.misses.4", ((SizeT)counters.n + 1) * sizeof *a);
    const MissCounter **b = VG_(malloc)("cp.misses.5", ((SizeT)counters.n + 1) * sizeof *b);

    for (UInt i = 0; i < counters.n; i++)
        a[i] = cp_pool_at(&counters, i);
    distribute(a, b, False, cp_point_count());
    distribute(b, a, True, cp_node_count());
    VG_(free)(b);
    *n = counters.n;
    return a;
}
