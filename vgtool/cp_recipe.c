/*
 * cp_recipe.c - data structure: the records and numbers of the parts, by index.
 */
#include "cp_recipe.h"

#include "cp_arch.h"
#include "cp_cache.h"
#include "cp_context.h"
#include "cp_stack.h"

/* A part. Its content: the instructions of a basic block, the target of a call. */
typedef struct {
    UChar kind;
    UChar point; /* PointKind */
    Bool guarded;
    UChar unused;
    UShort of; /* the access point of a thunk or place, the call */
    UShort n;  /* instructions; bytes of an access point, or of the call instruction */
    Addr address;
} Part;

/* A part's record, and what the code gets of it. */
typedef struct {
    void *record;
    ULong number;
    Bool is_first; /* cp_recipe_is_first() */
} Made;

/* The superblock at hand. */
static Addr superblock;
static Function *function;
static Int stack_pointer;

static struct {
    Made *made; /* by part */
    UInt n, max;
} recipe;

void cp_recipe_begin(Addr address, Int sp)
{
    superblock = address;
    function = clo_contexts ? cp_stack_function(address) : cp_function_pseudo(FUNCTION_ALL);
    stack_pointer = sp;
    recipe.n = 0;
    cp_superblock_begin(address, function);
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

/* Code that calls cp_stack_allocates at the start of an allocation function. */
static void *entry_thunk(void)
{
    if (!function->entry_thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)function);
        cp_thunk_state(1);
        cp_thunk_register(2, stack_pointer);
        function->entry_thunk = cp_thunk_end((Addr)cp_stack_allocates);
    }
    return function->entry_thunk;
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

/* Code that calls cp_stack_call() at the end of a superblock. */
static void *call_thunk(CallSite *site)
{
    if (!site->thunk) {
        cp_thunk_begin();
        cp_thunk_constant(0, (Addr)site);
        cp_thunk_register(1, stack_pointer);
        site->thunk = cp_thunk_end((Addr)cp_stack_call);
    }
    return site->thunk;
}

static void *make(const Part *p, const void *content)
{
    switch (p->kind) {
    case PART_FUNCTION:
        return function;
    case PART_CHECK:
        return check_thunk();
    case PART_ENTRY:
        return entry_thunk();
    case PART_BLOCK:
        return cp_block_next(p->address, content, p->n);
    case PART_POINT:
        return cp_point_next(p->point, p->address, p->n, p->guarded);
    case PART_THUNK:
        return data_thunk(recipe.made[p->of].record);
    case PART_PLACE:
        return (void *)cp_cache_place(recipe.made[p->of].record, p->address);
    case PART_SITE:
        return cp_site_next(function, p->address, p->address + p->n, *(const Addr *)content);
    case PART_CALL:
        return call_thunk(recipe.made[p->of].record);
    default:
        tl_assert(p->kind == PART_CHILD);
        return recipe.made[p->of].record;
    }
}

static Bool is_narrow(const Part *p)
{
    return p->kind == PART_BLOCK || p->kind == PART_CHILD || (p->kind == PART_POINT && p->guarded);
}

static UInt slot_of(const Part *p, const void *record)
{
    return p->kind == PART_CHILD   ? ((const CallSite *)record)->slot
           : p->kind == PART_BLOCK ? ((const BasicBlock *)record)->slot
                                   : ((const AccessPoint *)record)->slot;
}

static ULong number_of(const Part *p, const void *record)
{
    if (!is_narrow(p))
        return (Addr)record;
    if (p->kind == PART_CHILD)
        return (ULong)cp_call_offset(function, slot_of(p, record));
    return (ULong)cp_slot_offset(function, slot_of(p, record));
}

static Bool is_first(const Part *p, const void *record)
{
    return is_narrow(p) && (p->kind == PART_CHILD ? cp_call_is_first
                                                  : cp_slot_is_first)(function, slot_of(p, record));
}

/*--- Asking for parts ---*/

static UInt make_next(const Part *part, const void *content)
{
    UInt i = recipe.n;

    if (i == recipe.max) {
        recipe.max = recipe.max ? 2 * recipe.max : 256;
        recipe.made = VG_(realloc)("cp.recipe.1", recipe.made, recipe.max * sizeof *recipe.made);
    }
    recipe.made[i] = (Made){.record = make(part, content)};
    recipe.made[i].number = number_of(part, recipe.made[i].record);
    recipe.made[i].is_first = is_first(part, recipe.made[i].record);
    return recipe.n++;
}

static UInt add(Part part, const void *content, UInt size)
{
    return make_next(&part, content);
}

UInt cp_recipe_function(void)
{
    return add((Part){.kind = PART_FUNCTION}, NULL, 0);
}

UInt cp_recipe_check(void)
{
    return add((Part){.kind = PART_CHECK}, NULL, 0);
}

UInt cp_recipe_entry(void)
{
    return add((Part){.kind = PART_ENTRY}, NULL, 0);
}

Bool cp_recipe_is_first(UInt part)
{
    return recipe.made[part].is_first;
}

Bool cp_recipe_allocates(void)
{
    return UNLIKELY(function->role != NULL) && superblock == function->start;
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

UInt cp_recipe_call(UInt site)
{
    return add((Part){.kind = PART_CALL, .of = (UShort)site}, NULL, 0);
}

UInt cp_recipe_child(UInt site)
{
    return add((Part){.kind = PART_CHILD, .of = (UShort)site}, NULL, 0);
}

ULong cp_recipe_number(UInt part)
{
    return recipe.made[part].number;
}
