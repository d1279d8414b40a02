#include <config.h>

/* Types with their members, put to a builder. */
#include "base/array.h"
#include "symbols/type.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Members of one type, and how deep: a struct of the Linux kernel has hundreds, 6 deep. */
enum { MEMBERS_MAX = 4096, DEPTH_MAX = 8 };

/* Entries that are looked at for one type, and bases in bases: a file may lead in a circle. */
enum { ENTRIES_MAX = 1 << 16, NESTED_MAX = 32 };

struct walk {
    struct type_reader *reader;
    uint64_t size; /* of the type */
    unsigned entries, nested;
    uint32_t n, room;
    struct cprof_member *members; /* their texts are malloc'd */
};

static void walk_members(struct walk *w, Dwarf_Die *type, uint64_t base, uint32_t depth);

/*--- Where a member lies ---*/

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Op *ops;
    size_t n;

    if (!dwarf_attr(die, name, &attribute))
        return false;
    if (dwarf_formudata(&attribute, &number) == 0) {
        *value = number;
        return true;
    }
    /* DWARF 2 adds a number to the address of the whole. */
    if (dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1 || ops[0].atom != DW_OP_plus_uconst)
        return false;
    *value = ops[0].number;
    return true;
}

/* The bytes of a member, from the beginning of what it is a member of. False: not known. */
static bool find_bytes(Dwarf_Die *member, Dwarf_Die *type, uint64_t *offset, uint64_t *size)
{
    uint64_t bits, first;

    *offset = 0;
    if (!type_size(type, size))
        return false;
    if (number_of(member, DW_AT_bit_size, &bits) &&
        number_of(member, DW_AT_data_bit_offset, &first) && bits <= 1024 &&
        first < UINT64_MAX / 2) {
        *offset = first / 8;
        *size = (first + bits + 7) / 8 - *offset;
        return true;
    }
    if (number_of(member, DW_AT_data_member_location, offset))
        return true;
    return !dwarf_hasattr(member, DW_AT_data_member_location) &&
           !dwarf_hasattr(member, DW_AT_external);
}

/*--- What is looked into ---*/

/* Containers and strings are one member each: their inside is not what somebody laid out. */
static bool is_library(const char *path)
{
    static const char *const crates[] = {"alloc::", "core::", "std::", "hashbrown::"};
    static const char *const opened[] = {"std::pair<", "std::tuple<"};

    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
        if (!strncmp(path, opened[i], strlen(opened[i])))
            return false;
    for (size_t i = 0; i < sizeof crates / sizeof *crates; i++)
        if (!strncmp(path, crates[i], strlen(crates[i])))
            return true;
    return false;
}

/* The room for a node's value in libstdc++'s containers, `__aligned_membuf<T>`: sets `*type` to T.
 */
static bool is_buffer(const char *name, Dwarf_Die *type)
{
    Dwarf_Die child;

    if (strncmp(name, "__aligned_membuf<", 17) != 0 && strncmp(name, "__aligned_buffer<", 17) != 0)
        return false;
    if (!type_child(type, &child))
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            return type_of(&child, type) && type_plain(type, NULL, NULL) && type_is_struct(type);
    } while (type_next(&child));
    return false;
}

/* Looks into a member's type where that is a struct of the program's own. */
static void walk_inside(struct walk *w, Dwarf_Die *of, uint64_t base, uint32_t depth)
{
    Dwarf_Die type = *of;
    const char *name;
    char *path;

    if (!type_plain(&type, NULL, NULL) || !type_is_struct(&type))
        return;
    name = dwarf_diename(&type);
    /* Rust's wide pointers are structs. */
    if (name && (*name == '&' || *name == '*'))
        return;
    if (name && is_buffer(name, &type))
        name = dwarf_diename(&type);
    path = name ? debug_path(w->reader->debug, &type, name) : NULL;
    if (!path || !is_library(path))
        walk_members(w, &type, base, depth);
    free(path);
}

/*--- Members ---*/

static bool add(struct walk *w, const char *name, Dwarf_Die *type, uint64_t offset, uint64_t size,
                uint32_t depth)
{
    if (w->n >= MEMBERS_MAX || offset > w->size || size > w->size - offset)
        return false;
    /* Rust's "0" of a tuple. */
    if (name[0] == '_' && name[1] == '_' && name[2] >= '0' && name[2] <= '9' && type_is_rust(type))
        name += 2;
    GROW(w->members, w->n, w->room);
    w->members[w->n++] = (struct cprof_member){.name = xstrdup(name),
                                               .type = type_name(type),
                                               .offset = offset,
                                               .size = size,
                                               .depth = depth};
    return true;
}

static void add_member(struct walk *w, Dwarf_Die *die, uint64_t base, uint32_t depth)
{
    const char *name = dwarf_diename(die);
    uint64_t offset, size;
    Dwarf_Die type;

    if (!type_of(die, &type) || !find_bytes(die, &type, &offset, &size) || offset > w->size)
        return;
    offset += base;
    if (dwarf_tag(die) == DW_TAG_inheritance) {
        if (type_plain(&type, NULL, NULL) && type_is_struct(&type))
            walk_members(w, &type, offset, depth);
    } else if (!name || !*name) {
        walk_inside(w, &type, offset, depth);
    } else if (add(w, name, &type, offset, size, depth) && depth + 1 < DEPTH_MAX) {
        walk_inside(w, &type, offset, depth + 1);
    }
}

