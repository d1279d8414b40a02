/*
 * cp_function.c - data structure #1: the functions of each range by rising start (`Starts`). They
 * are read from the file when the range's first superblock is translated; code that no table covers
 * adds more. #2: a hash table of functions by (range, start).
 */
#include "cp_function.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "cp_elf.h"
#include "cp_hash.h"
#include "cp_object.h"

typedef struct {
    Bool loaded;
    ElfFunctions functions; /* addresses in memory */
    Addr stale, stale_end;  /* code that has to be translated anew; stale_end 0: none */
} Starts;

static Pool starts_pool = {.size = sizeof(Starts), .tag = "cp.function.1"}; /* by range */
static Pool functions = {.size = sizeof(Function), .tag = "cp.function.2"};

static HashTable table;
static Bool any_stale; /* some Starts has stale code */

Bool (*cp_function_toggles)(Addr start);
UInt (*cp_function_argument_options)(Addr start);
UInt cp_function_n_roles;

static void load_starts(Starts *s, const Range *range)
{
    const ElfFunctions *all = &cp_object(range->object)->functions;
    ElfFunctions *f = &s->functions;

    s->loaded = True;
    f->max = all->n;
    f->items = VG_(malloc)("cp.function.4", (all->n + 1) * sizeof *f->items);
    for (UInt i = 0; i < all->n; i++) {
        ElfFunction e = all->items[i];
        e.start += range->bias;
        e.end += range->bias;
        e.owner += range->bias;
        if (e.start >= range->start && e.start < range->end) {
            cp_function_n_roles += e.role != NULL;
            f->items[f->n++] = e;
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

/* Inserts code that no table covers, from `start` to the next function. */
static void insert(ElfFunctions *f, Int at, Addr start, Addr owner, Addr range_end)
{
    if (f->n == f->max) {
        f->max = f->max ? f->max * 2 : 16;
        f->items = VG_(realloc)("cp.function.3", f->items, f->max * sizeof *f->items);
    }
    VG_(memmove)(f->items + at + 1, f->items + at, (f->n - (UInt)at) * sizeof *f->items);
    f->n++;
    f->items[at] = (ElfFunction){.start = start,
                                 .end = (UInt)at + 1 < f->n ? f->items[at + 1].start : range_end,
                                 .owner = owner,
                                 .is_open = True};
}

static UInt hash_function(const void *element)
{
    const Function *f = element;

    return cp_hash(f->start, f->range, 0);
}

static Bool same_function(const void *a, const void *b)
{
    const Function *f = a, *g = b;

    return f->start == g->start && f->range == g->range && f->kind == g->kind;
}

static void set_role(Function *f, const Role *role)
{
    UInt plain = role && !f->chooses ? cp_role_plain(role) : 0;

    f->role = role;
    f->plain_argument = plain ? CP_ARGUMENT_OFFSET(plain - 1) : 0;
    f->is_plain_free = plain && cp_role_frees(role);
}

static Function *get(UInt range, Addr start, FunctionKind kind)
{
    const Function key = {.range = range, .start = start, .kind = kind};
    void **entry = cp_hash_find(&table, &key, hash_function, same_function);
    Function *f = *entry;

    if (!f) {
        *entry = f = cp_pool_add(&functions);
        f->range = range;
        f->start = start;
        f->kind = kind;
        if (kind == FUNCTION_CODE) {
            f->is_made = !cp_object(cp_range(range)->object)->elf.n_segments;
            f->toggles = cp_function_toggles(start);
            f->argument_options = cp_function_argument_options(start);
            set_role(f, cp_role_named(start));
        }
    }
    return f;
}

/* The function that the item of the range belongs to. */
static Function *function_of(UInt range, const ElfFunction *item)
{
    Function *function = get(range, item->owner, item->transparent ? FUNCTION_STUB : FUNCTION_CODE);

    if (UNLIKELY(function->chooses != item->chooses)) {
        function->chooses = item->chooses;
        set_role(function, function->role);
    }
    if (UNLIKELY(item->role != NULL) && !function->role && item->start == function->start)
        set_role(function, item->role);
    return function;
}

/*
 * Covers code that no table does, behind item `at` (-1: before the first one). It belongs to that
 * where a symbol has no size, or one that is too small, as `from` shows. Else a function begins
 * there: of code without a file it is that of the whole gap. Returns the index of the new item.
 */
static Int cover(UInt range, Int at, Addr address, const Function *from)
{
    ElfFunctions *f = &starts_of(range)->functions;
    Addr end = cp_range(range)->end, gap = at < 0 ? cp_range(range)->start : f->items[at].end;

    if (at >= 0 && f->items[at].start == gap) {
        f->items[at].end = (UInt)at + 1 < f->n ? f->items[at + 1].start : end;
        f->items[at].is_open = True;
        return at;
    }
    if (at >= 0 && from && from->kind == FUNCTION_CODE && from == function_of(range, &f->items[at]))
        insert(f, at + 1, gap, f->items[at].owner, end);
    else if (cp_object(cp_range(range)->object)->inode)
        insert(f, at + 1, address, address, end);
    else
        insert(f, at + 1, gap, gap, end);
    return at + 1;
}

Function *cp_function_reached(Addr address, const Function *from)
{
    UInt range = cp_range_at(address);
    ElfFunctions *f = &starts_of(range)->functions;
    Int at = cp_elf_find(f, f->n, address);

    if (at < 0 || address >= f->items[at].end)
        at = cover(range, at, address, from);
    if (f->items[at].reached < address)
        f->items[at].reached = address;
    return function_of(range, &f->items[at]);
}

Function *cp_function_at(Addr address)
{
    return cp_function_reached(address, NULL);
}

/* Divides the item at `address`. Its code from there on may have been translated already. */
static void divide(UInt range, Int at, Addr address)
{
    Starts *s = starts_of(range);
    ElfFunction *item = &s->functions.items[at];
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
    insert(&s->functions, at + 1, address, address, end);
    s->functions.items[at + 1].end = end;
    s->functions.items[at + 1].reached = reached;
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
    ElfFunctions *f = &starts_of(range)->functions;
    Int at = cp_elf_find(f, f->n, address);

    if (at < 0 || address >= f->items[at].end) {
        if (at < 0 || address != f->items[at].start)
            insert(f, at + 1, address, address, cp_range(range)->end);
    } else if (address != f->items[at].owner &&
               (f->items[at].is_open || address == f->items[at].start)) {
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
    return get(~0u, (Addr)kind, kind);
}

Function *cp_function_section(UInt index)
{
    return get(~0u, index, FUNCTION_SECTION);
}

UInt cp_function_count(void)
{
    return functions.n;
}

Function *cp_function(UInt index)
{
    return cp_pool_at(&functions, index);
}
