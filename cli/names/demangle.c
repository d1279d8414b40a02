#include <config.h>

#include "names/demangle.h"

#include "base/memory.h"
#include "names/rust_name.h"
#include "names/rust_v0.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A mangled name longer than this is not looked at: the demanglers recurse over it. */
enum { MANGLED_MAX = 65536 };
/* How many letters Q of a malformed name are tried as the begin of its constraints. */
enum { CUTS_MAX = 64 };

/*
 * The text that a demangler has written. v0 names have back references, so 300 bytes can stand for
 * a text that takes longer than anyone lives to write; nothing stops the demangler but leaving it
 * by longjmp. That loses the memory that it has allocated; only a hostile name costs this, once.
 */
struct output {
    size_t size;
    jmp_buf too_long;
    char text[DEMANGLE_MAX];
};

static void write_output(const char *text, size_t size, void *opaque)
{
    struct output *o = opaque;

    if (!size) /* then the text may be NULL */
        return;
    if (size > DEMANGLE_MAX - o->size)
        longjmp(o->too_long, 1);
    memcpy(o->text + o->size, text, size);
    o->size += size;
}

enum language { RUST, CPLUSPLUS, CPLUSPLUS_BRIEF };

static int demangle_with(struct output *o, const char *linkage, enum language language)
{
    int options = DMGL_PARAMS | DMGL_ANSI | (language == CPLUSPLUS_BRIEF ? DMGL_RET_DROP : 0);

    if (language == RUST)
        return rust_demangle_callback(linkage, DMGL_PARAMS, write_output, o);
    return cplus_demangle_v3_callback(linkage, options, write_output, o);
}

/* Runs one demangler, in a frame of its own: no local of it changes after setjmp. */
static char *run(const char *linkage, enum language language)
{
    struct output *o = xmalloc(sizeof *o);
    char *text = NULL;

    o->size = 0;
    if (!setjmp(o->too_long) && demangle_with(o, linkage, language) && o->size)
        text = xstrndup(o->text, o->size);
    free(o);
    return text;
}

/* Where ".llvm.<digits>" begins at the end of a name, or its end. ThinLTO writes the digits of a
 * hash, a "." and more may follow. */
static size_t without_llvm(const char *name)
{
    const char *suffix = strstr(name, ".llvm.");

    if (!suffix || suffix == name || !isdigit((unsigned char)suffix[6]))
        return strlen(name);
    return (size_t)(suffix - name);
}

/* The suffix of a Rust name (".cold"), or NULL. v0 names have no dots; legacy ones end in a hash
 * and an E. */
static const char *rust_suffix(const char *name)
{
    const char *p;

    if (name[1] == 'R')
        return strchr(name, '.');
    for (p = rust_next_hash(name); p; p = rust_next_hash(p))
        if (p[RUST_HASH_DIGITS + 1] == '.')
            return p + RUST_HASH_DIGITS + 1;
    return NULL;
}

size_t rust_escape(char *to, const char *escape, size_t size)
{
    static const char *const escapes[] = {"SP@", "BP*", "RF&", "LT<", "GT>", "LP(", "RP)", "C,"};
    char *end;
    unsigned long c;

    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (strlen(escapes[i]) == size + 1 && !memcmp(escapes[i], escape, size)) {
            *to = escapes[i][size];
            return 1;
        }
    if (size < 2 || size > 7 || *escape != 'u' || strspn(escape + 1, "0123456789abcdef") < size - 1)
        return 0;
    c = strtoul(escape + 1, &end, 16);
    if (c >= 0x80)
        return utf8_put(to, c);
    *to = (char)c;
    return c >= 0x20 && c != 0x7f;
}

size_t rust_unescape(char *to, const char *name, size_t size)
{
    const char *p = name, *end = name + size;
    char *start = to;

    while (p < end) {
        const char *dollar = *p == '$' ? memchr(p + 1, '$', (size_t)(end - p - 1)) : NULL;
        size_t taken = dollar ? rust_escape(to, p + 1, (size_t)(dollar - p - 1)) : 0;

        if (*p == '_' && p + 1 < end && p[1] == '$' && (to == start || to[-1] == ':')) {
            p++; /* it only keeps a part from beginning with an escape */
        } else if (taken) {
            to += taken;
            p = dollar + 1;
        } else if (*p == '.' && p + 1 < end && p[1] == '.') {
            memcpy(to, "::", 2);
            to += 2;
            p += 2;
        } else {
            *to++ = *p++;
        }
    }
    return (size_t)(to - start);
}

/* The name of a legacy symbol, which libiberty knows to be one: it reads no more of a part behind a
 * letter beyond ASCII. NULL: malformed. */
