#include <config.h>

#include "base/array.h"
#include "symbols/dwarf_private.h"
#include "symbols/elf_file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Ranges of one list of intervals: units may share a list of any length. */
enum { RANGES_MAX = 1 << 22 };

/* Code that the linker dropped keeps a range that begins at 0 or 1 (ld), or wraps around (lld): no
 * code is there. */
bool debug_add_ranges(struct intervals *list, Dwarf_Die *die, uint32_t value)
{
    Dwarf_Addr base = 0, start, end;
    ptrdiff_t offset = 0;
    bool any = false;

    while (list->n < RANGES_MAX && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
        any = true;
        if (start > 1)
            intervals_add(list, start, end, value);
    }
    /* An address that is not in .debug_addr counts as none. */
    return offset >= 0 &&
           (any || !dwarf_hasattr(die, DW_AT_low_pc) || dwarf_lowpc(die, &start) == 0);
}

const char *debug_string(Dwarf_Die *die, unsigned name, bool *damaged)
{
    Dwarf_Attribute attribute;
    const char *text;

    if (!dwarf_attr_integrate(die, name, &attribute))
        return NULL;
    text = dwarf_formstring(&attribute);
    *damaged |= !text;
    return text;
}

static void read_lines(struct debug_info *d, struct unit *u)
{
    if (!u->has_lines && dwarf_getsrclines(&u->die, &u->lines, &u->n_lines) != 0) {
        d->damaged |= dwarf_hasattr(&u->die, DW_AT_stmt_list);
        u->n_lines = 0;
    }
    u->has_lines = true;
}

/* Adds the pieces of code that the line table of unit `index` is about. */
static void add_line_ranges(struct debug_info *d, uint32_t index)
{
    struct unit *u = &d->units[index];
    Dwarf_Addr start = 0, address = 0;
    bool begun = false, ends;

    read_lines(d, u);
    for (size_t i = 0; i < u->n_lines; i++) {
        Dwarf_Line *row = dwarf_onesrcline(u->lines, i);

        if (dwarf_lineaddr(row, &address) != 0 || dwarf_lineendsequence(row, &ends) != 0)
            return;
        if (ends && begun && start > 1)
            intervals_add(&d->ranges, start, address, index);
        if (!begun)
            start = address;
        begun = !ends;
    }
}

/* DWARF 2 cannot say that a unit's code is in several pieces: compilers then give one of them, or
 * none. yasm never gives any. The line table has them all. */
static void add_unit_ranges(struct debug_info *d, Dwarf_Half version)
{
    uint32_t last = (uint32_t)d->n_units - 1;
    size_t before = d->ranges.n;

    d->damaged |= !debug_add_ranges(&d->ranges, &d->units[last].die, last);
    if (version <= 2 || d->ranges.n == before)
        add_line_ranges(d, last);
}

static void add_unit(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *body, uint8_t type)
{
    bool split = type == DW_UT_skeleton;
    bool found = split && dwarf_tag(body) > 0;

    GROW(d->units, d->n_units, d->units_room);
    if (map_add(&d->unit_map, map_hash((uintptr_t)die->cu), (uint32_t)d->n_units) != 0 ||
        (found && map_add(&d->unit_map, map_hash((uintptr_t)body->cu), (uint32_t)d->n_units) != 0))
        memory_die();
    d->units[d->n_units++] =
        (struct unit){.die = *die, .body = found ? *body : *die, .incomplete = split && !found};
}

/* Where the unit of `die` in .debug_info says that it ends; libdw lets it end with the section. */
static uint64_t stated_end(Dwarf_Die *die)
{
    Dwarf_Off within = dwarf_cuoffset(die);
    const unsigned char *header = (const unsigned char *)die->addr - within;
    Dwarf_Off start = dwarf_dieoffset(die) - within;
    uint32_t size;
    uint64_t long_size;

    memcpy(&size, header, sizeof size);
    if (size != UINT32_MAX) /* what stands before the size of 64-bit DWARF */
        return start + sizeof size + size;
    memcpy(&long_size, header + sizeof size, sizeof long_size);
    return start + sizeof size + sizeof long_size + long_size;
}

/* Tells whether the last unit, which ends at `end`, is the last thing in .debug_info. */
static bool is_whole(Dwarf *dwarf, uint64_t end)
{
    GElf_Shdr header;

    return !elf_file_section(dwarf_getelf(dwarf), ".debug_info", &header) || header.sh_size == end;
}

