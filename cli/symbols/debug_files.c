#include <config.h>

#include "symbols/debug_files.h"

#include "base/array.h"
#include "base/memory.h"
#include "symbols/elf_file.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*--- Packages of units ---*/

/* Kinds of contributions, DWARF 5, 7.3.5.3; each is a section of the unit's file. */
enum {
    ADDR = 0,
    INFO = 1,
    ABBREV = 3,
    LINE = 4,
    LOCLISTS = 5,
    STR_OFFSETS = 6,
    RNGLISTS = 8,
    STR,
    RANGES
};
static const char names[] =
    "\0.debug_info\0.debug_abbrev\0.debug_line\0.debug_loclists\0"
    ".debug_str_offsets\0.debug_rnglists\0.debug_str\0.debug_addr\0.debug_ranges\0.shstrtab";
static const struct {
    unsigned kind;
    const char *name;
} sections[] = {{INFO, ".debug_info"},
                {ABBREV, ".debug_abbrev"},
                {LINE, ".debug_line"},
                {LOCLISTS, ".debug_loclists"},
                {STR_OFFSETS, ".debug_str_offsets"},
                {RNGLISTS, ".debug_rnglists"},
                {STR, ".debug_str"},
                {ADDR, ".debug_addr"},
                {RANGES, ".debug_ranges"}};
enum { SECTIONS = sizeof sections / sizeof *sections, HEADERS = SECTIONS + 2 };

/* A unit as a file: the package mapped privately, and behind it what is its own. */
struct piece {
    char *image;
    size_t size;
    Elf *elf;
    Dwarf *dwarf;
};

struct dwp {
    int fd;
    Elf *elf;
    const unsigned char *bytes; /* the file */
    size_t size;
    GElf_Shdr headers[RANGES + 1]; /* sections of the package, by kind; sh_size 0: none */
    const unsigned char *index;    /* .debug_cu_index */
    uint32_t columns, units, slots;
    size_t n, room;
    struct piece *pieces;
};

/* Sections of the object itself, from where the skeleton's part begins. */
static bool is_of_skeleton(unsigned kind)
{
    return kind == ADDR || kind == RANGES;
}

static uint32_t word(const unsigned char *at, size_t i)
{
    uint32_t value;

    memcpy(&value, at + i * sizeof value, sizeof value);
    return value;
}

static bool read_index(struct dwp *d)
{
    GElf_Shdr header;
    uint64_t need;

    if (!elf_file_section(d->elf, ".debug_cu_index", &header) || header.sh_offset > d->size ||
        header.sh_size > d->size - header.sh_offset || header.sh_size < 16)
        return false;
    d->index = d->bytes + header.sh_offset;
    d->columns = word(d->index, 1);
    d->units = word(d->index, 2);
    d->slots = word(d->index, 3);
    need = 16 + (uint64_t)d->slots * 12 + ((uint64_t)d->units * 2 + 1) * d->columns * 4;
    return (d->index[0] == 5 || d->index[0] == 2) && d->columns <= 16 && need <= header.sh_size;
}

static void find_sections(struct dwp *d)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        GElf_Shdr *header = &d->headers[sections[i].kind];
        char *name = xasprintf("%s.dwo", sections[i].name);

        if (is_of_skeleton(sections[i].kind) || !elf_file_section(d->elf, name, header) ||
            header->sh_flags & SHF_COMPRESSED || header->sh_offset > d->size ||
            header->sh_size > d->size - header->sh_offset)
            *header = (GElf_Shdr){0};
        free(name);
    }
}

struct dwp *dwp_open(const char *path)
{
    char *name = xasprintf("%s.dwp", path);
    struct dwp *d = xcalloc(1, sizeof *d);

    d->fd = elf_file_open_plain(name, &d->elf);
    free(name);
    d->bytes = d->fd < 0 ? NULL : (const unsigned char *)elf_rawfile(d->elf, &d->size);
    if (d->bytes && gelf_getclass(d->elf) == ELFCLASS64 && read_index(d)) {
        find_sections(d);
        return d;
    }
    dwp_close(d);
    return NULL;
}

void dwp_close(struct dwp *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n; i++) {
        dwarf_end(d->pieces[i].dwarf);
        elf_end(d->pieces[i].elf);
        munmap(d->pieces[i].image, d->pieces[i].size);
    }
    free(d->pieces);
    elf_end(d->elf);
    if (d->fd >= 0)
        close(d->fd);
    free(d);
}

/* The row of a unit, from 1 on; 0: it is not there. */
static uint32_t find_row(const struct dwp *d, uint64_t id)
{
    const unsigned char *hashes = d->index + 16, *rows = hashes + (size_t)d->slots * 8;

    for (uint32_t i = 0; i < d->slots; i++) {
        uint64_t hash;
        uint32_t row = word(rows, i);

        memcpy(&hash, hashes + (size_t)i * 8, sizeof hash);
        if (hash == id && row && row <= d->units)
            return row;
    }
    return 0;
}

