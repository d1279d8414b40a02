#include <config.h>

#include "symbols/type.h"

#include "base/memory.h"

#include <dwarf.h>
#include <string.h>

/* Steps from one type to the next: typedefs of typedefs. A file may lead in a circle. */
enum { STEPS_MAX = 64 };

/* Structs without a name in structs without a name, arrays in arrays. */
enum { NESTED_MAX = 8 };

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

uint64_t type_count(Dwarf_Die *range)
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

static bool find_size(Dwarf_Die *type, uint64_t *size, int depth)
{
    Dwarf_Die plain = *type;
    Dwarf_Word known;

    if (depth > NESTED_MAX || !type_plain(&plain, NULL, NULL))
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

bool type_size(Dwarf_Die *type, uint64_t *size)
{
    return find_size(type, size, 0);
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

    if (depth > NESTED_MAX || !type_child(type, &child))
        return false;
    do {
        int tag = dwarf_tag(&child);
        const char *its = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;

        if (its && !strcmp(its, name)) {
            *member = child;
            return true;
        }
        if (((tag == DW_TAG_member && !its) || tag == DW_TAG_inheritance) &&
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
