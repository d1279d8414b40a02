#include <config.h>

#include "model/debug.h"

#include "base/memory.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 64,       /* DIEs are nested no deeper than this; compilers stay under 30 */
    RANGES_MAX = 1 << 22, /* of one list of intervals: units may share a list of any length */
};

/*
 * Adds all ranges of `die`. Code that the linker dropped keeps a range that begins at 0 or 1 (ld),
 * or wraps around (lld): no code is there.
 */
static void add_ranges(struct intervals *list, Dwarf_Die *die, uint32_t value)
{
    Dwarf_Addr base = 0, start, end;
    ptrdiff_t offset = 0;

    while (list->n < RANGES_MAX && (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
        if (start > 1)
            intervals_add(list, start, end, value);
}

void debug_load(struct debug *d, Dwarf *dwarf)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die, body;
    uint8_t type;
    size_t capacity = 0;

    *d = (struct debug){.n_units = 0};
    while (dwarf && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &body) == 0) {
        if (type == DW_UT_type || type == DW_UT_split_type || type == DW_UT_partial)
            continue;
        if (d->n_units == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            d->units = xreallocarray(d->units, capacity, sizeof *d->units);
        }
        add_ranges(&d->ranges, &die, (uint32_t)d->n_units);
        d->units[d->n_units++] = (struct unit){
            .die = die, .body = type == DW_UT_skeleton && dwarf_tag(&body) > 0 ? body : die};
    }
    intervals_flatten(&d->ranges);
}

static void add_function(struct unit *u, Dwarf_Die *die)
{
    size_t before = u->ranges.n;

    add_ranges(&u->ranges, die, (uint32_t)u->n_functions);
    if (u->ranges.n == before)
        return; /* a declaration, or only ever inlined */
    if (u->n_functions == u->capacity) {
        u->capacity = u->capacity ? 2 * u->capacity : 64;
        u->functions = xreallocarray(u->functions, u->capacity, sizeof *u->functions);
    }
    u->functions[u->n_functions++] = *die;
}

/* Whether functions may be among the children: C++ and Rust nest them in types and namespaces, gcc
 * in functions and blocks. */
static bool may_hold_functions(int tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
        return true;
    default:
        return false;
    }
}

/* Notes every function below `parent`. A sibling must come after its brother: DW_AT_sibling may
 * point anywhere. */
static void walk(struct unit *u, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    Dwarf_Off offset;

    if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);

        if (tag == DW_TAG_subprogram)
            add_function(u, &die);
        if (may_hold_functions(tag))
            walk(u, &die, depth + 1);
        offset = dwarf_dieoffset(&die);
    } while (dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > offset);
}

/* The folder that relative paths of the unit are in. */
static const char *folder_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;

    return dwarf_attr(die, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

/* `path` joined with the unit's folder. One path is asked for many times in a row, and a unit has
 * some hundred. */
static const char *join(struct unit *u, const char *path)
{
    const char *slash;

    if (!path || path[0] == '/' || !u->folder || !u->folder[0])
        return path;
    if (u->last_joined < u->n_joined && u->joined[u->last_joined].from == path)
        return u->joined[u->last_joined].to;
    for (size_t i = 0; i < u->n_joined; i++)
        if (u->joined[i].from == path)
            return u->joined[u->last_joined = i].to;
    slash = u->folder[strlen(u->folder) - 1] == '/' ? "" : "/";
    u->joined = xreallocarray(u->joined, u->n_joined + 1, sizeof *u->joined);
    u->joined[u->n_joined] = (struct joined){path, xasprintf("%s%s%s", u->folder, slash, path)};
    u->last_joined = u->n_joined++;
    return u->joined[u->last_joined].to;
}

/* The unit that has `address`, read; or NULL. */
static struct unit *unit_at(struct debug *d, uint64_t address)
{
    uint32_t i = intervals_find(&d->ranges, address);
    struct unit *u;

    if (i == INTERVAL_NONE)
        return NULL;
    u = &d->units[i];
    if (!u->read) {
        u->read = true;
        if (dwarf_getsrclines(&u->die, &u->lines, &u->n_lines) != 0)
            u->n_lines = 0;
        u->folder = folder_of(&u->die);
        walk(u, &u->body, 0);
        intervals_flatten(&u->ranges);
    }
    return u;
}

/* The last row at or before `address`: rows of one address override each other in their order. */
static Dwarf_Line *row_at(const struct unit *u, uint64_t address)
{
    size_t low = 0, high = u->n_lines;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        Dwarf_Addr its = 0;

        if (dwarf_lineaddr(dwarf_onesrcline(u->lines, middle), &its) == 0 && its <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? dwarf_onesrcline(u->lines, low - 1) : NULL;
}

bool debug_line(struct debug *d, uint64_t address, const char **file, uint32_t *line)
{
    struct unit *u = unit_at(d, address);
    Dwarf_Line *row = u ? row_at(u, address) : NULL;
    bool end = true;
    int number = 0;

    if (!row || dwarf_lineendsequence(row, &end) != 0 || end)
        return false;
    *file = join(u, dwarf_linesrc(row, NULL, NULL));
    if (dwarf_lineno(row, &number) != 0 || number < 0)
        number = 0;
    *line = (uint32_t)number;
    return *file != NULL;
}

bool debug_function(struct debug *d, uint64_t address, struct debug_function *function)
{
    struct unit *u = unit_at(d, address);
    uint32_t i = u ? intervals_find(&u->ranges, address) : INTERVAL_NONE;
    Dwarf_Attribute attribute;
    Dwarf_Die *die;
    int line = 0;

    if (i == INTERVAL_NONE)
        return false;
    die = &u->functions[i];
    *function =
        (struct debug_function){.name = dwarf_diename(die), .file = join(u, dwarf_decl_file(die))};
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
        function->linkage_name = dwarf_formstring(&attribute);
    if (dwarf_decl_line(die, &line) == 0 && line > 0)
        function->line = (uint32_t)line;
    return true;
}

void debug_free(struct debug *d)
{
    for (size_t i = 0; i < d->n_units; i++) {
        free(d->units[i].functions);
        for (size_t k = 0; k < d->units[i].n_joined; k++)
            free(d->units[i].joined[k].to);
        free(d->units[i].joined);
        intervals_free(&d->units[i].ranges);
    }
    free(d->units);
    intervals_free(&d->ranges);
    *d = (struct debug){.n_units = 0};
}
