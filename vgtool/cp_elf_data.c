/* cp_elf_data.c - which data an ELF file has: symbols of it, and sections. */
#include "cp_elf_file.h"

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
