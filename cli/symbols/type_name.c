#include <config.h>

/* The names of types. */
#include "base/strbuf.h"
#include "symbols/type.h"

#include <dwarf.h>
#include <inttypes.h>

/* Pointers to pointers, and arrays of arrays. */
enum { NESTED_MAX = 16 };

static void put_type(struct strbuf *text, Dwarf_Die *type, int depth);

/* The type that `of` points to, is an array of, or qualifies; `otherwise` where that is void. */
static void put_target(struct strbuf *text, Dwarf_Die *of, const char *otherwise, int depth)
{
    Dwarf_Die target;

    if (depth < NESTED_MAX && type_of(of, &target))
        put_type(text, &target, depth + 1);
    else
        strbuf_add(text, depth < NESTED_MAX ? otherwise : "...");
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

char *type_name(Dwarf_Die *type)
{
    struct strbuf text = {NULL, 0, 0};

    put_type(&text, type, 0);
    return strbuf_take(&text);
}
