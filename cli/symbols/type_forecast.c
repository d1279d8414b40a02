#include <config.h>

#include "symbols/type_forecast.h"

#include "base/array.h"
#include "base/nearest.h"
#include "names/type_path.h"
#include "symbols/elf_file.h"
#include "symbols/type.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

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
    if (type_is_struct(die) && s->n < NAMES_MAX) {
        GROW(s->names, s->n, s->room);
        s->names[s->n++] = name;
    }
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
        /* Its types are in a file of its own. */
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
