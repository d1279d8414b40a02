/*
 * cp_function.c - data structure #1: the functions of each range by rising start (`Starts`). They
 * are read from the file when the range's first superblock is translated; code that no table covers
 * adds more, in any order: code made at run time may have 100,000, so that pointers are moved for
 * them rather than functions. #2: a hash table of functions by (range, start).
 */
#include "cp_function.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "cp_elf.h"
#include "cp_hash.h"
#include "cp_object.h"

typedef struct {
    Bool loaded;
    UInt n, max;
    ElfFunction **items;   /* by rising start, without overlaps; addresses in memory */
    Addr stale, stale_end; /* code that has to be translated anew; stale_end 0: none */
} Starts;

static Pool starts_pool = {.size = sizeof(Starts), .tag = "cp.function.1"}; /* by range */
static Pool items = {.size = sizeof(ElfFunction), .tag = "cp.function.5"};  /* of Starts */
static Pool functions = {.size = sizeof(Function), .tag = "cp.function.2"};

static HashTable table;
static Bool any_stale; /* some Starts has stale code */

Bool (*cp_function_toggles)(Addr start);
UInt (*cp_function_argument_options)(Addr start);
UInt cp_function_n_roles;

static void load_starts(Starts *s, const Range *range)
{
    const ElfFunctions *all = &cp_object(range->object)->functions;

    s->loaded = True;
    s->max = all->n;
    s->items = VG_(malloc)("cp.function.4", (all->n + 1) * sizeof *s->items);
    for (UInt i = 0; i < all->n; i++) {
        ElfFunction e = all->items[i];
        e.start += range->bias;
        e.end += range->bias;
        e.owner += range->bias;
        e.whole += e.whole ? range->bias : 0;
        if (e.start >= range->start && e.start < range->end) {
            cp_function_n_roles += e.role != NULL;
            s->items[s->n] = cp_pool_add(&items);
            *s->items[s->n++] = e;
        }
    }
}

static Starts *starts_of(UInt range)
{
    Starts *s;

    while (starts_pool.n <= range)
        cp_pool_add(&starts_pool);
    s = cp_pool_at(&starts_pool, range);
    if (!s->loaded)
        load_starts(s, cp_range(range));
    return s;
}