/* The variants of an enum of Rust, and what tells which it is. */
static void walk_variants(struct walk *w, Dwarf_Die *part, uint64_t base, uint32_t depth)
{
    Dwarf_Attribute attribute;
    Dwarf_Die discriminant, type, child, member;
    uint64_t offset, size;

    if (dwarf_attr(part, DW_AT_discr, &attribute) && dwarf_formref_die(&attribute, &discriminant) &&
        type_of(&discriminant, &type) && find_bytes(&discriminant, &type, &offset, &size) &&
        offset <= w->size)
        (void)add(w, "[variant]", &type, base + offset, size, depth);
    if (!type_child(part, &child))
        return;
    do {
        if (dwarf_tag(&child) != DW_TAG_variant || !type_child(&child, &member))
            continue;
        do {
            if (dwarf_tag(&member) == DW_TAG_member)
                add_member(w, &member, base, depth);
        } while (type_next(&member));
    } while (type_next(&child));
}

static void walk_members(struct walk *w, Dwarf_Die *type, uint64_t base, uint32_t depth)
{
    Dwarf_Die child;

    if (w->nested >= NESTED_MAX || !type_child(type, &child))
        return;
    w->nested++;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_member:
        case DW_TAG_inheritance:
            add_member(w, &child, base, depth);
            break;
        case DW_TAG_variant_part:
            walk_variants(w, &child, base, depth);
            break;
        }
    } while (w->n < MEMBERS_MAX && ++w->entries < ENTRIES_MAX && type_next(&child));
    w->nested--;
}

/*--- In the order of offsets ---*/

/* The end of member `i` with those in it. */
static uint32_t end_of(const struct walk *w, uint32_t i, uint32_t end)
{
    uint32_t depth = w->members[i].depth;

    for (i++; i < end && w->members[i].depth > depth; i++)
        ;
    return i;
}

/* Puts members `from` up to `to`, which are of one depth but for those in them, in the order of
 * their offsets. rustc lists them as the source does. */
static void order(struct walk *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = from, next; i < to; i = next) {
        uint32_t place = from;
        struct cprof_member *moved;

        next = end_of(w, i, to);
        order(w, i + 1, next);
        while (place < i && w->members[place].offset <= w->members[i].offset)
            place = end_of(w, place, to);
        if (place == i)
            continue;
        moved = xreallocarray(NULL, next - i, sizeof *moved);
        memcpy(moved, w->members + i, (next - i) * sizeof *moved);
        memmove(w->members + place + (next - i), w->members + place, (i - place) * sizeof *moved);
        memcpy(w->members + place, moved, (next - i) * sizeof *moved);
        free(moved);
    }
}

/*--- Types ---*/

/* Sees through arrays, too. */
static bool find_element(Dwarf_Die *type, Dwarf_Die *alias, bool *has_alias)
{
    for (int i = 0; i < NESTED_MAX; i++) {
        if (!type_plain(type, alias, has_alias))
            return false;
        if (dwarf_tag(type) != DW_TAG_array_type)
            return true;
        if (!type_of(type, type))
            return false;
    }
    return false;
}

/* The path of a type, of the typedef where it has no name itself. The caller frees it; NULL: it has
 * none. */
static char *path_of(struct type_reader *r, Dwarf_Die *type, Dwarf_Die *alias, bool has_alias)
{
    const char *name = dwarf_diename(type);
    char *written, *path;

    if ((!name || !*name) && has_alias)
        return debug_path(r->debug, alias, dwarf_diename(alias) ? dwarf_diename(alias) : "");
    if (type_is_struct(type) && (!name || !*name))
        return NULL;
    written = type_name(type);
    path = name ? debug_path(r->debug, type, written) : xstrdup(written);
    free(written);
    return path;
}

static uint32_t describe(struct type_reader *r, Dwarf_Die *type)
{
    Dwarf_Die plain = *type, alias;
    bool has_alias;
    uint64_t size;
    struct walk w = {.reader = r};
    struct cprof_type described = {.n_members = 0};
    uint32_t index;
    char *path;

    if (!find_element(&plain, &alias, &has_alias) || !type_size(&plain, &size) || !size ||
        !(path = path_of(r, &plain, &alias, has_alias)))
        return CPROF_NONE;
    w.size = size;
    if (type_is_struct(&plain))
        walk_members(&w, &plain, 0, 0);
    order(&w, 0, w.n);
    described.name = path;
    described.size = size;
    described.n_members = w.n;
    described.reordered = type_is_rust(&plain);
    index = builder_type(r->builder, &described, w.members);
    for (uint32_t i = 0; i < w.n; i++) {
        free((char *)w.members[i].name);
        free((char *)w.members[i].type);
    }
    free(w.members);
    free(path);
    return index;
}

static int equal_die(const void *owner, uint32_t index, const void *key)
{
    return ((const struct known_type *)owner)[index].die == key;
}

uint32_t type_describe(struct type_reader *r, Dwarf_Die *type)
{
    uint32_t hash = map_hash((uintptr_t)type->addr);
    uint32_t found = map_find(&r->map, hash, equal_die, r->known, type->addr);

    if (found != MAP_NONE)
        return r->known[found].type;
    GROW(r->known, r->n, r->room);
    r->known[r->n] = (struct known_type){type->addr, describe(r, type)};
    if (map_add(&r->map, hash, r->n) != 0)
        memory_die();
    return r->known[r->n++].type;
}

void type_reader_free(struct type_reader *r)
{
    map_release(&r->map);
    free(r->known);
    *r = (struct type_reader){.n = 0};
}
