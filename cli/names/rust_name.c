#include <config.h>

#include "names/rust_name.h"

#include "base/strbuf.h"
#include "names/brackets.h"

#include <ctype.h>
#include <string.h>

/*--- Linkage names ---*/

#define HEX "0123456789abcdef"

const char *rust_next_hash(const char *text)
{
    for (const char *p = strstr(text, "17h"); p; p = strstr(p + 1, "17h")) {
        const char *digits = p + 3;

        if (strspn(digits, HEX) >= RUST_HASH_DIGITS && digits[RUST_HASH_DIGITS] == 'E')
            return digits;
    }
    return NULL;
}

size_t rust_size_without_hash(const char *name, size_t size)
{
    const size_t whole = strlen("::h") + RUST_HASH_DIGITS;
    const char *hash;

    if (size <= whole)
        return size;
    hash = name + size - whole;
    if (memcmp(hash, "::h", 3) != 0 || strspn(hash + 3, HEX) < RUST_HASH_DIGITS)
        return size;
    return size - whole;
}

const char *rust_hash_of(const char *linkage)
{
    size_t size = strlen(linkage);

    if (strncmp(linkage, "_ZN", 3) == 0)
        return rust_next_hash(linkage);
    return rust_ends_in_hash(linkage) ? linkage + size - RUST_HASH_DIGITS : NULL;
}

bool rust_has_hash(const char *linkage)
{
    return strncmp(linkage, "_ZN", 3) == 0 && rust_next_hash(linkage);
}

bool rust_ends_in_hash(const char *name)
{
    size_t size = strlen(name);

    return rust_size_without_hash(name, size) < size;
}

bool rust_is_mangled(const char *linkage)
{
    return strncmp(linkage, "_R", 2) == 0 || rust_has_hash(linkage);
}

bool rust_is_linkage(const char *name)
{
    return rust_is_mangled(name) || rust_ends_in_hash(name);
}

/* Types are nested no deeper than this; deeper ones stay as they are. */
enum { DEPTH_MAX = 64 };

/* A part of a text. */
struct span {
    const char *p, *end;
};

/* The text that is written; `generic`: arguments become "_". */
struct writer {
    struct strbuf text;
    bool generic;
};

static void put_text(struct writer *w, const char *text)
{
    strbuf_add(&w->text, text);
}

static void put_span(struct writer *w, struct span s)
{
    strbuf_add_bytes(&w->text, s.p, (size_t)(s.end - s.p));
}

static bool starts(struct span s, const char *text)
{
    size_t size = strlen(text);

    return (size_t)(s.end - s.p) >= size && memcmp(s.p, text, size) == 0;
}

static bool is_text(struct span s, const char *text)
{
    return (size_t)(s.end - s.p) == strlen(text) && starts(s, text);
}

/* Past the bracket at `p` and what it encloses; the end where it is not closed. */
static const char *skip_bracket(const char *p, const char *end)
{
    const char *after = bracket_end(p, end);

    return after ? after : end;
}

/* The first `text` in `s` that is in no bracket, or NULL. */
static const char *outside(struct span s, const char *text)
{
    return find_outside(s.p, s.end, text);
}

static bool in_std(struct span path)
{
    return starts(path, "core::") || starts(path, "alloc::") || starts(path, "std::");
}

/* The end of the path that begins at `p`: names, brackets and "::" between them. */
static const char *path_end(const char *p, const char *end)
{
    bool name = true; /* one may begin here */

    while (p < end) {
        if (name && is_word(*p)) {
            while (p < end && is_word(*p))
                p++;
            name = false;
        } else if (*p == '<' || (name && *p == '{')) {
            p = skip_bracket(p, end);
            name = false;
        } else if (end - p >= 2 && p[0] == ':' && p[1] == ':') {
            p += 2;
            name = true;
        } else {
            break;
        }
    }
    return p;
}

/* Where the last name of a path begins, arguments aside; with the one before it where it is a
 * closure or the like. */
