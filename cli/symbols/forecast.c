#include <config.h>

#include "symbols/forecast.h"

#include "base/array.h"
#include "base/words.h"
#include "names/brackets.h"
#include "source/source_file.h"
#include "symbols/eh_frame.h"
#include "symbols/elf_file.h"
#include "symbols/type.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Findings about the units of a program. */
struct units {
    bool std;       /* there are units of the standard library */
    bool own;       /* there are others, with lines */
    bool functions; /* one of them describes its functions */
    bool names;     /* with names that tell their paths, or in a language without paths */
};

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr(die, name, &attribute));
}

static bool has_attribute(Dwarf_Abbrev *abbrev, unsigned wanted)
{
    size_t n = 0;
    unsigned name, form;
    Dwarf_Off offset;

    if (dwarf_getattrcnt(abbrev, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (dwarf_getabbrevattr(abbrev, i, &name, &form, &offset) == 0 && name == wanted)
            return true;
    return false;
}

/* The kinds of entries that a unit has are listed in its abbreviations: no entry need be read. */
static void look_at_functions(Dwarf_Die *die, struct units *units)
{
    bool rust = type_is_rust(die);
    Dwarf_Off at = 0;
    size_t size;
    Dwarf_Abbrev *abbrev;

    while ((abbrev = dwarf_getabbrev(die, at, &size)) != NULL && abbrev != DWARF_END_ABBREV &&
           size > 0) {
        at += size;
        if (dwarf_getabbrevtag(abbrev) != DW_TAG_subprogram)
            continue;
        units->functions = true;
        units->names |= !rust || has_attribute(abbrev, DW_AT_linkage_name) ||
                        has_attribute(abbrev, DW_AT_MIPS_linkage_name);
    }
}

/* Tells whether a path is in the standard library. A distribution builds its own in a folder of
 * rustc's. */
static bool is_std(const char *path)
{
    return path && (source_is_std(path) || strstr(path, "/rustc-"));
}

static void look_at_unit(Dwarf_Die *die, struct units *units)
{
    const char *folder = text_of(die, DW_AT_comp_dir);
    bool split = dwarf_hasattr(die, DW_AT_dwo_name) || dwarf_hasattr(die, DW_AT_GNU_dwo_name);

    if (dwarf_tag(die) != DW_TAG_compile_unit && dwarf_tag(die) != DW_TAG_skeleton_unit)
        return;
    if (is_std(text_of(die, DW_AT_name)) || is_std(folder)) {
        units->std = true;
    } else if (dwarf_hasattr(die, DW_AT_stmt_list)) {
        units->own = true;
        if (split)
            units->functions = units->names = true;
        else
            look_at_functions(die, units);
    }
}

static struct units look_at_units(Dwarf *dwarf)
{
    struct units units = {false};
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;

    while (dwarf && !units.names &&
           dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
        look_at_unit(&die, &units);
    return units;
}

/* Tells whether unwind tables have most of the code. The start files of a program without tables of
 * its own have some. */
static bool has_starts(const struct elf_file *f)
{
    struct intervals ranges = {0};
    GElf_Shdr text = {0};
    uint64_t covered = 0;

    eh_frame_load(&ranges, f);
    for (size_t i = 0; i < ranges.n; i++)
        covered += ranges.items[i].end - ranges.items[i].start;
    intervals_free(&ranges);
    return !elf_file_section(f->elf, ".text", &text) || covered > text.sh_size / 2;
}

enum forecast forecast_look(const char *path)
{
    enum forecast forecast = FORECAST_FULL;
    struct elf_file elf;
    struct units units;

    if (!elf_file_open(&elf, path, NULL))
        return FORECAST_FULL;
    units = look_at_units(elf.dwarf);
    if (!units.own && !elf_file_has_symbols(elf.elf) && !elf_file_has_symbols(elf.debug))
        forecast = has_starts(&elf) ? FORECAST_STRIPPED : FORECAST_NO_STARTS;
    else if (units.std && !units.functions) /* units without functions are assembly */
        forecast = FORECAST_STD_ONLY;
    else if (!units.own)
        forecast = FORECAST_NO_LINES;
    else if (units.functions && !units.names)
        forecast = FORECAST_SHORT_NAMES;
    elf_file_close(&elf);
    return forecast;
}

/*--- Types ---*/

/* Scopes in scopes; and entries that are looked at: a file may lead in a circle. */
enum { NESTED_MAX = 64, ENTRIES_MAX = 1 << 22, NAMES_MAX = 1 << 16 };

struct search {
    const char *wanted; /* the last part of a name, `size` bytes without type arguments */
    size_t size;
    bool found;
    unsigned entries;
    const char **names; /* of types with members; libdw's */
    size_t n, room;
};

static bool is_wanted(const struct search *s, const char *name)
{
    return strcspn(name, "<") == s->size && !memcmp(name, s->wanted, s->size);
}

static void look_at(struct search *s, Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);

    if (!name)
        return;
    s->found |= is_wanted(s, name);
    if (type_is_struct(die) && s->n < NAMES_MAX)
        APPEND(s->names, s->n, s->room) = name;
}

static void walk(struct search *s, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    if (depth > NESTED_MAX || !type_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);

        if (type_is_named_kind(tag))
            look_at(s, &die);
        if (type_is_scope(tag))
            walk(s, &die, depth + 1);
    } while (!s->found && ++s->entries < ENTRIES_MAX && type_next(&die));
}

static void walk_units(struct search *s, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;

    while (dwarf && !s->found && s->entries < ENTRIES_MAX &&
           dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        /* The unit's types are in a file of its own. */
        if (dwarf_hasattr(&die, DW_AT_dwo_name) || dwarf_hasattr(&die, DW_AT_GNU_dwo_name))
            s->found = true;
        walk(s, &die, 0);
    }
}

bool type_forecast_is_absent(const char *path, const char *name, char **nearest)
{
    struct search s = {.wanted = type_last_part(type_without_keyword(name))};
    struct elf_file elf;
    bool absent;

    *nearest = NULL;
    s.size = strcspn(s.wanted, "<");
    if (!elf_file_open(&elf, path, NULL))
        return false;
    walk_units(&s, elf.dwarf);
    absent = !s.found && s.n && s.entries < ENTRIES_MAX && elf.dwz_state == DWZ_NONE;
    if (absent) {
        const char *best = nearest_name(s.wanted, s.names, s.n);

        *nearest = best ? xstrdup(best) : NULL;
    }
    elf_file_close(&elf);
    free(s.names);
    return absent;
}
