/* cp_live.c - entries, and what they do not have. */
#include "cp_live.h"

/*--- The tree ---*/

_Static_assert(sizeof(LiveSlot) == 12, "a block takes 12 bytes");

LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];

/*--- Slots ---*/

/* A group begins with the fewest. Beyond the most, one for each place takes less memory. */
enum { FEWEST_SLOTS = 4, MOST_SLOTS = LIVE_PLACES * 3 / 4 };

/* The smallest places, in bits: hardly any allocator has smaller blocks. */
enum { LEAST_PLACE = 3 };

/* The table of groups that never had a block: the empty slot alone. */
static LiveTable *nothing;

/* Slots of the group are unused from number `first` on. */
static void list_unused(LiveGroup *g, UInt first)
{
    for (UInt i = g->n; i-- > first;) {
        g->table->slots[i] = (LiveSlot){0, g->unused};
        g->unused = (UChar)i;
    }
}

/* The group, which has all its slots in use, has more from now on. */
static void add_slots(LiveGroup *g)
{
    UInt n = g->n, more = n ? n + n / 2 : FEWEST_SLOTS;
    SizeT size = sizeof *g->table + more * sizeof *g->table->slots;

    if (n)
        g->table = VG_(realloc)("cp.live.4", g->table, size);
    else
        g->table = VG_(calloc)("cp.live.4", 1, size);
    g->n = (UChar)more;
    list_unused(g, n ? n : 1);
}

/* A slot for each place, from now on. */
static void add_all(LiveGroup *g)
{
    LiveSlot *all = VG_(calloc)("cp.live.5", LIVE_PLACES, sizeof *all);

    for (UInt i = 0; i < LIVE_PLACES; i++)
        all[i] = g->table->slots[g->table->number[i]];
    VG_(free)(g->table);
    g->has_all = True;
    g->all = all;
}

/* Where the tree has the leaf of the address, or NULL. */
static LiveLeaf **leaf_place(Addr a)
{
    LiveRegion **region = &cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];

    if (!*region)
        *region = VG_(calloc)("cp.live.2", 1, sizeof **region);
    return &(*region)->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)];
}

/* The leaf of the address; made if it is new. */
static LiveLeaf *make_leaf(Addr a)
{
    LiveLeaf **leaf = leaf_place(a);

    if (*leaf)
        return *leaf;
    if (!nothing)
        nothing = VG_(calloc)("cp.live.7", 1, sizeof *nothing + sizeof *nothing->slots);
    *leaf = VG_(calloc)("cp.live.3", 1, sizeof **leaf);
    for (UInt i = 0; i < LIVE_GROUPS; i++)
        (*leaf)->groups[i] = (LiveGroup){{.table = nothing}, .place = LIVE_PLACE};
    cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)]
        ->used[cp_live_bits(a, LIVE_LEAF + 6, LIVE_REGION)] |=
        1ULL << cp_live_bits(a, LIVE_LEAF, LIVE_LEAF + 6);
    return *leaf;
}

/*--- Lists ---*/

Pool cp_live_listed = {.size = sizeof(LiveListed), .tag = "cp.live.1"};
static UInt unused; /* the first of a list of those */

/* Puts the block at the head of the slot's list. */
static void push(LiveGroup *g, LiveSlot *s, LiveBlock b)
{
    UInt number = unused;

    if (!cp_live_listed.n)
        cp_pool_add(&cp_live_listed); /* nobody gets number 0 */
    if (number) {
        unused = cp_live_listed_at(number)->next;
    } else {
        number = cp_live_listed.n;
        cp_pool_add(&cp_live_listed);
    }
    *cp_live_listed_at(number) = (LiveListed){b, s->where};
    s->where = number;
    g->n_listed += cp_live_fits(b);
}

/* Takes out the one behind `before` in the slot's list; 0: the head. */
static LiveBlock pull(LiveGroup *g, LiveSlot *s, UInt before)
{
    UInt *place = before ? &cp_live_listed_at(before)->next : &s->where, number = *place;
    LiveBlock b = cp_live_listed_at(number)->block;

    *place = cp_live_listed_at(number)->next;
    *cp_live_listed_at(number) = (LiveListed){.next = unused};
    unused = number;
    g->n_listed -= cp_live_fits(b);
    return b;
}

/* Adds the block to what lies in the slot of its place. */
static void add_to_slot(LiveGroup *g, LiveSlot *s, LiveBlock b)
{
    if (cp_live_is_empty(s) && cp_live_fits(b)) {
        *s = cp_live_slot_of(b);
        return;
    }
    if (s->life) {
        LiveBlock first = cp_live_of_slot(*s, b.start);
        *s = (LiveSlot){0, 0};
        push(g, s, first);
    }
    push(g, s, b);
}

/* Adds all that the slot has, of places around the address, the oldest first. */
static void add_old(LiveGroup *g, LiveGroup *old, LiveSlot s, Addr a)
{
    LiveSlot turned = {0, 0};

    if (s.life)
        add_to_slot(g, cp_live_slot(g, cp_live_of_slot(s, a).start), cp_live_of_slot(s, a));
    while (!s.life && s.where)
        push(old, &turned, pull(old, &s, 0));
    while (turned.where) {
        LiveBlock b = pull(old, &turned, 0);
        add_to_slot(g, cp_live_slot(g, b.start), b);
    }
}