static const char *last_name(struct span path)
{
    const char *before = path.p, *last = path.p, *next;

    for (struct span rest = path; (next = outside(rest, "::")) != NULL; rest.p = next + 2) {
        if (next + 2 >= path.end || next[2] == '<')
            continue;
        before = last;
        last = next + 2;
    }
    return *last == '{' ? before : last;
}

static void put_type(struct writer *w, struct span s, unsigned depth);

/* Tells whether an argument is the allocator that the standard collections have unless told
 * otherwise, or the parameter for it, which comes last. */
static bool is_allocator(struct span argument, bool last)
{
    return is_text(argument, "alloc::alloc::Global") || (last && is_text(argument, "A"));
}

/* The arguments in `s`, short, one after the other. */
static void put_list(struct writer *w, struct span s, bool std, unsigned depth)
{
    for (bool first = true; s.p < s.end;) {
        const char *comma = outside(s, ",");
        struct span argument = {s.p, comma ? comma : s.end};

        s.p = comma ? comma + 1 : s.end;
        while (argument.p < argument.end && *argument.p == ' ')
            argument.p++;
        if (!first && std && is_allocator(argument, s.p == s.end))
            continue;
        if (!first)
            put_text(w, ", ");
        put_type(w, argument, depth + 1);
        first = false;
    }
}

/* "<...>" with short arguments. */
static void put_arguments(struct writer *w, struct span s, bool std, unsigned depth)
{
    struct span inner = {s.p + 1, s.end - 1};

    if (s.end - s.p < 2 || s.end[-1] != '>') {
        put_span(w, s);
        return;
    }
    put_text(w, "<");
    if (w->generic)
        put_text(w, "_");
    else
        put_list(w, inner, std, depth);
    put_text(w, ">");
}

/* Names of a path as they are, closures with one pair of braces, arguments short. */
static void put_names(struct writer *w, struct span s, bool std, unsigned depth)
{
    while (s.p < s.end) {
        const char *next = s.p + 1;

        if (*s.p == '<') {
            next = skip_bracket(s.p, s.end);
            put_arguments(w, (struct span){s.p, next}, std, depth);
        } else if (starts(s, "{{") && (next = skip_bracket(s.p, s.end)) - s.p > 4 &&
                   next[-2] == '}') {
            put_span(w, (struct span){s.p + 1, next - 1});
        } else if (*s.p == '{') {
            next = skip_bracket(s.p, s.end);
            put_span(w, (struct span){s.p, next});
        } else {
            while (next < s.end && *next != '<' && *next != '{')
                next++;
            put_span(w, (struct span){s.p, next});
        }
        s.p = next;
    }
}

/* "<T as Trait>" or "<T>", the brackets being there; the trait without its path. */
static void put_qualified(struct writer *w, struct span s, bool keep_path, unsigned depth);

/* A path within a type: only its last name. */
static void put_path(struct writer *w, struct span path, unsigned depth)
{
    const char *last;

    if (*path.p == '<') {
        const char *end = skip_bracket(path.p, path.end);

        put_qualified(w, (struct span){path.p, end}, false, depth);
        put_names(w, (struct span){end, path.end}, false, depth);
        return;
    }
    last = last_name(path);
    put_names(w, (struct span){last, path.end}, in_std(path), depth);
}

/* Any type: paths in it are shortened, all else stays. */
static void put_type(struct writer *w, struct span s, unsigned depth)
{
    if (depth > DEPTH_MAX) {
        put_span(w, s);
        return;
    }
    while (s.p < s.end) {
        const char *end;

        if (is_word(*s.p) || *s.p == '<') {
            end = path_end(s.p, s.end);
            put_path(w, (struct span){s.p, end}, depth + 1);
        } else if (*s.p == '{') {
            end = skip_bracket(s.p, s.end);
            put_names(w, (struct span){s.p, end}, false, depth);
        } else {
            end = s.p + 1;
            strbuf_add_char(&w->text, *s.p);
        }
        s.p = end;
    }
}

