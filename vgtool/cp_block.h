/*
 * cp_block.h - what is counted, and where: superblocks, basic blocks and access points.
 *
 * A superblock is what VEX translates at once: code with one entry and several exits. A basic block
 * is a straight-line run of instructions in it, which execute together. One counter says how often;
 * the costs of one execution are written down once. An access point is a place in the code whose
 * events are counted one by one: misses, mispredictions, accesses under a guard.
 *
 * VEX may translate code many times. A superblock's basic blocks and access points are found again
 * by its address, and are used again where their content is the same: translating code again adds
 * nothing.
 */
#ifndef CP_BLOCK_H
#define CP_BLOCK_H

#include "cp_function.h"
#include "cp_tool.h"

/* The costs of one instruction per execution of its basic block. `delta` is its distance from the
 * instruction before it. */
typedef struct {
    UShort delta;
    UChar ir, dr, dw, bc, bi, rep;
} InstrCost;

/* More than a basic block can have: VEX takes at most 100 instructions into a superblock, and each
 * stands at most twice in a basic block. */
#define MAX_BLOCK_INSTRS 256

typedef struct BasicBlock {
    UInt range; /* index for cp_range() */
    UInt n_instrs, max_instrs;
    Addr start; /* in memory */
    InstrCost *instrs;
    UInt slot;                  /* of its counter in its function's nodes */
    struct BasicBlock *variant; /* another content of the same place in the superblock */
} BasicBlock;

typedef enum { POINT_FETCH, POINT_READ, POINT_WRITE, POINT_CONDITIONAL, POINT_INDIRECT } PointKind;

/* cp_misses.h counts its misses and mispredictions. */
typedef struct AccessPoint {
    Addr address; /* of the instruction, in memory */
    UInt range;
    UShort size; /* bytes accessed or fetched */
    UChar kind;
    Bool guarded;
    UInt id;                     /* its index */
    UInt slot;                   /* under a guard: of the counter of accesses that were made */
    struct AccessPoint *next;    /* the function's guarded access point before this one */
    struct AccessPoint *variant; /* as of basic blocks */
    struct Node *counted_in;     /* the context of the last miss, and its counter */
    struct MissCounter *misses;
    void *thunk; /* in VEX's code: the code that calls the model (cp_arch.h); NULL: none so far */
} AccessPoint;

/* Computes the costs of one execution of the instructions, by column. */
void cp_block_costs(const InstrCost *instrs, UInt n, ULong *costs);

/* Access points by index. */
const AccessPoint *cp_point(UInt id);
UInt cp_point_count(void);

/* Begins the translation of the superblock at `address`, code of `function`. Only one is being
 * translated at a time. */
void cp_superblock_begin(Addr address, Function *function);
/* The range of the superblock's code. */
UInt cp_superblock_range(void);
/* The next basic block of the superblock. It copies `instrs` if they are new. The record may be
 * that of an older content of the same place: no other translation of the superblock runs. */
BasicBlock *cp_block_next(Addr start, const InstrCost *instrs, UInt n);
/* The first instructions of a basic block, of which the others did not execute. No code counts
 * these. */
BasicBlock *cp_block_part(Addr start, const InstrCost *instrs, UInt n);
/* The next access point of the superblock. */
AccessPoint *cp_point_next(PointKind kind, Addr address, UInt size, Bool guarded);
/* The access point of the superblock with this content, for code that comes in any order. */
AccessPoint *cp_point_of(PointKind kind, Addr address, UInt size);
/* The place where the superblock keeps the record of the call that ends it, NULL at first. */
struct CallSite **cp_superblock_call(void);

#endif
