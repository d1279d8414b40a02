/*
 * Data structure: a pool of pairs, and an open hash table of their indices, half empty at least.
 */
#include "cp_tally.h"

#define MIN_ROOM (1 << 12)
#define EMPTY    0 /* entries are indices + 1 */

static Pool tallies = {.size = sizeof(Tally), .tag = "cp.tally.1"};
static UInt *table;
static UInt room;

static UInt slot_of(UInt node, UInt site)
{
    ULong h = ((ULong)node << 32 | site) * 0x9E3779B97F4A7C15ULL;
    UInt i;

    for (i = (UInt)(h >> 32) & (room - 1); table[i] != EMPTY; i = (i + 1) & (room - 1)) {
        const Tally *t = cp_pool_at(&tallies, table[i] - 1);
        if (t->node == node && t->site == site)
            break;
    }
    return i;
}

static void grow(void)
{
    VG_(free)(table);
    room = room ? 2 * room : MIN_ROOM;
    table = VG_(calloc)("cp.tally.2", room, sizeof *table);
    for (UInt i = 0; i < tallies.n; i++) {
        const Tally *t = cp_pool_at(&tallies, i);
        table[slot_of(t->node, t->site)] = i + 1;
    }
}

Tally *cp_tally_find(Site *site)
{
    UInt i;

    if (2 * tallies.n >= room)
        grow();
    i = slot_of(cp_now.node->id, site->id);
    if (table[i] == EMPTY) {
        Tally *t = cp_pool_add(&tallies);
        t->node = cp_now.node->id;
        t->site = site->id;
        table[i] = tallies.n;
    }
    site->counted_in = cp_now.node;
    return site->tally = cp_pool_at(&tallies, table[i] - 1);
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
