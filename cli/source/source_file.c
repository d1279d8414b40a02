#include <config.h>

#include "source/source_file.h"

#include "base/array.h"
#include "base/file.h"
#include "base/process.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*--- Places ---*/

#define RUST_SOURCE "/lib/rustlib/src/rust/"
#define DEBIAN_RUST "/usr/src/rustc-"
#define REGISTRY    "/registry/src/"
#define CHECKOUTS   "/git/checkouts/"

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

void source_mapped_paths(struct string_list *list, const char *recorded,
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
        string_list_add(list, *rest ? xasprintf("%s/%s", equals[1] ? equals + 1 : ".", rest)
                                    : xstrdup(equals + 1));
    }
}

/*--- The standard library ---*/

bool source_is_std(const char *recorded)
{
    return text_after(recorded, "/rustc/") || text_after(recorded, "/rust/deps/") ||
           text_after(recorded, DEBIAN_RUST) || strstr(recorded, RUST_SOURCE);
}

char *source_std_commit(const char *recorded)
{
    const char *commit = text_after(recorded, "/rustc/");
    size_t size = commit ? strspn(commit, "0123456789abcdef") : 0;

    return size >= 9 && commit[size] == '/' ? xstrndup(commit, size) : NULL;
}

void source_std_paths(struct string_list *list, const char *recorded, const char *sysroot)
{
    const char *rest = text_after(recorded, "/rustc/");

    rest = rest ? rest : text_after(recorded, DEBIAN_RUST);
    rest = rest ? next_segment(rest) : behind(recorded, RUST_SOURCE);
    if (rest)
        string_list_add(list, xasprintf("%s" RUST_SOURCE "%s", sysroot, rest));
    rest = text_after(recorded, "/rust/deps/");
    if (!rest)
        return;
    string_list_add(list, xasprintf("%s" RUST_SOURCE "library/vendor/%s", sysroot, rest));
    string_list_add(list, xasprintf("%s" RUST_SOURCE "vendor/%s", sysroot, rest));
}

void source_ask_rustc(char **sysroot, char **commit)
{
    const char *rustc = environment_or("RUSTC", "rustc"), *found;
    const char *const argv[] = {rustc, "--version", "--verbose", NULL};
    const struct process_spec spec = {.argv = argv, .no_input = true, .no_errors = true};
    char *version;
    int status = 0;
    size_t size;

    *sysroot = process_line((const char *const[]){rustc, "--print", "sysroot", NULL});
    *commit = NULL;
    if (process_text(&spec, &version, &status) == 0 && status == 0 &&
        (found = behind(version, "commit-hash: "))) {
        /* "unknown" where a distribution built it. */
        size = strspn(found, "0123456789abcdef");
        *commit = size && found[size] == '\n' ? xstrndup(found, size) : NULL;
    }
    free(version);
}

/*--- Crates ---*/

/* Tells whether a file is in a place that projects share and nobody edits: the standard library's,
 * a registry's, a checkout of cargo's. */
static bool source_is_shared(const char *recorded)
{
    return source_is_std(recorded) || strstr(recorded, REGISTRY) || strstr(recorded, CHECKOUTS);
}