/* The units of one file. */
static void load_units(struct debug_info *d, Dwarf *dwarf)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, body;
    Dwarf_Half version;
    uint64_t end = 0;
    uint8_t type;
    int result;

    while ((result = dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, &body)) == 0) {
        bool is_type = type == DW_UT_type || type == DW_UT_split_type;
        bool is_valid = dwarf_tag(&die) != DW_TAG_invalid;

        if (!is_type)
            add_unit(d, &die, &body, type);
        if (!is_type && is_valid && type != DW_UT_partial)
            add_unit_ranges(d, version);
        d->damaged |= !is_type && !is_valid;
        /* Types of DWARF 4 are in a section of their own. */
        if ((!is_type || version >= 5) && is_valid)
            end = stated_end(&die);
    }
    d->damaged |= result < 0 || !is_whole(dwarf, end);
}

void debug_load(struct debug_info *d, Dwarf *dwarf, Dwarf *dwz)
{
    *d = (struct debug_info){.n_units = 0};
    if (dwarf)
        load_units(d, dwarf);
    if (dwarf && dwz)
        load_units(d, dwz);
    intervals_flatten(&d->ranges);
}

static int equal_unit(const void *owner, uint32_t index, const void *key)
{
    const struct unit *u = (const struct unit *)owner + index;

    return u->die.cu == key || u->body.cu == key;
}

struct unit *debug_unit_of(struct debug_info *d, struct unit *likely, const struct Dwarf_CU *cu)
{
    uint32_t i;

    if (likely->body.cu == cu || likely->die.cu == cu)
        return likely;
    i = map_find(&d->unit_map, map_hash((uintptr_t)cu), equal_unit, d->units, cu);
    return i == MAP_NONE ? NULL : &d->units[i];
}

/* Callers ask for one path many times in a row, and a unit has some hundred. */
const char *debug_join(struct unit *u, const char *path)
{
    const char *slash;

    if (!path || path[0] == '/')
        return path;
    if (!u->folder)
        u->folder = debug_string(&u->die, DW_AT_comp_dir, &u->damaged);
    if (!u->folder || !u->folder[0])
        return path;
    if (u->last_joined < u->n_joined && u->joined[u->last_joined].from == path)
        return u->joined[u->last_joined].to;
    for (size_t i = 0; i < u->n_joined; i++)
        if (u->joined[i].from == path)
            return u->joined[u->last_joined = i].to;
    slash = u->folder[strlen(u->folder) - 1] == '/' ? "" : "/";
    GROW(u->joined, u->n_joined, u->joined_room);
    u->joined[u->n_joined] = (struct joined){path, xasprintf("%s%s%s", u->folder, slash, path)};
    u->last_joined = u->n_joined++;
    return u->joined[u->last_joined].to;
}

static void read_files(struct unit *u)
{
    if (u->has_files)
        return;
    u->has_files = true;
    /* A unit that was split off may have a table of its own, or count in the skeleton's. */
    if (dwarf_getsrcfiles(&u->body, &u->files, &u->n_files) != 0 &&
        dwarf_getsrcfiles(&u->die, &u->files, &u->n_files) != 0)
        u->n_files = 0;
}

const char *debug_file(struct unit *u, Dwarf_Word index)
{
    read_files(u);
    return index < u->n_files ? debug_join(u, dwarf_filesrc(u->files, index, NULL, NULL)) : NULL;
}

/* The name of the file that a unit was split off to, or NULL. */
static const char *split_name(Dwarf_Die *die)
{
    Dwarf_Attribute a;

    return dwarf_attr(die, DW_AT_dwo_name, &a) || dwarf_attr(die, DW_AT_GNU_dwo_name, &a)
               ? dwarf_formstring(&a)
               : NULL;
}

static struct unit *unit_at(struct debug_info *d, uint64_t address)
{
    uint32_t i = intervals_find_near(&d->ranges, address, &d->hint);

    return i == INTERVAL_NONE ? NULL : &d->units[i];
}

uint32_t debug_new_files(struct debug_info *d, uint64_t address)
{
    struct unit *u = unit_at(d, address);

    if (!u || u->has_files)
        return DEBUG_NONE;
    read_files(u);
    return (uint32_t)(u - d->units);
}

void debug_take_files(struct debug_info *d, const struct debug_info *from, uint32_t unit)
{
    struct unit *u = &d->units[unit];

    if (d->n_units != from->n_units || u->has_files)
        return;
    u->has_files = true;
    u->files = from->units[unit].files;
    u->n_files = from->units[unit].n_files;
}

