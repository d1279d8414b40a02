/*
 * cp_elf_functions.c - the functions of an ELF file: symbols, code that was split off them, stubs.
 */
#include "cp_arch.h"
#include "cp_elf_file.h"

static Int by_start(const void *a, const void *b)
{
    const ElfFunction *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    /* At one address, stubs come before symbols, then the longest, then global ones, and the
     * shortest name. The first one stays. */
    if (x->transparent != y->transparent)
        return x->transparent ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    if (!x->name || !y->name)
        return x->name ? -1 : y->name != NULL;
    if (x->is_local != y->is_local)
        return x->is_local ? 1 : -1;
    return (Int)VG_(strlen)(x->name) - (Int)VG_(strlen)(y->name);
}

/* Sorts functions, and cuts or drops those that overlap. A function keeps its code up to where the
 * next one begins, and allocates if one of its names says so. `drops`: one without a size is no
 * function within another one, but a label there. */
static void make_disjoint(ElfFunctions *f, Bool drops)
{
    UInt n = 0;
    Addr reached = 0; /* by the functions so far */

    VG_(ssort)(f->items, f->n, sizeof *f->items, by_start);
    for (UInt i = 0; i < f->n; i++) {
        const Addr start = f->items[i].start, end = f->items[i].end;
        if (drops && start == end && start < reached && f->items[n - 1].start != start)
            continue;
        if (end > reached)
            reached = end;
        if (n && f->items[n - 1].start == f->items[i].start) {
            if (!f->items[n - 1].role)
                f->items[n - 1].role = f->items[i].role;
            f->items[n - 1].chooses |= f->items[i].chooses;
            continue;
        }
        if (n && f->items[n - 1].end > f->items[i].start)
            f->items[n - 1].end = f->items[i].start;
        f->items[n++] = f->items[i];
    }
    f->n = n;
}

/* Recognises code that the compiler or BOLT has split off a function: "name.cold", "name.cold.3",
 * "name.warm", "name.__part.2". `dot`: the first one of the name. Returns the length of the name,
 * or 0. */
static UInt cold_length(const HChar *name, const HChar *dot)
{
    const HChar *at = VG_(strstr)(dot, ".cold"), *part = VG_(strstr)(dot, ".__part.");

    if (part && part > name)
        return (UInt)(part - name);
    if (!at)
        at = VG_(strstr)(dot, ".warm");
    return at && at > name && (at[5] == '\0' || at[5] == '.') ? (UInt)(at - name) : 0;
}

/* Recognises code that was split off a function which calls it: "name.part.0". Likewise. */
static UInt part_length(const HChar *name, const HChar *dot)
{
    const HChar *part = NULL, *end;

    for (const HChar *at = dot; (at = VG_(strstr)(at, ".part.")); at += 6)
        part = at;
    if (!part || part == name || !part[6])
        return 0;
    for (end = part + 6; *end >= '0' && *end <= '9'; end++)
        ;
    return *end ? 0 : (UInt)(part - name);
}

typedef struct {
    const HChar *name;
    UInt length;
    Addr start, owner;
    Bool is_called; /* "name.part.0": the owner calls it, and so do others */
} Cold;

static Int compare_cold(const Cold *c, const HChar *name)
{
    Int order = VG_(strncmp)(c->name, name, c->length);

    return order ? order : name[c->length] ? -1 : 0;
}

static Int by_name(const void *a, const void *b)
{
    const Cold *y = b;
    UInt length = ((const Cold *)a)->length;
    Int order =
        VG_(strncmp)(((const Cold *)a)->name, y->name, length < y->length ? length : y->length);

    return order ? order : (Int)length - (Int)y->length;
}

enum { HASHES = 1 << 16 };

static UInt hash_name(const HChar *name, UInt length)
{
    UInt hash = 0;

    for (UInt i = 0; i < length && name[i]; i++)
        hash = (hash ^ (UChar)name[i]) * 0x01000193;
    return hash % HASHES;
}

/* Makes the function the owner of cold code that was split off it. Among functions of one name the
 * nearest wins. */
