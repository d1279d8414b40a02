/*
 * cp_heap_path.h - inside of the heap's counts: paths, and how blocks come and go. cp_heap.c
 * watches calls, cp_heap_request.c requests and system calls, cp_heap_sum.c adds up.
 */
#ifndef CP_HEAP_PATH_H
#define CP_HEAP_PATH_H

#include "cp_heap.h"

/*
 * The counts of one context while the same activities are active: those have them as inclusive
 * counts, besides what is above it in the tree. A path is never removed.
 */
typedef struct HeapPath {
    UInt id;   /* its index */
    UInt node; /* of its context */
    ULong active;
    Bool by_tree;                /* inclusive counts followed from the tree then */
    UInt first_active, n_active; /* of the list of activities */
    ULong live_bytes, live_blocks;
    ULong births;  /* the sum over the live blocks */
    ULong changed; /* the time when these have changed last, */
    ULong counts[HEAP_COLUMNS];
    ULong peak_bytes, peak_blocks; /* what they were at the program's peak, if that was before */
} HeapPath;

/* The path of the current context. Before any other, path 0 stands for what is not counted: blocks
 * of a time when collecting is off. */
HeapPath *cp_heap_other_path(void);

/* The last path of each of some contexts, by a part of their indices; NULL: none so far. */
enum { CP_HEAP_LAST = 1 << 14 };
extern HeapPath *cp_heap_last_paths[CP_HEAP_LAST];

static inline HeapPath **cp_heap_last(UInt node)
{
    return &cp_heap_last_paths[node % CP_HEAP_LAST];
}

static inline HeapPath *cp_heap_path(void)
{
    HeapPath *p = *cp_heap_last(cp_now.node->id);

    return LIKELY(p && p->node == cp_now.node->id && p->active == cp_active &&
                  p->by_tree == cp_inclusive_by_tree && cp_collecting)
               ? p
               : cp_heap_other_path();
}

extern Pool cp_heap_paths;

static inline HeapPath *cp_heap_path_at(UInt index)
{
    return (HeapPath *)cp_heap_paths.chunks[index / POOL_CHUNK] + index % POOL_CHUNK;
}

Activity *cp_heap_active_at(UInt index);

/* A block comes, of this path, in the heap or in a pool. A block that was there goes. */
void cp_heap_add(HeapPath *path, Addr start, SizeT size, UInt pool);

/* The block at the address, in the heap or in any pool, is taken out, and does not count as live.
 * Its end is told by one of the next functions. False: there is none. */
Bool cp_heap_take(Addr start, Bool in_pool, LiveBlock *block);

/* The block, which was taken out, was freed: in `here`, or by what nobody saw (NULL). */
void cp_heap_freed(LiveBlock block, HeapPath *here);

/* The block, which was taken out, goes on elsewhere, with another size. */
void cp_heap_moved(LiveBlock block, HeapPath *path, Addr start, SizeT size);

/* The block, which was taken out, is what it was. */
void cp_heap_stays(LiveBlock block);

/* True if what the thread tells now counts: it is in no allocation function that counts itself. */
Bool cp_heap_is_open(ThreadId tid);

/* Instructions so far. */
static inline ULong cp_heap_now(void)
{
    return cp_totals[CP_COLUMN_IR];
}

/* The sum of the lives that have ended. */
ULong cp_heap_life(void);

/* The values of a path's columns now; `is_end`: with those of the end, and of the peak. *sum begins
 * as cp_heap_life(), and grows. */
void cp_heap_values(const HeapPath *path, Bool is_end, ULong *sum, ULong *values);

#endif
