/*
 * cp_elf.c - reads ELF files: headers, build-id, symbols, stubs and unwind tables.
 */
#include "cp_elf.h"

#include "cp_arch.h"
#include "cp_elf_file.h"
#include "pub_tool_libcfile.h"

/*--- Reading ---*/

void *cp_elf_read(Int fd, ULong offset, ULong size)
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

UShort cp_elf_short(const Elf *e, UInt at)
{
    UShort value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

static ULong header_long(const Elf *e, UInt at)
{
    ULong value;

    VG_(memcpy)(&value, e->header + at, sizeof value);
    return value;
}

void cp_elf_close(Elf *e)
{
    VG_(close)(e->fd);
    VG_(free)(e->segments);
    VG_(free)(e->sections);
    VG_(free)(e->section_names);
}

Bool cp_elf_open(Elf *e, const HChar *path)
{
    VG_(memset)(e, 0, sizeof *e);
    e->fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
    if (e->fd < 0)
        return False;
    if (VG_(read)(e->fd, e->header, HEADER_SIZE) == HEADER_SIZE &&
        !VG_(memcmp)(e->header, "\177ELF\2", 5) && cp_elf_short(e, 54) == sizeof(ProgramHeader) &&
        cp_elf_short(e, 56) <= MAX_PHNUM) {
        e->n_segments = cp_elf_short(e, 56);
        e->segments = cp_elf_read(e->fd, header_long(e, 32), e->n_segments * sizeof(ProgramHeader));
        if (e->segments)
            return True;
    }
    cp_elf_close(e);
    return False;
}

void cp_elf_sections(Elf *e)
{
    UInt n = cp_elf_short(e, 60), names = cp_elf_short(e, 62);

    if (cp_elf_short(e, 58) != sizeof(SectionHeader) || n > MAX_SHNUM || names >= n)
        return;
    e->sections = cp_elf_read(e->fd, header_long(e, 40), n * sizeof(SectionHeader));
    if (!e->sections)
        return;
    e->n_section_names = e->sections[names].size;
    e->section_names = cp_elf_read(e->fd, e->sections[names].offset, e->n_section_names);
    e->n_sections = e->section_names ? n : 0;
}

const HChar *cp_elf_section_name(const Elf *e, const SectionHeader *s)
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

/*--- Functions ---*/

static void add(ElfFunctions *f, Addr start, Addr end, Bool transparent)
{
    if (f->n == f->max) {
        f->max = f->max ? f->max * 2 : 256;
        f->items = VG_(realloc)("cp.elf.2", f->items, f->max * sizeof *f->items);
    }
    f->items[f->n++] = (ElfFunction){start, end, start, transparent, False, NULL};
}

static Int by_start(const void *a, const void *b)
{
    const ElfFunction *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    /* At one address, stubs come before symbols, and then the longest first. The first one stays.
     */
    if (x->transparent != y->transparent)
        return x->transparent ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

/* Sorts functions, and cuts or drops those that overlap. A function keeps its code up to where the
 * next one begins, and allocates if one of its names says so. */
static void make_disjoint(ElfFunctions *f)
{
    UInt n = 0;

    VG_(ssort)(f->items, f->n, sizeof *f->items, by_start);
    for (UInt i = 0; i < f->n; i++) {
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

/* Recognises code that the compiler has split off a function: "name.cold", "name.cold.3". Returns
 * the length of the name, or 0. */
static UInt cold_length(const HChar *name)
{
    const HChar *at = VG_(strstr)(name, ".cold");

    return at && at > name && (at[5] == '\0' || at[5] == '.') ? (UInt)(at - name) : 0;
}

typedef struct {
    const HChar *name;
    UInt length;
    Addr start, owner;
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
} Symbols;

static Bool is_function(const Symbols *s, UInt i)
{
    UInt type = s->items[i].info & 15;

    return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->items[i].shndx && s->items[i].value &&
           s->items[i].name < s->n_names;
}

/* Gives split-off code its owners. Call it when `f` is sorted. */
static void join_cold(ElfFunctions *f, const Symbols *s)
{
    Cold *colds = NULL;
    UInt n = 0, max = 0;

    for (UInt i = 0; i < s->n; i++) {
        const HChar *name;
        UInt length = is_function(s, i) ? cold_length(name = s->names + s->items[i].name) : 0;
        if (!length)
            continue;
        if (n == max) {
            max = max ? 2 * max : 64;
            colds = VG_(realloc)("cp.elf.3", colds, max * sizeof *colds);
        }
        colds[n++] = (Cold){name, length, s->items[i].value, 0};
    }
    VG_(ssort)(colds, n, sizeof *colds, by_name);
    for (UInt i = 0; n && i < s->n; i++)
        if (is_function(s, i))
            own_cold(colds, n, s->names + s->items[i].name, s->items[i].value);
    for (UInt i = 0; i < n; i++) {
        Int at = cp_elf_find(f, f->n, colds[i].start);
        if (colds[i].owner && at >= 0 && f->items[at].start == colds[i].start)
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
        for (UInt k = 0; k < s->n; k++) {
            if (!is_function(s, k))
                continue;
            add(f, s->items[k].value, s->items[k].value + s->items[k].size,
                is_resolver(s->names + s->items[k].name));
            f->items[f->n - 1].chooses = (s->items[k].info & 15) == STT_GNU_IFUNC;
            if (clo_heap)
                f->items[f->n - 1].role =
                    cp_role_of(s->names + s->items[k].name, s->items[k].info >> 4 != STB_LOCAL);
        }
        return f->n > 0;
    }
    return False;
}

Bool cp_elf_open_debug(const ElfIdentity *identity, Elf *e)
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

static void add_stubs(const Elf *e, ElfFunctions *f)
{
    for (UInt i = 0; i < e->n_sections; i++) {
        const SectionHeader *h = &e->sections[i];
        const HChar *name = cp_elf_section_name(e, h);
        if (cp_arch_is_stubs(name))
            add(f, h->addr, h->addr + h->size, True);
    }
}

/* The end of the section that has the address; of the segment, if the file has no sections. */
static Addr code_end(const Elf *e, Addr address)
{
    for (UInt i = 0; i < e->n_sections; i++)
        if (address - e->sections[i].addr < e->sections[i].size && e->sections[i].addr)
            return e->sections[i].addr + e->sections[i].size;
    for (UInt i = 0; i < e->n_segments; i++)
        if (e->segments[i].type == PT_LOAD &&
            address - e->segments[i].vaddr < e->segments[i].filesz)
            return e->segments[i].vaddr + e->segments[i].filesz;
    return address + 1;
}

/*
 * Adds the functions of .eh_frame_hdr's search table. It has a version, three encodings, the
 * address of .eh_frame, the number of entries, then (function, description) pairs. Only the
 * encodings that linkers write are read: four-byte numbers, relative to the section.
 */
static void add_unwind(Elf *e, ElfFunctions *f)
{
    UInt known = f->n;

    for (UInt i = 0; i < e->n_segments; i++) {
        const ProgramHeader *h = &e->segments[i];
        Int *table;
        if (h->type != PT_GNU_EH_FRAME || h->filesz < 12)
            continue;
        table = cp_elf_read(e->fd, h->offset, h->filesz);
        if (table && (((UInt)table[0] ^ 0x3b030001) & 0xffff00ff) == 0 &&
            (UInt)table[2] <= (h->filesz - 12) / 8) {
            UInt n = (UInt)table[2];
            for (UInt k = 0; k < n; k++) {
                Addr start = h->vaddr + (Long)table[3 + 2 * k];
                Addr end = k + 1 < n ? h->vaddr + (Long)table[5 + 2 * k] : code_end(e, start);
                Int at = cp_elf_find(f, known, start);
                if (at < 0 || start >= f->items[at].end)
                    add(f, start, end, False);
            }
        }
        VG_(free)(table);
    }
    make_disjoint(f);
}

void cp_elf_functions(const HChar *path, const ElfIdentity *identity, ElfFunctions *functions)
{
    Elf e, debug;
    Symbols symbols = {0};

    VG_(memset)(functions, 0, sizeof *functions);
    if (!cp_elf_open(&e, path))
        return;
    cp_elf_sections(&e);
    if (!add_symbols(&e, SHT_SYMTAB, functions, &symbols)) {
        if (cp_elf_open_debug(identity, &debug)) {
            cp_elf_sections(&debug);
            add_symbols(&debug, SHT_SYMTAB, functions, &symbols);
            cp_elf_close(&debug);
        }
        if (!functions->n)
            add_symbols(&e, SHT_DYNSYM, functions, &symbols);
    }
    add_stubs(&e, functions);
    make_disjoint(functions);
    join_cold(functions, &symbols);
    add_unwind(&e, functions);
    VG_(free)(symbols.items);
    VG_(free)(symbols.names);
    cp_elf_close(&e);
}
