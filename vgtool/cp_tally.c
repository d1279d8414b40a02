/*
 * Data structure: a pool of pairs, and a hash table of them.
 */
#include "cp_tally.h"

#include "cp_hash.h"

static Pool tallies = {.size = sizeof(Tally), .tag = "cp.tally.1"};
static HashTable table;

static UInt hash_tally(const void *element)
{
    const Tally *t = element;

    return cp_hash(t->node, t->site, 0);
}

static Bool same_tally(const void *a, const void *b)
{
    const Tally *t = a, *u = b;

    return t->node == u->node && t->site == u->site;
}

Tally *cp_tally_find(Site *site)
{
    const Tally key = {.node = cp_now.node->id, .site = site->id};
    void **entry = cp_hash_find(&table, &key, hash_tally, same_tally);

    if (!*entry) {
        Tally *t = cp_pool_add(&tallies);
        *t = key;
        *entry = t;
    }
    site->counted_in = cp_now.node;
    return site->tally = *entry;
}

void cp_tally_reset(void)
{
    for (UInt i = 0; i < tallies.n; i++) {
        Tally *t = cp_pool_at(&tallies, i);
        t->counts[0] = t->counts[1] = 0;
    }
}

/* One pass of a radix sort, stable: from `in` to `out` by one of the two indices, which are below
 * `limit`. */
static void distribute(const Tally **in, const Tally **out, Bool by_node, UInt limit)
{
    UInt *at = VG_(calloc)("cp.tally.3", (SizeT)limit + 1, sizeof *at);

    for (UInt i = 0; i < tallies.n; i++)
        at[(by_node ? in[i]->node : in[i]->site) + 1]++;
    for (UInt i = 0; i < limit; i++)
        at[i + 1] += at[i];
    for (UInt i = 0; i < tallies.n; i++)
        out[at[by_node ? in[i]->node : in[i]->site]++] = in[i];
    VG_(free)(at);
}

const Tally **cp_tally_sorted(UInt *n)
{
    const Tally **a = VG_(malloc)("cp.tally.4", ((SizeT)tallies.n + 1) * sizeof *a);
    const Tally **b = VG_(malloc)("cp.tally.5", ((SizeT)tallies.n + 1) * sizeof *b);

    for (UInt i = 0; i < tallies.n; i++)
        a[i] = cp_pool_at(&tallies, i);
    distribute(a, b, False, cp_site_count());
    distribute(b, a, True, cp_node_count());
    VG_(free)(b);
    *n = tallies.n;
    return a;
}
