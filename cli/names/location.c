#include <config.h>

#include "names/location.h"

#include "base/memory.h"

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

/* The rest of `path` after `prefix`, or NULL. */
static const char *after(const char *path, const char *prefix)
{
    size_t size = strlen(prefix);

    return strncmp(path, prefix, size) == 0 ? path + size : NULL;
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
    const char *rest, *place;

    /* As std is built: /rustc/<commit>/library/core/src/... */
    if ((rest = after(path, "/rustc/")) != NULL) {
        rest = skip_segments(rest, 1);
        place = rest ? after(rest, "library/") : NULL;
        return place ? place : rest;
    }
    if ((rest = after(path, "/rust/deps/")) != NULL)
        return rest;
    if ((place = strstr(path, "/lib/rustlib/src/rust/library/")) != NULL)
        return place + strlen("/lib/rustlib/src/rust/library/");
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

char *location_path(const char *path, const char *root)
{
    char *text = location_normalise(path), *shorter;
    const char *rest = NULL;

    if (root && strcmp(root, "/") != 0 && (rest = after(text, root)) != NULL) {
        /* "/a/b" has "/a/b/c" below it, not "/a/bc". */
        rest = *rest == '/' ? rest + 1 : root[0] && root[strlen(root) - 1] == '/' ? rest : NULL;
    }
    if (!rest || !*rest)
        rest = in_crates(text);
    if (!rest)
        return text;
    shorter = xstrdup(rest);
    free(text);
    return shorter;
}

char *location_text(const char *file, uint32_t line, const char *object, const char *root)
{
    const char *slash;
    char *path, *text;

    if (!file) {
        slash = object ? strrchr(object, '/') : NULL;
        return xstrdup(slash ? slash + 1 : object ? object : "");
    }
    path = location_path(file, root);
    if (!line)
        return path;
    text = xasprintf("%s:%u", path, (unsigned)line);
    free(path);
    return text;
}
