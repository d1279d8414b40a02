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

static const struct escape {
    const char *text;
    char stands_for;
} escapes[] = {{"$LT$", '<'}, {"$GT$", '>'}, {"$RF$", '&'}, {"$BP$", '*'},
               {"$C$", ','},  {"$SP$", '@'}, {"$LP$", '('}, {"$RP$", ')'}};

/* Reads an escape; its length, or 0. */
static size_t read_escape(const char *at, char *stands_for)
{
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (!strncmp(at, escapes[i].text, strlen(escapes[i].text))) {
            *stands_for = escapes[i].stands_for;
            return strlen(escapes[i].text);
        }
    /* $u20$: a character by its number; those that are not ASCII stay as they are. */
    if (!strncmp(at, "$u", 2)) {
        size_t digits = strspn(at + 2, HEX);
        long number = digits && digits <= 2 ? strtol(at + 2, NULL, 16) : 0;

        if (at[2 + digits] == '$' && number >= 0x20 && number < 0x7f) {
            *stands_for = (char)number;
            return digits + 3;
        }
    }
    return 0;
}

static bool has_escapes(const char *name)
{
    char unused;

    for (const char *p = strchr(name, '$'); p; p = strchr(p + 1, '$'))
        if (read_escape(p, &unused))
            return true;
    return false;
}

/* Decodes escapes in place; ".." stands for "::", and a "_" goes that only keeps a segment from
 * beginning with an escape. Only names with an escape or a hash are looked at: others may have dots
 * of their own. */
static void decode(char *name)
{
    char *to = name;

    for (const char *from = name; *from;) {
        bool begins = to == name || to[-1] == ':';
        size_t size = read_escape(from, to);

        if (begins && from[0] == '_' && from[1] == '$') {
            from++;
        } else if (size) {
            to++;
            from += size;
        } else if (from[0] == '.' && from[1] == '.') {
            *to++ = ':';
            *to++ = ':';
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
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
    const char *at = name + 1, *end = name + strlen(name);

    if (*name != '<' || !is_word(*at))
        return false;
    while (*at && *at != '>') {
        if (*at == '<')
            at = bracket_end(at, end);
        else if (is_word(*at) || *at == ':')
            at++;
        else
            return false;
        if (!at)
            return false;
    }
    return *at == '>';
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
    if (has_escapes(key) || (hash && strstr(key, "..")))
        decode(key);
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

#define FILE_HEX "0123456789abcdef"

/* Takes what [at, end) is out of its text. */
static void cut_range(char *at, const char *end)
{
    memmove(at, end, strlen(end) + 1);
}

/* Where "-1.2.3-beta" begins at the end of [at, end), or `end`. */
static char *version_of(char *at, char *end)
{
    for (char *p = at; p < end; p++)
        if (*p == '-' && isdigit((unsigned char)p[1]) && memchr(p, '.', (size_t)(end - p)))
            return p;
    return end;
}

/* Where "-<hex>" of 4 to 16 digits begins at the end of [at, end), or `end`. */
static char *hash_of(char *at, char *end)
{
    char *dash = end;

    while (dash > at && dash[-1] != '-')
        dash--;
    if (dash == at || end - dash < 4 || end - dash > 16 ||
        strspn(dash, FILE_HEX) < (size_t)(end - dash))
        return end;
    return dash - 1;
}

static char *segment_end(char *at)
{
    return at + strcspn(at, "/");
}

/* "<package>-<version>/..." without the version. */
static void cut_version(char *path)
{
    char *end = segment_end(path);

    cut_range(version_of(path, end), end);
}

/* ".../build/<package>-<hash>/out/..." without all that is before the package, and the hash. */
static bool cut_build(char *path)
{
    for (char *p = strstr(path, "build/"); p; p = strstr(p + 1, "build/")) {
        char *package = p + strlen("build/"), *end = segment_end(package);
        char *hash = hash_of(package, end);

        if ((p > path && p[-1] != '/') || strncmp(end, "/out/", 5) != 0 || hash == end)
            continue;
        cut_range(hash, end);
        cut_range(path, p);
        return true;
    }
    return false;
}

/* "<repository>-<hash>/<revision>/..." behind git's checkouts: without hash and revision. */
static bool cut_checkout(char *path)
{
    char *place = strstr(path, "/git/checkouts/"), *end, *rest;

    if (!place)
        return false;
    place += strlen("/git/checkouts/");
    end = segment_end(place);
    rest = *end ? segment_end(end + 1) : end;
    cut_range(hash_of(place, end), rest);
    cut_range(path, place);
    return true;
}

char *normalise_file(const char *path, const char *root)
{
    char *text, *registry;

    if (strstr(path, "/@/") || (*path == '@' && path[1] == '/') || !strcmp(path, "???") || !*path)
        return NULL;
    text = xstrdup(path);
    registry = strstr(text, "/registry/src/");
    if (cut_build(text) || cut_checkout(text))
        return text;
    free(text);
    text = location_path(path, root);
    if (registry || !strncmp(path, "/rust/deps/", 11))
        cut_version(text);
    return text;
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
