#include <config.h>

#include "names/rust_v0.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Characters ---*/

size_t utf8_put(char *to, unsigned long c)
{
    if (c < 0x80 || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
        return 0;
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/*--- Names ---*/

/*
 * The name is read from `next` to `end`, and written as it is read: each production of the grammar
 * is a function. A back reference reads from an earlier place, so little input may be much output,
 * which `most` limits. Nothing is written, and no back reference is followed, while `skipping`.
 */
struct v0 {
    const char *start, *next, *end;
    char *text;
    size_t size, most;
    bool failed;
    unsigned skipping;
    unsigned depth;
    uint64_t lifetimes; /* bound by "for<...>" around what is read */
};

struct v0_ident {
    const char *bytes;
    size_t size;
    bool is_punycode;
};

static void v0_read_path(struct v0 *v, bool in_value);
static void v0_read_const(struct v0 *v, bool in_value);

/*--- Reading ---*/

/* Deeper names are malformed: rustc's own demangler has this bound. */
enum { DEPTH_MOST = 500, PUNYCODE_MOST = 128 };

static void v0_put_bytes(struct v0 *v, const char *bytes, size_t size)
{
    if (v->skipping || v->failed)
        return;
    if (size > v->most - v->size) {
        v->failed = true;
        return;
    }
    memcpy(v->text + v->size, bytes, size);
    v->size += size;
}

static void v0_put(struct v0 *v, const char *text)
{
    v0_put_bytes(v, text, strlen(text));
}

static void v0_put_number(struct v0 *v, uint64_t number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, number);
    v0_put(v, digits);
}

static void v0_put_character(struct v0 *v, uint32_t c)
{
    char bytes[4];
    size_t size = c < 0x80 ? (bytes[0] = (char)c, 1) : utf8_put(bytes, c);

    if (!size)
        v->failed = true;
    v0_put_bytes(v, bytes, size);
}

/* The next character; fails, and returns NUL, at the end. */
static char v0_take(struct v0 *v)
{
    if (v->failed || v->next == v->end) {
        v->failed = true;
        return '\0';
    }
    return *v->next++;
}

/* Takes the next character if it is this one. */
static bool v0_eat(struct v0 *v, char c)
{
    if (v->failed || v->next == v->end || *v->next != c)
        return false;
    v->next++;
    return true;
}

/* Tells whether a list that has `n` items goes on, and writes a comma then; its 'E' is taken. */
static bool v0_goes_on(struct v0 *v, unsigned n)
{
    if (v->failed || v0_eat(v, 'E'))
        return false;
    if (n)
        v0_put(v, ", ");
    return true;
}

/*--- Numbers and identifiers ---*/

/* The value of a digit; 62: it is none. */
static unsigned v0_digit_62(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
                                  : 62;
}

static uint64_t v0_base_62(struct v0 *v)
{
    uint64_t n = 0;

    if (v0_eat(v, '_'))
        return 0;
    while (!v->failed && !v0_eat(v, '_')) {
        unsigned digit = v0_digit_62(v0_take(v));

        if (digit == 62 || __builtin_mul_overflow(n, 62, &n) ||
            __builtin_add_overflow(n, digit, &n))
            v->failed = true;
    }
    if (n == UINT64_MAX)
        v->failed = true;
    return n + 1;
}

/* A number behind its tag, from 1 on; 0 where the tag is not there. */
static uint64_t v0_tagged_62(struct v0 *v, char tag)
{
    return v0_eat(v, tag) ? v0_base_62(v) + 1 : 0;
}

static struct v0_ident v0_read_ident(struct v0 *v)
{
    struct v0_ident i = {.is_punycode = v0_eat(v, 'u')};
    char c = v0_take(v);

    if (c < '0' || c > '9')
        v->failed = true;
    i.size = (size_t)(c - '0');
    while (c != '0' && !v->failed && v->next < v->end && *v->next >= '0' && *v->next <= '9' &&
           i.size < (size_t)(v->end - v->start))
        i.size = i.size * 10 + (size_t)(*v->next++ - '0');
    (void)v0_eat(v, '_');
    if (v->failed || i.size > (size_t)(v->end - v->next)) {
        v->failed = true;
        return (struct v0_ident){.bytes = ""};
    }
    i.bytes = v->next;
    v->next += i.size;
    return i;
}

/* RFC 3492, 6.1 */
static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
    uint32_t k = 0;

    delta = first ? delta / 700 : delta / 2;
    delta += delta / points;
    for (; delta > 35 * 26 / 2; k += 36)
        delta /= 35;
    return k + 36 * delta / (delta + 38);
}

