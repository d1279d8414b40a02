#include <config.h>

/* Paths of files without what differs from build to build. */
#include "base/memory.h"
#include "names/location.h"
#include "names/normalise.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HEX "0123456789abcdef"

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
    if (dash == at || end - dash < 4 || end - dash > 16 || strspn(dash, HEX) < (size_t)(end - dash))
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
