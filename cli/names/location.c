#include <config.h>

#include "names/location.h"

#include "base/memory.h"
#include "base/words.h"
#include "names/crate_path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Takes "//", "/./" and "/name/.." out of `path`, in place. Leading ".." of a relative path stay.
 */
static void normalise(char *path)
{
    bool absolute = path[0] == '/';
    char *end = path + absolute; /* of what is kept */
    const char *p = path;
    unsigned depth = 0;

    while (*p) {
        size_t size;

        while (*p == '/')
            p++;
        size = (size_t)(strchrnul(p, '/') - p);
        if (size == 0)
            break;
        if (size == 2 && !memcmp(p, "..", 2) && (depth > 0 || absolute)) {
            while (depth && end > path + absolute && end[-1] != '/')
                end--;
            if (depth && end > path + absolute)
                end--; /* and the slash before it */
            depth -= depth > 0;
        } else if (!(size == 1 && *p == '.')) {
            bool up = size == 2 && !memcmp(p, "..", 2);

            if (end > path + absolute)
                *end++ = '/';
            memmove(end, p, size);
            end += size;
            depth += !up;
        }
        p += size;
    }
    *end = '\0';
}

/* The rest of `path` after its first `n` segments, or NULL where it has no more. */
static const char *skip_segments(const char *path, unsigned n)
{
    while (path && n--) {
        path = strchr(path, '/');
        if (path)
            path++;
    }
    return path && *path ? path : NULL;
}

/* The path from its crate on, where it is in a place that many crates share; else NULL. */
static const char *in_crates(const char *path)
{
    const char *rest = path_in_rustc(path), *place;

    if (rest && *rest) {
        place = text_after(rest, "library/");
        return place ? place : rest;
    }
    if ((rest = text_after(path, "/rust/deps/")) != NULL)
        return rest;
    if ((rest = text_after(path, "/usr/share/cargo/registry/")) != NULL)
        return rest;
    if ((place = strstr(path, "/include/c++/")) != NULL)
        return place + strlen("/include/");
    /* <index>-<hash>/<crate>-<version>/... */
    if ((place = strstr(path, "/registry/src/")) != NULL)
        return skip_segments(place + strlen("/registry/src/"), 1);
    /* <repository>-<hash>/<revision>/... */
    if ((place = strstr(path, "/git/checkouts/")) != NULL)
        return skip_segments(place + strlen("/git/checkouts/"), 2);
    return NULL;
}

char *location_normalise(const char *path)
{
    /* A build that maps its folder to "." joins "./elf" with "./elf/rtld.c": the latter says it
     * all. */
    const char *inner = path[0] == '/' ? NULL : strstr(path + (path[0] != '\0'), "/./");
    char *text = xstrdup(inner ? inner + 1 : path);

    normalise(text);
    return text;
}

/* The rest of `path` below the folder `root`; NULL: it is not. "/a/b" has "/a/b/c" below it, not
 * "/a/bc". */
static const char *below(const char *path, const char *root)
{
    const char *rest = root && strcmp(root, "/") != 0 ? text_after(path, root) : NULL;

    if (rest && *rest == '/')
        rest++;
    else if (rest && !(root[0] && root[strlen(root) - 1] == '/'))
        rest = NULL;
    return rest && *rest ? rest : NULL;
}

char *location_path(const char *path, const char *root)
{
    char *text = location_normalise(path), *shorter;
    const char *rest = below(text, root);

    if (!rest)
        rest = in_crates(text);
    if (!rest)
        return text;
    shorter = xstrdup(rest);
    free(text);
    return shorter;
}

/* The path from its crate's name on, without a version or hash; NULL: it does not name one. The
 * caller frees it. */
static char *without_version(const char *path, const char *root)
{
    struct path_crate crate = crate_of_path(path);
    const char *end = path + strlen(path), *name = crate.name.text, *rest;

    if (crate.kind == PATH_UNKNOWN || name < path || name >= end)
        return NULL;
    if (root && (size_t)(name - path) < strlen(root) && below(path, root))
        return NULL; /* the crate is the project, or around it */
    rest = strchr(name, '/');
    if (!rest)
        return NULL;
    if (crate.kind == PATH_CHECKOUT) {
        /* <repository>-<hash>/<revision>/src/...: a repository of one package. */
        rest = skip_segments(rest + 1, 1);
        return rest && text_after(rest, "src/")
                   ? xasprintf("%.*s/%s", (int)crate.name.size, name, rest)
                   : NULL;
    }
    return xasprintf("%.*s%s", (int)crate.name.size, name, rest);
}

char *location_short(const char *path, const char *root)
{
    char *text = location_normalise(path), *shorter = without_version(text, root);

    if (!shorter)
        shorter = location_path(text, root);
    free(text);
    return shorter;
}

/* location_text(), with a path made by `shown`. */
static char *text_of(const char *file, uint32_t line, const char *object, const char *root,
                     char *(*shown)(const char *path, const char *root))
{
    const char *slash;
    char *path, *text;

    if (!file) {
        slash = object ? strrchr(object, '/') : NULL;
        return xstrdup(slash ? slash + 1 : object ? object : "");
    }
    path = shown(file, root);
    if (!line)
        return path;
    text = xasprintf("%s:%u", path, (unsigned)line);
    free(path);
    return text;
}

char *location_text(const char *file, uint32_t line, const char *object, const char *root)
{
    return text_of(file, line, object, root, location_short);
}

char *location_text_of_version(const char *file, uint32_t line, const char *object,
                               const char *root)
{
    return text_of(file, line, object, root, location_path);
}
