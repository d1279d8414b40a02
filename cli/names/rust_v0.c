#include <config.h>

/* Paths and types of v0 names. */
#include "base/memory.h"
#include "names/rust_v0.h"
#include "names/rust_v0_private.h"

#include <stdlib.h>
#include <string.h>

static void read_type(struct v0 *v);

static void put_lifetime(struct v0 *v, uint64_t index)
{
    uint64_t depth = v->lifetimes - index;
    char name[2] = {'\''};

    if (v->skipping)
        return;
    if (index > v->lifetimes) {
        v->failed = true;
        return;
    }
    name[1] = index && depth < 26 ? (char)('a' + depth) : '_';
    v0_put_bytes(v, name, 2);
    if (index && depth >= 26)
        v0_put_number(v, depth);
}

/* Reads "G..." and writes "for<'a, 'b> ". Returns how many lifetimes are bound. */
static uint64_t begin_binder(struct v0 *v)
{
    uint64_t n = v0_tagged_62(v, 'G');

    if (v->skipping || !n)
        return 0;
    v0_put(v, "for<");
    for (uint64_t i = 0; i < n && !v->failed; i++) {
        if (i)
            v0_put(v, ", ");
        v->lifetimes++;
        put_lifetime(v, 1);
    }
    v0_put(v, "> ");
    return n;
}

static void read_argument(struct v0 *v)
{
    if (v0_eat(v, 'L'))
        put_lifetime(v, v0_base_62(v));
    else if (v0_eat(v, 'K'))
        v0_read_const(v, false);
    else
        read_type(v);
}

/* The arguments up to 'E', behind "<". */
static void read_arguments(struct v0 *v)
{
    v0_put(v, "<");
    for (unsigned n = 0; v0_goes_on(v, n); n++)
        read_argument(v);
}

static void read_nested(struct v0 *v, bool in_value)
{
    char space = v0_take(v);
    bool is_special = space >= 'A' && space <= 'Z';
    struct v0_ident name;
    uint64_t number;

    if (!is_special && (space < 'a' || space > 'z'))
        v->failed = true;
    v0_read_path(v, in_value);
    number = v0_tagged_62(v, 's');
    name = v0_read_ident(v);
    if (is_special) {
        v0_put(v, "::{");
        if (space == 'C' || space == 'S')
            v0_put(v, space == 'C' ? "closure" : "shim");
        else
            v0_put_bytes(v, &space, 1);
        v0_put(v, name.size ? ":" : "");
    } else {
        v0_put(v, name.size ? "::" : "");
    }
    v0_put_ident(v, &name);
    if (is_special) {
        v0_put(v, "#");
        v0_put_number(v, number);
        v0_put(v, "}");
    }
}

/* "<T>", "<T as Trait>" */
static void read_impl(struct v0 *v, char tag)
{
    if (tag != 'Y') {
        (void)v0_tagged_62(v, 's');
        v->skipping++;
        v0_read_path(v, false);
        v->skipping--;
    }
    v0_put(v, "<");
    read_type(v);
    if (tag != 'M') {
        v0_put(v, " as ");
        v0_read_path(v, false);
    }
    v0_put(v, ">");
}

static void read_crate(struct v0 *v)
{
    struct v0_ident name;

    (void)v0_tagged_62(v, 's');
    name = v0_read_ident(v);
    v0_put_ident(v, &name);
}

static void read_path_back(struct v0 *v, bool in_value)
{
    const char *after = v0_go_back(v);

    if (!after)
        return;
    v0_read_path(v, in_value);
    v->next = after;
}

void v0_read_path(struct v0 *v, bool in_value)
{
    char tag = v0_take(v);

    if (v0_enter(v))
        switch (tag) {
        case 'C':
            read_crate(v);
            break;
        case 'N':
            read_nested(v, in_value);
            break;
        case 'M':
        case 'X':
        case 'Y':
            read_impl(v, tag);
            break;
        case 'I':
            v0_read_path(v, in_value);
            v0_put(v, in_value ? "::" : "");
            read_arguments(v);
            v0_put(v, ">");
            break;
        case 'B':
            read_path_back(v, in_value);
            break;
        default:
            v->failed = true;
        }
    v0_leave(v);
}

/* A trait whose arguments may go on with types of its items. Returns whether its '<' is open. */
static bool read_open_path(struct v0 *v)
{
    const char *after;
    bool is_open = false;

    if (v0_enter(v)) {
        if (v0_eat(v, 'B')) {
            if ((after = v0_go_back(v))) {
                is_open = read_open_path(v);
                v->next = after;
            }
        } else if (v0_eat(v, 'I')) {
            v0_read_path(v, false);
            read_arguments(v);
            is_open = true;
        } else {
            v0_read_path(v, false);
        }
    }
    v0_leave(v);
    return is_open;
}

