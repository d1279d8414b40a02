#include <config.h>

/* Values of const generics in v0 names. */
#include "names/rust_v0_private.h"

#include <stdio.h>
#include <string.h>

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

/* The value of at most 16 digits; more fail. */
static uint64_t read_value(struct v0 *v)
{
    const char *digits;
    size_t n = read_hex(v, &digits);
    uint64_t value = 0;

    for (; n && *digits == '0'; n--)
        digits++;
    if (n > 16)
        v->failed = true;
    for (size_t i = 0; i < n; i++)
        value = value << 4 | nibble(digits[i]);
    return value;
}

static void read_integer(struct v0 *v)
{
    const char *digits;
    size_t n = read_hex(v, &digits);
    uint64_t value = 0;

    for (; n && *digits == '0'; n--)
        digits++;
    if (n > 16) {
        v0_put(v, "0x");
        v0_put_bytes(v, digits, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        value = value << 4 | nibble(digits[i]);
    v0_put_number(v, value);
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

static void read_const_back(struct v0 *v, bool in_value)
{
    const char *after = v0_go_back(v);

    if (!after)
        return;
    v0_read_const(v, in_value);
    v->next = after;
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
        read_const_back(v, in_value);
    } else if (tag == 'R' && v0_eat(v, 'e')) {
        read_string(v);
    } else {
        v0_put(v, in_value ? "" : "{");
        read_expression(v, tag);
        v0_put(v, in_value ? "" : "}");
    }
}

void v0_read_const(struct v0 *v, bool in_value)
{
    char tag = v0_take(v);

    if (v->failed)
        return;
    if (v0_enter(v))
        read_const_of(v, tag, in_value);
    v0_leave(v);
}
