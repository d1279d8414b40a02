/*
 * cp_cold.h - superblocks that are not hot yet.
 *
 * Most superblocks of most programs execute a few times only, and VEX takes longer over each
 * statement that the tool adds than these few executions do. So the first translation of a
 * superblock is cold. Under a cache model, cold blocks record what it fetches, accesses and counts,
 * and the generated code just calls cp_cold_execute() with a cold block and the addresses. With
 * call paths, the call or return at its end is a call of cp_stack_call_cold() or
 * cp_stack_back_cold(). After many executions the translation is discarded, and the next one has
 * all of this inline. Both count the same.
 */
#ifndef CP_COLD_H
#define CP_COLD_H

#include "cp_block.h"

/* A superblock's state. */
struct ColdCode {
    Addr address;
    Bool hot;  /* its cold translation is discarded, or waits for that */
    UInt ends; /* executions of the call or return at its end, while it is cold */
    struct ColdBlock *blocks;
    UInt n_blocks;
};

#define COLD_ADDRESSES 5 /* arguments that a helper of VEX's can have besides the cold block */
#define COLD_ACCESSES  16

/* A fetch or an access: all that a hit needs. */
typedef struct {
    AccessPoint *point;
    UInt delta;     /* of a fetch: its distance from the cold block's address */
    UShort size;    /* bytes that must be on the most recently used line */
    UShort fetched; /* lines; 0: it is no fetch */
} ColdAccess;

/* A basic block, or a stretch of one, while it is cold: all that it does, in order. The block has
 * copies of all that most executions need: cold code is cold in the host's caches, too. */
typedef struct ColdBlock {
    struct ColdBlock *next;    /* of the same superblock */
    ColdCode *code;            /* set in the superblock's first cold block; else NULL */
    Addr address;              /* the first fetch's */
    BasicBlock *block;         /* the basic block that ends here; NULL: none */
    UInt slot;                 /* the basic block's */
    UInt executions;           /* so far */
    UShort ir, dr, dw, bc, bi; /* what the basic block adds to the totals */
    UShort n_accesses;
    ColdAccess accesses[COLD_ACCESSES]; /* n_accesses of them are kept */
} ColdBlock;

/* Call it when all options are known. */
void cp_cold_init(void);

/* Begins the superblock that is being translated, after cp_superblock_begin(). True if it is cold.
 */
Bool cp_cold_begin(void);

/* Adds an access, or a fetch of one or two lines, of which `size` bytes from `address` on are in
 * the first. The cold block has room for it. */
void cp_cold_add_access(ColdBlock *cold, AccessPoint *access);
void cp_cold_add_fetch(ColdBlock *cold, AccessPoint *fetch, Addr address, UInt size, UInt lines);

/* The cold block counts the basic block, which ends there. */
void cp_cold_set_block(ColdBlock *cold, BasicBlock *block);

/* The superblock's cold block that equals this one; a copy of it if there is none. */
const ColdBlock *cp_cold_keep(const ColdBlock *cold);

/* The function that generated code calls to do what a cold block records. It takes the cold block
 * and COLD_ADDRESSES addresses, those of the cold block's accesses first. */
void *cp_cold_execute(void);

/* The superblock is hot from now on. This happens once for each, unless too many are. */
void cp_cold_enqueue(ColdCode *code);

/* Counts an execution of the call or return at the superblock's end. */
extern UInt cp_cold_max_ends;
static inline void cp_cold_end(ColdCode *code)
{
    if (UNLIKELY(++code->ends >= cp_cold_max_ends))
        cp_cold_enqueue(code);
}

/* Discards cold translations of superblocks that have become hot. Call it while no superblock runs.
 */
void cp_cold_discard(ULong superblocks);

#endif
