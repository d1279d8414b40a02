/*
 * cp_function.c - data structure #1: the functions of each range by rising start (`Starts`). They
 * are read from the file when the range's first superblock is translated; calls of code that no
 * table covers add more. #2: a hash table of functions by (range, start).
 */
#include "cp_function.h"

#include "cp_arch.h"
#include "cp_elf.h"
#include "cp_hash.h"
#include "cp_object.h"

typedef struct {
    Bool loaded;
    ElfFunctions functions; /* addresses in memory */
} Starts;

static Pool starts_pool = {.size = sizeof(Starts), .tag = "cp.function.1"}; /* by range */
static Pool functions = {.size = sizeof(Function), .tag = "cp.function.2"};

static HashTable table;

Bool (*cp_function_toggles)(Addr start);
UInt (*cp_function_argument_options)(Addr start);
UInt cp_function_n_roles;

static void load_starts(Starts *s, const Range *range)
{
    const Object *object = cp_object(range->object);
    ElfFunctions *f = &s->functions;
    UInt n = 0;

    s->loaded = True;
    if (!object->inode)
        return;
    cp_elf_functions(object->path, &object->elf, f);
    for (UInt i = 0; i < f->n; i++) {
        ElfFunction e = f->items[i];
        e.start += range->bias;
        e.end += range->bias;
        e.owner += range->bias;
        if (e.start >= range->start && e.start < range->end) {
            cp_function_n_roles += e.role != NULL;
            f->items[n++] = e;
        }
    }
    f->n = n;
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

/* Inserts a function that no table names, from `start` to the next one. Returns its index. */
static Int insert(ElfFunctions *f, Int at, Addr start, Addr range_end)
{
    if (f->n == f->max) {
        f->max = f->max ? f->max * 2 : 16;
        f->items = VG_(realloc)("cp.function.3", f->items, f->max * sizeof *f->items);
    }
    VG_(memmove)(f->items + at + 1, f->items + at, (f->n - (UInt)at) * sizeof *f->items);
    f->n++;
    f->items[at] = (ElfFunction){
        start, (UInt)at + 1 < f->n ? f->items[at + 1].start : range_end, start, False, False, NULL};
    return at;
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
            f->toggles = cp_function_toggles(start);
            f->argument_options = cp_function_argument_options(start);
            set_role(f, cp_role_named(start));
        }
    }
    return f;
}

static Function *function_at(Addr address, Bool called)
{
    UInt range = cp_range_at(address);
    ElfFunctions *f = &starts_of(range)->functions;
    Int at = cp_elf_find(f, f->n, address);
    Function *function;

    /* Code behind a function's end, or before the first one, is a gap. There a function begins at a
     * call's target, or else at the gap's start. */
    if (at < 0 || address >= f->items[at].end) {
        Addr gap = at < 0 ? cp_range(range)->start : f->items[at].end;
        at = insert(f, at + 1, called ? address : gap, cp_range(range)->end);
    }
    function =
        get(range, f->items[at].owner, f->items[at].transparent ? FUNCTION_STUB : FUNCTION_CODE);
    if (UNLIKELY(function->chooses != f->items[at].chooses)) {
        function->chooses = f->items[at].chooses;
        set_role(function, function->role);
    }
    if (UNLIKELY(f->items[at].role != NULL) && !function->role &&
        f->items[at].start == function->start)
        set_role(function, f->items[at].role);
    return function;
}

Function *cp_function_at(Addr address)
{
    return function_at(address, False);
}

/*
 * A call into a function that was made up for a gap divides it. Superblocks that were translated
 * before stay with the old function; their costs are kept by address all the same.
 */
Function *cp_function_called(Addr address)
{
    UInt range = cp_range_at(address);

    if (!cp_object(cp_range(range)->object)->inode) {
        ElfFunctions *f = &starts_of(range)->functions;
        Int at = cp_elf_find(f, f->n, address);
        if (at >= 0 && address < f->items[at].end && address != f->items[at].start) {
            f->items[at].end = address;
            insert(f, at + 1, address, cp_range(range)->end);
        }
    }
    return function_at(address, True);
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
