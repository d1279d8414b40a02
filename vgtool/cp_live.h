/*
 * cp_live.h - blocks of the program's heap that live, by address. Each has a number, from 1; 0 is
 * none.
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

/* The last block with this number. It moves nowhere. */
LiveBlock *cp_live_at(UInt block);

/* The block of the heap, or of any pool, that begins at the address; 0: there is none. */
UInt cp_live_find(Addr start, Bool in_pool);

/* Adds a block, of which only these two are set. There must be none such. */
UInt cp_live_add(Addr start, UInt pool);

/* Takes a block out. It keeps its content until it is put back, or dropped. */
void cp_live_take(UInt block);
void cp_live_put_back(UInt block);
void cp_live_drop(UInt block);

/* Calls `use` with each block that is in the pool. It may take the block out. */
void cp_live_each(UInt pool, void (*use)(UInt block));

#endif
