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
    UShort of; /* the access point of a thunk or place, the basic block of a cold block, the call */
    UShort n;  /* instructions, accesses; bytes of an access point, or of the call instruction */
    Addr address;
} Part;

/* A part's record, and what the code gets of it. */
typedef struct {
    void *record;
    ULong number;
    Bool is_narrow; /* the code has 32 bits of the number, an offset */
    UInt uses;      /* placeholders of it that the pass got */
} Made;

/* The superblock at hand. */
static Addr superblock;
static Function *function;
static Int stack_pointer;

static struct {
    UChar *bytes; /* parts with their content */
    UInt n_bytes, room;
    Made *made; /* by part */
    UInt n, max;
    Bool any_cold;
    Bool is_begun, is_refused;
    Bool is_cold; /* it has parts that only cold code has */
} recipe;

static Bool holds; /* the pass gets placeholders */

Bool cp_recipe_begin(Addr address, Int sp)
{
    superblock = address;
    function = clo_contexts ? cp_stack_function(address) : cp_function_pseudo(FUNCTION_ALL);
    stack_pointer = sp;
    recipe.n_bytes = recipe.n = 0;
    recipe.any_cold = recipe.is_refused = recipe.is_cold = False;
    recipe.is_begun = True;
    cp_superblock_begin(address, function);
    return cp_cold_begin();
}

void cp_recipe_refuse(void)
{
    recipe.is_refused = True;
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

/* The superblock's first cold block has its state. */
static const void *cold_block(const Part *part, const PartAccess *accesses)
{
    ColdBlock cold = {.n_accesses = 0};

    for (const PartAccess *a = accesses; a < accesses + part->n; a++)
        if (a->lines)
            cp_cold_add_fetch(&cold, recipe.made[a->point].record, superblock + a->delta, a->size,
                              a->lines);
        else
            cp_cold_add_access(&cold, recipe.made[a->point].record);
    if (part->of != PART_NONE)
        cp_cold_set_block(&cold, recipe.made[part->of].record);
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
    case PART_CHILD:
        return recipe.made[p->of].record;
    case PART_CODE:
        return cp_superblock_cold();
    default:
        tl_assert(p->kind == PART_COLD);
        return (void *)cold_block(p, content);
    }
}

static Bool is_narrow(const Part *p)
{
    return p->kind == PART_BLOCK || p->kind == PART_CHILD || (p->kind == PART_POINT && p->guarded);
}

static ULong number_of(const Part *p, const void *record)
{
    if (!is_narrow(p))
        return (Addr)record;
    if (p->kind == PART_CHILD)
        return (CP_NARROW_IS_SIGNED ? -1ULL : 1) * sizeof(Child *) *
               (((const CallSite *)record)->slot + 1);
    return (p->kind == PART_BLOCK ? ((const BasicBlock *)record)->slot
                                  : ((const AccessPoint *)record)->slot) *
           sizeof(UInt);
}

/*--- Asking for parts ---*/

static UInt make_next(const Part *part, const void *content)
{
    UInt i = recipe.n;

    tl_assert(i < PART_NONE);
    if (i == recipe.max) {
        recipe.max = recipe.max ? 2 * recipe.max : 256;
        recipe.made = VG_(realloc)("cp.recipe.1", recipe.made, recipe.max * sizeof *recipe.made);
    }
    recipe.made[i] = (Made){.record = make(part, content), .is_narrow = is_narrow(part)};
    recipe.made[i].number = number_of(part, recipe.made[i].record);
    return recipe.n++;
}

static void append(const void *bytes, UInt n)
{
    if (recipe.n_bytes + n > recipe.room) {
        recipe.room = 2 * (recipe.n_bytes + n);
        recipe.bytes = VG_(realloc)("cp.recipe.2", recipe.bytes, recipe.room);
    }
    VG_(memcpy)(recipe.bytes + recipe.n_bytes, bytes, n);
    recipe.n_bytes += n;
}

