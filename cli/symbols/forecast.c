#include <config.h>

#include "symbols/forecast.h"

#include "source/source_path.h"
#include "symbols/eh_frame.h"

#include <dwarf.h>
#include <stdbool.h>
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

static bool is_rust(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word language = 0;

    (void)dwarf_formudata(dwarf_attr(die, DW_AT_language, &attribute), &language);
    return language == DW_LANG_Rust;
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
    bool rust = is_rust(die);
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

static bool has_symbols(const struct elf_file *f)
{
    GElf_Shdr header;

    return elf_file_section_of_type(f->elf, SHT_SYMTAB, &header) ||
           (f->debug && elf_file_section_of_type(f->debug, SHT_SYMTAB, &header));
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
    if (!units.own && !has_symbols(&elf))
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
