/*
 * cp_live.h - blocks of the program's heap that live, by address.
 *
 * Data structure #1: an array of entries. An entry is for the addresses that agree in some of their
 * bits, and has one block of the heap that begins at one of them: mostly there is no other. #2: the
 * tree has all that entries do not have: blocks of the program's own pools, and
 * those that come where an entry has a block. With --data=yes the tree has all blocks, since only
 * that knows which one lies around an address.
 */
#ifndef CP_LIVE_H
#define CP_LIVE_H

#include "cp_tool.h"

/*--- The tree ---*/

/*
 * Blocks that live, in the order of their addresses.
 *
 * Data structure #1: a tree of four levels by address. A group is for 8 KiB of the program's
 * memory, and knows for each place of 32 bytes which of its slots describes the block that begins
 * there. Once there are many, each place has its own slot, so that slots never take more than 12
 * bytes a place. Where many blocks share a place, the group's places become smaller. #2: lists of
 * blocks that no slot can describe, or that begin in one place with others.
 */

typedef struct {
    Addr start;
    ULong size;
    ULong birth; /* instructions so far, when it was allocated */
    UInt path;   /* the index of the path that allocated it */
    UInt pool;   /* the number of the program's own pool that it is in; LIVE_HEAP: none */
} LiveBlock;

/* A block of the program's own pool may begin where one of the heap does, and lie in that. Those of
 * LIVE_POOLS are in no pool that has a number of its own. */
enum { LIVE_HEAP, LIVE_POOLS, LIVE_POOL_MOST = 0xffff };

/*
 * A slot describes what begins in a place. A block: `life` has its birth, its pool (LIVE_HEAP or
 * LIVE_POOLS) and one more than its size, from the lowest bits up; `where` has the offset of its
 * beginning in the place and its path. Else `life` is 0, and `where` the number of the first one of
 * a list; 0: nothing.
 */
typedef struct __attribute__((packed, aligned(4))) {
    ULong life;
    UInt where;
} LiveSlot;

enum { LIVE_BIRTH_BITS = 47, LIVE_SIZE_AT = 48, LIVE_SIZE_BITS = 16 }; /* of `life` */

/* Bits of addresses. */
enum { LIVE_PLACE = 5, LIVE_GROUP = 13, LIVE_LEAF = 16, LIVE_REGION = 32, LIVE_TOP = 47 };

enum {
    LIVE_PLACES = 1 << (LIVE_GROUP - LIVE_PLACE), /* of a group */
    LIVE_GROUPS = 1 << (LIVE_LEAF - LIVE_GROUP)   /* of a leaf */
};

typedef struct {
    UChar number[LIVE_PLACES]; /* of the slot of each place; slot 0 is always empty */
    LiveSlot slots[];
} LiveTable;

typedef struct {
    union {
        LiveTable *table;
        LiveSlot *all; /* with `has_all` */
    };
    UChar n;       /* slots, with the empty one, */
    UChar unused;  /* and the first unused one, whose `where` is the next; 0: none */
    Bool has_all;  /* each place has its own slot: there are no numbers */
    UChar place;   /* bits of addresses in a place; LIVE_PLACE, or fewer with `has_all` */
    UInt n_listed; /* blocks in lists that slots could describe */
} LiveGroup;

/* `used`: a bit for each 32 bytes that had a block when cp_live_around() looked last, or since. */
typedef struct {
    LiveGroup groups[LIVE_GROUPS];
    ULong used[1 << (LIVE_LEAF - LIVE_PLACE - 6)];
} LiveLeaf;

/* `used`: a bit for each leaf that there is. */
typedef struct {
    LiveLeaf *leaves[1 << (LIVE_REGION - LIVE_LEAF)];
    ULong used[1 << (LIVE_REGION - LIVE_LEAF - 6)];
} LiveRegion;

typedef struct {
    LiveBlock block;
    UInt next; /* the number of the next one; 0: it is the last */
} LiveListed;

extern Pool cp_live_listed;

static inline LiveListed *cp_live_listed_at(UInt number)
{
    return cp_pool_at(&cp_live_listed, number);
}

extern LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];