static void own_cold(Cold *colds, UInt n, const HChar *name, Addr start)
{
    UInt low = 0, high = n;

    while (low < high) {
        UInt middle = (low + high) / 2;
        if (compare_cold(&colds[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < n && !compare_cold(&colds[low], name); low++) {
        Cold *c = &colds[low];
        Long now = (Long)(start - c->start), before = (Long)(c->owner - c->start);
        if (!c->owner || (now < 0 ? -now : now) < (before < 0 ? -before : before))
            c->owner = start;
    }
}

typedef struct {
    Symbol *items;
    UInt n;
    HChar *names;
    ULong n_names;
    SectionHeader *sections; /* of the file that has the symbols */
    UInt n_sections;
} Symbols;

/* Tells whether a symbol without a type, as assembly has them, is a function. Those that are local
 * may be labels; where one is called, a function begins there anyway. */
static Bool is_label_of_function(const Symbols *s, const Symbol *symbol)
{
    const SectionHeader *h = &s->sections[symbol->shndx];

    return symbol->shndx < s->n_sections && (h->flags & SHF_EXECINSTR) &&
           symbol->value - h->addr < h->size && (symbol->info >> 4 != STB_LOCAL || symbol->size) &&
           s->names[symbol->name] && VG_(strncmp)(s->names + symbol->name, ".L", 2);
}

static Bool is_function(const Symbols *s, UInt i)
{
    const Symbol *symbol = &s->items[i];
    UInt type = symbol->info & 15;

    if (!symbol->shndx || !symbol->value || symbol->name >= s->n_names)
        return False;
    return type == STT_FUNC || type == STT_GNU_IFUNC ||
           (type == STT_NOTYPE && is_label_of_function(s, symbol));
}

/* Gives split-off code its owners. Call it when `f` is sorted. */
static void join_cold(ElfFunctions *f, const Symbols *s)
{
    static UChar has_cold[HASHES]; /* by the name's hash: most functions have none */
    Cold *colds = NULL;
    UInt n = 0, max = 0;

    VG_(memset)(has_cold, 0, sizeof has_cold);
    for (UInt i = 0; i < s->n; i++) {
        const HChar *name = is_function(s, i) ? s->names + s->items[i].name : "";
        const HChar *dot = VG_(strchr)(name, '.');
        UInt length = dot ? cold_length(name, dot) : 0;
        Bool is_called = dot && !length && (length = part_length(name, dot));
        if (!length)
            continue;
        has_cold[hash_name(name, length)] = 1;
        if (n == max) {
            max = max ? 2 * max : 64;
            colds = VG_(realloc)("cp.elf.3", colds, max * sizeof *colds);
        }
        colds[n++] = (Cold){name, length, s->items[i].value, 0, is_called};
    }
    VG_(ssort)(colds, n, sizeof *colds, by_name);
    for (UInt i = 0; n && i < s->n; i++)
        if (is_function(s, i) && has_cold[hash_name(s->names + s->items[i].name, ~0u)])
            own_cold(colds, n, s->names + s->items[i].name, s->items[i].value);
    for (UInt i = 0; i < n; i++) {
        Int at = cp_elf_find(f, f->n, colds[i].start);
        if (!colds[i].owner || at < 0 || f->items[at].start != colds[i].start)
            continue;
        if (colds[i].is_called)
            f->items[at].whole = colds[i].owner;
        else
            f->items[at].owner = colds[i].owner;
    }
    VG_(free)(colds);
}

static Bool is_resolver(const HChar *name)
{
    return !VG_(strncmp)(name, "_dl_runtime_resolve", 19);
}

/* Adds the functions of the first symbol table of this type. False if there are none. */
static Bool add_symbols(Elf *e, UInt type, ElfFunctions *f, Symbols *s)
{
    for (UInt i = 0; i < e->n_sections; i++) {
        const SectionHeader *h = &e->sections[i];
        if (h->type != type || h->link >= e->n_sections)
            continue;
        s->items = cp_elf_read(e->fd, h->offset, h->size);
        s->names = cp_elf_read(e->fd, e->sections[h->link].offset, e->sections[h->link].size);
        if (!s->items || !s->names)
            return False;
        s->n = (UInt)(h->size / sizeof(Symbol));
        s->n_names = e->sections[h->link].size;
        s->sections = e->sections;
        s->n_sections = e->n_sections;
        for (UInt k = 0; k < s->n; k++) {
            if (!is_function(s, k))
                continue;
            cp_elf_add(f, s->items[k].value, s->items[k].value + s->items[k].size,
                       is_resolver(s->names + s->items[k].name));
            f->items[f->n - 1].name = s->names + s->items[k].name;
            f->items[f->n - 1].is_local = s->items[k].info >> 4 == STB_LOCAL;
            f->items[f->n - 1].chooses = (s->items[k].info & 15) == STT_GNU_IFUNC;
            if (clo_heap)
                f->items[f->n - 1].role =
                    cp_role_of(s->names + s->items[k].name, s->items[k].info >> 4 != STB_LOCAL);
        }
        return f->n > 0;
    }
    return False;
}

static void add_stubs(const Elf *e, ElfFunctions *f)
{
    for (UInt i = 0; i < e->n_sections; i++) {
        const SectionHeader *h = &e->sections[i];
        const HChar *name = cp_elf_section_name(e, h);
        if (cp_arch_is_stubs(name))
            cp_elf_add(f, h->addr, h->addr + h->size, True);
    }
}

/* Adds a function that begins at `start`, unless it is the start of one, or within one. The first
 * `known` are sorted and disjoint. */
static void add_start(ElfFunctions *f, UInt known, Addr start)
{
    Int at = cp_elf_find(f, known, start);

    if (start && (at < 0 || (start != f->items[at].start && start >= f->items[at].end)))
        cp_elf_add(f, start, start, False);
}

/* Adds the places where code begins for certain: the program's entry point and sections. */
static void add_starts(const Elf *e, ElfFunctions *f)
{
    UInt known = f->n;

    add_start(f, known, cp_elf_long(e, 24));
    for (UInt i = 0; i < e->n_sections; i++)
        if (e->sections[i].flags & SHF_EXECINSTR)
            add_start(f, known, e->sections[i].addr);
}

void cp_elf_functions(const HChar *path, const ElfIdentity *identity, ElfFunctions *functions)
{
    Elf e, debug;
    Symbols symbols = {0};
    Bool has_debug = False;

    VG_(memset)(functions, 0, sizeof *functions);
    if (!cp_elf_open(&e, path))
        return;
    cp_elf_sections(&e);
    if (!add_symbols(&e, SHT_SYMTAB, functions, &symbols)) {
        has_debug = cp_elf_open_debug(identity, &debug);
        if (has_debug) {
            cp_elf_sections(&debug);
            add_symbols(&debug, SHT_SYMTAB, functions, &symbols);
        }
        if (!functions->n)
            add_symbols(&e, SHT_DYNSYM, functions, &symbols);
    }
    add_stubs(&e, functions);
    make_disjoint(functions, True);
    join_cold(functions, &symbols);
    cp_elf_add_unwind(&e, functions, functions->n);
    make_disjoint(functions, False);
    add_starts(&e, functions);
    make_disjoint(functions, False);
    VG_(free)(symbols.items);
    if (has_debug)
        cp_elf_close(&debug);
    cp_elf_close(&e);
}
