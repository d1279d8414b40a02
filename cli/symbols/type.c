#include <config.h>

#include "symbols/type.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "names/brackets.h"
#include "symbols/elf_file.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*--- Types ---*/

/* Steps from one type to the next: typedefs of typedefs. A file may lead in a circle. */
enum { STEPS_MAX = 64 };

/* Structs without a name in structs without a name, arrays in arrays. */
enum { SIZE_NESTED_MAX = 8 };

bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool is_transparent(int tag)
{
    switch (tag) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
        return true;
    default:
        return false;
    }
}

/* Goes from a declaration to the type in a unit of its own (-fdebug-types-section). */
static bool find_apart(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_attr(type, DW_AT_signature, &attribute) && dwarf_formref_die(&attribute, type);
}

bool type_plain(Dwarf_Die *type, Dwarf_Die *alias, bool *has_alias)
{
    Dwarf_Die next;

    if (has_alias)
        *has_alias = false;
    for (int i = 0; i < STEPS_MAX; i++) {
        int tag = dwarf_tag(type);

        if (find_apart(type))
            continue;
        if (!is_transparent(tag))
            return tag != DW_TAG_invalid && tag != DW_TAG_unspecified_type;
        if (has_alias && !*has_alias && tag == DW_TAG_typedef) {
            *has_alias = true;
            *alias = *type;
        }
        if (!type_of(type, &next))
            return false;
        *type = next;
    }
    return false;
}

static bool is_pointer(int tag)
{
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type;
}

bool type_target(Dwarf_Die *type, Dwarf_Die *target)
{
    Dwarf_Die plain = *type;
    int tag;

    if (!type_plain(&plain, NULL, NULL))
        return false;
    tag = dwarf_tag(&plain);
    return (is_pointer(tag) || tag == DW_TAG_array_type) && type_of(&plain, target);
}

/* The number of elements in a dimension of an array; 0: not known. */
static uint64_t type_count(Dwarf_Die *range)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;

    if (dwarf_attr(range, DW_AT_count, &attribute) && dwarf_formudata(&attribute, &number) == 0)
        return number;
    if (dwarf_attr(range, DW_AT_upper_bound, &attribute) &&
        dwarf_formudata(&attribute, &number) == 0 && number < UINT32_MAX)
        return number + 1;
    return 0;
}

/* An array of elements that are described elsewhere. */
static bool array_size(Dwarf_Die *type, uint64_t *size, int depth);

/* The size of a type in bytes. False: not known. */
static bool find_size(Dwarf_Die *type, uint64_t *size, int depth)
{
    Dwarf_Die plain = *type;
    Dwarf_Word known;

    if (depth > SIZE_NESTED_MAX || !type_plain(&plain, NULL, NULL))
        return false;
    if (dwarf_aggregate_size(&plain, &known) != 0)
        return dwarf_tag(&plain) == DW_TAG_array_type && array_size(&plain, size, depth);
    *size = known;
    return true;
}

static bool array_size(Dwarf_Die *type, uint64_t *size, int depth)
{
    Dwarf_Die element, range;

    if (!type_of(type, &element) || !find_size(&element, size, depth + 1) ||
        !type_child(type, &range))
        return false;
    do {
        if (dwarf_tag(&range) == DW_TAG_subrange_type &&
            __builtin_mul_overflow(*size, type_count(&range), size))
            return false;
    } while (type_next(&range));
    return true;
}

bool type_is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool type_child(Dwarf_Die *parent, Dwarf_Die *child)
{
    return dwarf_child(parent, child) == 0;
}

bool type_is_named_kind(int tag)
{
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_typedef:
    case DW_TAG_base_type:
        return true;
    default:
        return false;
    }
}

bool type_is_scope(int tag)
{
    switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return true;
    default:
        return false;
    }
}

bool type_next(Dwarf_Die *die)
{
    Dwarf_Off before = dwarf_dieoffset(die);
    Dwarf_Die next;

    if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= before)
        return false;
    *die = next;
    return true;
}

static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *member, int depth)
{
    Dwarf_Die child, inner;

    if (depth > SIZE_NESTED_MAX || !type_child(type, &child))
        return false;
    do {
        int tag = dwarf_tag(&child);
        const char *member_name = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;

        if (member_name && !strcmp(member_name, name)) {
            *member = child;
            return true;
        }
        if (((tag == DW_TAG_member && !member_name) || tag == DW_TAG_inheritance) &&
            type_of(&child, &inner) && type_plain(&inner, NULL, NULL) && type_is_struct(&inner) &&
            find_member(&inner, name, member, depth + 1))
            return true;
    } while (type_next(&child));
    return false;
}

bool type_member(Dwarf_Die *type, const char *name, Dwarf_Die *member)
{
    return find_member(type, name, member, 0);
}

static int language_of(Dwarf_Die *die)
{
    Dwarf_Die unit;

    return dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
}

bool type_is_rust(Dwarf_Die *die)
{
    return language_of(die) == DW_LANG_Rust;
}

bool type_is_cxx(Dwarf_Die *die)
{
    switch (language_of(die)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
        return true;
    default:
        return false;
    }
}