static UInt add(Part part, const void *content, UInt size)
{
    append(&part, sizeof part);
    append(content, size);
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

UInt cp_recipe_code(void)
{
    recipe.is_cold = True;
    return add((Part){.kind = PART_CODE}, NULL, 0);
}

UInt cp_recipe_cold(const PartAccess *accesses, UInt n, UInt block)
{
    recipe.is_cold = True;
    return add((Part){.kind = PART_COLD, .of = (UShort)block, .n = (UShort)n}, accesses,
               n * sizeof *accesses);
}

/*--- Placeholders ---*/

/* A placeholder has the index of its part, plus 1, in its lowest 16 bits. No other number in
 * generated code should look like one; one that does is counted, and the translation is not kept.
 */
#define WIDE   (0x6B3D91E4A72DULL & ((1ULL << (CP_WIDE_BITS - 16)) - 1))
#define NARROW 0x5C39U

ULong cp_recipe_number(UInt part)
{
    Made *made = &recipe.made[part];

    if (!holds)
        return made->number;
    made->uses++;
    return (made->is_narrow ? NARROW : WIDE) << 16 | (part + 1);
}

void cp_recipe_hold(Bool placeholders)
{
    holds = placeholders;
    if (!placeholders)
        return;
    recipe.n = 0;
    recipe.is_begun = False;
}

/* True if a placeholder begins there. */
static inline Bool is_placeholder(const UChar *code, UInt room, UInt *part)
{
    UInt low, size = cp_arch_constant(code, room, NARROW, WIDE, &low);

    if (LIKELY(!size) || !low)
        return False;
    *part = low - 1;
    return *part < recipe.n && recipe.made[*part].is_narrow == (size == CP_NARROW_SIZE);
}

Bool cp_recipe_holes(const UChar *code, UInt size, Hole *holes, UInt max, UInt *n)
{
    UInt part;

    *n = 0;
    for (UInt at = 0; at < size; at += CP_CODE_STEP) {
        if (!is_placeholder(code + at, size - at, &part))
            continue;
        if (*n == max || at > 0xffff || !recipe.made[part].uses--)
            return False;
        holes[(*n)++] = (Hole){(UShort)at, (UShort)part};
    }
    for (part = 0; part < recipe.n; part++)
        if (recipe.made[part].uses)
            return False;
    return True;
}

void cp_recipe_fill(UChar *code, const Hole *holes, UInt n)
{
    for (const Hole *h = holes; h < holes + n; h++) {
        const Made *made = &recipe.made[h->part];
        cp_arch_set_constant(code + h->offset, made->number, made->is_narrow);
    }
}

Bool cp_recipe_get(Recipe *r, Int *sp, Bool *is_cold)
{
    *r = (Recipe){.parts = recipe.bytes, .size = recipe.n_bytes, .n = recipe.n};
    *sp = stack_pointer;
    *is_cold = recipe.is_cold;
    return recipe.is_begun && !recipe.is_refused;
}

/*--- Recipes that were kept ---*/

/* Bytes of the content that follows the part. */
static UInt content_size(const Part *p)
{
    switch (p->kind) {
    case PART_BLOCK:
        return p->n * sizeof(InstrCost);
    case PART_SITE:
        return sizeof(Addr);
    case PART_COLD:
        return p->n * sizeof(PartAccess);
    default:
        return 0;
    }
}

/* The parts of a recipe that is being looked at, by index. */
typedef struct {
    const Part *parts[PART_NONE];
    UInt n;
} PartList;

static const Part *point_of(const PartList *list, UInt i)
{
    return i < list->n && list->parts[i]->kind == PART_POINT ? list->parts[i] : NULL;
}

static Bool is_sound_cold(const PartList *list, const Part *p)
{
    const PartAccess *accesses = (const PartAccess *)(p + 1);
    UInt n_addresses = 0;

    if (p->n > COLD_ACCESSES ||
        (p->of != PART_NONE && (p->of >= list->n || list->parts[p->of]->kind != PART_BLOCK)))
        return False;
    for (UInt i = 0; i < p->n; i++) {
        const Part *point = point_of(list, accesses[i].point);
        if (!point || point->point > POINT_WRITE || accesses[i].lines > 2 ||
            (point->point == POINT_FETCH) != (accesses[i].lines > 0))
            return False;
        n_addresses += !accesses[i].lines;
    }
    return n_addresses <= COLD_ADDRESSES;
}

static Bool is_sound_point(const Part *p)
{
    switch (p->point) {
    case POINT_FETCH:
        return clo_cache_sim && !p->guarded;
    case POINT_READ:
    case POINT_WRITE:
        return clo_cache_sim && p->guarded <= True && p->n <= cp_min_line;
    case POINT_CONDITIONAL:
    case POINT_INDIRECT:
        return clo_branch_sim && !p->guarded;
    default:
        return False;
    }
}

/* Looks at a part whose content is there, and at the parts before it. */
static Bool is_sound_part(const PartList *list, const Part *p)
{
    const Part *point = point_of(list, p->of);

    switch (p->kind) {
    case PART_FUNCTION:
    case PART_CHECK:
        return clo_contexts;
    case PART_ENTRY:
        return clo_heap;
    case PART_BLOCK:
        return p->n && p->n <= MAX_BLOCK_INSTRS;
    case PART_POINT:
        return is_sound_point(p);
    case PART_THUNK:
        return point && (point->point == POINT_READ || point->point == POINT_WRITE);
    case PART_PLACE:
        return point && point->point == POINT_FETCH;
    case PART_SITE:
    case PART_CODE:
        return clo_contexts;
    case PART_CALL:
    case PART_CHILD:
        return p->of < list->n && list->parts[p->of]->kind == PART_SITE;
    case PART_COLD:
        return is_sound_cold(list, p);
    default:
        return False;
    }
}

static Bool list_parts(const Recipe *r, PartList *list)
{
    const UChar *at = r->parts, *end = r->parts + r->size;

    for (list->n = 0; list->n < r->n; list->n++) {
        const Part *p = (const Part *)at;
        if (end - at < (PtrdiffT)sizeof *p || end - at < (PtrdiffT)(sizeof *p + content_size(p)) ||
            !is_sound_part(list, p))
            return False;
        list->parts[list->n] = p;
        at += sizeof *p + content_size(p);
    }
    return at == end;
}

static UInt hole_size(const Part *p)
{
    return is_narrow(p) ? CP_NARROW_SIZE : CP_WIDE_SIZE;
}

Bool cp_recipe_is_sound(const Recipe *r, const Hole *holes, UInt n_holes, UInt code_size)
{
    static PartList list;

    if (r->n >= PART_NONE || !list_parts(r, &list))
        return False;
    for (const Hole *h = holes; h < holes + n_holes; h++)
        if (h->part >= r->n || h->offset % CP_CODE_STEP ||
            h->offset + hole_size(list.parts[h->part]) > code_size)
            return False;
    return True;
}

void cp_recipe_follow(const Recipe *r)
{
    const UChar *at = r->parts;

    for (UInt i = 0; i < r->n; i++) {
        const Part *p = (const Part *)at;
        make_next(p, p + 1);
        at += sizeof *p + content_size(p);
    }
}
