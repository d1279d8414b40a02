/*
 * cp_live.h - blocks of the program's heap that live, by address. Each has a number, from 1; 0 is
 * none.
 *
 * Data structure #1: blocks by number, with a list of those that are unused. #2: a tree of three
 * levels by address. A leaf is for 64 KiB of the program's memory, and has the first block of each
 * 32 bytes; what lies beside each other there does so here.
 */
#ifndef CP_LIVE_H
#define CP_LIVE_H

#include "cp_tool.h"

typedef struct {
    Addr start;
    ULong size : 48;
    ULong pool : 16; /* the number of the program's own pool that it is in; LIVE_HEAP: none */
    ULong birth;     /* instructions so far, when it was allocated */
    UInt path;       /* the index of the path that allocated it */
    UInt next;       /* another one in the same place, or the next unused one */
} LiveBlock;

/* A block of the program's own pool may begin where one of the heap does, and lie in that. */
enum { LIVE_HEAP, LIVE_POOLS, LIVE_POOL_MOST = 0xffff };

enum { LIVE_PLACE = 5, LIVE_LEAF = 16, LIVE_REGION = 32, LIVE_TOP = 47 }; /* bits of addresses */

/* `used`: a bit for each place that had a block when cp_live_around() looked last, or since. */
typedef struct {
    UInt first[1 << (LIVE_LEAF - LIVE_PLACE)];
    ULong used[1 << (LIVE_LEAF - LIVE_PLACE - 6)];
} LiveLeaf;

/* `used`: a bit for each leaf that there is. */
typedef struct {
    LiveLeaf *leaves[1 << (LIVE_REGION - LIVE_LEAF)];
    ULong used[1 << (LIVE_REGION - LIVE_LEAF - 6)];
} LiveRegion;

extern LiveRegion *cp_live_regions[1 << (LIVE_TOP - LIVE_REGION)];
extern Pool cp_live_blocks;

/* The block with this number. It moves nowhere. */
static inline LiveBlock *cp_live_at(UInt block)
{
    return (LiveBlock *)cp_live_blocks.chunks[block / POOL_CHUNK] + block % POOL_CHUNK;
}

/* Bits of the address from `low` up to `high`. */
static inline UInt cp_live_bits(Addr a, UInt low, UInt high)
{
    return (UInt)(a >> low) & ((1u << (high - low)) - 1);
}

/* The number of the first block in the place of the address. NULL: there never was any nearby. */
static inline UInt *cp_live_place(Addr a)
{
    LiveRegion *region = cp_live_regions[cp_live_bits(a, LIVE_REGION, LIVE_TOP)];
    LiveLeaf *leaf = region ? region->leaves[cp_live_bits(a, LIVE_LEAF, LIVE_REGION)] : NULL;

    return leaf ? &leaf->first[cp_live_bits(a, LIVE_PLACE, LIVE_LEAF)] : NULL;
}

/* The block of the heap, or of any pool, that begins at the address; 0: there is none. */
static inline UInt cp_live_find(Addr start, Bool in_pool)
{
    const UInt *place = cp_live_place(start);
    UInt block = place ? *place : 0;

    while (block &&
           (cp_live_at(block)->start != start || (cp_live_at(block)->pool != LIVE_HEAP) != in_pool))
        block = cp_live_at(block)->next;
    return block;
}

/* Takes the block out that cp_live_find() would find, and returns it. It keeps its content until it
 * is put back, or dropped. */
static inline UInt cp_live_take(Addr start, Bool in_pool)
{
    UInt *at = cp_live_place(start), block;

    while (at && *at) {
        LiveBlock *b = cp_live_at(*at);
        if (b->start == start && (b->pool != LIVE_HEAP) == in_pool) {
            block = *at;
            *at = b->next;
            return block;
        }
        at = &b->next;
    }
    return 0;
}

/* Adds a block, of which only these two are set. There must be none such. */
UInt cp_live_add(Addr start, UInt pool);

void cp_live_put_back(UInt block);
void cp_live_drop(UInt block);

/* The block that has the address in it, with --data=yes; the innermost, where a pool's lies in the
 * heap's. 0: there is none. */
UInt cp_live_around(Addr a);

/* True if there is, or was, a block nearby. */
static inline Bool cp_live_is_near(Addr a)
{
    return cp_live_place(a) != NULL;
}

/* With --data=yes: what was found around addresses is searched for anew where the block lies. */
void cp_live_forget(const LiveBlock *b);

/* The size of a block that was added, or put back, is known now. */
extern ULong cp_live_largest;

static inline void cp_live_sized(UInt block)
{
    if (cp_live_at(block)->size > cp_live_largest)
        cp_live_largest = cp_live_at(block)->size;
    if (UNLIKELY(clo_data))
        cp_live_forget(cp_live_at(block));
}

/* Calls `use` with each block that is in the pool. It may take the block out. */
void cp_live_each(UInt pool, void (*use)(UInt block));

#endif
