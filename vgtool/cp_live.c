/*
 * cp_live.c - makes slots and lists; finds the block around an address.
 */
#include "cp_live.h"

_Static_assert(sizeof(LiveSlot) == 12, "a block takes 12 bytes");

LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];

/*--- Slots ---*/

/* A new leaf has the fewest. Beyond the most, one for each place takes less memory. */
enum { FEWEST_SLOTS = 16, MOST_SLOTS = LIVE_PLACES * 3 / 4 };

/* The leaf's slots are unused from number `first` on. */
static void list_unused(LiveLeaf *leaf, UInt first)
{
    for (UInt i = leaf->n; i-- > first;) {
        leaf->slots[i].where = leaf->unused;
        leaf->unused = (UShort)i;
    }
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
    *leaf = VG_(calloc)("cp.live.3", 1, sizeof **leaf + LIVE_PLACES * sizeof *(*leaf)->number);
    (*leaf)->n = FEWEST_SLOTS;
    (*leaf)->slots = VG_(calloc)("cp.live.4", FEWEST_SLOTS, sizeof *(*leaf)->slots);
    list_unused(*leaf, 1);
    cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)]
        ->used[cp_live_bits(a, LIVE_LEAF + 6, LIVE_REGION)] |=
        1ULL << cp_live_bits(a, LIVE_LEAF, LIVE_LEAF + 6);
    return *leaf;
}

/* The leaf, which has n slots in use, has more from now on. */
static void add_slots(LiveLeaf *leaf)
{
    UInt n = leaf->n;

    leaf->n += n / 2;
    leaf->slots = VG_(realloc)("cp.live.4", leaf->slots, leaf->n * sizeof *leaf->slots);
    VG_(memset)(leaf->slots + n, 0, (leaf->n - n) * sizeof *leaf->slots);
    list_unused(leaf, n);
}

/* Puts a leaf that has a slot for each place where that one was. */
static LiveLeaf *add_all(LiveLeaf **place)
{
    LiveLeaf *old = *place, *leaf = VG_(calloc)("cp.live.3", 1, sizeof *leaf);

    leaf->has_all = True;
    leaf->slots = VG_(calloc)("cp.live.5", LIVE_PLACES, sizeof *leaf->slots);
    VG_(memcpy)(leaf->used, old->used, sizeof leaf->used);
    for (UInt i = 0; i < LIVE_PLACES; i++)
        leaf->slots[i] = old->slots[old->number[i]];
    VG_(free)(old->slots);
    VG_(free)(old);
    return *place = leaf;
}

/*--- Lists ---*/

typedef struct {
    LiveBlock block;
    UInt next; /* the number of the next one; 0: it is the last */
} Listed;

static Pool listed = {.size = sizeof(Listed), .tag = "cp.live.1"};
static UInt unused; /* the first of a list of those */

static inline Listed *listed_at(UInt number)
{
    return cp_pool_at(&listed, number);
}

/* Puts the block at the head of the slot's list. */
static void push(LiveSlot *s, LiveBlock b)
{
    UInt number = unused;

    if (!listed.n)
        cp_pool_add(&listed); /* nobody gets number 0 */
    if (number) {
        unused = listed_at(number)->next;
    } else {
        number = listed.n;
        cp_pool_add(&listed);
    }
    *listed_at(number) = (Listed){b, s->where};
    s->where = number;
}

/* A slot's block becomes the first of a list. */
static void make_list(LiveSlot *s, Addr a)
{
    LiveBlock b = cp_live_of_slot(*s, a);

    s->life = s->where = 0;
    push(s, b);
}

void cp_live_list(LiveBlock b)
{
    LiveLeaf *leaf = make_leaf(b.start);
    UInt place = cp_live_bits(b.start, LIVE_PLACE, LIVE_LEAF);
    LiveSlot *s, list = {0};

    if (!leaf->has_all && !leaf->unused) {
        if (leaf->n + leaf->n / 2 > MOST_SLOTS)
            leaf = add_all(leaf_place(b.start));
        else
            add_slots(leaf);
    }
    if (cp_live_add(b))
        return;
    s = cp_live_slot(leaf, place);
    if (cp_live_is_empty(s)) {
        push(&list, b);
        cp_live_store(leaf, place, list);
    } else {
        if (s->life)
            make_list(s, b.start);
        push(s, b);
    }
    if (clo_data)
        cp_live_notice(b);
}

LiveBlock cp_live_take_listed(LiveLeaf *leaf, Addr start, Bool in_pool)
{
    UInt place = cp_live_bits(start, LIVE_PLACE, LIVE_LEAF);
    LiveSlot *s = cp_live_slot(leaf, place);
    UInt before = 0;

    for (UInt i = s->where; i; before = i, i = listed_at(i)->next) {
        Listed *l = listed_at(i);
        LiveBlock b = l->block;
        if (b.start != start || (b.pool != LIVE_HEAP) != in_pool)
            continue;
        if (before)
            listed_at(before)->next = l->next;
        else
            s->where = l->next;
        *l = (Listed){.next = unused};
        unused = i;
        if (cp_live_is_empty(s))
            cp_live_vacate(leaf, place);
        return b;
    }
    return (LiveBlock){0};
}

void cp_live_each(UInt pool, void (*use)(Addr start))
{
    tl_assert(pool > LIVE_POOLS);
    for (UInt i = 1; i < listed.n; i++)
        if (listed_at(i)->block.pool == pool)
            use(listed_at(i)->block.start);
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

/* The last place at or before the address that has a block, in its leaf; 0: there is none. Places
 * that have none any more are marked so. */
static Addr last_in_leaf(LiveLeaf *leaf, Addr a)
{
    Int i = (Int)cp_live_bits(a, LIVE_PLACE, LIVE_LEAF);

    while ((i = last_used(leaf->used, i)) >= 0 && cp_live_is_empty(cp_live_slot(leaf, (UInt)i))) {
        leaf->used[i / 64] &= ~(1ULL << (i % 64));
        if (i-- == 0)
            return 0;
    }
    return i < 0 ? 0 : (a >> LIVE_LEAF << LIVE_LEAF) + ((Addr)i << LIVE_PLACE);
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

/* The last place at or before the address, but not before `least`, that has a block; 0: none. */
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

/* The one of the blocks in the place that is around the address, and begins last. */
static Bool block_around(Addr place, Addr a, LiveBlock *found)
{
    const LiveSlot *s =
        cp_live_slot(cp_live_leaf(place), cp_live_bits(place, LIVE_PLACE, LIVE_LEAF));

    if (s->life) {
        *found = cp_live_of_slot(*s, place);
        return is_around(found, a);
    }
    found->size = 0;
    for (UInt i = s->where; i; i = listed_at(i)->next) {
        const LiveBlock *b = &listed_at(i)->block;
        if (is_around(b, a) &&
            (!found->size || b->start > found->start || (b->start == found->start && b->pool)))
            *found = *b;
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
 * be around the address, unless the address lies in the same place. */
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