/* Halves the places of a group that has a slot for each. */
static void halve_places(LiveGroup *g, Addr a)
{
    LiveGroup old = *g;
    UInt n = 1u << (LIVE_GROUP - old.place);
    Addr start = a >> LIVE_GROUP << LIVE_GROUP;

    g->place--;
    g->n_listed = 0;
    g->all = VG_(calloc)("cp.live.6", 2 * n, sizeof *g->all);
    for (UInt i = 0; i < n; i++)
        add_old(g, &old, old.all[i], start + ((Addr)i << old.place));
    VG_(free)(old.all);
}

/* Makes room for a block where slots are in use, or where lists take as much memory as more slots
 * would. */
static void make_room(LiveGroup *g, Addr a)
{
    UInt n = 1u << (LIVE_GROUP - g->place);

    if (!g->has_all && (g->n + g->n / 2 > MOST_SLOTS || g->n_listed > LIVE_PLACES / 4))
        add_all(g);
    else if (!g->has_all && !g->unused)
        add_slots(g);
    else if (g->has_all && g->place > LEAST_PLACE && g->n_listed > n / 4)
        halve_places(g, a);
}

/* Adds a block where cp_live_tree_add() has no room. There must be none such. */
static void cp_live_tree_list(LiveBlock b)
{
    LiveGroup *g = cp_live_group(make_leaf(b.start), b.start);
    LiveSlot *s, list = {0, 0};

    make_room(g, b.start);
    if (cp_live_tree_add(b))
        return;
    s = cp_live_slot(g, b.start);
    if (cp_live_is_empty(s)) {
        push(g, &list, b);
        cp_live_store(g, b.start, list);
    } else {
        add_to_slot(g, s, b);
    }
    if (clo_data)
        cp_live_notice(b);
}

LiveBlock cp_live_take_listed(LiveGroup *g, Addr start, Bool in_pool)
{
    LiveSlot *s = cp_live_slot(g, start);
    UInt before = 0;

    for (UInt i = s->where; i; before = i, i = cp_live_listed_at(i)->next) {
        LiveBlock b = cp_live_listed_at(i)->block;
        if (b.start != start || (b.pool != LIVE_HEAP) != in_pool)
            continue;
        pull(g, s, before);
        if (cp_live_is_empty(s))
            cp_live_vacate(g, start, s);
        return b;
    }
    return (LiveBlock){0};
}

void cp_live_each(UInt pool, void (*use)(Addr start))
{
    tl_assert(pool > LIVE_POOLS);
    for (UInt i = 1; i < cp_live_listed.n; i++)
        if (cp_live_listed_at(i)->block.pool == pool)
            use(cp_live_listed_at(i)->block.start);
}

Bool cp_live_is_near(Addr a)
{
    return cp_live_leaf(a) != NULL;
}

/*--- The block around an address ---*/

static Bool any_pool; /* a pool has, or had, a block */
static ULong largest; /* the size of the largest block so far */

/* The index of the last bit that is set in the map, from bit `last` downwards; -1: there is none.
 */
static Int last_used(const ULong *map, Int last)
{
    ULong word = map[last / 64] & (~0ULL >> (63 - last % 64));
    Int i = last / 64;

    while (!word && i > 0)
        word = map[--i];
    return word ? i * 64 + 63 - __builtin_clzll(word) : -1;
}

/* True if no block begins in these 32 bytes any more. */
static Bool is_unused(LiveLeaf *leaf, Addr place)
{
    const LiveGroup *g = cp_live_group(leaf, place);

    for (Addr at = place; at < place + (1 << LIVE_PLACE); at += 1 << g->place)
        if (!cp_live_is_empty(cp_live_slot(g, at)))
            return False;
    return True;
}

/* The last 32 bytes at or before the address that have a block, in its leaf; 0: there are none.
 * Bytes that have no block any more are marked so. */
static Addr last_in_leaf(LiveLeaf *leaf, Addr a)
{
    const Addr start = a >> LIVE_LEAF << LIVE_LEAF;
    Int i = (Int)cp_live_bits(a, LIVE_PLACE, LIVE_LEAF);

    while ((i = last_used(leaf->used, i)) >= 0 &&
           is_unused(leaf, start + ((Addr)i << LIVE_PLACE))) {
        leaf->used[i / 64] &= ~(1ULL << (i % 64));
        if (i-- == 0)
            return 0;
    }
    return i < 0 ? 0 : start + ((Addr)i << LIVE_PLACE);
}

/* The last leaf at or before that of the address, as the address of its end; 0: there is none. */
static Addr last_leaf(Addr a)
{
    const LiveRegion *region = cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];
    Int i = region ? last_used(region->used, (Int)cp_live_bits(a, LIVE_LEAF, LIVE_REGION)) : -1;

    if (i < 0)
        return 0;
    return (a >> LIVE_REGION << LIVE_REGION) + ((Addr)i << LIVE_LEAF) + ((1 << LIVE_LEAF) - 1);
}

