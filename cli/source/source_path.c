#include <config.h>

#include "source/source_path.h"

#include "base/array.h"
#include "base/process.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUST_SOURCE "/lib/rustlib/src/rust/"
#define DEBIAN_RUST "/usr/src/rustc-"
#define REGISTRY    "/registry/src/"
#define CHECKOUTS   "/git/checkouts/"

void path_list_add(struct path_list *list, char *path)
{
    GROW(list->items, list->n, list->room);
    list->items[list->n++] = path;
}

void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct path_list){.n = 0};
}

/* The rest of `path` after `prefix`, or NULL. */
static const char *after(const char *path, const char *prefix)
{
    size_t size = strlen(prefix);

    return strncmp(path, prefix, size) == 0 ? path + size : NULL;
}

/* The rest of `path` after the first `part` in it, or NULL. */
static const char *behind(const char *path, const char *part)
{
    const char *found = strstr(path, part);

    return found ? found + strlen(part) : NULL;
}

/* The rest of `path` after its first segment (which may be ""), or NULL where there is none. */
static const char *next_segment(const char *path)
{
    const char *slash = strchr(path, '/');

    return slash && slash[1] ? slash + 1 : NULL;
}

void source_mapped_paths(struct path_list *list, const char *recorded,
                         const struct string_list *maps)
{
    for (size_t i = 0; maps && i < maps->n; i++) {
        const char *map = maps->items[i], *equals = strchr(map, '='), *rest;
        size_t size = equals ? (size_t)(equals - map) : 0;

        while (size > 1 && map[size - 1] == '/')
            size--;
        if (!size || strncmp(recorded, map, size) != 0)
            continue;
        rest = recorded + size;
        /* "/a/b" is above "/a/b/c", not above "/a/bc". */
        if (*rest && *rest != '/' && map[size - 1] != '/')
            continue;
        rest += *rest == '/';
        path_list_add(list, *rest ? xasprintf("%s/%s", equals[1] ? equals + 1 : ".", rest)
                                  : xstrdup(equals + 1));
    }
}

/*--- The standard library ---*/

bool source_is_std(const char *recorded)
{
    return after(recorded, "/rustc/") || after(recorded, "/rust/deps/") ||
           after(recorded, DEBIAN_RUST) || strstr(recorded, RUST_SOURCE);
}

char *source_std_commit(const char *recorded)
{
    const char *commit = after(recorded, "/rustc/");
    size_t size = commit ? strspn(commit, "0123456789abcdef") : 0;

    return size >= 9 && commit[size] == '/' ? xstrndup(commit, size) : NULL;
}

void source_std_paths(struct path_list *list, const char *recorded, const char *sysroot)
{
    const char *rest = after(recorded, "/rustc/");

    rest = rest ? rest : after(recorded, DEBIAN_RUST);
    rest = rest ? next_segment(rest) : behind(recorded, RUST_SOURCE);
    if (rest)
        path_list_add(list, xasprintf("%s" RUST_SOURCE "%s", sysroot, rest));
    rest = after(recorded, "/rust/deps/");
    if (!rest)
        return;
    path_list_add(list, xasprintf("%s" RUST_SOURCE "library/vendor/%s", sysroot, rest));
    path_list_add(list, xasprintf("%s" RUST_SOURCE "vendor/%s", sysroot, rest));
}

struct answer {
    char *first;  /* line */
    char *commit; /* after "commit-hash: " */
};

static void take_line(void *data, char *line)
{
    struct answer *answer = data;
    const char *commit = after(line, "commit-hash: ");

    if (!answer->first)
        answer->first = xstrdup(line);
    if (commit && !answer->commit)
        answer->commit = xstrdup(commit);
}

