/*
 * cp_recipe.c - data structure: the parts, one behind another, each with its content.
 */
#include "cp_recipe.h"

#include "cp_arch.h"
#include "cp_cache.h"
#include "cp_cold.h"
#include "cp_context.h"
#include "cp_stack.h"

/* A part. Its content follows: the instructions of a basic block, the target of a call, the
 * accesses of a cold block. */
typedef struct {
    UChar kind;
    UChar point; /* PointKind */
    Bool guarded;
    UChar unused;
    UShort of; /* the access point of a thunk or place, the basic block of a cold block */
    UShort n;  /* instructions, accesses; bytes of an access point, or of the call instruction */
    Addr address;
} Part;

/* The superblock at hand. */
static Addr superblock;
static Function *function;
static Int stack_pointer;

static struct {
    UChar *bytes; /* parts with their content */
    UInt n_bytes, room;
    UInt n;
    void **made; /* by part */
    ULong *numbers;
    UInt max;
    Bool any_cold;
} recipe;

void cp_recipe_begin(Addr address, Function *f, Int sp)
{
    superblock = address;
    function = f;
    stack_pointer = sp;
    recipe.n_bytes = recipe.n = 0;
    recipe.any_cold = False;
}

/*--- Making parts ---*/

/* Code that calls cp_stack_check at the start of a superblock of the function. */
static void *check_thunk(void)
{
    Bool is_entry = superblock == function->start;
    void **thunk = &function->check_thunks[is_entry];

    if (!*thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)function);
        cp_thunk_register(1, stack_pointer);
        cp_thunk_constant(2, is_entry);
        *thunk = cp_thunk_end((Addr)cp_stack_check);
    }
    return *thunk;
}

/* Code that calls the model with its first argument, the address, and with the access point. */
static void *data_thunk(AccessPoint *point)
{
    if (!point->thunk) {
        cp_thunk_begin();
        cp_thunk_constant(1, (Addr)point);
        cp_thunk_constant(2, cp_cache_room(point->size));
        point->thunk = cp_thunk_end((Addr)cp_cache_data);
    }
    return point->thunk;
}

/* The superblock's first cold block has its state. */
static const void *cold_block(const Part *part, const PartAccess *accesses)
{
    ColdBlock cold = {.n_accesses = 0};

    for (const PartAccess *a = accesses; a < accesses + part->n; a++)
        if (a->lines)
            cp_cold_add_fetch(&cold, recipe.made[a->point], superblock + a->delta, a->size,
                              a->lines);
        else
            cp_cold_add_access(&cold, recipe.made[a->point]);
    if (part->of != PART_NONE)
        cp_cold_set_block(&cold, recipe.made[part->of]);
    if (!recipe.any_cold)
        cold.code = cp_superblock_cold();
    recipe.any_cold = True;
    return cp_cold_keep(&cold);
}

static void *make(const Part *p, const void *content)
{
    switch (p->kind) {
    case PART_FUNCTION:
        return function;
    case PART_CHECK:
        return check_thunk();
    case PART_BLOCK:
        return cp_block_next(p->address, content, p->n);
    case PART_POINT:
        return cp_point_next(p->point, p->address, p->n, p->guarded);
    case PART_THUNK:
        return data_thunk(recipe.made[p->of]);
    case PART_PLACE:
        return (void *)cp_cache_place(recipe.made[p->of], p->address);
    case PART_SITE:
        return cp_stack_site(p->address, p->address + p->n, *(const Addr *)content);
    default:
        tl_assert(p->kind == PART_COLD);
        return (void *)cold_block(p, content);
    }
}

static ULong number_of(const Part *p, const void *made)
{
    if (p->kind == PART_BLOCK)
        return ((const BasicBlock *)made)->slot * sizeof(UInt);
    if (p->kind == PART_POINT && p->guarded)
        return ((const AccessPoint *)made)->slot * sizeof(UInt);
    return (Addr)made;
}

/*--- Asking for parts ---*/

static void grow(void)
{
    recipe.max = recipe.max ? 2 * recipe.max : 256;
    recipe.made = VG_(realloc)("cp.recipe.1", recipe.made, recipe.max * sizeof *recipe.made);
    recipe.numbers =
        VG_(realloc)("cp.recipe.2", recipe.numbers, recipe.max * sizeof *recipe.numbers);
}

static void append(const void *bytes, UInt n)
{
    if (recipe.n_bytes + n > recipe.room) {
        recipe.room = 2 * (recipe.n_bytes + n);
        recipe.bytes = VG_(realloc)("cp.recipe.3", recipe.bytes, recipe.room);
    }
    VG_(memcpy)(recipe.bytes + recipe.n_bytes, bytes, n);
    recipe.n_bytes += n;
}

static UInt add(Part part, const void *content, UInt size)
{
    UInt i = recipe.n++;

    tl_assert(i < PART_NONE);
    if (i == recipe.max)
        grow();
    append(&part, sizeof part);
    append(content, size);
    recipe.made[i] = make(&part, content);
    recipe.numbers[i] = number_of(&part, recipe.made[i]);
    return i;
}

UInt cp_recipe_function(void)
{
    return add((Part){.kind = PART_FUNCTION}, NULL, 0);
}

UInt cp_recipe_check(void)
{
    return add((Part){.kind = PART_CHECK}, NULL, 0);
}

UInt cp_recipe_block(Addr start, const InstrCost *instrs, UInt n)
{
    return add((Part){.kind = PART_BLOCK, .address = start, .n = (UShort)n}, instrs,
               n * sizeof *instrs);
}

UInt cp_recipe_point(PointKind kind, Addr address, UInt size, Bool guarded)
{
    return add((Part){.kind = PART_POINT,
                      .point = (UChar)kind,
                      .guarded = guarded,
                      .address = address,
                      .n = (UShort)size},
               NULL, 0);
}

UInt cp_recipe_thunk(UInt point)
{
    return add((Part){.kind = PART_THUNK, .of = (UShort)point}, NULL, 0);
}

UInt cp_recipe_place(UInt point, Addr address)
{
    return add((Part){.kind = PART_PLACE, .of = (UShort)point, .address = address}, NULL, 0);
}

UInt cp_recipe_site(Addr address, Addr back, Addr target)
{
    return add((Part){.kind = PART_SITE, .address = address, .n = (UShort)(back - address)},
               &target, sizeof target);
}

UInt cp_recipe_cold(const PartAccess *accesses, UInt n, UInt block)
{
    return add((Part){.kind = PART_COLD, .of = (UShort)block, .n = (UShort)n}, accesses,
               n * sizeof *accesses);
}

ULong cp_recipe_number(UInt part)
{
    return recipe.numbers[part];
}