/* The distance of the next character, RFC 3492, 6.2. Returns false where it is malformed. */
static bool read_delta(const char **at, const char *end, uint32_t bias, uint32_t *delta)
{
    uint64_t weight = 1, sum = 0;

    for (uint32_t k = 36;; k += 36) {
        uint32_t t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias, digit;

        if (*at == end)
            return false;
        digit = v0_digit_62(*(*at)++);
        if (digit >= 36)
            return false;
        digit = digit < 10 ? digit + 26 : digit - 10;
        sum += digit * weight;
        if (sum > INT32_MAX)
            return false;
        if (digit < t) {
            *delta = (uint32_t)sum;
            return true;
        }
        weight *= 36 - t;
        if (weight > INT32_MAX)
            return false;
    }
}

/* Returns the number of characters; 0: it is malformed, or too long. */
static size_t decode_punycode(const struct v0_ident *ident, uint32_t *out)
{
    const char *end = ident->bytes + ident->size, *at = memrchr(ident->bytes, '_', ident->size);
    size_t n = at ? (size_t)(at - ident->bytes) : 0;
    uint32_t c = 0x80, i = 0, bias = 72, delta;

    if (n > PUNYCODE_MOST)
        return 0;
    for (size_t k = 0; k < n; k++)
        out[k] = (unsigned char)ident->bytes[k];
    at = at ? at + 1 : ident->bytes;
    for (bool first = true; at < end; first = false, i++) {
        if (n == PUNYCODE_MOST || !read_delta(&at, end, bias, &delta))
            return 0;
        i += delta;
        n++;
        bias = adapt(delta, (uint32_t)n, first);
        c += i / (uint32_t)n;
        i %= (uint32_t)n;
        memmove(out + i + 1, out + i, (n - 1 - i) * sizeof *out);
        out[i] = c;
    }
    return n;
}

static void v0_put_ident(struct v0 *v, const struct v0_ident *ident)
{
    uint32_t characters[PUNYCODE_MOST];
    size_t n = ident->is_punycode ? decode_punycode(ident, characters) : 0;

    if (ident->is_punycode && !n)
        v0_put(v, "punycode{");
    if (!n)
        v0_put_bytes(v, ident->bytes, ident->size);
    if (ident->is_punycode && !n)
        v0_put(v, "}");
    for (size_t i = 0; i < n; i++)
        v0_put_character(v, characters[i]);
}

/* Stand around what may hold itself. False: it is too deep, or has failed. */
static bool v0_enter(struct v0 *v)
{
    if (++v->depth > DEPTH_MOST)
        v->failed = true;
    return !v->failed;
}

static void v0_leave(struct v0 *v)
{
    v->depth--;
}

/* Behind the 'B' of a back reference: goes to its place. Returns where to go on afterwards; NULL:
 * it is not to be followed. */
static const char *v0_go_back(struct v0 *v)
{
    const char *from = v->next - 1, *after;
    uint64_t place = v0_base_62(v);

    after = v->next;
    if (place >= (uint64_t)(from - v->start))
        v->failed = true;
    if (v->failed || v->skipping)
        return NULL;
    v->next = v->start + place;
    return after;
}

/* Reads what a back reference is to. */
static void v0_read_back(struct v0 *v, void (*read)(struct v0 *v, bool in_value), bool in_value)
{
    const char *after = v0_go_back(v);

    if (!after)
        return;
    read(v, in_value);
    v->next = after;
}

