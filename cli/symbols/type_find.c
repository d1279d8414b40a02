#include <config.h>

#include "symbols/type_find.h"

#include "base/array.h"
#include "names/brackets.h"
#include "symbols/elf_file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Scopes in scopes, blocks in blocks; and entries that one search looks at: a file may lead in a
 * circle. */
enum { NESTED_MAX = 64, ENTRIES_MAX = 1 << 22 };

/*--- Variables by address ---*/

struct search {
    struct debug_info *debug;
    struct variable *variables;
    size_t n;
    bool *units;    /* those that may have one of them */
    Dwarf_Off last; /* entry of a unit: a walk goes forward only */
};

static bool is_below(const void *variable, const void *address)
{
    return ((const struct variable *)variable)->address < *(const uint64_t *)address;
}

struct variable *variable_at(struct variable *variables, size_t n, uint64_t address)
{
    size_t i = lower_bound(variables, n, sizeof *variables, is_below, &address);

    return i < n && variables[i].address == address ? &variables[i] : NULL;
}

/* The contents of a section, as libdw has them: not compressed. */
static const unsigned char *section_bytes(Dwarf *dwarf, const char *name, size_t *size)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(dwarf_getelf(dwarf), name, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

    *size = data && data->d_buf ? data->d_size : 0;
    return *size ? data->d_buf : NULL;
}

/* The unit of `dwarf` that begins last before `offset`, by where its DIEs are or, with `attribute`,
 * by what that says; DEBUG_NONE: none. */
static uint32_t unit_before(struct search *s, Dwarf *dwarf, unsigned attribute, uint64_t offset)
{
    uint32_t best = DEBUG_NONE;
    uint64_t nearest = 0;

    for (uint32_t i = 0; i < s->debug->n_units; i++) {
        Dwarf_Die *die = &s->debug->units[i].die;
        Dwarf_Attribute a;
        Dwarf_Word begin = 0;

        if (dwarf_cu_getdwarf(die->cu) != dwarf)
            continue;
        if (!attribute)
            begin = dwarf_dieoffset(die);
        else if (!dwarf_attr(die, attribute, &a) || dwarf_formudata(&a, &begin) != 0)
            continue;
        if (begin <= offset && (best == DEBUG_NONE || begin >= nearest)) {
            best = i;
            nearest = begin;
        }
    }
    return best;
}

static uint64_t word_at(const unsigned char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Notes the units that say where a variable is: DW_OP_addr, and the address behind it. It finds a
 * few others, too. */
static void scan_info(struct search *s, Dwarf *dwarf)
{
    size_t size;
    const unsigned char *bytes = section_bytes(dwarf, ".debug_info", &size), *end = bytes + size;

    for (const unsigned char *at = bytes; at && end - at > 8; at++) {
        uint32_t unit;

        at = memchr(at, DW_OP_addr, (size_t)(end - at - 8));
        if (!at)
            break;
        if (!variable_at(s->variables, s->n, word_at(at + 1)))
            continue;
        unit = unit_before(s, dwarf, 0, (uint64_t)(at - bytes));
        if (unit != DEBUG_NONE)
            s->units[unit] = true;
    }
}

/* Notes the units in whose table of addresses a variable is. */
static void scan_addresses(struct search *s, Dwarf *dwarf)
{
    size_t size;
    const unsigned char *bytes = section_bytes(dwarf, ".debug_addr", &size);

    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint32_t unit = variable_at(s->variables, s->n, word_at(bytes + at))
                            ? unit_before(s, dwarf, DW_AT_addr_base, at)
                            : DEBUG_NONE;

        if (unit != DEBUG_NONE)
            s->units[unit] = true;
    }
}

/* The address that a variable's location is. False: it has none, or another kind. */
static bool address_of(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attribute, inner;
    Dwarf_Op *ops;
    size_t n;
    Dwarf_Addr its;

    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return false;
    *address = ops[0].number;
    if (ops[0].atom == DW_OP_addr)
        return true;
    if ((ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) ||
        dwarf_getlocation_attr(&attribute, &ops[0], &inner) != 0 ||
        dwarf_formaddr(&inner, &its) != 0)
        return false;
    *address = its;
    return true;
}

static void walk_variables(struct search *s, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    if (depth > NESTED_MAX || !type_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        uint64_t address;
        struct variable *v;

        if (dwarf_dieoffset(&die) <= s->last)
            return;
        s->last = dwarf_dieoffset(&die);
        if (tag == DW_TAG_variable && address_of(&die, &address) &&
            (v = variable_at(s->variables, s->n, address)) != NULL && !v->found)
            v->found = type_of(&die, &v->type);
        if (type_is_scope(tag))
            walk_variables(s, &die, depth + 1);
    } while (type_next(&die));
}

