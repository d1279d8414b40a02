/*
 * cp_elf.c - reads ELF files: headers and build-id; lists of functions.
 */
#include "cp_elf.h"

#include "cp_arch.h"
#include "pub_tool_libcfile.h"

/*--- Files ---*/

/* An open file. */

typedef struct {
    UInt type, flags;
    ULong offset, vaddr, paddr, filesz, memsz, align;
} ProgramHeader;

typedef struct {
    UInt name, type;
    ULong flags, addr, offset, size;
    UInt link, info;
    ULong align, entsize;
} SectionHeader;

typedef struct {
    UInt name;
    UChar info, other;
    UShort shndx;
    ULong value, size;
} Symbol;

#define HEADER_SIZE     64
#define PT_LOAD         1
#define PT_NOTE         4
#define PT_GNU_EH_FRAME 0x6474e550
#define PF_X            1
#define ET_EXEC         2
#define ET_DYN          3
#define NT_BUILD_ID     3
#define SHT_SYMTAB      2
#define SHT_DYNSYM      11
#define SHF_ALLOC       2
#define SHF_EXECINSTR   4
#define STT_NOTYPE      0
#define STT_OBJECT      1
#define STT_FUNC        2
#define STT_GNU_IFUNC   10
#define STB_LOCAL       0
#define MAX_PHNUM       64
#define MAX_SHNUM       4096
#define MAX_TABLE \
    (1u << 30) /* bytes of a symbol or string table; a file with more is not believed */

typedef struct {
    Int fd;
    UChar header[HEADER_SIZE];
    UInt n_segments;
    ProgramHeader *segments;
    UInt n_sections;
    SectionHeader *sections;
    HChar *section_names;
    ULong n_section_names;
} Elf;

/* Adds the functions that .eh_frame describes, but for those that begin within one of the first
 * `known`, which are sorted and disjoint. One that begins where it says is at least as long as it
 * says. */
static void cp_elf_add_unwind(const Elf *e, ElfFunctions *f, UInt known);

/*--- Files ---*/

/* Reads `size` bytes at `offset` into new memory, with a NUL behind them. NULL: the file is
 * shorter. */
static void *cp_elf_read(Int fd, ULong offset, ULong size)
{
    HChar *data;

    if (size > MAX_TABLE || VG_(lseek)(fd, (Off64T)offset, VKI_SEEK_SET) != (Off64T)offset)
        return NULL;
    data = VG_(malloc)("cp.elf.1", size + 1);
    data[size] = '\0';
    for (ULong done = 0; done < size;) {
        Int n = VG_(read)(fd, data + done, (Int)(size - done));
        if (n <= 0) {
            VG_(free)(data);
            return NULL;
        }
        done += (ULong)n;
    }
    return data;
}

