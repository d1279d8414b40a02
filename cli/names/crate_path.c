#include <config.h>

#include "names/crate_path.h"

#include "base/words.h"
#include "names/brackets.h"

#include <ctype.h>
#include <string.h>

#define HEX    "0123456789abcdef"
#define LETTER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

enum { HASH_SIZE = 16 };

static struct slice slice(const char *text)
{
    return (struct slice){text, strlen(text)};
}

/* The segment that `path` begins with, and the rest after it in *rest. */
static struct slice segment(const char *path, const char **rest)
{
    struct slice s = {path, strcspn(path, "/")};

    *rest = path + s.size + (path[s.size] == '/');
    return s;
}

/* Tells whether "1.2.3" stands here, as every version begins. */
static bool is_version(const char *p)
{
    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(p, "0123456789");

        if (!digits || (i < 2 && p[digits] != '.'))
            return false;
        p += digits + 1;
    }
    return true;
}

/* Divides "NAME-VERSION" (a name may have '-' and digits too); without a version it is all name. */
static void divide(struct slice whole, struct path_crate *crate)
{
    crate->name = whole;
    for (size_t i = 1; i + 1 < whole.size; i++)
        if (whole.text[i] == '-' && is_version(whole.text + i + 1)) {
            crate->name.size = i;
            crate->version = (struct slice){whole.text + i + 1, whole.size - i - 1};
            return;
        }
}

/* The crate that a file below library/ is compiled into. Some folders there are no crates but
 * modules of one, by #[path] (library/core/src/lib.rs and library/std/src/lib.rs say so). */
static struct slice library_crate(const char *path)
{
    static const struct {
        const char *folder, *crate;
    } modules[] = {{"stdarch/crates/core_arch/", "core"},
                   {"stdarch/crates/std_detect/", "std_detect"},
                   {"portable-simd/", "core"},
                   {"backtrace/", "std"},
                   {"compiler-builtins/", "compiler_builtins"},
                   {"rustc-std-workspace-core/", "core"}};
    const char *rest;

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (text_begins(path, modules[i].folder))
            return slice(modules[i].crate);
    return segment(path, &rest);
}

const char *path_in_rustc(const char *path)
{
    static const char toolchain[] = "/lib/rustlib/src/rust/", debian[] = "/usr/src/rustc-";
    const char *place, *rest;

    if (text_begins(path, "/rustc/")) {
        segment(path + strlen("/rustc/"), &rest);
        return rest;
    }
    if (text_begins(path, debian)) {
        segment(path + strlen(debian), &rest);
        return rest;
    }
    place = strstr(path, toolchain);
    return place ? place + strlen(toolchain) : NULL;
}

static bool std_path(const char *path, struct path_crate *crate)
{
    static const char deps[] = "/rust/deps/";
    const char *rest = path_in_rustc(path);

    if (text_begins(path, deps)) {
        divide(segment(path + strlen(deps), &rest), crate);
    } else if (rest && text_begins(rest, "library/")) {
        crate->name = library_crate(rest + strlen("library/"));
    } else if (rest && text_begins(rest, "vendor/")) {
        divide(segment(rest + strlen("vendor/"), &rest), crate);
    } else {
        return false;
    }
    crate->kind = PATH_STD;
    return true;
}

/* The headers of a C++ standard library, whose templates are compiled into programs. */
static bool cplusplus_path(const char *path, struct path_crate *crate)
{
    static const char folder[] = "/c++/";
    const char *headers = strstr(path, "/include/");
    const char *rest = headers ? strstr(headers, folder) : NULL;

    if (!rest)
        return false;
    rest += strlen(folder);
    crate->kind = PATH_STD;
    crate->name = slice(text_begins(rest, "v1/") ? "libc++" : "libstdc++");
    return text_begins(rest, "v1/") || isdigit((unsigned char)*rest);
}

/* "NAME-VERSION" in the folder that ends with `place` in `path`, `levels` below it. */
static bool package_path(const char *path, const char *place, unsigned levels,
                         struct path_crate *crate)
{
    const char *rest = strstr(path, place);