/* The last 32 bytes at or before the address, but not before `least`, that have a block; 0: none.
 */
static Addr last_place(Addr a, Addr least)
{
    while (a >= least && a) {
        Addr end = last_leaf(a), place;
        if (!end) {
            a = (a >> LIVE_REGION << LIVE_REGION) - 1; /* of the region before */
            if (a + 1 == 0)
                return 0;
            continue;
        }
        if (end < a)
            a = end;
        place = last_in_leaf(cp_live_leaf(a), a);
        if (place)
            return place;
        a = (a >> LIVE_LEAF << LIVE_LEAF) - 1;
    }
    return 0;
}

static inline Bool is_around(const LiveBlock *b, Addr a)
{
    return a - b->start < b->size;
}

/* The block becomes *found, if it is around the address, and begins later than that. */
static void try_block(const LiveBlock *b, Addr a, LiveBlock *found)
{
    if (is_around(b, a) &&
        (!found->size || b->start > found->start || (b->start == found->start && b->pool)))
        *found = *b;
}

/* The one of the blocks in the 32 bytes that is around the address, and begins last. */
static Bool block_around(Addr place, Addr a, LiveBlock *found)
{
    const LiveGroup *g = cp_live_group(cp_live_leaf(place), place);

    found->size = 0;
    for (Addr at = place; at < place + (1 << LIVE_PLACE); at += 1 << g->place) {
        const LiveSlot *s = cp_live_slot(g, at);
        LiveBlock b;
        if (s->life) {
            b = cp_live_of_slot(*s, at);
            try_block(&b, a, found);
            continue;
        }
        for (UInt i = s->where; i; i = cp_live_listed_at(i)->next)
            try_block(&cp_live_listed_at(i)->block, a, found);
    }
    return found->size != 0;
}

/* The block that was found last around an address in the same leaf, or in one of a number that
 * differs in high bits alone; of size 0: none. Most misses are in large blocks, whose beginnings
 * are far away. */
#define RECENT 1024
static LiveBlock recent[RECENT];

void cp_live_forget(Addr start, ULong size)
{
    Addr first = start >> LIVE_LEAF, last = (start + size) >> LIVE_LEAF;

    for (Addr i = first; i <= last && i - first < RECENT; i++)
        recent[i % RECENT].size = 0;
}

/* The block may lie where another one has gone without having been seen. */
void cp_live_notice(LiveBlock b)
{
    cp_live_leaf(b.start)->used[cp_live_bits(b.start, LIVE_PLACE + 6, LIVE_LEAF)] |=
        1ULL << cp_live_bits(b.start, LIVE_PLACE, LIVE_PLACE + 6);
    any_pool |= b.pool != LIVE_HEAP;
    if (b.size > largest)
        largest = b.size;
    cp_live_forget(b.start, b.size);
}

/* Blocks of the heap do not overlap, so that the block at the last place is the only one that can
 * be around the address, unless the address lies in the same 32 bytes. */
static Bool find_around(Addr a, LiveBlock *found)
{
    Addr least = a > largest ? a - largest : 1, at = a;
    UInt tried = 0;

    if (a >> LIVE_TOP)
        return False;
    while ((at = last_place(at, least)) != 0) {
        if (block_around(at, a, found))
            return True;
        if (!any_pool && tried++)
            return False;
        at -= 1;
    }
    return False;
}

/* A block of a pool may lie in one of the heap, and be the one. */
const LiveBlock *cp_live_around(Addr a)
{
    LiveBlock *known = &recent[(a >> LIVE_LEAF) % RECENT];

    if (LIKELY(is_around(known, a) && !any_pool))
        return known;
    if (find_around(a, known))
        return known;
    known->size = 0;
    return NULL;
}

/*--- Entries ---*/

_Static_assert(sizeof(LiveEntry) == 32, "two entries lie in a line of a cache");

LiveEntry cp_live_entries[1 << LIVE_ENTRY_BITS];

/* The tree has so many blocks more of those that begin at the entry's addresses. */
static void count_others(Addr start, Bool in_pool, UInt n)
{
    if (!in_pool && !clo_data)
        cp_live_entry(start)->n_others += n;
}

Bool cp_live_take_other(Addr start, Bool in_pool, LiveBlock *b)
{
    if (!in_pool && !cp_live_entry(start)->n_others)
        return False;
    if (!cp_live_tree_take(start, in_pool, b))
        return False;
    count_others(start, in_pool, -1u);
    return True;
}

Bool cp_live_add_other(LiveBlock b)
{
    if (b.pool == LIVE_HEAP && cp_live_entry(b.start)->start == b.start)
        return False;
    if (!cp_live_tree_add(b))
        return False;
    count_others(b.start, b.pool != LIVE_HEAP, 1);
    return True;
}

void cp_live_put(LiveBlock b)
{
    if (cp_live_add(b))
        return;
    cp_live_tree_list(b);
    count_others(b.start, b.pool != LIVE_HEAP, 1);
}