/* Two bytes of the file's header, and eight. */
static UShort cp_elf_short(const Elf *e, UInt at)
{
    UShort value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

static ULong cp_elf_long(const Elf *e, UInt at)
{
    ULong value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

static void cp_elf_close(Elf *e)
{
    VG_(close)(e->fd);
    VG_(free)(e->segments);
    VG_(free)(e->sections);
    VG_(free)(e->section_names);
}

/* Opens the file and reads its program headers. */
static Bool cp_elf_open(Elf *e, const HChar *path)
{
    VG_(memset)(e, 0, sizeof *e);
    e->fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
    if (e->fd < 0)
        return False;
    if (VG_(read)(e->fd, e->header, HEADER_SIZE) == HEADER_SIZE &&
        !VG_(memcmp)(e->header, "\177ELF\2", 5) && cp_elf_short(e, 54) == sizeof(ProgramHeader) &&
        cp_elf_short(e, 56) <= MAX_PHNUM) {
        e->n_segments = cp_elf_short(e, 56);
        e->segments = cp_elf_read(e->fd, cp_elf_long(e, 32), e->n_segments * sizeof(ProgramHeader));
        if (e->segments)
            return True;
    }
    cp_elf_close(e);
    return False;
}

/* Reads the section headers. On failure there are no sections. */
static void cp_elf_sections(Elf *e)
{
    UInt n = cp_elf_short(e, 60), names = cp_elf_short(e, 62);

    if (cp_elf_short(e, 58) != sizeof(SectionHeader) || n > MAX_SHNUM || names >= n)
        return;
    e->sections = cp_elf_read(e->fd, cp_elf_long(e, 40), n * sizeof(SectionHeader));
    if (!e->sections)
        return;
    e->n_section_names = e->sections[names].size;
    e->section_names = cp_elf_read(e->fd, e->sections[names].offset, e->n_section_names);
    e->n_sections = e->section_names ? n : 0;
}

static const HChar *cp_elf_section_name(const Elf *e, const SectionHeader *s)
{
    return s->name < e->n_section_names ? e->section_names + s->name : "";
}

/*--- Identity ---*/

/* Finds the GNU build-id among notes. A note has the name's size, the descriptor's size and the
 * type, then name and descriptor, padded to four bytes. */
static void find_build_id(ElfIdentity *identity, const UChar *notes, ULong size)
{
    ULong at = 0;

    while (at + 12 <= size) {
        UInt head[3];
        ULong name, desc;

        VG_(memcpy)(head, notes + at, sizeof head);
        name = at + 12;
        desc = name + VG_ROUNDUP((ULong)head[0], 4);
        if (desc + head[1] > size)
            return;
        if (head[2] == NT_BUILD_ID && head[0] == 4 && !VG_(memcmp)(notes + name, "GNU", 4)) {
            identity->n_build_id = head[1] < CP_BUILD_ID_MAX ? head[1] : CP_BUILD_ID_MAX;
            VG_(memcpy)(identity->build_id, notes + desc, identity->n_build_id);
            return;
        }
        at = desc + VG_ROUNDUP((ULong)head[1], 4);
    }
}

Bool cp_elf_identify(const HChar *path, ElfIdentity *identity)
{
    Elf e;

    VG_(memset)(identity, 0, sizeof *identity);
    if (!cp_elf_open(&e, path))
        return False;
    for (UInt i = 0; i < e.n_segments; i++) {
        const ProgramHeader *h = &e.segments[i];
        if (h->type == PT_LOAD && (h->flags & PF_X) && identity->n_segments < 8) {
            identity->segments[identity->n_segments++] =
                (ElfSegment){h->offset, h->vaddr, h->filesz};
        } else if (h->type == PT_NOTE && !identity->n_build_id) {
            UChar *notes = cp_elf_read(e.fd, h->offset, h->filesz);
            if (notes)
                find_build_id(identity, notes, h->filesz);
            VG_(free)(notes);
        }
    }
    cp_elf_close(&e);
    return True;
}

/* Opens "/usr/lib/debug/.build-id/ab/cdef….debug". */
static Bool cp_elf_open_debug(const ElfIdentity *identity, Elf *e)
{
    HChar path[48 + 2 * CP_BUILD_ID_MAX];
    UInt n;

    if (identity->n_build_id < 2)
        return False;
    n = VG_(sprintf)(path, "/usr/lib/debug/.build-id/%02x/", identity->build_id[0]);
    for (UInt i = 1; i < identity->n_build_id; i++)
        n += VG_(sprintf)(path + n, "%02x", identity->build_id[i]);
    VG_(strcpy)(path + n, ".debug");
    return cp_elf_open(e, path);
}

/*--- Lists of functions ---*/

/* Adds a function at the end of the list. */
static void cp_elf_add(ElfFunctions *f, Addr start, Addr end, Bool transparent)
{
    if (f->n == f->max) {
        f->max = f->max ? f->max * 2 : 256;
        f->items = VG_(realloc)("cp.elf.2", f->items, f->max * sizeof *f->items);
    }
    f->items[f->n++] =
        (ElfFunction){.start = start, .end = end, .owner = start, .transparent = transparent};
}

Int cp_elf_find(const ElfFunctions *f, UInt n, Addr address)
{
    UInt low = 0, high = n;

    while (low < high) {
        UInt middle = (low + high) / 2;
        if (f->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return (Int)low - 1;
}

/*--- Functions ---*/

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

/* Recognises code that was split off a function which calls it: "name.part.0". `dot`: the first one
 * of the name. Returns the length of the name, or 0. */
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

/*--- Data ---*/

static void add_part(ElfPart **items, UInt *n, const ElfPart *part)
{
    if (!(*n & (*n - 1)))
        *items = VG_(realloc)("cp.elf.4", *items, (*n ? 2 * *n : 1) * sizeof **items);
    (*items)[(*n)++] = *part;
}

/* Where one address has several names, the longest data comes first, and then the plainest name. */
static Int by_place(const void *a, const void *b)
{
    const ElfPart *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if ((x->name[0] == '_') != (y->name[0] == '_'))
        return x->name[0] == '_' ? 1 : -1;
    return VG_(strcmp)(x->name, y->name);
}

/* Sorts them, and drops those that begin where, or in what, another one has. */
static void order_data(ElfPart *items, UInt *count)
{
    UInt n = 0;

    VG_(ssort)(items, *count, sizeof *items, by_place);
    for (UInt i = 0; i < *count; i++)
        if (!n || items[i].start - items[n - 1].start >= items[n - 1].size)
            items[n++] = items[i];
    for (UInt i = n; i < *count; i++)
        items[i] = (ElfPart){0};
    *count = n;
}

/* Adds the data of the first symbol table of this type. */
static void add_data_symbols(const Elf *e, UInt type, ElfData *data)
{
    for (UInt i = 0; i < e->n_sections && !data->n; i++) {
        const SectionHeader *h = &e->sections[i];
        Symbol *items;
        HChar *names;
        ULong n_names;

        if (h->type != type || h->link >= e->n_sections)
            continue;
        n_names = e->sections[h->link].size;
        items = cp_elf_read(e->fd, h->offset, h->size);
        names = cp_elf_read(e->fd, e->sections[h->link].offset, n_names);
        for (UInt k = 0; items && names && k < h->size / sizeof *items; k++)
            if ((items[k].info & 15) == STT_OBJECT && items[k].shndx && items[k].size &&
                items[k].name < n_names)
                add_part(
                    &data->items, &data->n,
                    &(ElfPart){items[k].value, items[k].size, names + items[k].name, False, 0});
        VG_(free)(items);
        if (!data->n)
            VG_(free)(names);
    }
}

/* The names stay. */
static void add_data_sections(Elf *e, ElfData *data)
{
    for (UInt i = 0; i < e->n_sections; i++) {
        const SectionHeader *h = &e->sections[i];
        if ((h->flags & SHF_ALLOC) && h->addr && h->size)
            add_part(&data->sections, &data->n_sections,
                     &(ElfPart){h->addr, h->size, cp_elf_section_name(e, h), True, 0});
    }
    e->section_names = NULL;
}

/* The segment of which these bytes are a part; pages are mapped whole. NULL: none. */
static const ProgramHeader *segment_of(const Elf *e, ULong offset, ULong size)
{
    for (UInt i = 0; i < e->n_segments; i++) {
        const ProgramHeader *h = &e->segments[i];
        if (h->type == PT_LOAD && offset >= VG_PGROUNDDN(h->offset) &&
            offset + size <= VG_PGROUNDUP(h->offset + h->filesz))
            return h;
    }
    return NULL;
}

static void read_data(Elf *e, const ElfIdentity *identity, ElfData *data)
{
    Elf debug;

    cp_elf_sections(e);
    add_data_symbols(e, SHT_SYMTAB, data);
    if (!data->n && cp_elf_open_debug(identity, &debug)) {
        cp_elf_sections(&debug);
        add_data_symbols(&debug, SHT_SYMTAB, data);
        cp_elf_close(&debug);
    }
    if (!data->n)
        add_data_symbols(e, SHT_DYNSYM, data);
    add_data_sections(e, data);
    order_data(data->items, &data->n);
    order_data(data->sections, &data->n_sections);
}

Bool cp_elf_data(const HChar *path, ULong offset, ULong size, ElfData *data, Addr *address)
{
    ElfIdentity identity;
    const ProgramHeader *at;
    Elf e;

    VG_(memset)(data, 0, sizeof *data);
    if (!cp_elf_identify(path, &identity) || !cp_elf_open(&e, path))
        return False;
    at = segment_of(&e, offset, size);
    if (!at || (cp_elf_short(&e, 16) != ET_EXEC && cp_elf_short(&e, 16) != ET_DYN)) {
        cp_elf_close(&e);
        return False;
    }
    *address = at->vaddr + (offset - at->offset);
    data->n_build_id = identity.n_build_id;
    VG_(memcpy)(data->build_id, identity.build_id, sizeof identity.build_id);
    data->first = ~0ULL;
    for (UInt i = 0; i < e.n_segments; i++) {
        const ProgramHeader *h = &e.segments[i];
        if (h->type != PT_LOAD)
            continue;
        if (h->vaddr < data->first)
            data->first = VG_PGROUNDDN(h->vaddr);
        if (h->vaddr + h->memsz > data->end)
            data->end = h->vaddr + h->memsz;
    }
    read_data(&e, &identity, data);
    cp_elf_close(&e);
    return True;
}

static ElfPart *find_part(ElfPart *items, UInt n, Addr address)
{
    UInt low = 0, high = n;

    while (low < high) {
        UInt middle = (low + high) / 2;
        if (items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - items[low - 1].start < items[low - 1].size ? &items[low - 1] : NULL;
}

ElfPart *cp_elf_part(const ElfData *data, Addr address)
{
    ElfPart *part = find_part(data->items, data->n, address);

    return part ? part : find_part(data->sections, data->n_sections, address);
}

/*--- Unwind tables ---*/

/*
 * The functions that an ELF file's unwind table has. (Linux Standard Base,
 * "Exception Frames".)
 *
 * .eh_frame has records: a length of four bytes, then a number. It is 0 in a record of what is
 * common to others (CIE); in one of a function (FDE) it is the distance back to its CIE, and
 * address and length of the function follow, in an encoding that the CIE gives.
 */

#define ENCODING_ABSOLUTE 0x00 /* eight bytes */
#define ENCODING_DATA4    0x03 /* four; with ENCODING_SIGNED they have a sign */
#define ENCODING_DATA8    0x04
#define ENCODING_SIGNED   0x08
#define ENCODING_RELATIVE 0x10 /* to the place of the number itself */
#define ENCODING_UNKNOWN  0xff

typedef struct {
    const UChar *bytes;
    ULong size;
    Addr address;
} Table;

static UInt word_at(const Table *t, ULong at)
{
    UInt value;

    VG_(memcpy)(&value, t->bytes + at, sizeof value);
    return value;
}

/* Bytes of a number of this encoding; 0: it is none that is read here. */
static UInt encoded_size(UChar encoding)
{
    switch (encoding & 0x07) {
    case ENCODING_ABSOLUTE:
    case ENCODING_DATA4 + 1:
        return 8;
    case ENCODING_DATA4:
        return 4;
    default:
        return 0;
    }
}

/* Goes over a number of any length. */
static ULong skip_number(const Table *t, ULong at, ULong end)
{
    while (at < end && (t->bytes[at] & 0x80))
        at++;
    return at + 1;
}

/* The encoding of addresses that the CIE gives whose content, behind the 0, lies from `at` to
 * `end`. Its augmentation is a text such as "zPLR": a letter for each part of the data. */
static UChar encoding_of(const Table *t, ULong at, ULong end)
{
    ULong letter = at + 1;

    for (at++; at < end && t->bytes[at]; at++)
        ;
    if (letter >= end || t->bytes[letter] != 'z')
        return letter < end && !t->bytes[letter] ? ENCODING_ABSOLUTE : ENCODING_UNKNOWN;
    /* Two factors, the register of the return address, the length of the data. */
    for (UInt i = 0; i < 4; i++)
        at = skip_number(t, i ? at : at + 1, end);
    while (t->bytes[++letter]) {
        UChar encoding = at < end ? t->bytes[at] : ENCODING_UNKNOWN;
        if (t->bytes[letter] == 'R')
            return encoding;
        if (t->bytes[letter] == 'P')
            at += 1 + encoded_size(encoding);
        else if (t->bytes[letter] == 'L')
            at++;
        else if (t->bytes[letter] != 'S' && t->bytes[letter] != 'B')
            return ENCODING_UNKNOWN;
    }
    return ENCODING_ABSOLUTE;
}

/* The number of the encoding at `at`. */
static ULong number_at(const Table *t, ULong at, UChar encoding)
{
    ULong value;

    if (encoded_size(encoding) == 4)
        return encoding & ENCODING_SIGNED ? (ULong)(Long)(Int)word_at(t, at) : word_at(t, at);
    VG_(memcpy)(&value, t->bytes + at, sizeof value);
    return value;
}

/* The instructions of an FDE that say what is on the stack, and where code has gone on; those of
 * nothing. The CIE says what is there where a function begins. */
enum { CFA_NOP = 0, CFA_DEFINE = 0x0c, CFA_DEFINE_OFFSET = 0x0e, CFA_OFFSET = 2 }; /* two bits */

/* True if the instructions of an FDE, behind its data, tell first of a frame that is there where
 * its code begins: the code is a part of a function that was split. */
static Bool begins_inside(const Table *t, ULong at, ULong end)
{
    ULong data = at < end ? t->bytes[at] : 0;

    if (data & 0x80)
        return False;
    at += 1 + data;
    while (at < end && t->bytes[at] == CFA_NOP)
        at++;
    return at < end && (t->bytes[at] == CFA_DEFINE || t->bytes[at] == CFA_DEFINE_OFFSET ||
                        t->bytes[at] >> 6 == CFA_OFFSET);
}

/* Adds the function of an FDE whose content, behind the distance, lies from `at` to `end`. */
static void add_described(const Table *t, ULong at, ULong end, UChar encoding, ElfFunctions *f,
                          UInt known)
{
    UInt size = encoded_size(encoding);
    Addr start, length;
    Int before;

    if (!size || at + 2 * size > end || (encoding & 0x70 & ~ENCODING_RELATIVE))
        return;
    start = number_at(t, at, encoding) + (encoding & ENCODING_RELATIVE ? t->address + at : 0);
    length = number_at(t, at + size, encoding & ~ENCODING_SIGNED);
    before = cp_elf_find(f, known, start);
    /* Functions that the linker dropped begin at 0. */
    if (start <= 1 || !length || length > ~start)
        return;
    if (before >= 0 && start == f->items[before].start) {
        if (f->items[before].end < start + length)
            f->items[before].end = start + length;
    } else if (before < 0 || start >= f->items[before].end) {
        cp_elf_add(f, start, start + length, False);
        f->items[f->n - 1].is_inner =
            encoding != ENCODING_ABSOLUTE && begins_inside(t, at + 2 * size, end);
    }
}

static void add_table(const Table *t, ElfFunctions *f, UInt known)
{
    ULong last_cie = ~0ULL;
    UChar encoding = ENCODING_UNKNOWN;

    for (ULong at = 0; at + 8 <= t->size && word_at(t, at);) {
        ULong body = at + 4, end = body + word_at(t, at), cie;
        if (end > t->size || end < body + 4)
            return;
        at = end;
        if (!word_at(t, body))
            continue;
        cie = body - word_at(t, body);
        if (cie != last_cie) {
            last_cie = cie;
            encoding = cie + 8 <= t->size && cie + 4 + word_at(t, cie) <= t->size
                           ? encoding_of(t, cie + 8, cie + 4 + word_at(t, cie))
                           : ENCODING_UNKNOWN;
        }
        add_described(t, body + 4, end, encoding, f, known);
    }
}

/* Where .eh_frame lies in the file. Without sections .eh_frame_hdr tells where it begins: a
 * version, three encodings, and its address relative to the place of that. False: not known. */
static Bool find_table(const Elf *e, Addr *address, ULong *offset, ULong *size)
{
    for (UInt i = 0; i < e->n_sections; i++)
        if (!VG_(strcmp)(cp_elf_section_name(e, &e->sections[i]), ".eh_frame")) {
            *address = e->sections[i].addr;
            *offset = e->sections[i].offset;
            *size = e->sections[i].size;
            return True;
        }
    *address = 0;
    for (UInt i = 0; i < e->n_segments; i++) {
        const ProgramHeader *h = &e->segments[i];
        Int *head =
            h->type == PT_GNU_EH_FRAME && h->filesz >= 8 ? cp_elf_read(e->fd, h->offset, 8) : NULL;
        if (head && ((UInt)head[0] & 0xffff) == 0x1b01)
            *address = h->vaddr + 4 + (Long)head[1];
        VG_(free)(head);
    }
    for (UInt i = 0; i < e->n_segments && *address; i++) {
        const ProgramHeader *h = &e->segments[i];
        if (h->type == PT_LOAD && *address - h->vaddr < h->filesz) {
            *offset = h->offset + (*address - h->vaddr);
            *size = h->filesz - (*address - h->vaddr);
            return True;
        }
    }
    return False;
}

static void cp_elf_add_unwind(const Elf *e, ElfFunctions *f, UInt known)
{
    Table t = {NULL, 0, 0};
    ULong offset = 0;
    UChar *bytes;

    if (!find_table(e, &t.address, &offset, &t.size))
        return;
    t.bytes = bytes = cp_elf_read(e->fd, offset, t.size);
    if (bytes)
        add_table(&t, f, known);
    VG_(free)(bytes);
}