/* Bits of the address from `low` up to `high`. */
static inline UInt cp_live_bits(Addr a, UInt low, UInt high)
{
    return (UInt)(a >> low) & ((1u << (high - low)) - 1);
}

static inline LiveLeaf *cp_live_leaf(Addr a)
{
    LiveRegion *region = cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];

    return region ? region->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)] : NULL;
}

static inline Bool cp_live_is_empty(const LiveSlot *s)
{
    return !(s->life | s->where);
}

static inline LiveGroup *cp_live_group(LiveLeaf *leaf, Addr a)
{
    return &leaf->groups[cp_live_bits(a, LIVE_GROUP, LIVE_LEAF)];
}

/* The slot of the address's place; if nothing begins there, an empty one. */
static inline LiveSlot *cp_live_slot(const LiveGroup *g, Addr a)
{
    if (UNLIKELY(g->has_all))
        return &g->all[cp_live_bits(a, 0, LIVE_GROUP) >> g->place];
    return &g->table->slots[g->table->number[cp_live_bits(a, LIVE_PLACE, LIVE_GROUP)]];
}

/* The block of a slot that has one, in the place of the address. */
static inline LiveBlock cp_live_of_slot(LiveSlot s, Addr a)
{
    const Addr places = (1ULL << LIVE_TOP) - (1ULL << LIVE_PLACE);

    return (LiveBlock){.start = (a & places) + cp_live_bits(s.where, 0, LIVE_PLACE),
                       .size = (s.life >> LIVE_SIZE_AT) - 1,
                       .birth = s.life & ((1ULL << LIVE_BIRTH_BITS) - 1),
                       .path = s.where >> LIVE_PLACE,
                       .pool = (UInt)(s.life >> LIVE_BIRTH_BITS) & 1};
}

/* True if a slot can describe the block. */
static inline Bool cp_live_fits(LiveBlock b)
{
    return !((b.start >> LIVE_TOP) | (b.birth >> LIVE_BIRTH_BITS) | (b.path >> (32 - LIVE_PLACE)) |
             (b.pool >> 1) | ((b.size + 1) >> LIVE_SIZE_BITS));
}

static inline LiveSlot cp_live_slot_of(LiveBlock b)
{
    return (LiveSlot){(b.size + 1) << LIVE_SIZE_AT | (ULong)b.pool << LIVE_BIRTH_BITS | b.birth,
                      b.path << LIVE_PLACE | cp_live_bits(b.start, 0, LIVE_PLACE)};
}

/* Slow parts of those below. With --data=yes, a block has come, and what was found around addresses
 * in it is forgotten. */
LiveBlock cp_live_take_listed(LiveGroup *g, Addr start, Bool in_pool);
void cp_live_notice(LiveBlock b);
void cp_live_forget(Addr start, ULong size);

/* Stores a slot that is not empty, in a place that has none. False: there is no room. */
static inline Bool cp_live_store(LiveGroup *g, Addr a, LiveSlot slot)
{
    UInt number = g->unused;

    if (UNLIKELY(g->has_all)) {
        *cp_live_slot(g, a) = slot;
        return True;
    }
    if (UNLIKELY(!number))
        return False;
    g->unused = (UChar)g->table->slots[number].where;
    g->table->number[cp_live_bits(a, LIVE_PLACE, LIVE_GROUP)] = (UChar)number;
    g->table->slots[number] = slot;
    return True;
}

/* Empties the place. */
static inline void cp_live_vacate(LiveGroup *g, Addr a, LiveSlot *s)
{
    s->life = s->where = 0;
    if (LIKELY(!g->has_all)) {
        UChar *number = &g->table->number[cp_live_bits(a, LIVE_PLACE, LIVE_GROUP)];
        s->where = g->unused;
        g->unused = *number;
        *number = 0;
    }
}

/* Takes out the block of the heap, or of any pool, that begins at the address, and stores it in *b.
 * False: there is none. */
