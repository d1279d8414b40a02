#include <config.h>

#include "run/rawset.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_number(const char **text, long *number)
{
    size_t digits = strspn(*text, "0123456789");

    if (!digits || digits > 18)
        return false;
    *number = strtol(*text, NULL, 10);
    *text += digits;
    return true;
}

/* True where a file's name is that of a profile: others are still being written. */
static bool read_name(const char *name, struct raw_piece *piece)
{
    *piece = (struct raw_piece){0};
    if (strncmp(name, RAWSET_NAME, strlen(RAWSET_NAME)) != 0)
        return false;
    name += strlen(RAWSET_NAME);
    if (!read_number(&name, &piece->pid))
        return false;
    piece->image = 1;
    if (*name == '-' && (name++, !read_number(&name, &piece->image)))
        return false;
    return !*name || (*name++ == '.' && read_number(&name, &piece->part) && !*name);
}

char *raw_piece_path(const struct tempdir *dir, const struct raw_piece *piece)
{
    char image[32] = "", part[32] = "";

    if (piece->image > 1)
        snprintf(image, sizeof image, "-%ld", piece->image);
    if (piece->part)
        snprintf(part, sizeof part, ".%ld", piece->part);
    return xasprintf("%s/%s%ld%s%s", dir->path, RAWSET_NAME, piece->pid, image, part);
}

static int compare(const void *a, const void *b)
{
    const struct raw_piece *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

bool raw_piece_same_program(const struct raw_piece *a, const struct raw_piece *b)
{
    return a->pid == b->pid && a->image == b->image;
}

bool rawset_goes_on(const struct rawset *set)
{
    for (size_t i = 0; i < set->n && set->items[i].pid == set->items[0].pid; i++)
        if (set->items[i].image > 1)
            return true;
    return false;
}

/* Sorted, with those of `first` at the beginning. */
static void order(struct rawset *set, long first)
{
    size_t from = 0, n = 0;
    struct raw_piece *its;

    if (!set->n)
        return;
    sort_items(set->items, set->n, sizeof *set->items, compare);
    while (from < set->n && set->items[from].pid != first)
        from++;
    while (from + n < set->n && set->items[from + n].pid == first)
        n++;
    its = xreallocarray(NULL, n, sizeof *its);
    if (n) {
        memcpy(its, set->items + from, n * sizeof *its);
        memmove(set->items + n, set->items, from * sizeof *its);
        memcpy(set->items, its, n * sizeof *its);
    }
    free(its);
    for (size_t i = 0; i < set->n; i++) {
        set->n_processes += !i || set->items[i].pid != set->items[i - 1].pid;
        set->n_programs += !i || !raw_piece_same_program(&set->items[i], &set->items[i - 1]);
    }
}

static void find(struct rawset *set, const struct tempdir *dir, long first)
{
    DIR *list = opendir(dir->path);
    struct raw_piece piece;
    struct dirent *entry;

    while (list && (entry = readdir(list)))
        if (read_name(entry->d_name, &piece)) {
            set->items = xreallocarray(set->items, set->n + 1, sizeof *set->items);
            set->items[set->n++] = piece;
        }
    if (list)
        closedir(list);
    order(set, first);
}

/* Puts the file `from` at the end of `to`. 0, or -1 with errno. */
static int append(int to, int from)
{
    char *buffer = xmalloc(1 << 16);
    ssize_t size, done = 0;

    while ((size = read(from, buffer, 1 << 16)) > 0)
        for (ssize_t at = 0; at < size; at += done)
            if ((done = write(to, buffer + at, (size_t)(size - at))) < 0) {
                free(buffer);
                return -1;
            }
    free(buffer);
    return size < 0 ? -1 : 0;
}

/* Adds piece `i` to the first one's file and removes its own. 0, or an errno. */
static int join(struct rawset *set, const struct tempdir *dir, size_t i, int to)
{
    char *path = raw_piece_path(dir, &set->items[i]);
    int from = open(path, O_RDONLY | O_CLOEXEC), error = from < 0 ? errno : 0;
    off_t start = lseek(to, 0, SEEK_END), end;

    if (!error && i && append(to, from) < 0)
        error = errno;
    end = lseek(to, 0, SEEK_END);
    set->items[i].offset = i ? (size_t)start : 0;
    set->items[i].size = (size_t)end - set->items[i].offset;
    if (from >= 0)
        close(from);
    if (!error && i)
        unlink(path);
    free(path);
    return error;
}

int rawset_collect(struct rawset *set, const struct tempdir *dir, pid_t first)
{
    int to, error = 0;

    *set = (struct rawset){0};
    find(set, dir, (long)first);
    if (!set->n || set->items[0].pid != (long)first) {
        tempdir_clear(dir, NULL);
        return 0;
    }
    set->path = raw_piece_path(dir, &set->items[0]);
    to = open(set->path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (to < 0)
        error = errno;
    for (size_t i = 0; i < set->n && !error; i++)
        error = join(set, dir, i, to);
    if (to >= 0)
        close(to);
    if (error)
        return message_error("cannot put the profiles of the run together: %s; set TMPDIR to a "
                             "folder with room",
                             strerror(error));
    tempdir_clear(dir, strrchr(set->path, '/') + 1);
    return 0;
}

void rawset_free(struct rawset *set)
{
    free(set->path);
    free(set->name);
    free(set->items);
    *set = (struct rawset){0};
}
