/*
 * cp_recipe.h - what the pass asks other modules for while it instruments one superblock.
 *
 * A recipe is a list of parts in the order in which they were asked for: the function, basic
 * blocks, access points, the call at the end, and what generated code calls or reads for them. The
 * pass names a part by its index. Asking for the same parts in the same order once more leads to
 * the same records.
 *
 * Generated code needs a number of most parts: an address, or the offset of a counter.
 */
#ifndef CP_RECIPE_H
#define CP_RECIPE_H

#include "cp_block.h"

typedef enum {
    PART_FUNCTION, /* of the superblock; its address */
    PART_CHECK,    /* the code that checks the current context */
    PART_ENTRY,    /* the code that tells of a call of an allocation function */
    PART_BLOCK,    /* a basic block; the offset of its counter */
    PART_POINT,    /* an access point; its address, or under a guard the offset of its counter */
    PART_THUNK,    /* the code that calls the model for an access point */
    PART_PLACE,    /* of an access point: cp_cache_place() */
    PART_SITE,     /* the call at the superblock's end; its record's address */
    PART_CALL,     /* the code that calls cp_stack_call() for it, if it is direct */
    PART_CHILD,    /* the offset of its child */
    PART_KINDS
} PartKind;

/* Begins the superblock at `address`, and its recipe. `sp`: the offset of the stack pointer in the
 * guest's registers. */
void cp_recipe_begin(Addr address, Int sp);

/* These ask for a part and return its index. */
UInt cp_recipe_function(void);
UInt cp_recipe_check(void);
UInt cp_recipe_entry(void);
UInt cp_recipe_block(Addr start, const InstrCost *instrs, UInt n);
UInt cp_recipe_point(PointKind kind, Addr address, UInt size, Bool guarded);
UInt cp_recipe_thunk(UInt point);
UInt cp_recipe_place(UInt point, Addr address);
UInt cp_recipe_site(Addr address, Addr back, Addr target);
UInt cp_recipe_call(UInt site);
UInt cp_recipe_child(UInt site);

/* The number that generated code has of the part. */
ULong cp_recipe_number(UInt part);

/* True if the offset is from the context, false if it is from its further counters. */
Bool cp_recipe_is_first(UInt part);

/* True if an allocation function begins with the superblock. */
Bool cp_recipe_allocates(void);

#endif