    if (!rest)
        return false;
    rest += strlen(place);
    while (levels--)
        segment(rest, &rest);
    divide(segment(rest, &rest), crate);
    crate->kind = PATH_PACKAGE;
    return crate->version.text != NULL;
}

/* Takes "-<hash>" off the end of a folder's name; false where it has none. */
static bool drop_hash(struct slice *name, size_t size)
{
    const char *hash = name->text + name->size - size;

    if (name->size <= size + 1 || hash[-1] != '-' || strspn(hash, HEX) < size)
        return false;
    name->size -= size + 1;
    return true;
}

static bool checkout_path(const char *path, struct path_crate *crate)
{
    static const char place[] = "/git/checkouts/";
    const char *rest = strstr(path, place);

    if (!rest)
        return false;
    crate->kind = PATH_CHECKOUT;
    crate->name = segment(rest + strlen(place), &rest);
    return drop_hash(&crate->name, HASH_SIZE);
}

static bool output_path(const char *path, struct path_crate *crate)
{
    static const char place[] = "/build/";

    for (const char *p = strstr(path, place); p; p = strstr(p + 1, place)) {
        const char *rest;

        crate->name = segment(p + strlen(place), &rest);
        if (drop_hash(&crate->name, HASH_SIZE) && text_begins(rest, "out/")) {
            crate->kind = PATH_OUTPUT;
            return true;
        }
    }
    return false;
}

struct path_crate crate_of_path(const char *path)
{
    struct path_crate crate = {PATH_UNKNOWN, {NULL, 0}, {NULL, 0}};

    if (std_path(path, &crate) || cplusplus_path(path, &crate) ||
        package_path(path, "/registry/src/", 1, &crate) || checkout_path(path, &crate) ||
        package_path(path, "/usr/share/cargo/registry/", 0, &crate) || output_path(path, &crate))
        return crate;
    return (struct path_crate){PATH_UNKNOWN, {NULL, 0}, {NULL, 0}};
}

bool path_is_thread_local(const char *path)
{
    const char *rest = path_in_rustc(path);

    return rest && text_begins(rest, "library/std/") &&
           (strstr(rest, "/thread_local/") || strstr(rest, "/thread/local.rs"));
}

/* Skips what may stand before the path of a type: "<", "&mut ", "*const ", "[", "dyn ", "(". */
static const char *skip_type(const char *p)
{
    static const char *const words[] = {"mut ", "const ", "dyn ", "impl ", "for<"};
    bool more = true;

    while (more) {
        more = false;
        while (*p && strchr("<&*[( ", *p))
            p++;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (text_begins(p, words[i])) {
                p += strlen(words[i]);
                more = true;
            }
    }
    return p;
}

/* The text after " as " in "<T as Trait>::f", at the outermost level. */
static const char *trait_of(const char *name)
{
    static const char as[] = " as ";
    const char *end = bracket_end(name, name + strlen(name));
    const char *found = end ? find_outside(name + 1, end, as) : NULL;

    return found ? found + strlen(as) : NULL;
}

struct slice crate_of_name(const char *name)
{
    for (const char *p = name; p; p = p == name && *name == '<' ? trait_of(name) : NULL) {
        const char *path = skip_type(p);
        size_t size = strspn(path, LETTER);

        /* A disambiguator, as v0 names may show it: "std[1234abcd]::". */
        if (size && path[size] == '[' && isxdigit((unsigned char)path[size + 1])) {
            size_t hash = strspn(path + size + 1, HEX);

            if (text_begins(path + size + 1 + hash, "]::"))
                return (struct slice){path, size};
        }
        if (size && text_begins(path + size, "::") && !isdigit((unsigned char)*path))
            return (struct slice){path, size};
    }
    return (struct slice){NULL, 0};
}

bool crate_is_std(struct slice name)
{
    static const char names[] =
        "std core alloc proc_macro test panic_unwind panic_abort unwind std_detect "
        "rustc_demangle compiler_builtins";

    return name.text && text_is_word_of(names, name.text, name.size);
}
