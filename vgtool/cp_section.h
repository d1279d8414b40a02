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

#include "cp_tool.h"

/* What one instruction adds per execution of its section; `delta` is its distance from the
 * instruction before it. */
typedef struct {
    UShort delta;
    UChar ir, dr, dw, bc, bi;
    UChar unused;
} InstrCost;

typedef struct {
    UInt range; /* index for cp_range() */
    UInt n_instrs;
    Addr start; /* in memory */
    const InstrCost *instrs;
    ULong *count; /* how often it ran; bumped by generated code */
} Section;

typedef enum { SITE_FETCH, SITE_READ, SITE_WRITE, SITE_CONDITIONAL, SITE_INDIRECT } SiteKind;

typedef struct {
    ULong miss1;  /* first level misses, or mispredictions */
    ULong missL;  /* last level misses */
    ULong n;      /* accesses that a guard let through; 0 where the section counts them */
    Addr address; /* of the instruction, in memory */
    UInt range;
    UShort size; /* bytes accessed or fetched */
    UShort kind;
} Site;

/* One block while it is being translated. */
typedef struct Block Block;

/* Begins the block at `address`. One block at a time. */
void cp_block_begin(Addr address);
/* The range of the block's code. */
UInt cp_block_range(void);
/* The next section; `instrs` are copied where they are new. */
Section *cp_block_section(Addr start, const InstrCost *instrs, UInt n);
/* The next site. */
Site *cp_block_site(SiteKind kind, Addr address, UInt size);
/* Ends the block. True where it was not known before. */
Bool cp_block_end(void);

UInt cp_section_count(void);
const Section *cp_section(UInt index);
UInt cp_site_count(void);
const Site *cp_site(UInt index);

/* Forgets all counts: a forked child begins with none. */
void cp_section_reset(void);

#endif