/* Where the unit's part of a section is. */
static Elf64_Shdr part_of(const struct dwp *d, uint32_t row, unsigned kind)
{
    const unsigned char *kinds = d->index + 16 + (size_t)d->slots * 12,
                        *offsets = kinds + (size_t)d->columns * 4 * row,
                        *sizes = offsets + (size_t)d->columns * 4 * d->units;
    const GElf_Shdr *all = &d->headers[kind];
    Elf64_Shdr part = {.sh_type = SHT_PROGBITS, .sh_addralign = 1};

    if (kind == STR) {
        part.sh_offset = all->sh_offset;
        part.sh_size = all->sh_size;
    }
    for (uint32_t i = 0; kind != STR && i < d->columns; i++) {
        uint32_t offset = word(offsets, i), size = word(sizes, i);

        if (word(kinds, i) == kind && offset <= all->sh_size && size <= all->sh_size - offset) {
            part.sh_offset = all->sh_offset + offset;
            part.sh_size = size;
        }
    }
    return part;
}

/* Numbers that the unit counts from its first one on. */
struct slice {
    const unsigned char *bytes;
    size_t size;
};

static struct slice slice_of(Dwarf_Die *die, const char *name, unsigned base_by, unsigned or_by)
{
    Dwarf_Attribute attribute;
    Dwarf_Word base = 0;
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(dwarf_getelf(dwarf_cu_getdwarf(die->cu)), name, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

    if (!data || !data->d_buf)
        return (struct slice){NULL, 0};
    if ((dwarf_attr(die, base_by, &attribute) || dwarf_attr(die, or_by, &attribute)) &&
        dwarf_formudata(&attribute, &base) != 0)
        return (struct slice){NULL, 0};
    return base > data->d_size
               ? (struct slice){NULL, 0}
               : (struct slice){(const unsigned char *)data->d_buf + base, data->d_size - base};
}

static void put_sections(const struct dwp *d, struct piece *piece, uint32_t row, size_t at,
                         const struct slice *addr, const struct slice *ranges)
{
    size_t names_at = at + HEADERS * sizeof(Elf64_Shdr), addr_at = names_at + sizeof names;
    Elf64_Shdr headers[HEADERS] = {{0}};
    Elf64_Ehdr header;

    for (size_t i = 0; i < SECTIONS; i++) {
        Elf64_Shdr *h = &headers[i + 1];

        if (is_of_skeleton(sections[i].kind))
            *h = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                              .sh_addralign = 1,
                              .sh_offset = addr_at + (sections[i].kind == RANGES ? addr->size : 0),
                              .sh_size = sections[i].kind == RANGES ? ranges->size : addr->size};
        else
            *h = part_of(d, row, sections[i].kind);
        h->sh_name = (Elf64_Word)((const char *)memmem(names, sizeof names, sections[i].name,
                                                       strlen(sections[i].name) + 1) -
                                  names);
    }
    headers[HEADERS - 1] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                        .sh_addralign = 1,
                                        .sh_name = sizeof names - sizeof ".shstrtab",
                                        .sh_offset = names_at,
                                        .sh_size = sizeof names};
    memcpy(piece->image + at, headers, sizeof headers);
    memcpy(piece->image + names_at, names, sizeof names);
    if (addr->size)
        memcpy(piece->image + addr_at, addr->bytes, addr->size);
    if (ranges->size)
        memcpy(piece->image + addr_at + addr->size, ranges->bytes, ranges->size);
    memcpy(&header, piece->image, sizeof header);
    header.e_shoff = at;
    header.e_shnum = HEADERS;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = HEADERS - 1;
    memcpy(piece->image, &header, sizeof header);
}

/* Maps the package anew, with room for `more` bytes behind it. Returns where that is; 0: failed. */
static size_t map_package(const struct dwp *d, struct piece *piece, size_t more)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), at = (d->size + page - 1) / page * page;

    piece->size = at + more;
    piece->image = elf_file_map(d->fd, d->size, piece->size - d->size);
    return piece->image ? at : 0;
}

static bool open_piece(struct piece *piece, Dwarf_Die *body)
{
    Dwarf_CU *cu;
    Dwarf_Half version;
    uint8_t type;

    piece->elf = elf_memory(piece->image, piece->size);
    piece->dwarf = piece->elf ? dwarf_begin_elf(piece->elf, DWARF_C_READ, NULL) : NULL;
    return piece->dwarf &&
           dwarf_get_units(piece->dwarf, NULL, &cu, &version, &type, body, NULL) == 0 &&
           dwarf_tag(body) > 0;
}

