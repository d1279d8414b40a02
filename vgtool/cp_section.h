/*
 * cp_section.h - what is counted, and where: sections, sites and the blocks they belong to.
 *
 * A section is a run of instructions that always execute together; one counter says how often, and
 * what its instructions add per execution is written down once. A site is one place in the code
 * whose events are counted one by one: misses, mispredictions, accesses under a guard.
 *
 * Code may be translated many times over. A block's sections and sites are found again by its
 * address and taken over where they are the same in content, so that retranslation adds nothing.
 */
#ifndef CP_SECTION_H
#define CP_SECTION_H

#include "cp_function.h"
#include "cp_tool.h"

/* What one instruction adds per execution of its section; `delta` is its distance from the
 * instruction before it. */
typedef struct {
    UShort delta;
    UChar ir, dr, dw, bc, bi;
    UChar unused;
} InstrCost;

typedef struct Section {
    UInt range; /* index for cp_range() */
    UInt n_instrs, max_instrs;
    Addr start; /* in memory */
    InstrCost *instrs;
    UInt slot;               /* in the counts of its function's nodes: how often it ran */
    UInt id;                 /* in the profile being written */
    struct Section *variant; /* what stands in the same place of the block when it is other code */
} Section;

typedef enum { SITE_FETCH, SITE_READ, SITE_WRITE, SITE_CONDITIONAL, SITE_INDIRECT } SiteKind;

/* Misses and mispredictions are counted by cp_tally.h. */
typedef struct Site {
    Addr address; /* of the instruction, in memory */
    UInt range;
    UShort size; /* bytes accessed or fetched */
    UChar kind;
    Bool guarded;
    UInt id;                 /* its index */
    UInt slot;               /* under a guard: how often it let an access through */
    struct Site *next;       /* the guarded one before, of the same function */
    struct Site *variant;    /* as with sections */
    struct Node *counted_in; /* where it was counted last, and that record */
    struct Tally *tally;
    /* What hot code calls the model with; NULL: none so far. */
    union {
        void *thunk;       /* of an access: code that does (cp_thunk.h) */
        const Addr *place; /* of a fetch: cp_cache_place() */
    };
} Site;

/* What one execution of the instructions costs, by column. */
void cp_section_costs(const InstrCost *instrs, UInt n, ULong *costs);

/* By index. */
const Site *cp_site(UInt id);
UInt cp_site_count(void);

/* How often a block has run, and what of it; see cp_tier.h. */
typedef struct Tier Tier;

/* Begins the block at `address`, code of `function`. One block at a time. */
void cp_block_begin(Addr address, Function *function);
/* The range of the block's code. */
UInt cp_block_range(void);
/* The next section; `instrs` are copied where they are new. A section that stood in its place may
 * have been made of use for it: there is no other translation of the block that runs. */
Section *cp_block_section(Addr start, const InstrCost *instrs, UInt n);
/* The next site. */
Site *cp_block_site(SiteKind kind, Addr address, UInt size, Bool guarded);
/* Where the block keeps the record of the call that ends it: NULL at first. */
struct CallSite **cp_block_call(void);

/* The block's. */
Tier *cp_block_tier(void);

#endif
