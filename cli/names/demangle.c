#include <config.h>

#include "names/demangle.h"

#include "base/memory.h"
#include "names/rust_linkage.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A mangled name longer than this is not looked at: the demanglers recurse over it. */
enum { MANGLED_MAX = 65536 };

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

/* Writes a character beyond ASCII as UTF-8; returns its size, 0 where it is none. */
static size_t put_utf8(char *to, unsigned long c)
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

/* Puts the characters beyond ASCII in their places, which legacy names have as "$u<hex>$" and
 * libiberty leaves so. They are never longer than that. */
static void decode_legacy(char *text)
{
    char *to = text;

    for (const char *p = text; *p;) {
        size_t digits = p[0] == '$' && p[1] == 'u' ? strspn(p + 2, "0123456789abcdef") : 0, size;

        if (digits > 1 && digits <= 6 && p[2 + digits] == '$' &&
            (size = put_utf8(to, strtoul(p + 2, NULL, 16)))) {
            to += size;
            p += digits + 3;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

static char *demangle_rust(const char *name)
{
    char *text = run(name, RUST), *whole;
    const char *suffix = rust_suffix(name);

    if (text && name[1] == 'Z')
        decode_legacy(text);
    if (!text || !suffix)
        return text;
    whole = xasprintf("%s [clone %s]", text, suffix); /* as the C++ demangler says it */
    free(text);
    return whole;
}

/* The name itself, between what stands around it; NULL where it is not mangled or is malformed. */
static char *demangle_stem(const char *stem, enum language cplusplus)
{
    char *text = NULL;

    if (!strncmp(stem, "_R", 2) || !strncmp(stem, "_ZN", 3))
        text = demangle_rust(stem);
    if (!text && !strncmp(stem, "_Z", 2)) {
        text = run(stem, cplusplus);
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
