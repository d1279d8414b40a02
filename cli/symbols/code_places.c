#include <config.h>

#include "symbols/code_places.h"

#include "base/array.h"
#include "base/memory.h"
#include "symbols/eh_frame.h"
#include "symbols/elf_file.h"
#include "symbols/symbol_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A part of a file that is mapped: its bytes from `offset` on are at `address`. */
struct segment {
    uint64_t offset, size, address;
};

struct code_file {
    char *path;
    bool open; /* what follows is valid */
    struct elf_file elf;
    struct symbol_table symbols;
    struct intervals unwind;
    char *build_id;
    uint64_t entry; /* where the program begins, or its loader; 0: nowhere */
    Dwarf_CFI *cfi; /* NULL: nobody has asked for it, or there is none */
    uint64_t base;  /* the least address of a segment: where the file begins in memory */
    size_t n_segments, segments_room;
    struct segment *segments;
};

/* The build of a file that is known beforehand. */
struct build {
    char *path, *id;
};

struct code_places {
    size_t n, room;
    struct code_file *items;
    size_t n_builds, builds_room;
    struct build *builds;
};

struct code_places *code_places_new(void)
{
    return xcalloc(1, sizeof(struct code_places));
}

static void load_segments(struct code_file *f)
{
    size_t n = 0;
    GElf_Phdr header;

    f->base = UINT64_MAX;
    if (elf_getphdrnum(f->elf.elf, &n) != 0)
        return;
    for (size_t i = 0; i < n && i <= INT32_MAX; i++) {
        if (!gelf_getphdr(f->elf.elf, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        if (header.p_vaddr < f->base)
            f->base = header.p_vaddr & ~UINT64_C(0xfff);
        if (!(header.p_flags & PF_X))
            continue;
        APPEND(f->segments, f->n_segments, f->segments_room) =
            (struct segment){header.p_offset, header.p_filesz, header.p_vaddr};
    }
}

static uint64_t entry_of(Elf *elf)
{
    GElf_Ehdr header;

    return gelf_getehdr(elf, &header) ? header.e_entry : 0;
}

void code_places_expect(struct code_places *places, const char *path, const char *build_id)
{
    APPEND(places->builds, places->n_builds, places->builds_room) =
        (struct build){xstrdup(path), xstrdup(build_id)};
}

/* The build that a file has to be of; NULL: any. */
static const char *expected(const struct code_places *places, const char *path)
{
    for (size_t i = 0; i < places->n_builds; i++)
        if (!strcmp(places->builds[i].path, path))
            return places->builds[i].id;
    return NULL;
}

const char *code_places_rebuilt(const struct code_places *places, size_t *n)
{
    const char *first = NULL;

    *n = 0;
    for (size_t i = 0; i < places->n; i++) {
        const struct code_file *f = &places->items[i];

        if (f->open || !f->build_id || access(f->path, R_OK) != 0)
            continue;
        first = first ? first : f->path;
        ++*n;
    }
    return first;
}

static struct code_file *add_file(struct code_places *places, const char *path)
{
    const char *build_id = expected(places, path);
    struct code_file *f;

    f = &APPEND(places->items, places->n, places->room);
    *f = (struct code_file){.path = xstrdup(path)};
    f->open = path[0] == '/' && elf_file_open(&f->elf, path, build_id);
    if (f->open) {
        eh_frame_load(&f->unwind, &f->elf);
        symbol_table_load(&f->symbols, &f->elf, &f->unwind, &(struct function_starts){.n = 0});
        f->build_id = elf_file_build_id(f->elf.elf);
        f->entry = entry_of(f->elf.elf);
        load_segments(f);
    } else if (build_id) {
        f->build_id = xstrdup(build_id);
    }
    return f;
}

static struct code_file *find_file(struct code_places *places, const char *path)
{
    for (size_t i = 0; i < places->n; i++)
        if (!strcmp(places->items[i].path, path))
            return &places->items[i];
    return add_file(places, path);
}

/* Where the function at an address begins; 0: not known. */
static uint64_t beginning(const struct code_file *f, uint64_t address)
{
    const struct symbol *symbol = symbol_table_find(&f->symbols, address);
    uint32_t i = symbol ? INTERVAL_NONE : intervals_find(&f->unwind, address);

    return symbol ? symbol->start : i == INTERVAL_NONE ? 0 : f->unwind.items[i].start;
}

bool code_places_find(struct code_places *places, const char *path, uint64_t offset, bool is_caller,
                      struct code_place *place)
{
    const struct code_file *f = find_file(places, path);

    offset -= is_caller;
    place->build_id = f->build_id;
    for (size_t i = 0; i < f->n_segments; i++) {
        const struct segment *s = &f->segments[i];

        if (offset < s->offset || offset - s->offset >= s->size)
            continue;
        place->address = offset - s->offset + s->address;
        place->function = beginning(f, place->address);
        return true;
    }
    return false;
}

/* True where the unwind table says that there is no return address. */
static bool has_no_caller(struct code_file *f, uint64_t address)
{
    Dwarf_Op memory[3], *operations;
    Dwarf_Frame *frame;
    size_t n = 0;
    int number;
    bool has = false;

    if (!f->cfi)
        f->cfi = dwarf_getcfi_elf(f->elf.elf);
    if (!f->cfi || dwarf_cfi_addrframe(f->cfi, address, &frame) != 0)
        return false;
    number = dwarf_frame_info(frame, NULL, NULL, NULL);
    has = number >= 0 && dwarf_frame_register(frame, number, memory, &operations, &n) == 0 && !n &&
          operations == memory;
    free(frame);
    return has;
}

bool code_places_begin(struct code_places *places, const char *path, uint64_t offset,
                       bool is_caller)
{
    struct code_place place;
    struct code_file *f;

    if (!code_places_find(places, path, offset, is_caller, &place))
        return false;
    f = find_file(places, path);
    return (f->entry && place.function && place.function == beginning(f, f->entry)) ||
           has_no_caller(f, place.address);
}

uint64_t code_places_offset(struct code_places *places, const char *path, uint64_t relative)
{
    const struct code_file *f = find_file(places, path);

    for (size_t i = 0; i < f->n_segments; i++) {
        const struct segment *s = &f->segments[i];

        if (relative + f->base >= s->address && relative + f->base - s->address < s->size)
            return relative + f->base - s->address + s->offset;
    }
    return UINT64_MAX;
}

void code_places_free(struct code_places *places)
{
    for (size_t i = 0; i < places->n; i++) {
        struct code_file *f = &places->items[i];

        if (f->open) {
            dwarf_cfi_end(f->cfi);
            symbol_table_free(&f->symbols);
            intervals_free(&f->unwind);
            elf_file_close(&f->elf);
        }
        free(f->build_id);
        free(f->segments);
        free(f->path);
    }
    for (size_t i = 0; i < places->n_builds; i++) {
        free(places->builds[i].path);
        free(places->builds[i].id);
    }
    free(places->builds);
    free(places->items);
    free(places);
}