static bool is_path(struct span type)
{
    return type.p < type.end && is_word(*type.p) && !starts(type, "dyn ") && !starts(type, "fn(") &&
           !starts(type, "unsafe ") && !starts(type, "extern ") && !starts(type, "impl ") &&
           path_end(type.p, type.end) == type.end;
}

/* The path that a whole name is in. Paths of std begin with their first type or trait, whose names
 * are in capitals. */
static void put_own_path(struct writer *w, struct span path, unsigned depth)
{
    bool std = in_std(path);
    const char *next;

    for (struct span rest = path; std && (next = outside(rest, "::")); rest.p = next + 2) {
        if (isupper((unsigned char)*rest.p)) {
            path.p = rest.p;
            break;
        }
        if (next + 2 < path.end && isupper((unsigned char)next[2]) &&
            !outside((struct span){next + 2, path.end}, "::")) {
            path.p = next + 2; /* the last one */
            break;
        }
    }
    put_names(w, path, std, depth);
}

/* A type that a function belongs to: a path without brackets, any other type in brackets. */
static void put_owner(struct writer *w, struct span type, unsigned depth)
{
    if (is_path(type)) {
        put_own_path(w, type, depth);
        return;
    }
    put_text(w, "<");
    put_type(w, type, depth + 1);
    put_text(w, ">");
}

static void put_pair(struct writer *w, struct span self, struct span trait, bool keep_path,
                     unsigned depth)
{
    put_text(w, "<");
    if (keep_path && is_path(self))
        put_own_path(w, self, depth + 1);
    else
        put_type(w, self, depth + 1);
    put_text(w, " as ");
    put_type(w, trait, depth + 1);
    put_text(w, ">");
}

static void put_qualified(struct writer *w, struct span s, bool keep_path, unsigned depth)
{
    struct span inner = {s.p + 1, s.end - 1};
    const char *as;

    if (s.end - s.p < 2 || s.end[-1] != '>' || depth > DEPTH_MAX) {
        put_span(w, s);
        return;
    }
    as = outside(inner, " as ");
    if (as)
        put_pair(w, (struct span){inner.p, as}, (struct span){as + 4, inner.end}, keep_path, depth);
    else
        put_owner(w, inner, depth + 1);
}

/* "<impl Trait for T>" or "<impl T>" as "<T as Trait>" or "T". */
static void put_impl(struct writer *w, struct span s)
{
    struct span inner = {s.p + strlen("<impl "), s.end - 1};
    const char *type = outside(inner, " for ");

    if (type)
        put_pair(w, (struct span){type + 5, inner.end}, (struct span){inner.p, type}, true, 0);
    else
        put_owner(w, inner, 0);
}

static void put_function(struct writer *w, struct span s)
{
    const char *impl = outside(s, "<impl "), *end;

    if (impl && (end = skip_bracket(impl, s.end)) < s.end) {
        put_impl(w, (struct span){impl, end});
        put_names(w, (struct span){end, s.end}, false, 0);
    } else if (s.p < s.end && *s.p == '<') {
        end = skip_bracket(s.p, s.end);
        put_qualified(w, (struct span){s.p, end}, true, 0);
        put_names(w, (struct span){end, s.end}, false, 0);
    } else {
        put_own_path(w, s, 0);
    }
}

static char *rewrite(const char *full, bool generic)
{
    const char *suffix = strstr(full, " [clone ");
    struct writer w = {.generic = generic};
    struct span name = {full, suffix ? suffix : full + strlen(full)};

    put_function(&w, name);
    if (suffix)
        put_text(&w, suffix);
    if (!w.text.size)
        strbuf_add(&w.text, full);
    return strbuf_take(&w.text);
}

char *rust_short_name(const char *full)
{
    return rewrite(full, false);
}

char *rust_generic_name(const char *full)
{
    return rewrite(full, true);
}

char *rust_short_arguments(const char *arguments)
{
    struct writer w = {.generic = false};

    put_list(&w, (struct span){arguments, arguments + strlen(arguments)}, true, 0);
    return strbuf_take(&w.text);
}
