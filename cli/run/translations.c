#include <config.h>

#include "run/translations.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "run/measure.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/*--- The folder ---*/

/* The folder's path, wherever it is; NULL: the environment names none. */
static char *folder_path(void)
{
    char *caches = folder_of_user("XDG_CACHE_HOME", ".cache");
    char *path = caches ? xasprintf("%s/cprof", caches) : NULL;

    free(caches);
    return path;
}

/* True if others may change what is in the folder. In a sticky one, as /tmp is, they may add files,
 * but not rename or remove those of others. */
static bool is_open(const struct stat *st, bool last)
{
    return st->st_mode & (S_IWGRP | S_IWOTH) && (last || !(st->st_mode & S_ISVTX));
}

static bool is_of_others(const struct stat *st, bool last)
{
    return st->st_uid != geteuid() && (last || st->st_uid != 0);
}

/* Why nothing can be kept, for the caller to free; NULL: it can. Advice is static, and NULL where
 * there is none. */
struct problem {
    char *text;
    const char *advice;
};

#define ADVICE_ANOTHER "set XDG_CACHE_HOME to another folder"

/* Errno says why. */
static struct problem cannot(const char *what, const char *folder, const char *advice)
{
    return (struct problem){xasprintf("cannot %s '%s': %s", what, folder, strerror(errno)), advice};
}

/* Why others could change what is kept: the problem with a folder of a path without links, the last
 * or one above it. Cuts `path`. */
static struct problem why_others_could(char *path)
{
    struct stat st;

    for (bool last = true;; last = false) {
        const char *folder = *path ? path : "/";

        if (stat(folder, &st) < 0)
            return cannot("look at", folder, NULL);
        if (!S_ISDIR(st.st_mode))
            return (struct problem){xasprintf("'%s' is not a folder", folder), "remove it"};
        if (is_of_others(&st, last))
            return (struct problem){
                xasprintf("'%s' belongs to another user, and what is kept is executed", folder),
                "set XDG_CACHE_HOME to a folder of your own"};
        if (is_open(&st, last))
            return (struct problem){
                xasprintf("others could write to '%s', and what is kept is executed", folder),
                "close it to them (chmod go-w)"};
        if (!*path)
            return (struct problem){NULL, NULL};
        *strrchr(path, '/') = '\0';
    }
}

/* The problem with a folder that is there. */
static struct problem why_not_trusted(const char *folder)
{
    char *path = realpath(folder, NULL);
    struct problem problem;

    if (!path)
        return cannot("look at", folder, ADVICE_ANOTHER);
    problem = why_others_could(path);
    if (!problem.text && access(folder, R_OK | W_OK | X_OK) < 0)
        problem =
            cannot("write to", folder, "set XDG_CACHE_HOME to a folder that can be written to");
    free(path);
    return problem;
}

/* Makes the folder if it is not there. Returns why nothing can be kept there, if that is so. */
static struct problem why_not_kept(const char *folder)
{
    if (!folder)
        return (struct problem){xstrdup("neither XDG_CACHE_HOME nor HOME names a folder"),
                                "set one of them"};
    if (getuid() != geteuid() || getgid() != getegid())
        return (struct problem){xstrdup("this process has rights that its user lacks"), NULL};
    if (folder_make(folder, 0700) < 0)
        return cannot("make", folder, ADVICE_ANOTHER);
    return why_not_trusted(folder);
}

char *translations_folder(char **problem)
{
    char *folder = folder_path();
    struct problem found = why_not_kept(folder);

    *problem = NULL;
    if (!found.text)
        return folder;
    *problem = found.advice ? xasprintf("%s; %s", found.text, found.advice) : xstrdup(found.text);
    free(found.text);
    free(folder);
    return NULL;
}

/*--- The files ---*/

/* Each run looks at all of them: programs in folders of their own, as tests make, leave many. */
enum { FILES_MOST = 2000 };

struct kept_file {
    char *path;
    struct timespec used; /* last */
    uint64_t bytes;
};

struct kept_list {
    struct kept_file *items;
    size_t n;
    uint64_t bytes;
};

#define TEMPORARY ".tmp"

/* The tool names files by a checksum, and by that with a process's number while it writes them. */
static int is_ours(const struct dirent *entry)
{
    size_t digits = strspn(entry->d_name, "0123456789abcdef");
    const char *rest = entry->d_name + digits;

    return digits == 16 && (!*rest || !strncmp(rest, TEMPORARY, strlen(TEMPORARY)));
}

/* True for a file that its process did not live to finish. */
static bool is_left_over(const char *path)
{
    const char *temporary = strstr(strrchr(path, '/'), TEMPORARY);
    long pid = temporary ? strtol(temporary + strlen(TEMPORARY), NULL, 10) : 0;

    return pid > 0 && pid <= INT_MAX && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static void add_file(struct kept_list *list, char *path)
{
    struct stat st;

    if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode)) {
        free(path);
        return;
    }
    list->items = xreallocarray(list->items, list->n + 1, sizeof *list->items);
    list->items[list->n++] =
        (struct kept_file){.path = path, .used = st.st_mtim, .bytes = (uint64_t)st.st_size};
    list->bytes += (uint64_t)st.st_size;
}