/*--- Constants ---*/

/* Hexadecimal digits up to '_'. Returns their number. */
static size_t read_hex(struct v0 *v, const char **digits)
{
    *digits = v->next;
    while (!v->failed && !v0_eat(v, '_')) {
        unsigned digit = v0_digit_62(v0_take(v));

        if (digit >= 16)
            v->failed = true;
    }
    return v->failed ? 0 : (size_t)(v->next - *digits) - 1;
}

static unsigned nibble(char c)
{
    return v0_digit_62(c);
}

/* The value of hexadecimal digits; `*n` of them, from `*digits` on, without zeros before them. Of
 * more than 16 it is none. */
static uint64_t read_digits(struct v0 *v, const char **digits, size_t *n)
{
    uint64_t value = 0;

    for (*n = read_hex(v, digits); *n && **digits == '0'; --*n)
        ++*digits;
    for (size_t i = 0; i < *n; i++)
        value = value << 4 | nibble((*digits)[i]);
    return value;
}

/* The value of at most 16 digits; more fail. */
static uint64_t read_value(struct v0 *v)
{
    const char *digits;
    size_t n;
    uint64_t value = read_digits(v, &digits, &n);

    v->failed |= n > 16;
    return value;
}

static void read_integer(struct v0 *v)
{
    const char *digits;
    size_t n;
    uint64_t value = read_digits(v, &digits, &n);

    if (n <= 16) {
        v0_put_number(v, value);
        return;
    }
    v0_put(v, "0x");
    v0_put_bytes(v, digits, n);
}

/* Writes a character of a literal as Rust's Debug does, within these quotes. */
static void put_escaped(struct v0 *v, uint32_t c, char quote)
{
    static const char plain[] = "\t\r\n\\", named[] = "trn\\";
    const char *at = c && c < 0x80 ? strchr(plain, (int)c) : NULL;
    char text[16];

    if (at || c == '\0' || c == (unsigned char)quote) {
        text[0] = '\\';
        text[1] = at ? named[at - plain] : c ? quote : '0';
        v0_put_bytes(v, text, 2);
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
        snprintf(text, sizeof text, "\\u{%x}", (unsigned)c);
        v0_put(v, text);
    } else {
        v0_put_character(v, c);
    }
}

/* Takes a character of UTF-8 that hexadecimal digits stand for; fails where there is none. */
static uint32_t take_character(struct v0 *v, const char **digits, const char *end)
{
    unsigned char bytes[4] = {0};
    size_t n = 0, want = 1;
    uint32_t c;

    for (; n < want && end - *digits >= 2; *digits += 2) {
        bytes[n] = (unsigned char)(nibble((*digits)[0]) << 4 | nibble((*digits)[1]));
        if (!n)
            want = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
        n++;
    }
    v->failed |= n < want || (bytes[0] >= 0x80 && bytes[0] < 0xc2) || bytes[0] > 0xf4;
    c = want == 1 ? bytes[0] : bytes[0] & (0xffu >> (want + 1));
    for (size_t i = 1; i < want; i++) {
        v->failed |= (bytes[i] & 0xc0) != 0x80;
        c = c << 6 | (bytes[i] & 0x3f);
    }
    return c;
}

static void read_string(struct v0 *v)
{
    const char *digits, *end;
    size_t n = read_hex(v, &digits);

    end = digits + n;
    v0_put(v, "\"");
    while (!v->failed && digits < end)
        put_escaped(v, take_character(v, &digits, end), '"');
    v0_put(v, "\"");
}

static void read_char(struct v0 *v)
{
    uint64_t c = read_value(v);

    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        v->failed = true;
    v0_put(v, "'");
    put_escaped(v, v->failed ? 0 : (uint32_t)c, '\'');
    v0_put(v, "'");
}

