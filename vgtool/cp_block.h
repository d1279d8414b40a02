/*
 * cp_block.h - what is counted, and where: sections, points and the blocks they belong to.
 *
 * A section is a run of instructions that always execute together; one counter says how often, and
 * what its instructions add per execution is written down once. A point is one place in the code
 * whose events are counted one by one: misses, mispredictions, accesses under a guard.
 *
 * Code may be translated many times over. A block's sections and points are found again by its
 * address and taken over where they are the same in content, so that retranslation adds nothing.
 */
#ifndef CP_BLOCK_H
#define CP_BLOCK_H

#include "cp_function.h"
#include "cp_tool.h"

/* What one instruction adds per execution of its section; `delta` is its distance from the
 * instruction before it. */
typedef struct {
    UShort delta;
    UChar ir, dr, dw, bc, bi;
    UChar unused;
} InstrCost;

typedef struct BasicBlock {
    UInt range; /* index for cp_range() */
    UInt n_instrs, max_instrs;
    Addr start; /* in memory */
    InstrCost *instrs;
    UInt slot; /* in the counts of its function's nodes: how often it ran */
    UInt id;   /* in the profile being written */
    struct BasicBlock
        *variant; /* what stands in the same place of the block when it is other code */
} BasicBlock;

typedef enum { POINT_FETCH, POINT_READ, POINT_WRITE, POINT_CONDITIONAL, POINT_INDIRECT } PointKind;

/* Misses and mispredictions are counted by cp_misses.h. */
typedef struct AccessPoint {
    Addr address; /* of the instruction, in memory */
    UInt range;
    UShort size; /* bytes accessed or fetched */
    UChar kind;
    Bool guarded;
    UInt id;                     /* its index */
    UInt slot;                   /* under a guard: how often it let an access through */
    struct AccessPoint *next;    /* the guarded one before, of the same function */
    struct AccessPoint *variant; /* as with sections */
    struct Node *counted_in;     /* where it was counted last, and that record */
    struct MissCounter *misses;
    /* What hot code calls the model with; NULL: none so far. */
    union {
        void *thunk;       /* of an access: code that does (cp_thunk.h) */
        const Addr *place; /* of a fetch: cp_cache_place() */
    };
} AccessPoint;

/* What one execution of the instructions costs, by column. */
void cp_block_costs(const InstrCost *instrs, UInt n, ULong *costs);

/* By index. */
const AccessPoint *cp_point(UInt id);
UInt cp_point_count(void);

/* How often a block has run, and what of it; see cp_cold.h. */
typedef struct ColdCode ColdCode;

/* Begins the block at `address`, code of `function`. One block at a time. */
void cp_superblock_begin(Addr address, Function *function);
/* The range of the block's code. */
UInt cp_superblock_range(void);
/* The next section; `instrs` are copied where they are new. A section that stood in its place may
 * have been made of use for it: there is no other translation of the block that runs. */
BasicBlock *cp_block_next(Addr start, const InstrCost *instrs, UInt n);
/* The next point. */
AccessPoint *cp_point_next(PointKind kind, Addr address, UInt size, Bool guarded);
/* Where the block keeps the record of the call that ends it: NULL at first. */
struct CallSite **cp_superblock_call(void);

/* The block's. */
ColdCode *cp_superblock_cold(void);

#endif