/* The function that has `address`, with its unit; NULL: none. */
static struct debug_body *body_at(struct debug_info *d, uint64_t address, struct unit **unit)
{
    struct unit *u = *unit = unit_at(d, address);
    uint32_t i;

    if (!u)
        return NULL;
    if (!u->has_functions) {
        if (u->incomplete && d->dwp && dwp_find(d->dwp, &u->die, &u->body))
            u->incomplete = map_add(&d->unit_map, map_hash((uintptr_t)u->body.cu),
                                    (uint32_t)(u - d->units)) != 0;
        debug_read_functions(u);
        d->damaged |= u->damaged;
        if (u->incomplete && !d->missing)
            d->missing = split_name(&u->die);
    }
    i = intervals_find_near(&u->ranges, address, &u->hint);
    return i == INTERVAL_NONE ? NULL : &u->bodies[i];
}

/* Tells whether row `i` is after `address`; there is none after the last. */
static bool is_after(const struct unit *u, size_t i, uint64_t address)
{
    Dwarf_Addr its = 0;

    return i >= u->n_lines || dwarf_lineaddr(dwarf_onesrcline(u->lines, i), &its) != 0 ||
           its > address;
}

/* The number of rows at or before `address`: mostly that of the address before, or a few more. */
static size_t rows_before(struct unit *u, uint64_t address)
{
    size_t low = 0, high = u->n_lines, hint = u->line_hint;

    if (hint > 0 && !is_after(u, hint - 1, address)) {
        for (size_t end = hint + 4; hint < end; hint++)
            if (is_after(u, hint, address))
                return u->line_hint = hint;
        low = hint;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_after(u, middle, address))
            high = middle;
        else
            low = middle + 1;
    }
    return u->line_hint = low;
}

/* The last row at or before `address`: rows of one address override each other in their order. */
static Dwarf_Line *row_at(struct unit *u, uint64_t address)
{
    size_t n = rows_before(u, address);

    return n ? dwarf_onesrcline(u->lines, n - 1) : NULL;
}

bool debug_line(struct debug_info *d, uint64_t address, const char **file, uint32_t *line)
{
    struct unit *u = unit_at(d, address);
    Dwarf_Line *row;
    bool end = true;
    int number = 0;

    if (!u)
        return false;
    read_lines(d, u);
    row = row_at(u, address);
    if (!row || dwarf_lineendsequence(row, &end) != 0 || end)
        return false;
    *file = debug_join(u, dwarf_linesrc(row, NULL, NULL));
    if (dwarf_lineno(row, &number) != 0 || number < 0)
        number = 0;
    *line = (uint32_t)number;
    return *file != NULL;
}

uint32_t debug_function(struct debug_info *d, uint64_t address)
{
    struct unit *u;
    struct debug_body *body = body_at(d, address, &u);

    return body ? debug_describe(d, u, &body->die) : DEBUG_NONE;
}

uint32_t debug_frame(struct debug_info *d, uint64_t address)
{
    struct unit *u;
    struct debug_body *body = body_at(d, address, &u);
    uint32_t value;

    if (!body)
        return DEBUG_NONE;
    if (!body->read) {
        body->read = true;
        debug_read_frames(d, u, body);
        d->damaged |= u->damaged;
        intervals_flatten(&body->frames);
    }
    value = intervals_find_near(&body->frames, address, &body->hint);
    return value == INTERVAL_NONE ? DEBUG_NONE : frame_value(value);
}

static void free_unit(struct unit *u)
{
    for (size_t i = 0; i < u->n_bodies; i++)
        intervals_free(&u->bodies[i].frames);
    for (size_t i = 0; i < u->n_joined; i++)
        free(u->joined[i].to);
    free(u->bodies);
    free(u->scopes);
    free(u->joined);
    intervals_free(&u->ranges);
}

void debug_free(struct debug_info *d)
{
    for (size_t i = 0; i < d->n_units; i++)
        free_unit(&d->units[i]);
    for (uint32_t i = 0; i < d->n_functions; i++)
        free(d->functions[i].path);
    free(d->units);
    free(d->functions);
    free(d->frames);
    map_release(&d->function_map);
    map_release(&d->unit_map);
    intervals_free(&d->ranges);
    *d = (struct debug_info){.n_units = 0};
}