static void read_bool(struct v0 *v)
{
    uint64_t value = read_value(v);

    if (value > 1)
        v->failed = true;
    v0_put(v, value ? "true" : "false");
}

static unsigned read_consts(struct v0 *v)
{
    unsigned n = 0;

    for (; v0_goes_on(v, n); n++)
        v0_read_const(v, true);
    return n;
}

static void read_fields(struct v0 *v)
{
    v0_put(v, " { ");
    for (unsigned n = 0; v0_goes_on(v, n); n++) {
        struct v0_ident name;

        (void)v0_tagged_62(v, 's');
        name = v0_read_ident(v);
        v0_put_ident(v, &name);
        v0_put(v, ": ");
        v0_read_const(v, true);
    }
    v0_put(v, " }");
}

/* A value of a struct or an enum. */
static void read_adt(struct v0 *v)
{
    char kind;

    v0_read_path(v, true);
    kind = v0_take(v);
    if (kind == 'T') {
        v0_put(v, "(");
        (void)read_consts(v);
        v0_put(v, ")");
    } else if (kind == 'S') {
        read_fields(v);
    } else if (kind != 'U') {
        v->failed = true;
    }
}

/* Values that are expressions, which stand in braces unless they are within one. */
static void read_expression(struct v0 *v, char tag)
{
    switch (tag) {
    case 'e': /* "..." is a reference to it */
        v0_put(v, "*");
        read_string(v);
        break;
    case 'R':
    case 'Q':
        v0_put(v, tag == 'R' ? "&" : "&mut ");
        v0_read_const(v, true);
        break;
    case 'A':
        v0_put(v, "[");
        (void)read_consts(v);
        v0_put(v, "]");
        break;
    case 'T':
        v0_put(v, "(");
        v0_put(v, read_consts(v) == 1 ? ",)" : ")");
        break;
    case 'V':
        read_adt(v);
        break;
    default:
        v->failed = true;
    }
}

static void read_const_of(struct v0 *v, char tag, bool in_value)
{
    if (strchr("htmyoj", tag)) {
        read_integer(v);
    } else if (strchr("aslxni", tag)) {
        v0_put(v, v0_eat(v, 'n') ? "-" : "");
        read_integer(v);
    } else if (tag == 'b') {
        read_bool(v);
    } else if (tag == 'c') {
        read_char(v);
    } else if (tag == 'p') {
        v0_put(v, "_");
    } else if (tag == 'B') {
        v0_read_back(v, v0_read_const, in_value);
    } else if (tag == 'R' && v0_eat(v, 'e')) {
        read_string(v);
    } else {
        v0_put(v, in_value ? "" : "{");
        read_expression(v, tag);
        v0_put(v, in_value ? "" : "}");
    }
}

static void v0_read_const(struct v0 *v, bool in_value)
{
    char tag = v0_take(v);

    if (v->failed)
        return;
    if (v0_enter(v))
        read_const_of(v, tag, in_value);
    v0_leave(v);
}

/*--- Names ---*/

static void read_type(struct v0 *v, bool in_value);

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
        read_type(v, false);
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
    read_type(v, false);
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

static void v0_read_path(struct v0 *v, bool in_value)
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
            v0_read_back(v, v0_read_path, in_value);
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
        read_type(v, false);
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
        read_type(v, false);
    v0_put(v, ")");
    if (!v0_eat(v, 'u')) {
        v0_put(v, " -> ");
        read_type(v, false);
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
    read_type(v, false);
}

static void read_array(struct v0 *v, char tag)
{
    v0_put(v, "[");
    read_type(v, false);
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
        read_type(v, false);
    v0_put(v, n == 1 ? ",)" : ")");
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
        read_type(v, false);
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
        v0_read_back(v, read_type, false);
        break;
    default:
        v->next--;
        v0_read_path(v, false);
    }
}

/* Types are written alike within values. */
static void read_type(struct v0 *v, bool in_value)
{
    char tag = v0_take(v);
    const char *basic = basic_type(tag);

    (void)in_value;
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