static struct answer ask(const char *rustc, const char *first, const char *second)
{
    const char *const argv[] = {rustc, first, second, NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct answer answer = {NULL, NULL};
    int status = 0;

    spec.argv = argv;
    spec.no_input = spec.no_errors = true;
    if (process_capture(&spec, take_line, &answer, &status) == 0 && status == 0)
        return answer;
    free(answer.first);
    free(answer.commit);
    return (struct answer){NULL, NULL};
}

void source_ask_rustc(char **sysroot, char **commit)
{
    const char *rustc = getenv("RUSTC");
    struct answer place, version;

    if (!rustc || !*rustc)
        rustc = "rustc";
    place = ask(rustc, "--print", "sysroot");
    version = ask(rustc, "--version", "--verbose");
    *sysroot = place.first;
    *commit = version.commit;
    /* "unknown" where a distribution built it. */
    if (*commit && strspn(*commit, "0123456789abcdef") != strlen(*commit)) {
        free(*commit);
        *commit = NULL;
    }
    free(place.commit);
    free(version.first);
}

/*--- Crates ---*/

bool source_is_shared(const char *recorded)
{
    return source_is_std(recorded) || strstr(recorded, REGISTRY) || strstr(recorded, CHECKOUTS);
}

/* cargo's folder, for the caller to free, or NULL. */
static char *cargo_home(void)
{
    const char *cargo = getenv("CARGO_HOME"), *home = getenv("HOME");

    if (cargo && *cargo)
        return xstrdup(cargo);
    return home && *home ? xasprintf("%s/.cargo", home) : NULL;
}

/* `text` with all characters quoted that have a meaning for glob(). */
static char *quoted(const char *text)
{
    char *result = xmalloc(2 * strlen(text) + 1), *end = result;

    for (; *text; text++) {
        if (strchr("*?[]\\", *text))
            *end++ = '\\';
        *end++ = *text;
    }
    *end = '\0';
    return result;
}

/* `crate` ("rand-0.8.5/src/lib.rs") in each registry's folder. */
static void add_registries(struct path_list *list, const char *crate)
{
    char *home = cargo_home(), *folder = home ? quoted(home) : NULL, *file = quoted(crate);
    char *pattern = home ? xasprintf("%s" REGISTRY "*/%s", folder, file) : NULL;
    glob_t found;

    if (pattern && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            path_list_add(list, xstrdup(found.gl_pathv[i]));
        globfree(&found);
    }
    free(pattern);
    free(folder);
    free(file);
    free(home);
    path_list_add(list, xasprintf("/usr/share/cargo/registry/%s", crate));
}

/* Tells whether the manifest in `folder` says `version`, of that many bytes. */
static bool has_version(const char *folder, const char *version, size_t size)
{
    char *path = xasprintf("%s/Cargo.toml", folder), *line = NULL;
    char *wanted = xasprintf("\"%.*s\"", (int)size, version);
    FILE *in = fopen(path, "re");
    size_t room = 0;
    bool has = false;

    while (in && !has && getline(&line, &room, in) > 0)
        has = after(line, "version") && strstr(line, wanted);
    if (in)
        fclose(in);
    free(line);
    free(path);
    free(wanted);
    return has;
}

/* `crate` in the project's vendor/, whose folders have the version in their names only where there
 * are several: another version has other lines. */
static void add_vendored(struct path_list *list, const char *crate, const char *root)
{
    const char *rest = next_segment(crate);
    size_t size = rest ? (size_t)(rest - crate) - 1 : 0;

    path_list_add(list, xasprintf("%s/vendor/%s", root, crate));
    /* The version is what begins with a number and a dot: names have no dots. */
    for (size_t i = 1; i < size; i++) {
        size_t n = crate[i] == '-' ? strspn(crate + i + 1, "0123456789") : 0;
        char *folder;

        if (!n || crate[i + 1 + n] != '.')
            continue;
        folder = xasprintf("%s/vendor/%.*s", root, (int)i, crate);
        if (has_version(folder, crate + i + 1, size - i - 1))
            path_list_add(list, xasprintf("%s/%s", folder, rest));
        free(folder);
        return;
    }
}

void source_crate_paths(struct path_list *list, const char *recorded, const char *root)
{
    const char *index = behind(recorded, REGISTRY), *checkout = behind(recorded, CHECKOUTS);
    const char *debian = after(recorded, "/usr/share/cargo/registry/");
    const char *vendored = behind(recorded, "/vendor/");
    const char *crate = index ? next_segment(index) : debian;
    char *home;

    if (crate) {
        add_registries(list, crate);
        if (root)
            add_vendored(list, crate, root);
    } else if (checkout && (home = cargo_home()) != NULL) {
        path_list_add(list, xasprintf("%s" CHECKOUTS "%s", home, checkout));
        free(home);
    } else if (vendored && root) {
        path_list_add(list, xasprintf("%s/vendor/%s", root, vendored));
    }
}

void source_project_paths(struct path_list *list, const char *recorded, const char *root,
                          const char *program)
{
    const char *target = program ? strstr(program, "/target/") : NULL;
    size_t size = target ? (size_t)(target - program) : 0;

    if (recorded[0] != '/') {
        if (root)
            path_list_add(list, xasprintf("%s/%s", root, recorded));
        path_list_add(list, xstrdup(recorded));
        if (target)
            path_list_add(list, xasprintf("%.*s/%s", (int)size, program, recorded));
    } else if (root && size && !strncmp(recorded, program, size) && recorded[size] == '/') {
        path_list_add(list, xasprintf("%s%s", root, recorded + size));
    }
}