static struct kept_list list_files(const char *folder)
{
    struct kept_list list = {0};
    struct dirent **entries = NULL;
    int n = folder ? scandir(folder, &entries, is_ours, alphasort) : 0;

    for (int i = 0; i < n; i++) {
        add_file(&list, xasprintf("%s/%s", folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return list;
}

static void free_list(struct kept_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i].path);
    free(list->items);
}

static int by_use(const void *a, const void *b)
{
    const struct kept_file *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

/* The time of a file marks its use. */
static bool is_used_since(const struct kept_file *file, const struct timespec *begin)
{
    return file->used.tv_sec > begin->tv_sec ||
           (file->used.tv_sec == begin->tv_sec && file->used.tv_nsec >= begin->tv_nsec);
}

/* The bytes that the run has used, of files that are left. */
static uint64_t used_since(const struct kept_list *list, const struct timespec *begin)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < list->n; i++)
        if (is_used_since(&list->items[i], begin))
            bytes += list->items[i].bytes;
    return bytes;
}

/* A file system with less room than this is full. */
enum { ROOM_LEAST = 1 << 20 };

static bool is_full(const char *folder)
{
    struct statvfs st;

    return statvfs(folder, &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize < ROOM_LEAST;
}

char *translations_end(const char *folder, uint64_t bytes, const struct timespec *begin)
{
    struct kept_list list = list_files(folder);
    uint64_t left = list.bytes, used = used_since(&list, begin);
    char *problem = NULL;

    sort_items(list.items, list.n, sizeof *list.items, by_use);
    for (size_t i = 0; i < list.n; i++) {
        bool is_surplus = left > bytes || list.n - i > FILES_MOST;

        if ((is_surplus || is_left_over(list.items[i].path)) && unlink(list.items[i].path) == 0)
            left -= list.items[i].bytes;
    }
    if (used > bytes)
        problem = xasprintf(
            "what this run uses has %s bytes; give --translation-cache-size %" PRIu64 " or more",
            TEXT_COUNT(used), used / 1000000 + 1);
    else if (!used && is_full(folder))
        problem = xasprintf("no room is left below '%s'; make some, or set XDG_CACHE_HOME", folder);
    free_list(&list);
    return problem;
}

int translations_remove(unsigned *n, uint64_t *bytes)
{
    char *folder = folder_path();
    struct kept_list list = list_files(folder);
    int status = 0;

    if (folder && access(folder, R_OK | X_OK) < 0 && errno != ENOENT)
        status = message_error("cannot look at '%s': %s", folder, strerror(errno));
    for (size_t i = 0; i < list.n && !status; i++) {
        if (unlink(list.items[i].path) < 0) {
            status = message_error("cannot remove '%s': %s", list.items[i].path, strerror(errno));
            continue;
        }
        ++*n;
        *bytes += list.items[i].bytes;
    }
    free_list(&list);
    if (folder)
        (void)rmdir(folder);
    free(folder);
    return status;
}

/* The nearest folder above that is there; cuts `path`. */
static const char *nearest_folder(char *path)
{
    char *slash;

    while (access(path, F_OK) < 0 && (slash = strrchr(path, '/')) && slash > path)
        *slash = '\0';
    return path;
}

/* Why the folder, which is not there, could not be made. */
static struct problem why_not_made(const char *folder)
{
    char *copy = xstrdup(folder);
    struct problem problem = {NULL, NULL};
    const char *above = nearest_folder(copy);
    struct stat st;

    if (lstat(folder, &st) == 0)
        problem = (struct problem){xasprintf("'%s' is a link to nothing", folder), "remove it"};
    else if (stat(above, &st) == 0 && !S_ISDIR(st.st_mode))
        problem = (struct problem){xasprintf("'%s' is not a folder", above),
                                   "set XDG_CACHE_HOME to another"};
    else if (access(above, W_OK | X_OK) < 0)
        problem = cannot("write to", above, ADVICE_ANOTHER);
    free(copy);
    return problem;
}

/* As why_not_kept(), which makes the folder. */
static struct problem why_none(const char *folder)
{
    if (!folder)
        return why_not_kept(folder);
    return access(folder, F_OK) < 0 && errno == ENOENT ? why_not_made(folder)
                                                       : why_not_trusted(folder);
}

void translations_look(struct findings *findings)
{
    static const char name[] = "translations";
    char *folder = folder_path();
    struct problem problem = why_none(folder);
    struct kept_list list = list_files(folder);

    if (problem.text) {
        findings_add(findings, name, FINDING_OPTIONAL, problem.text, problem.advice);
    } else if (is_full(folder) && !list.n) {
        findings_add(findings, name, FINDING_OPTIONAL, xasprintf("no room below '%s'", folder),
                     "make some, or set XDG_CACHE_HOME to another folder");
    } else {
        findings_add(findings, name, list.n ? FINDING_OK : FINDING_NOTE,
                     xasprintf("%s file%s, %s bytes in %s; at most %d MB are kept",
                               TEXT_COUNT(list.n), list.n == 1 ? "" : "s", TEXT_COUNT(list.bytes),
                               folder, TRANSLATIONS_MB),
                     NULL);
    }
    free_list(&list);
    free(folder);
}