static char *demangle_legacy(const char *name)
{
    char *text = xmalloc(2 * strlen(name) + 1), *to = text;
    const char *p = name + 3; /* _ZN */

    while (isdigit((unsigned char)*p)) {
        char *part;
        unsigned long size = strtoul(p, &part, 10);

        if (size > strlen(part)) {
            free(text);
            return NULL;
        }
        p = part + size;
        if (size == RUST_HASH_DIGITS + 1 && *part == 'h' && *p == 'E')
            break;
        if (to > text) {
            memcpy(to, "::", 2);
            to += 2;
        }
        to += rust_unescape(to, part, size);
    }
    *to = '\0';
    return text;
}

static char *demangle_rust(const char *name)
{
    char *text = name[1] == 'R' ? rust_v0_demangle(name, DEMANGLE_MAX) : run(name, RUST), *whole;
    const char *suffix = rust_suffix(name);

    if (text && name[1] == 'Z' && strchr(text, '$') && (whole = demangle_legacy(name))) {
        free(text);
        text = whole;
    }
    if (!text || !suffix)
        return text;
    whole = xasprintf("%s [clone %s]", text, suffix); /* as the C++ demangler says it */
    free(text);
    return whole;
}

/* The name up to a letter Q, with `end` behind it. */
static char *demangle_until(const char *stem, const char *q, const char *end,
                            enum language cplusplus)
{
    char *cut = xasprintf("%.*s%s", (int)(q - stem), stem, end);
    char *text = run(cut, cplusplus);

    free(cut);
    return text;
}

/*
 * A function of C++20 may end in its constraints, "Q" and an expression, and so may the arguments
 * of a template. libiberty cannot read those that are about parameters of a template around the
 * function, nor requires-expressions. This is the name without constraints, or NULL: cut at another
 * Q it is malformed. Parameters of a function refer to types in constraints of its template, and
 * are left out with these.
 */
static char *demangle_unconstrained(const char *stem, enum language cplusplus)
{
    const char *suffix = stem + strcspn(stem, ".");
    const char *q = strchr(stem, 'Q');
    bool is_nested =
        stem[2] == 'N'; /* then arguments of a template may not be the end of its name */
    char *text = NULL;

    for (int i = 0; i < CUTS_MAX && !text && q && q + 1 < suffix; i++, q = strchr(q + 1, 'Q')) {
        text = demangle_until(stem, q, suffix, cplusplus);
        if (!text && !is_nested && !*suffix)
            text = demangle_until(stem, q, "E", cplusplus);
    }
    return text;
}

/* The name itself, between what stands around it; NULL where it is not mangled or is malformed. */
static char *demangle_stem(const char *stem, enum language cplusplus)
{
    char *text = NULL;

    if (!strncmp(stem, "_R", 2) || !strncmp(stem, "_ZN", 3))
        text = demangle_rust(stem);
    if (!text && !strncmp(stem, "_Z", 2)) {
        text = run(stem, cplusplus);
        if (!text)
            text = demangle_unconstrained(stem, cplusplus);
        if (text)
            text[rust_size_without_hash(text, strlen(text))] = '\0'; /* it took Rust for C++ */
    }
    return text;
}

/* Where a symbol's version, or "@plt", begins, or the end. A linkage name has no brackets or
 * blanks: behind one, "@" is part of a name that another tool has demangled
 * ("[closure@src/a.rs:1]"). */
static size_t version_of(const char *linkage)
{
    size_t at = strcspn(linkage, "@");

    return strcspn(linkage, "[<({ ") < at ? strlen(linkage) : at;
}

/* Tells whether a name is all letters, digits and '_', as names of C are, and begins as no mangled
 * one does. Many are, and nothing can be made of them. */
static bool is_plain(const char *name)
{
    if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return !*name;
}

static char *demangle_as(const char *linkage, enum language cplusplus)
{
    size_t length;
    const char *plt;
    char *stem, *text, *whole;

    if (strnlen(linkage, MANGLED_MAX + 1) > MANGLED_MAX || is_plain(linkage))
        return NULL;
    length = version_of(linkage);
    plt = !strcmp(linkage + length, "@plt") ? "@plt" : "";
    if (length == 0)
        return NULL;
    stem = xstrndup(linkage, length);
    stem[without_llvm(stem)] = '\0';
    text = demangle_stem(stem, cplusplus);
    if (!text) {
        /* Not mangled; but a name that another tool has demangled keeps its hash. */
        text = stem;
        text[rust_size_without_hash(text, strlen(text))] = '\0';
    } else {
        free(stem);
    }
    whole = xasprintf("%s%s", text, plt);
    free(text);
    if (strcmp(whole, linkage) != 0)
        return whole;
    free(whole);
    return NULL;
}

char *demangle(const char *linkage)
{
    return demangle_as(linkage, CPLUSPLUS);
}

char *demangle_brief(const char *linkage)
{
    return demangle_as(linkage, CPLUSPLUS_BRIEF);
}