static inline Bool cp_live_tree_take(Addr start, Bool in_pool, LiveBlock *b)
{
    LiveLeaf *leaf = cp_live_leaf(start);
    LiveGroup *g;
    LiveSlot *s;

    if (UNLIKELY(!leaf))
        return False;
    g = cp_live_group(leaf, start);
    s = cp_live_slot(g, start);
    if (LIKELY(s->life)) {
        *b = cp_live_of_slot(*s, start);
        if (b->start != start || (b->pool != LIVE_HEAP) != in_pool)
            return False;
        cp_live_vacate(g, start, s);
    } else {
        if (LIKELY(!s->where))
            return False;
        *b = cp_live_take_listed(g, start, in_pool);
        if (!b->start)
            return False;
    }
    if (UNLIKELY(clo_data))
        cp_live_forget(b->start, b->size);
    return True;
}

/* Adds a block where none begins nearby. False: there is more to do. */
static inline Bool cp_live_tree_add(LiveBlock b)
{
    LiveLeaf *leaf = cp_live_leaf(b.start);
    LiveGroup *g;

    if (UNLIKELY(!leaf || !cp_live_fits(b)))
        return False;
    g = cp_live_group(leaf, b.start);
    if (UNLIKELY(!cp_live_is_empty(cp_live_slot(g, b.start))) ||
        UNLIKELY(!cp_live_store(g, b.start, cp_live_slot_of(b))))
        return False;
    if (UNLIKELY(clo_data))
        cp_live_notice(b);
    return True;
}

/* The block that has the address in it, with --data=yes; the innermost, where a pool's lies in the
 * heap's. It is valid until the next call or change. NULL: there is none. */
const LiveBlock *cp_live_around(Addr a);

/* True if there is, or was, a block nearby, with --data=yes. */
Bool cp_live_is_near(Addr a);

/* Calls `use` with the beginning of each block that is in the pool, which has a number of its own.
 * `use` may take the block out. */
void cp_live_each(UInt pool, void (*use)(Addr start));

/*--- Entries ---*/

typedef struct {
    Addr start; /* of its block; 0: it has none */
    ULong size, birth;
    UInt path;
    UInt n_others; /* blocks of the heap that the tree has, although they begin at its addresses */
} LiveEntry;

/* As many bits of addresses, from LIVE_PLACE on, are an entry's number. Pages of entries that were
 * never used take no memory; all together take 16 MB. */
enum { LIVE_ENTRY_BITS = 19 };

extern LiveEntry cp_live_entries[1 << LIVE_ENTRY_BITS];

static inline LiveEntry *cp_live_entry(Addr a)
{
    return &cp_live_entries[(a >> LIVE_PLACE) % (1 << LIVE_ENTRY_BITS)];
}

/* Slow parts of those below. */
Bool cp_live_take_other(Addr start, Bool in_pool, LiveBlock *b);
Bool cp_live_add_other(LiveBlock b);

/* Takes out the block of the heap, or of any pool, that begins at the address, which is not 0, and
 * stores it in *b. False: there is none. */
static inline __attribute__((always_inline)) Bool cp_live_take(Addr start, Bool in_pool,
                                                               LiveBlock *b)
{
    LiveEntry *e = cp_live_entry(start);
    LiveBlock other;

    if (UNLIKELY(clo_data))
        return cp_live_tree_take(start, in_pool, b);
    if (LIKELY(!in_pool && e->start == start)) {
        e->start = 0;
        *b = (LiveBlock){start, e->size, e->birth, e->path, LIVE_HEAP};
        return True;
    }
    /* The compiler keeps *b in registers, as long as no call has its address. */
    if (!cp_live_take_other(start, in_pool, &other))
        return False;
    *b = other;
    return True;
}

/* Adds a block where none begins nearby. False: there is more to do. */
static inline __attribute__((always_inline)) Bool cp_live_add(LiveBlock b)
{
    LiveEntry *e = cp_live_entry(b.start);

    if (UNLIKELY(clo_data))
        return cp_live_tree_add(b);
    if (UNLIKELY(e->start | e->n_others | b.pool))
        return cp_live_add_other(b);
    e->start = b.start;
    e->size = b.size;
    e->birth = b.birth;
    e->path = b.path;
    return True;
}

/* Adds a block, or puts it back. There must be none such. */
void cp_live_put(LiveBlock b);

#endif