bool dwp_find(struct dwp *d, Dwarf_Die *die, Dwarf_Die *body)
{
    struct slice addr = slice_of(die, ".debug_addr", DW_AT_addr_base, DW_AT_GNU_addr_base);
    struct slice ranges =
        slice_of(die, ".debug_ranges", DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base);
    struct piece piece = {NULL, 0, NULL, NULL};
    uint64_t id = 0;
    uint32_t row;
    size_t at;

    if (dwarf_cu_info(die->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0 ||
        !(row = find_row(d, id)) ||
        !(at = map_package(d, &piece,
                           HEADERS * sizeof(Elf64_Shdr) + sizeof names + addr.size + ranges.size)))
        return false;
    put_sections(d, &piece, row, at, &addr, &ranges);
    GROW(d->pieces, d->n, d->room);
    d->pieces[d->n] = piece;
    return open_piece(&d->pieces[d->n++], body);
}

/*--- Supplementary files ---*/

/* The link to a dwz file, or the identity that such a file gives itself. */
struct link {
    bool supplement;  /* by .debug_sup */
    const char *name; /* relative to the folder of the file that has it */
    char *id;         /* in hex */
};

/* .debug_sup (DWARF 5, section 7.3.6): a version, whether this is the dwz file, its name, the
 * size of a checksum (LEB128; more than a byte is none that anybody writes), the checksum. */
static bool read_supplement(Elf *elf, bool is_dwz, struct link *link)
{
    enum { DWARF_5 = 5, NAME_AT = 3 };
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(elf, ".debug_sup", &header);
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    const unsigned char *bytes, *end;

    if (!data || !data->d_buf || data->d_size <= NAME_AT)
        return false;
    bytes = data->d_buf;
    end = memchr(bytes + NAME_AT, '\0', data->d_size - NAME_AT);
    if (bytes[0] != DWARF_5 || bytes[2] != is_dwz || !end || end + 1 == bytes + data->d_size ||
        end[1] > 127 || end + 2 + end[1] > bytes + data->d_size)
        return false;
    *link = (struct link){true, (const char *)bytes + NAME_AT, elf_file_hex(end + 2, end[1])};
    return true;
}

static bool read_link(Dwarf *dwarf, struct link *link)
{
    const void *id;
    ssize_t size;

    *link = (struct link){false, NULL, NULL};
    size = dwelf_dwarf_gnu_debugaltlink(dwarf, &link->name, &id);
    if (size <= 0)
        return read_supplement(dwarf_getelf(dwarf), false, link);
    link->id = elf_file_hex(id, (size_t)size);
    return true;
}

/* Tells whether the file that is open is the one that is meant. */
static bool is_meant(Elf *elf, const struct link *link)
{
    struct link file_link = {.id = NULL};
    bool same;

    if (!link->supplement)
        file_link.id = elf_file_build_id(elf);
    else if (!read_supplement(elf, true, &file_link))
        return false;
    same = file_link.id && link->id && !strcmp(file_link.id, link->id);
    free(file_link.id);
    return same;
}

/* Takes the file at `path` if it is the one that is meant. */
static bool try(struct dwz_file *a, const struct link *link, const char *path)
{
    a->fd = elf_file_open_plain(path, &a->elf);
    if (a->fd < 0)
        return false;
    if (is_meant(a->elf, link))
        a->dwarf = dwarf_begin_elf(a->elf, DWARF_C_READ, NULL);
    if (a->dwarf)
        return true;
    dwz_close(a);
    return false;
}

static enum dwz_state find(struct dwz_file *a, const struct link *link, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *by_id = NULL, *by_name = NULL;
    enum dwz_state state = DWZ_GONE;
    struct stat st;

    if (link->id && strlen(link->id) > 2)
        by_id = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", link->id, link->id + 2);
    by_name = link->name[0] == '/' || !slash
                  ? xstrdup(link->name)
                  : xasprintf("%.*s/%s", (int)(slash - path), path, link->name);
    if ((by_id && try(a, link, by_id)) || try(a, link, by_name))
        state = DWZ_FOUND;
    else if (stat(by_name, &st) == 0 && !S_ISREG(st.st_mode))
        state = DWZ_UNSAFE;
    free(by_id);
    free(by_name);
    return state;
}

enum dwz_state dwz_open(struct dwz_file *a, Dwarf *dwarf, const char *path)
{
    enum dwz_state state;
    struct link link;

    *a = (struct dwz_file){.fd = -1};
    if (!read_link(dwarf, &link))
        return DWZ_NONE;
    state = find(a, &link, path);
    free(link.id);
    if (state == DWZ_FOUND)
        dwarf_setalt(dwarf, a->dwarf);
    return state;
}

void dwz_close(struct dwz_file *a)
{
    if (a->fd < 0)
        return;
    dwarf_end(a->dwarf);
    elf_end(a->elf);
    close(a->fd);
    *a = (struct dwz_file){.fd = -1};
}
