/*
 * cp_live.h - blocks of the program's heap that live, by address.
 *
 * Data structure #1: an array of entries. An entry is for the addresses that agree in some of their
 * bits, and has one block of the heap that begins at one of them: mostly there is no other. #2: the
 * tree of cp_live_tree.h has all that entries do not have: blocks of the program's own pools, and
 * those that come where an entry has a block. With --data=yes the tree has all blocks, since only
 * that knows which one lies around an address.
 */
#ifndef CP_LIVE_H
#define CP_LIVE_H

#include "cp_live_tree.h"

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
