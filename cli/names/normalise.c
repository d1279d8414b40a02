#include <config.h>

#include "names/normalise.h"

#include "base/memory.h"
#include "names/brackets.h"
#include "names/demangle.h"
#include "names/location.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HEX "0123456789abcdef"

/* A name longer than this has keys equal to itself: some steps below take its length squared. */
enum { NAME_MAX_LENGTH = 16384 };

/* Takes the `size` bytes at `at` out of its text. */
static void cut(char *at, size_t size)
{
    memmove(at, at + size, strlen(at + size) + 1);
}

/*--- Half demangled names, which a demangler for C++ makes of Rust's legacy ones ---*/

static bool has_escapes(const char *name)
{
    char room[RUST_ESCAPE_MAX];

    for (const char *p = strchr(name, '$'), *end; p && (end = strchr(p + 1, '$')); p = end)
        if (rust_escape(room, p + 1, (size_t)(end - p - 1)))
            return true;
    return false;
}

/*--- The first key ---*/

/* The next "::h<16 hex>" that ends a segment, or NULL. */
static char *find_hash(const char *name)
{
    const char *p = name;

    while ((p = strstr(p, "::h")) != NULL && (strspn(p + 3, HEX) != 16 || is_word(p[19])))
        p += 3;
    return (char *)p;
}

static void cut_hashes(char *name)
{
    for (char *p = name; (p = find_hash(p)) != NULL;)
        cut(p, 19);
}

/* Cuts "[<hex>]" behind an identifier: how some demanglers show a crate's disambiguator. */
static void cut_disambiguators(char *name)
{
    char *p = name;

    while ((p = strchr(p, '[')) != NULL) {
        size_t digits = strspn(p + 1, HEX);

        if (p > name && is_word(p[-1]) && digits >= 8 && digits <= 16 && p[1 + digits] == ']')
            cut(p, digits + 2);
        else
            p++;
    }
}

/* Cuts " [clone .cold]" and what else stands so behind a name. */
static void cut_clones(char *name)
{
    char *clone = strstr(name, " [clone ");

    if (clone && clone > name && name[strlen(name) - 1] == ']')
        *clone = '\0';
}

/* Tells whether ".<word>" is one that compilers append. */
static bool is_suffix(const char *word, size_t size)
{
    static const char *const suffixes[] = {"cold", "constprop", "part",     "isra",
                                           "llvm", "warm",      "lto_priv", "localalias",
                                           "hot",  "clone",     "cfi",      "specialized"};

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strlen(suffixes[i]) == size && !memcmp(word, suffixes[i], size))
            return true;
    return size > 0 && strspn(word, "0123456789") >= size;
}

/* Cuts ".cold", ".constprop.0" and the like off the end, as often as they are there; and numbers
 * alone (".6071") only with `numbers`. */
static void cut_suffixes(char *name, bool numbers)
{
    for (;;) {
        char *dot = strrchr(name, '.'), *before = dot;
        size_t size = dot ? strlen(dot + 1) : 0;

        if (!dot || dot == name || !is_suffix(dot + 1, size))
            return;
        if (isdigit((unsigned char)dot[1]) && !numbers) {
            while (--before > name && *before != '.')
                ;
            if (before == name || !is_suffix(before + 1, (size_t)(dot - before - 1)))
                return;
        }
        *dot = '\0';
    }
}

/* Tells whether a name says no more than where the code is: "0x00000000000011a4". */
static bool is_address(const char *name)
{
    size_t digits = !strncmp(name, "0x", 2) ? strspn(name + 2, HEX "ABCDEF") : 0;

    return digits >= 4 && (!name[2 + digits] || !strncmp(name + 2 + digits, " [", 2));
}

/* Tells whether it is a linkage name, or the remains that a demangler for C++ leaves of one: both
 * say more than a name that was made for reading. */
static bool is_linkage_name(const char *name)
{
    return name && (!strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || find_hash(name));
}

/* "<P>::f" becomes "P::f". */
static void open_type(char *name)
{
    const char *end = *name == '<' ? bracket_end(name, name + strlen(name)) : NULL;

    if (!end || strncmp(end, "::", 2) != 0 || memmem(name, (size_t)(end - name), " as ", 4))
        return;
    cut(name + (end - name) - 1, 1);
    cut(name, 1);
}

/* Tells whether a name is "<P>::f" with a path P, arguments allowed: no reference, slice or `dyn
 * T`. */
static bool is_method_of_path(const char *name)
{
    const char *end =
        *name == '<' && is_word(name[1]) ? bracket_end(name, name + strlen(name)) : NULL;

    return end && type_is_path(name + 1, end - 1);
}

