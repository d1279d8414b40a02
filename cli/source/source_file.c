#include <config.h>

#include "source/source_file.h"

#include "base/array.h"
#include "source/source_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

        if (s->n_lines % MARK == 0) {
            GROW(s->marks, s->n_marks, room);
            s->marks[s->n_marks++] = at;
        }
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
    GROW(f->sources, f->n, f->room);
    return f->sources[f->n++] = s;
}

/* Takes the first of the candidates that there is. */
static bool try_all(struct source *s, struct path_list *candidates, bool fixed)
{
    bool found = false;

    for (size_t i = 0; i < candidates->n && !found; i++) {
        found = try_path(s, candidates->items[i]);
        candidates->items[i] = NULL;
    }
    s->fixed = found && fixed;
    path_list_free(candidates);
    return found;
}

static void find_std(struct source_finder *f, struct source *s)
{
    struct path_list candidates = {0};
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
        path_list_free(&candidates);
    } else {
        (void)try_all(s, &candidates, true);
    }
    free(commit);
}

const struct source *source_find(struct source_finder *f, const char *recorded)
{
    struct path_list candidates = {0};
    struct source *s;

    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->sources[i]->recorded, recorded))
            return f->sources[i];
    s = new_source(f, recorded);
    source_mapped_paths(&candidates, recorded, f->maps);
    if (try_all(s, &candidates, false))
        return s;
    if (recorded[0] == '/')
        path_list_add(&candidates, xstrdup(recorded));
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