void type_find_variables(struct debug_info *d, struct variable *variables, size_t n)
{
    struct search s = {.debug = d, .variables = variables, .n = n};
    Dwarf *dwarf = NULL;

    if (!n)
        return;
    s.units = xcalloc(d->n_units + (size_t)1, sizeof *s.units);
    for (size_t i = 0; i < d->n_units; i++) {
        Dwarf *its = dwarf_cu_getdwarf(d->units[i].die.cu);

        if (its == dwarf)
            continue;
        dwarf = its;
        scan_info(&s, dwarf);
        scan_addresses(&s, dwarf);
    }
    for (size_t i = 0; i < d->n_units; i++) {
        s.last = 0;
        if (s.units[i])
            walk_variables(&s, &d->units[i].body, 0);
    }
    free(s.units);
}

/*--- Types by name ---*/

struct naming {
    struct debug_info *debug;
    const char *path; /* with its scopes, as far as they are given */
    const char *name; /* the last part of it */
    Dwarf_Die *type;
    unsigned n, entries;
};

/* Tells whether a path ends with the one that is looked for, at a "::". */
static bool ends_with(const char *path, const char *tail)
{
    size_t size = strlen(path), wanted = strlen(tail);

    if (wanted > size || strcmp(path + size - wanted, tail) != 0)
        return false;
    return wanted == size || path[size - wanted - 1] == ':';
}

static bool is_named(struct naming *n, Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    char *path;
    bool is;

    if (!name || strcmp(name, n->name) != 0 ||
        (dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_signature)))
        return false;
    path = debug_path(n->debug, die, name);
    is = ends_with(path, n->path);
    free(path);
    return is;
}

/* A struct and its typedef may have one name, and are one type. */
static bool is_same(Dwarf_Die *a, Dwarf_Die *b)
{
    Dwarf_Die x = *a, y = *b;

    return type_plain(&x, NULL, NULL) && type_plain(&y, NULL, NULL) && x.addr == y.addr;
}

/* The unit that an entry imports: dwz moves types that several units have into one of their own. */
static bool find_import(Dwarf_Die *die, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;

    return dwarf_tag(die) == DW_TAG_imported_unit && dwarf_attr(die, DW_AT_import, &attribute) &&
           dwarf_formref_die(&attribute, unit);
}

static void walk_names(struct naming *n, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die, imported;

    if (depth > NESTED_MAX || !type_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);

        if (type_is_named_kind(tag) && is_named(n, &die) && (!n->n || !is_same(&die, n->type))) {
            *n->type = die;
            n->n++;
        }
        if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
            walk_names(n, &die, depth + 1);
        else if (find_import(&die, &imported))
            walk_names(n, &imported, depth + 1);
    } while (++n->entries < ENTRIES_MAX && type_next(&die));
}

bool type_find_named(struct debug_info *d, Dwarf_Die *die, const char *name, Dwarf_Die *type)
{
    struct naming n = {.debug = d, .path = type_without_keyword(name), .type = type};
    Dwarf_Die unit;

    n.name = type_last_part(n.path);
    if (!*n.name || !dwarf_diecu(die, &unit, NULL, NULL))
        return false;
    walk_names(&n, &unit, 0);
    return n.n == 1;
}

/*--- Variables by name ---*/

struct local {
    const char *name;
    Dwarf_Die *type;
    bool found, differ;
    unsigned entries;
};

static void note_variable(struct local *l, Dwarf_Die *die)
{
    Dwarf_Die type;

    if (!type_of(die, &type))
        return;
    l->differ |= l->found && !is_same(&type, l->type) && type.addr != l->type->addr;
    l->found = true;
    *l->type = type;
}

static void walk_locals(struct local *l, Dwarf_Die *parent, bool all, unsigned depth)
{
    Dwarf_Die die;

    if (depth > NESTED_MAX || !type_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        const char *name;

        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            name = dwarf_diename(&die);
            if (name && !strcmp(name, l->name))
                note_variable(l, &die);
        }
        if (all && tag == DW_TAG_lexical_block)
            walk_locals(l, &die, true, depth + 1);
    } while (++l->entries < ENTRIES_MAX && type_next(&die));
}

bool type_find_local(Dwarf_Die *function, const char *name, Dwarf_Die *type)
{
    struct local l = {.name = name, .type = type};
    Dwarf_Die unit;

    walk_locals(&l, function, true, 0);
    if (!l.found && dwarf_diecu(function, &unit, NULL, NULL))
        walk_locals(&l, &unit, false, 0);
    return l.found && !l.differ;
}

/*--- Type parameters ---*/

bool type_find_parameter(Dwarf_Die *generic, const char *name, Dwarf_Die *type)
{
    Dwarf_Die child;

    if (!type_child(generic, &child))
        return false;
    do {
        const char *candidate;

        if (dwarf_tag(&child) != DW_TAG_template_type_parameter)
            continue;
        candidate = dwarf_diename(&child);
        if (!name || (candidate && !strcmp(candidate, name)))
            return type_of(&child, type);
    } while (type_next(&child));
    return false;
}
