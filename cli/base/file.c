#include <config.h>

#include "base/file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/*--- Folders ---*/

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? xstrndup(path, (size_t)(slash - path)) : NULL;
}

char *folder_of_user(const char *variable, const char *otherwise)
{
    const char *folder = getenv(variable), *home = getenv("HOME");

    /* By the specification a relative path is to be ignored. */
    if (folder && *folder == '/')
        return xstrdup(folder);
    return home && *home == '/' ? xasprintf("%s/%s", home, otherwise) : NULL;
}

int folder_make(const char *path, mode_t mode)
{
    char *copy = xstrdup(path);
    int failed = 0;

    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, mode) < 0 && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed || (mkdir(path, mode) < 0 && errno != EEXIST) ? -1 : 0;
}

int folder_remove(const char *path, void (*removed)(void *data, const struct stat *facts),
                  void *data)
{
    char *root = xstrdup(path);
    FTS *walk = fts_open((char *const[]){root, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    int error = walk ? 0 : errno;
    FTSENT *entry;

    while (walk && (entry = fts_read(walk))) {
        if (entry->fts_info == FTS_D || (entry->fts_info == FTS_NS && entry->fts_errno == ENOENT))
            continue;
        if (remove(entry->fts_path) < 0)
            error = errno;
        else if (removed && S_ISREG(entry->fts_statp->st_mode))
            removed(data, entry->fts_statp);
    }
    if (walk)
        fts_close(walk);
    free(root);
    errno = error;
    return error ? -1 : 0;
}

/*--- Files ---*/

static void release(struct output_file *file)
{
    int saved = errno;

    if (file->temp)
        cleanup_forget(file->temp);
    free(file->path);
    free(file->temp);
    *file = (struct output_file){0};
    errno = saved;
}

static mode_t current_umask(void)
{
    mode_t mask = umask(077);

    umask(mask);
    return mask;
}

/* mkstemp() makes files for the owner alone; a file that a shell's `>` makes, or that is there
 * already, decides here. */
static int open_temp(struct output_file *file, const struct stat *old)
{
    int fd;

    file->temp = xasprintf("%s.XXXXXX", file->path);
    fd = mkostemp(file->temp, 0);
    if (fd < 0) {
        free(file->temp);
        file->temp = NULL;
        return -1;
    }
    cleanup_add(file->temp);
    fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~current_umask());
    return fd;
}

/* Removes what open_temp() made, where there is no stream for it. Keeps errno. */
static void drop_temp(const struct output_file *file, int fd)
{
    int saved = errno;

    close(fd);
    unlink(file->temp);
    errno = saved;
}

/* Where a link leads to at which nothing is yet: there the file is to be made. NULL with errno
 * where links go round. The caller frees it. */
static char *follow_dangling(const char *path)
{
    enum { MOST = 40 }; /* as the kernel follows */
    char *at = xstrdup(path), target[PATH_MAX];

    for (int i = 0; i < MOST; i++) {
        ssize_t size = readlink(at, target, sizeof target - 1);
        const char *slash = strrchr(at, '/');
        char *next;

        if (size < 0)
            return at;
        target[size] = '\0';
        if (*target == '/' || !slash)
            next = xstrdup(target);
        else
            next = xasprintf("%.*s/%s", (int)(slash - at), at, target);
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* The file's own name: symbolic links followed. A pipe behind /dev/stdout has none. */
static char *final_path(const char *path)
{
    char *real = realpath(path, NULL);
    struct stat st;

    if (real)
        return real;
    return stat(path, &st) == 0 ? xstrdup(path) : follow_dangling(path);
}

int file_begin(struct output_file *file, const char *path)
{
    struct stat old;
    int known, fd = -1;

    *file = (struct output_file){.path = final_path(path)};
    if (!file->path)
        return -1;
    known = stat(file->path, &old) == 0;
    if (known && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        release(file);
        return -1;
    }
    if (known && !S_ISREG(old.st_mode)) {
        file->stream = fopen(file->path, "we");
    } else {
        fd = open_temp(file, known ? &old : NULL);
        file->stream = fd < 0 ? NULL : fdopen(fd, "w");
    }
    if (!file->stream) {
        if (file->temp)
            drop_temp(file, fd);
        release(file);
        return -1;
    }
    return 0;
}

int file_check(const char *path)
{
    struct output_file file;
    struct stat st;

    /* Opening a device or a pipe may wait, or do something. */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return access(path, W_OK);
    if (file_begin(&file, path) < 0)
        return -1;
    file_abort(&file);
    return 0;
}

bool file_is_noexec(const char *path)
{
    struct statvfs facts;

    return statvfs(path, &facts) == 0 && (facts.f_flag & ST_NOEXEC) != 0;
}

bool file_is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

const char *file_advice(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "make its folder first, or name another file";
    case EISDIR:
        return "name a file in it";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "make room, or name a file elsewhere";
    default:
        return "name a file in another folder";
    }
}

bool file_lines(char *path, bool (*line)(void *data, char *text), void *data)
{
    FILE *in = path ? fopen(path, "re") : NULL;
    char *text = NULL;
    size_t room = 0;
    bool stopped = false;

    free(path);
    while (in && !stopped && getline(&text, &room, in) > 0) {
        text[strcspn(text, "\n")] = '\0';
        stopped = line(data, text);
    }
    free(text);
    if (in)
        fclose(in);
    return stopped;
}

char *file_rest(FILE *file)
{
    struct strbuf text = {.text = NULL};
    char part[4096];
    size_t size;

    while ((size = fread(part, 1, sizeof part, file)) > 0)
        strbuf_add_bytes(&text, part, size);
    return strbuf_take(&text);
}

int file_scan(const char *path, const char *format, ...)
{
    FILE *in = fopen(path, "re");
    va_list arguments;
    int n = 0;

    if (!in)
        return 0;
    va_start(arguments, format);
    n = vfscanf(in, format, arguments);
    va_end(arguments);
    fclose(in);
    return n;
}

int file_write(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);

        if (n < 0 && errno != EINTR)
            return -1;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static struct input {
    dev_t device;
    ino_t inode;
} * inputs;
static size_t n_inputs;

void file_note_input(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    inputs = xreallocarray(inputs, n_inputs + 1, sizeof *inputs);
    inputs[n_inputs++] = (struct input){st.st_dev, st.st_ino};
}

bool file_is_input(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    for (size_t i = 0; i < n_inputs; i++)
        if (inputs[i].device == st.st_dev && inputs[i].inode == st.st_ino)
            return true;
    return false;
}

/* Tells why an earlier write failed: another one fails, too, and what it writes goes with the file.
 */
static int reason_of_failure(FILE *stream)
{
    static const char block[4096];

    return write(fileno(stream), block, sizeof block) < 0 ? errno : EIO;
}

int file_commit(struct output_file *file)
{
    int failed = ferror(file->stream) ? reason_of_failure(file->stream) : 0;

    if (fclose(file->stream) && !failed)
        failed = errno;
    if (!failed && file->temp && rename(file->temp, file->path) < 0)
        failed = errno;
    if (failed && file->temp)
        unlink(file->temp);
    errno = failed;
    release(file);
    return failed ? -1 : 0;
}

void file_abort(struct output_file *file)
{
    int saved = errno;

    fclose(file->stream);
    if (file->temp)
        unlink(file->temp);
    errno = saved;
    release(file);
}

int file_end(struct output_file *file, bool failed)
{
    if (!failed)
        return file_commit(file);
    file_abort(file);
    return -1;
}

/*--- JSON documents ---*/

const char *json_text_of(const json_t *object, const char *key)
{
    const char *text = json_text_in(object, key);

    return text ? text : "";
}

int json_file_write(const json_t *document, const char *path)
{
    struct output_file file;

    if (file_begin(&file, path))
        return -1;
    return file_end(&file, json_dumpf(document, file.stream, JSON_INDENT(1)) != 0);
}