/*--- Names ---*/

/* Pointers to pointers, and arrays of arrays. */
enum { NAME_NESTED_MAX = 16 };

static void put_type(struct strbuf *text, Dwarf_Die *type, int depth);

/* The type that `pointer` points to, is an array of, or qualifies; `otherwise` where that is void.
 */
static void put_target(struct strbuf *text, Dwarf_Die *pointer, const char *otherwise, int depth)
{
    Dwarf_Die target;

    if (depth < NAME_NESTED_MAX && type_of(pointer, &target))
        put_type(text, &target, depth + 1);
    else
        strbuf_add(text, depth < NAME_NESTED_MAX ? otherwise : "...");
}

static void put_array(struct strbuf *text, Dwarf_Die *type, int depth)
{
    bool rust = type_is_rust(type);
    Dwarf_Die range;

    if (rust)
        strbuf_add_char(text, '[');
    put_target(text, type, "void", depth);
    if (!type_child(type, &range)) {
        strbuf_add(text, rust ? "]" : "[]");
        return;
    }
    do {
        uint64_t count = dwarf_tag(&range) == DW_TAG_subrange_type ? type_count(&range) : 0;

        if (rust)
            strbuf_addf(text, "; %" PRIu64 "]", count);
        else if (count)
            strbuf_addf(text, "[%" PRIu64 "]", count);
        else
            strbuf_add(text, "[]");
    } while (!rust && type_next(&range));
}

/* A type without a name of its own. */
static void put_unnamed(struct strbuf *text, Dwarf_Die *type, int depth)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
        put_target(text, type, "void", depth);
        strbuf_add(text, "*");
        break;
    case DW_TAG_reference_type:
        put_target(text, type, "void", depth);
        strbuf_add(text, "&");
        break;
    case DW_TAG_rvalue_reference_type:
        put_target(text, type, "void", depth);
        strbuf_add(text, "&&");
        break;
    case DW_TAG_array_type:
        put_array(text, type, depth);
        break;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
        put_target(text, type, "void", depth);
        break;
    case DW_TAG_subroutine_type:
        strbuf_add(text, "function");
        break;
    default:
        strbuf_add(text, "(anonymous)");
    }
}

static void put_type(struct strbuf *text, Dwarf_Die *type, int depth)
{
    const char *name = dwarf_diename(type);

    if (name && *name)
        strbuf_add(text, name);
    else
        put_unnamed(text, type, depth);
}

/* The name of a type as its language writes it, without namespaces; the caller frees it. */
static char *type_name(Dwarf_Die *type)
{
    struct strbuf text = {NULL, 0, 0};

    put_type(&text, type, 0);
    return strbuf_take(&text);
}

/*--- Members ---*/

/* Members of one type, and how deep: a struct of the Linux kernel has hundreds, 6 deep. */
enum { MEMBERS_MAX = 4096, DEPTH_MAX = 8 };

/* Entries that are looked at for one type, and bases in bases: a file may lead in a circle. */
enum { ENTRIES_MAX = 1 << 16, MEMBERS_NESTED_MAX = 32 };

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
    if (!find_size(type, size, 0))
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

    return !text_begins_with_word_of(path, "std::pair< std::tuple<") &&
           text_begins_with_word_of(path, "alloc:: core:: std:: hashbrown::");
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
static void walk_inside(struct walk *w, Dwarf_Die *member_type, uint64_t base, uint32_t depth)
{
    Dwarf_Die type = *member_type;
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
    APPEND(w->members, w->n, w->room) = (struct cprof_member){.name = xstrdup(name),
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

    if (w->nested >= MEMBERS_NESTED_MAX || !type_child(type, &child))
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
    for (int i = 0; i < MEMBERS_NESTED_MAX; i++) {
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

    if (!find_element(&plain, &alias, &has_alias) || !find_size(&plain, &size, 0) || !size ||
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
    memory_check(map_add(&r->map, hash, r->n));
    return r->known[r->n++].type;
}

void type_reader_free(struct type_reader *r)
{
    map_release(&r->map);
    free(r->known);
    *r = (struct type_reader){.n = 0};
}

/*--- Finding types ---*/

/* Scopes in scopes, blocks in blocks; and entries that one search looks at: a file may lead in a
 * circle. */
enum { NESTED_MAX = 64, FIND_ENTRIES_MAX = 1 << 22 };

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
    Dwarf_Addr indexed;

    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return false;
    *address = ops[0].number;
    if (ops[0].atom == DW_OP_addr)
        return true;
    if ((ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) ||
        dwarf_getlocation_attr(&attribute, &ops[0], &inner) != 0 ||
        dwarf_formaddr(&inner, &indexed) != 0)
        return false;
    *address = indexed;
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
        Dwarf *unit_dwarf = dwarf_cu_getdwarf(d->units[i].die.cu);

        if (unit_dwarf == dwarf)
            continue;
        dwarf = unit_dwarf;
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
    } while (++n->entries < FIND_ENTRIES_MAX && type_next(&die));
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
    } while (++l->entries < FIND_ENTRIES_MAX && type_next(&die));
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