char *source_cargo_home(void)
{
    const char *cargo = environment_or("CARGO_HOME", NULL), *home = environment_or("HOME", NULL);

    return cargo ? xstrdup(cargo) : home ? xasprintf("%s/.cargo", home) : NULL;
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
static void add_registries(struct string_list *list, const char *crate)
{
    char *home = source_cargo_home(), *folder = home ? quoted(home) : NULL, *file = quoted(crate);
    char *pattern = home ? xasprintf("%s" REGISTRY "*/%s", folder, file) : NULL;
    glob_t found;

    if (pattern && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            string_list_add(list, xstrdup(found.gl_pathv[i]));
        globfree(&found);
    }
    free(pattern);
    free(folder);
    free(file);
    free(home);
    string_list_add(list, xasprintf("/usr/share/cargo/registry/%s", crate));
}

static bool is_version(void *wanted, char *line)
{
    return text_begins(line, "version") && strstr(line, wanted);
}

/* Tells whether the manifest in `folder` says `version`, of that many bytes. */
static bool has_version(const char *folder, const char *version, size_t size)
{
    char *wanted = xasprintf("\"%.*s\"", (int)size, version);
    bool has = file_lines(xasprintf("%s/Cargo.toml", folder), is_version, wanted);

    free(wanted);
    return has;
}

/* `crate` in the project's vendor/, whose folders have the version in their names only where there
 * are several: another version has other lines. */
static void add_vendored(struct string_list *list, const char *crate, const char *root)
{
    const char *rest = next_segment(crate);
    size_t size = rest ? (size_t)(rest - crate) - 1 : 0;

    string_list_add(list, xasprintf("%s/vendor/%s", root, crate));
    /* The version is what begins with a number and a dot: names have no dots. */
    for (size_t i = 1; i < size; i++) {
        size_t n = crate[i] == '-' ? strspn(crate + i + 1, "0123456789") : 0;
        char *folder;

        if (!n || crate[i + 1 + n] != '.')
            continue;
        folder = xasprintf("%s/vendor/%.*s", root, (int)i, crate);
        if (has_version(folder, crate + i + 1, size - i - 1))
            string_list_add(list, xasprintf("%s/%s", folder, rest));
        free(folder);
        return;
    }
}

void source_crate_paths(struct string_list *list, const char *recorded, const char *root)
{
    const char *index = behind(recorded, REGISTRY), *checkout = behind(recorded, CHECKOUTS);
    const char *debian = text_after(recorded, "/usr/share/cargo/registry/");
    const char *vendored = behind(recorded, "/vendor/");
    const char *crate = index ? next_segment(index) : debian;
    char *home;

    if (crate) {
        add_registries(list, crate);
        if (root)
            add_vendored(list, crate, root);
    } else if (checkout && (home = source_cargo_home()) != NULL) {
        string_list_add(list, xasprintf("%s" CHECKOUTS "%s", home, checkout));
        free(home);
    } else if (vendored && root) {
        string_list_add(list, xasprintf("%s/vendor/%s", root, vendored));
    }
}

void source_project_paths(struct string_list *list, const char *recorded, const char *root,
                          const char *program)
{
    const char *target = program ? strstr(program, "/target/") : NULL;
    size_t size = target ? (size_t)(target - program) : 0;

    if (recorded[0] != '/') {
        if (root)
            string_list_add(list, xasprintf("%s/%s", root, recorded));
        string_list_add(list, xstrdup(recorded));
        if (target)
            string_list_add(list, xasprintf("%.*s/%s", (int)size, program, recorded));
    } else if (root && size && !strncmp(recorded, program, size) && recorded[size] == '/') {
        string_list_add(list, xasprintf("%s%s", root, recorded + size));
    }
}

/*--- Files ---*/

enum { MARK = 64 }; /* lines between two marks */

/*--- Reading ---*/

/* Reads all of a file into memory: a mapping would break where somebody cuts the file meanwhile. */
static char *read_all(int fd, size_t size, size_t *got)
{
    char *bytes = xmalloc(size + 1);
    ssize_t n;

    *got = 0;
    while (*got < size) {
        n = read(fd, bytes + *got, size - *got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(bytes);
            return NULL;
        }
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return bytes;
}

static void index_lines(struct source *s)
{
    size_t at = 0, room = 0;

    while (at < s->size) {
        const char *end = memchr(s->bytes + at, '\n', s->size - at);

        if (s->n_lines % MARK == 0)
            APPEND(s->marks, s->n_marks, room) = at;
        s->n_lines++;
        at = end ? (size_t)(end - s->bytes) + 1 : s->size;
    }
}

/* Reads the file at `path`, which is the source's own from here on. Returns false where there is no
 * regular file. */
static bool try_path(struct source *s, char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 && errno != EACCES) {
        free(path);
        return false;
    }
    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        free(path);
        return false;
    }
    s->path = path;
    s->state = SOURCE_FOUND;
    if (fd < 0) {
        s->state = SOURCE_UNREADABLE;
        s->error = errno;
        return true;
    }
    s->modified = st.st_mtim;
    if (st.st_size > SOURCE_MAX) {
        s->state = SOURCE_TOO_LARGE;
    } else if (!(s->bytes = read_all(fd, (size_t)st.st_size, &s->size))) {
        s->state = SOURCE_UNREADABLE;
        s->error = errno;
    } else {
        index_lines(s);
    }
    close(fd);
    return true;
}