char *normalise_name(const char *name, const char *mangled)
{
    const char *source = is_linkage_name(mangled) ? mangled : name;
    char *key = demangle(source);
    bool hash = find_hash(source) != NULL; /* a legacy name, half demangled */

    if (!key)
        key = xstrdup(source); /* not mangled, or the demangler cannot read it */
    if (strlen(key) > NAME_MAX_LENGTH)
        return key;
    cut_hashes(key);
    /* Other names may have dots of their own. */
    if (has_escapes(key) || (hash && strstr(key, "..")))
        key[rust_unescape(key, key, strlen(key))] = '\0';
    cut_disambiguators(key);
    cut_clones(key);
    cut_suffixes(key, hash);
    if (is_method_of_path(key))
        open_type(key); /* the older mangling has no bracket there */
    if (*key && !is_address(key))
        return key;
    free(key);
    return xstrdup("???");
}

/*--- The second key ---*/

/* "{closure#2}", "{{closure}}", "{shim:vtable#0}", "{{vtable.shim}}": the kind alone. */
static void copy_braces(const char *at, const char *end, char **to)
{
    const char *word = at + strspn(at, "{");
    size_t size = strcspn(word, "}#:.");

    if (end - at > 6 && (memmem(at, (size_t)(end - at), "shim", 4))) {
        word = "shim";
        size = 4;
    }
    *(*to)++ = '{';
    memmove(*to, word, size);
    *to += size;
    *(*to)++ = '}';
}

/* Drops generic arguments, what is in [] and numbers in {}, in place: nothing gets longer. */
static void drop_arguments(char *name)
{
    const char *at = name, *whole = name + strlen(name);
    char *to = name;

    while (*at) {
        const char *end = strchr("<[{", *at) ? bracket_end(at, whole) : NULL;
        bool argument =
            end && *at == '<' && at > name && (is_word(at[-1]) || at[-1] == ':' || at[-1] == '}');

        /* "::<impl T for P>" is a segment, no argument; "operator<" is a name. */
        if (argument && at[-1] == ':' && !strncmp(at, "<impl ", 6))
            argument = false;
        if (argument && to - name >= 8 && !memcmp(to - 8, "operator", 8))
            argument = false;
        if (argument) {
            at = end;
            if (to - name >= 2 && to[-1] == ':' && (!*at || *at == ':' || !is_word(*at)))
                to -= 2; /* the "::" of a turbofish */
        } else if (end && *at == '[') {
            at = end;
            *to++ = '[';
            *to++ = ']';
        } else if (end && *at == '{') {
            copy_braces(at, end, &to);
            at = end;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

/* "m::<impl P>::f" becomes "P::f", "m::<impl T for P>::f" "<P as T>::f". */
static char *turn_impl(char *name)
{
    char *impl = strstr(name, "<impl "), *whole;
    const char *end = impl ? bracket_end(impl, impl + strlen(impl)) : NULL, *inner, *separator;

    if (!end || end[-1] != '>' || (impl > name && impl[-1] != ':'))
        return name;
    inner = impl + strlen("<impl ");
    separator = memmem(inner, (size_t)(end - 1 - inner), " for ", 5);
    if (separator)
        whole = xasprintf("<%.*s as %.*s>%s", (int)(end - 1 - (separator + 5)), separator + 5,
                          (int)(separator - inner), inner, end);
    else
        whole = xasprintf("%.*s%s", (int)(end - 1 - inner), inner, end);
    free(name);
    return whole;
}

/* "libfoo.so+0x11a4": another build has it elsewhere. */
static void cut_offset(char *name)
{
    char *plus = strstr(name, "+0x");

    if (plus && plus > name && plus[3] && plus[3 + strspn(plus + 3, HEX)] == '\0')
        *plus = '\0';
}

char *loose_key(const char *key)
{
    char *loose = xstrdup(key);

    if (strlen(loose) > NAME_MAX_LENGTH)
        return loose;
    cut_offset(loose);
    drop_arguments(loose);
    loose = turn_impl(loose);
    open_type(loose);
    return loose;
}

bool cut_recursion_mark(char *name)
{
    char *quote = strrchr(name, '\'');

    if (!quote || quote == name || !quote[1] || quote[1 + strspn(quote + 1, "0123456789")])
        return false;
    *quote = '\0';
    return true;
}

/*--- Files ---*/

char *normalise_file(const char *path, const char *root)
{
    if (strstr(path, "/@/") || (*path == '@' && path[1] == '/') || !strcmp(path, "???") || !*path)
        return NULL;
    return location_short(path, root);
}

char *package_root(const char *program)
{
    const char *target = NULL;

    if (!program || *program != '/')
        return NULL;
    for (const char *p = strstr(program, "/target/"); p; p = strstr(p + 1, "/target/"))
        target = p;
    return target && target > program ? xstrndup(program, (size_t)(target - program)) : NULL;
}

char *profile_root(const struct cprof_profile *profile)
{
    char *root = package_root(profile->program);

    for (uint32_t i = 0; i < profile->n_objects && !root; i++)
        root = package_root(profile->objects[i].path);
    return root;
}
