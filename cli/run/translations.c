#include <config.h>

#include "run/translations.h"

#include "base/count.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/message.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*--- The folder ---*/

/* Its path, wherever it is; NULL: the environment names none. */
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
    return (st->st_uid != geteuid() && (last || st->st_uid != 0)) ||
           (st->st_mode & (S_IWGRP | S_IWOTH) && (last || !(st->st_mode & S_ISVTX)));
}

/* The folder of a path without links, itself or above, that others may change; NULL: none. Cuts
 * `path`. */
static const char *open_folder(char *path)
{
    struct stat st;

    for (bool last = true; *path; last = false) {
        if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode) || is_open(&st, last))
            return path;
        *strrchr(path, '/') = '\0';
    }
    return stat("/", &st) == 0 && !is_open(&st, false) ? NULL : "/";
}

/* The problem with a folder that is there, for the caller to free, or NULL. */
static char *why_not_trusted(const char *folder)
{
    char *path = realpath(folder, NULL);
    const char *open = path ? open_folder(path) : NULL;
    char *problem = NULL;

    if (!path)
        problem = xasprintf("'%s' cannot be found: %s", folder, strerror(errno));
    else if (open)
        problem = xasprintf("others could write to '%s', and what is kept is executed", open);
    else if (access(folder, R_OK | W_OK | X_OK) < 0)
        problem = xasprintf("cannot write to '%s': %s", folder, strerror(errno));
    free(path);
    return problem;
}

char *translations_folder(char **problem)
{
    char *path = folder_path();

    *problem = NULL;
    if (!path)
        *problem = xstrdup("neither XDG_CACHE_HOME nor HOME names a folder");
    else if (getuid() != geteuid() || getgid() != getegid())
        *problem = xstrdup("this process has rights that its user lacks");
    else if (folder_make(path, 0700) < 0)
        *problem = xasprintf("cannot make '%s': %s", path, strerror(errno));
    else
        *problem = why_not_trusted(path);
    if (!*problem)
        return path;
    free(path);
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

/* The tool names files by a checksum, and by that with a process's number while it writes them. */
static int is_ours(const struct dirent *entry)
{
    size_t digits = strspn(entry->d_name, "0123456789abcdef");
    const char *rest = entry->d_name + digits;

    return digits == 16 && (!*rest || !strncmp(rest, ".tmp", strlen(".tmp")));
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

void translations_trim(const char *folder, uint64_t bytes)
{
    struct kept_list list = list_files(folder);
    uint64_t left = list.bytes;

    if (left > bytes || list.n > FILES_MOST)
        qsort(list.items, list.n, sizeof *list.items, by_use);
    for (size_t i = 0; i < list.n && (left > bytes || list.n - i > FILES_MOST); i++)
        if (unlink(list.items[i].path) == 0)
            left -= list.items[i].bytes;
    free_list(&list);
}

int translations_remove(unsigned *n, uint64_t *bytes)
{
    char *folder = folder_path();
    struct kept_list list = list_files(folder);
    int status = 0;

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

void translations_look(struct findings *findings)
{
    static const char name[] = "translations";
    char *folder = folder_path(), *problem = NULL;
    struct kept_list list = list_files(folder);

    if (!folder || access(folder, F_OK) < 0)
        findings_add(findings, name, FINDING_NOTE, xstrdup("none are kept"), NULL);
    else if ((problem = why_not_trusted(folder)))
        findings_add(findings, name, FINDING_OPTIONAL, problem,
                     "close it to others, or set XDG_CACHE_HOME to a folder of your own");
    else
        findings_add(findings, name, FINDING_OK,
                     xasprintf("%s file%s, %s bytes in %s", TEXT_COUNT(list.n),
                               list.n == 1 ? "" : "s", TEXT_COUNT(list.bytes), folder),
                     NULL);
    free_list(&list);
    free(folder);
}