bool source_line(const struct source *s, uint32_t line, const char **text, size_t *size)
{
    const char *end;
    size_t at;

    if (s->state != SOURCE_FOUND || line == 0 || line > s->n_lines)
        return false;
    at = s->marks[(line - 1) / MARK];
    for (uint32_t i = (line - 1) % MARK; i > 0; i--)
        at = (size_t)((char *)memchr(s->bytes + at, '\n', s->size - at) - s->bytes) + 1;
    end = memchr(s->bytes + at, '\n', s->size - at);
    *text = s->bytes + at;
    *size = end ? (size_t)(end - *text) : s->size - at;
    if (*size && (*text)[*size - 1] == '\r')
        --*size;
    return true;
}

/*--- Finding ---*/

static struct source *new_source(struct source_finder *f, const char *recorded)
{
    struct source *s = xcalloc(1, sizeof *s);

    *s = (struct source){.state = SOURCE_MISSING, .recorded = xstrdup(recorded)};
    return APPEND(f->sources, f->n, f->room) = s;
}

/* Takes the first of the candidates that there is. */
static bool try_all(struct source *s, struct string_list *candidates, bool fixed)
{
    bool found = false;

    for (size_t i = 0; i < candidates->n && !found; i++) {
        found = try_path(s, (char *)candidates->items[i]);
        candidates->items[i] = NULL;
    }
    s->fixed = found && fixed;
    string_list_free_texts(candidates);
    return found;
}

static void find_std(struct source_finder *f, struct source *s)
{
    struct string_list candidates = {0};
    char *commit = source_std_commit(s->recorded);

    if (!f->asked)
        source_ask_rustc(&f->sysroot, &f->commit);
    f->asked = true;
    s->state = SOURCE_MISSING_STD;
    if (f->sysroot)
        source_std_paths(&candidates, s->recorded, f->sysroot);
    /* Lines of another version are wrong lines. */
    if (commit && f->commit && strcmp(commit, f->commit) != 0) {
        s->state = SOURCE_OTHER_STD;
        string_list_free_texts(&candidates);
    } else {
        (void)try_all(s, &candidates, true);
    }
    free(commit);
}

const struct source *source_find(struct source_finder *f, const char *recorded)
{
    struct string_list candidates = {0};
    struct source *s;

    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->sources[i]->recorded, recorded))
            return f->sources[i];
    s = new_source(f, recorded);
    source_mapped_paths(&candidates, recorded, f->maps);
    if (try_all(s, &candidates, false))
        return s;
    if (recorded[0] == '/')
        string_list_add(&candidates, xstrdup(recorded));
    if (try_all(s, &candidates, source_is_shared(recorded)))
        return s;
    if (source_is_std(recorded)) {
        find_std(f, s);
        return s;
    }
    source_crate_paths(&candidates, recorded, f->root);
    if (try_all(s, &candidates, true))
        return s;
    source_project_paths(&candidates, recorded, f->root, f->program);
    (void)try_all(s, &candidates, false);
    return s;
}

void source_finder_free(struct source_finder *f)
{
    for (size_t i = 0; i < f->n; i++) {
        struct source *s = f->sources[i];

        free(s->recorded);
        free(s->path);
        free(s->bytes);
        free(s->marks);
        free(s);
    }
    free(f->sources);
    free(f->sysroot);
    free(f->commit);
    *f = (struct source_finder){.n = 0};
}

bool source_map_is_valid(const char *map)
{
    const char *equals = strchr(map, '=');

    return equals && equals > map;
}

/*--- The project ---*/

/* The nearest folder from `folder` on upwards that has the file, for the caller to free; or NULL.
 */
static char *nearest_with(const char *folder, const char *name)
{
    size_t size = strlen(folder);

    for (;;) {
        char *path = xasprintf("%.*s/%s", (int)size, folder, name);
        bool has = access(path, F_OK) == 0;

        free(path);
        if (has || !size)
            return has ? xstrndup(folder, size) : NULL;
        size = (size_t)((const char *)memrchr(folder, '/', size) - folder);
    }
}

char *source_root(void)
{
    char *current = getcwd(NULL, 0), *root = current ? nearest_with(current, "Cargo.lock") : NULL;

    if (!root && current)
        root = nearest_with(current, "Cargo.toml");
    if (!root)
        return current;
    free(current);
    return root;
}