static void read_dyn_trait(struct v0 *v)
{
    bool is_open = read_open_path(v);

    while (v0_eat(v, 'p')) {
        struct v0_ident name;

        v0_put(v, is_open ? ", " : "<");
        is_open = true;
        name = v0_read_ident(v);
        v0_put_ident(v, &name);
        v0_put(v, " = ");
        read_type(v);
    }
    v0_put(v, is_open ? ">" : "");
}

static void read_dyn(struct v0 *v)
{
    uint64_t bound, lifetime;

    v0_put(v, "dyn ");
    bound = begin_binder(v);
    for (unsigned n = 0; !v->failed && !v0_eat(v, 'E'); n++) {
        v0_put(v, n ? " + " : "");
        read_dyn_trait(v);
    }
    v->lifetimes -= bound;
    if (!v0_eat(v, 'L'))
        v->failed = true;
    lifetime = v0_base_62(v);
    if (lifetime) {
        v0_put(v, " + ");
        put_lifetime(v, lifetime);
    }
}

static void read_abi(struct v0 *v)
{
    struct v0_ident name = {"C", 1, false};

    if (!v0_eat(v, 'C'))
        name = v0_read_ident(v);
    v0_put(v, "extern \"");
    for (size_t i = 0; i < name.size; i++)
        v0_put_bytes(v, name.bytes[i] == '_' ? "-" : name.bytes + i, 1);
    v0_put(v, "\" ");
}

static void read_function_type(struct v0 *v)
{
    uint64_t bound = begin_binder(v);

    v0_put(v, v0_eat(v, 'U') ? "unsafe " : "");
    if (v0_eat(v, 'K'))
        read_abi(v);
    v0_put(v, "fn(");
    for (unsigned n = 0; v0_goes_on(v, n); n++)
        read_type(v);
    v0_put(v, ")");
    if (!v0_eat(v, 'u')) {
        v0_put(v, " -> ");
        read_type(v);
    }
    v->lifetimes -= bound;
}

static const char *basic_type(char tag)
{
    static const char *const names[26] = {"i8",   "bool",  "char",  "f64", "str", "f32", NULL,
                                          "u8",   "isize", "usize", NULL,  "i32", "u32", "i128",
                                          "u128", "_",     NULL,    NULL,  "i16", "u16", "()",
                                          "...",  NULL,    "i64",   "u64", "!"};

    return tag >= 'a' && tag <= 'z' ? names[tag - 'a'] : NULL;
}

static void read_reference(struct v0 *v, char tag)
{
    uint64_t lifetime = v0_eat(v, 'L') ? v0_base_62(v) : 0;

    v0_put(v, "&");
    if (lifetime) {
        put_lifetime(v, lifetime);
        v0_put(v, " ");
    }
    v0_put(v, tag == 'Q' ? "mut " : "");
    read_type(v);
}

static void read_array(struct v0 *v, char tag)
{
    v0_put(v, "[");
    read_type(v);
    if (tag == 'A') {
        v0_put(v, "; ");
        v0_read_const(v, true);
    }
    v0_put(v, "]");
}

static void read_tuple(struct v0 *v)
{
    unsigned n = 0;

    v0_put(v, "(");
    for (; v0_goes_on(v, n); n++)
        read_type(v);
    v0_put(v, n == 1 ? ",)" : ")");
}

static void read_type_back(struct v0 *v)
{
    const char *after = v0_go_back(v);

    if (!after)
        return;
    read_type(v);
    v->next = after;
}

static void read_other_type(struct v0 *v, char tag)
{
    switch (tag) {
    case 'R':
    case 'Q':
        read_reference(v, tag);
        break;
    case 'P':
    case 'O':
        v0_put(v, tag == 'P' ? "*const " : "*mut ");
        read_type(v);
        break;
    case 'A':
    case 'S':
        read_array(v, tag);
        break;
    case 'T':
        read_tuple(v);
        break;
    case 'F':
        read_function_type(v);
        break;
    case 'D':
        read_dyn(v);
        break;
    case 'B':
        read_type_back(v);
        break;
    default:
        v->next--;
        v0_read_path(v, false);
    }
}

static void read_type(struct v0 *v)
{
    char tag = v0_take(v);
    const char *basic = basic_type(tag);

    if (v->failed)
        return;
    if (basic)
        v0_put(v, basic);
    else if (v0_enter(v))
        read_other_type(v, tag);
    if (!basic)
        v0_leave(v);
}

char *rust_v0_demangle(const char *name, unsigned long most)
{
    struct v0 v = {.start = name + 2, .next = name + 2, .most = most};

    v.end = v.start + strcspn(v.start, ".$");
    for (const char *p = v.start; p < v.end; p++)
        if ((unsigned char)*p >= 0x80)
            return NULL;
    v.text = xmalloc(most + 1);
    v0_read_path(&v, true);
    if (!v.failed && v.next < v.end) { /* the crate that the instance is in */
        v.skipping++;
        v0_read_path(&v, false);
    }
    if (v.failed || v.next != v.end) {
        free(v.text);
        return NULL;
    }
    v.text[v.size] = '\0';
    return xreallocarray(v.text, v.size + 1, 1);
}
