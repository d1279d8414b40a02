/*
 * cp_cold.h - blocks that are not hot yet, under a cache model.
 *
 * Most blocks of most programs run a few times only, and VEX takes longer over each statement that
 * the tool adds than these few runs do. So a block is first translated "cold": what it fetches,
 * accesses and counts is written down in blocks, and the block just calls cp_cold_execute with a
 * cold and the addresses. When it has run HOT times its translation is discarded, and the next one
 * has the tests inline. Both count the same.
 */
#ifndef CP_COLD_H
#define CP_COLD_H

#include "cp_block.h"

/* A block's. */
struct ColdCode {
    Addr address;
    Bool hot; /* its cold translation is to be discarded, or has been */
    struct ColdBlock *blocks;
    UInt n_blocks;
};

#define COLD_ADDRESSES 5 /* what a helper of VEX's can be given, besides the cold */
#define COLD_ACCESSES  16

/* A fetch or an access: what is needed of it as long as it hits. */
typedef struct {
    AccessPoint *point;
    UInt delta;     /* of a fetch: from the cold's address */
    UShort size;    /* that must be on the most recently used line */
    UShort fetched; /* lines; 0: it is no fetch */
} ColdAccess;

/* What a stretch of cold code does, in order. All that most runs need is here: cold code is cold in
 * the host's caches, too. */
typedef struct ColdBlock {
    struct ColdBlock *next;    /* of the same block */
    ColdCode *code;            /* the block's, where this is its first cold; else NULL */
    Addr address;              /* where the fetches' are counted from */
    BasicBlock *block;         /* that ends with it; NULL: none */
    UInt slot;                 /* the block's */
    UInt executions;           /* of the cold */
    UShort ir, dr, dw, bc, bi; /* what the block adds to the totals */
    UShort n_accesses;
    ColdAccess accesses[COLD_ACCESSES]; /* n_accesses of them are kept */
} ColdBlock;

/* To be called when all options are known. */
void cp_cold_init(void);

/* Begins the block being translated (cp_superblock_begin() has been called). True where it is cold.
 */
Bool cp_cold_begin(void);

/* Adds an access to the cold, which has room for it; or a fetch of so many lines (1 or 2), of which
 * `size` bytes from `address` on are in the first. */
void cp_cold_add_access(ColdBlock *cold, AccessPoint *access);
void cp_cold_add_fetch(ColdBlock *cold, AccessPoint *fetch, Addr address, UInt size, UInt lines);

/* The cold of the block being translated that is like this one; `cold` is copied where it is new.
 */
const ColdBlock *cp_cold_keep(const ColdBlock *cold);

/* Does the cold. There are as many addresses as its points need. The second is for runs without
 * contexts, where nobody needs the totals. */
void cp_cold_execute(ColdBlock *cold, Addr a, Addr b, Addr c, Addr d, Addr e);
void cp_cold_execute_flat(ColdBlock *cold, Addr a, Addr b, Addr c, Addr d, Addr e);

/* To be called while no block runs: discards cold translations of blocks that have become hot. */
void cp_cold_discard(ULong blocks);

#endif