/* The index of the last item that begins at or before the address; -1: none. */
static Int find(const Starts *s, Addr address)
{
    Int low = 0, high = (Int)s->n;

    while (low < high) {
        Int middle = (low + high) / 2;
        if (s->items[middle]->start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* Where the item has to end: at the next one, or with the range. */
static Addr limit(UInt range, const Starts *s, Int at)
{
    return (UInt)at + 1 < s->n ? s->items[at + 1]->start : cp_range(range)->end;
}

/* Inserts code that no table covers, from `start` to the next function. */
static ElfFunction *insert(UInt range, Int at, Addr start, Addr owner)
{
    Starts *s = starts_of(range);
    ElfFunction *item = cp_pool_add(&items);

    if (s->n == s->max) {
        s->max = s->max ? s->max * 2 : 16;
        s->items = VG_(realloc)("cp.function.3", s->items, s->max * sizeof *s->items);
    }
    /* Valgrind's memmove() moves a byte at a time. */
    for (UInt i = s->n++; i > (UInt)at; i--)
        s->items[i] = s->items[i - 1];
    s->items[at] = item;
    *item =
        (ElfFunction){.start = start, .end = limit(range, s, at), .owner = owner, .is_open = True};
    return item;
}

static UInt hash_function(const void *element)
{
    const Function *f = element;

    return cp_hash(f->start, f->range, f->stub);
}

static Bool same_function(const void *a, const void *b)
{
    const Function *f = a, *g = b;

    return f->start == g->start && f->range == g->range && f->kind == g->kind && f->stub == g->stub;
}

static void set_role(Function *f, const Role *role)
{
    UInt plain = role && !f->chooses ? cp_role_plain(role) : 0;

    f->role = role;
    f->plain_argument = plain ? CP_ARGUMENT_OFFSET(plain - 1) : 0;
    f->is_plain_free = plain && cp_role_frees(role);
}

static Function *get(UInt range, Addr start, FunctionKind kind, Addr stub)
{
    const Function key = {.range = range, .start = start, .kind = kind, .stub = stub};
    void **entry = cp_hash_find(&table, &key, hash_function, same_function);
    Function *f = *entry;

    if (!f) {
        *entry = f = cp_pool_add(&functions);
        f->range = range;
        f->start = start;
        f->stub = stub;
        f->kind = kind;
        f->shown = f;
        if (kind == FUNCTION_CODE) {
            f->is_made = !cp_object(cp_range(range)->object)->elf.n_segments;
            f->toggles = cp_function_toggles(start);
            f->argument_options = cp_function_argument_options(start);
            set_role(f, cp_role_named(start));
        }
    }
    return f;
}

/* The stub at the address, which is the item's. Some stubs are smaller: then it is two of them. */
static Function *stub_of(UInt range, const ElfFunction *item, Addr address)
{
    enum { STUB_SIZE = 16 };
    Addr stub = item->start + (address - item->start) / STUB_SIZE * STUB_SIZE;
    Function *f = get(range, item->owner, FUNCTION_STUB, stub);

    if (f->shown == f)
        f->shown = get(range, item->owner, FUNCTION_STUB, 0);
    return f;
}

/* The function that the item of the range belongs to, at an address of the item's. */
static Function *function_of(UInt range, const ElfFunction *item, Addr address)
{
    Function *function = item->transparent ? stub_of(range, item, address)
                                           : get(range, item->owner, FUNCTION_CODE, 0);

    if (UNLIKELY(function->chooses != item->chooses)) {
        function->chooses = item->chooses;
        set_role(function, function->role);
    }
    if (UNLIKELY(!function->size))
        function->size = item->end - item->start;
    if (UNLIKELY(item->is_inner) && item->start == function->start)
        function->is_inner = True;
    if (UNLIKELY(item->whole) && item->start == function->start)
        function->whole = item->whole;
    if (UNLIKELY(item->role != NULL) && !function->role && item->start == function->start)
        set_role(function, item->role);
    return function;
}

/*
 * Covers code that no table does, behind item `at` (-1: before the first one). It belongs to that
 * where a symbol has no size, or one that is too small, as `from` shows. Else a function begins
 * there: of code without a file it is that of the whole gap.
 */
static ElfFunction *cover(UInt range, Int at, Addr address, const Function *from)
{
    Starts *s = starts_of(range);
    ElfFunction *before = at < 0 ? NULL : s->items[at];
    Addr gap = before ? before->end : cp_range(range)->start;

    if (before && before->start == gap) {
        before->end = limit(range, s, at);
        before->is_open = True;
        return before;
    }
    if (before && from && from->kind == FUNCTION_CODE &&
        from == function_of(range, before, before->start))
        return insert(range, at + 1, gap, before->owner);
    if (cp_object(cp_range(range)->object)->inode)
        return insert(range, at + 1, address, address);
    return insert(range, at + 1, gap, gap);
}

/* The item that has the address, which `from` has come to. */
static ElfFunction *item_at(UInt range, Addr address, const Function *from)
{
    Starts *s = starts_of(range);
    Int at = find(s, address);

    return at < 0 || address >= s->items[at]->end ? cover(range, at, address, from) : s->items[at];
}

Function *cp_function_reached(Addr address, const Function *from)
{
    UInt range = cp_range_at(address);
    ElfFunction *item = item_at(range, address, from);

    if (item->reached < address)
        item->reached = address;
    return function_of(range, item, address);
}

Bool cp_function_begins(Addr address, const Function *from)
{
    UInt range = cp_range_at(address);
    const Starts *s = starts_of(range);
    Int at = find(s, address);
    const ElfFunction *item = at < 0 ? NULL : s->items[at];

    return item && item->start == address && item->owner == address && item->end > address &&
           !item->transparent && !item->is_open && !item->is_inner &&
           (range != from->range || address != from->start);
}

Function *cp_function_at(Addr address)
{
    return cp_function_reached(address, NULL);
}

Function *cp_function_guessed(Addr address, const Function *from)
{
    UInt range = cp_range_at(address);
    const ElfFunction *item = item_at(range, address, from);

    if (!item->is_open || item->name || item->start == address ||
        !cp_object(cp_range(range)->object)->inode)
        return NULL;
    return function_of(range, item, address);
}

/* Divides the item at `address`. Its code from there on may have been translated already. */
static void divide(UInt range, Int at, Addr address)
{
    Starts *s = starts_of(range);
    ElfFunction *item = s->items[at], *rest;
    Addr reached = item->reached, end = item->end;

    if (reached >= address && cp_object(cp_range(range)->object)->inode) {
        any_stale = True;
        s->stale = s->stale_end && s->stale < address ? s->stale : address;
        s->stale_end = s->stale_end > end ? s->stale_end : end;
    }
    item->reached = address - 1;
    if (item->start == address) {
        item->owner = address;
        return;
    }
    item->end = address;
    rest = insert(range, at + 1, address, address);
    rest->end = end;
    rest->reached = reached;
}

/*
 * A call into code that no table covers divides it, and one of code that was split off makes it a
 * function of its own. Superblocks that were translated before stay
 * with the old function until cp_function_discard(), and where the code has no file for good; their
 * costs are kept by address all the same.
 */
Function *cp_function_called(Addr address)
{
    UInt range = cp_range_at(address);
    const Starts *s = starts_of(range);
    Int at = find(s, address);
    const ElfFunction *item = at < 0 ? NULL : s->items[at];

    if (!item || address >= item->end) {
        if (!item || address != item->start)
            insert(range, at + 1, address, address);
    } else if (address != item->owner && (item->is_open || address == item->start)) {
        divide(range, at, address);
    }
    return cp_function_reached(address, NULL);
}

void cp_function_discard(void)
{
    if (LIKELY(!any_stale))
        return;
    any_stale = False;
    for (UInt i = 0; i < starts_pool.n; i++) {
        Starts *s = cp_pool_at(&starts_pool, i);
        if (!s->stale_end)
            continue;
        VG_(discard_translations)(s->stale, s->stale_end - s->stale, "cprof");
        s->stale_end = 0;
    }
}

Function *cp_function_pseudo(FunctionKind kind)
{
    return get(~0u, (Addr)kind, kind, 0);
}

Function *cp_function_section(UInt index)
{
    return get(~0u, index, FUNCTION_SECTION, 0);
}

UInt cp_function_count(void)
{
    return functions.n;
}

Function *cp_function(UInt index)
{
    return cp_pool_at(&functions, index);
}
