#include <config.h>

#include "run/rawset.h"

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
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

/* The file of such a profile in `dir`. The caller frees it. */
static char *raw_piece_path(const struct tempdir *dir, const struct raw_piece *piece)
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

    COMPARE(x->pid, y->pid);
    COMPARE(x->image, y->image);
    COMPARE(x->part, y->part);
    return 0;
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
    struct raw_piece *last_piece;

    if (!set->n)
        return;
    sort_items(set->items, set->n, sizeof *set->items, compare);
    while (from < set->n && set->items[from].pid != first)
        from++;
    while (from + n < set->n && set->items[from + n].pid == first)
        n++;
    last_piece = xreallocarray(NULL, n, sizeof *last_piece);
    if (n) {
        memcpy(last_piece, set->items + from, n * sizeof *last_piece);
        memmove(set->items + n, set->items, from * sizeof *last_piece);
        memcpy(set->items, last_piece, n * sizeof *last_piece);
    }
    free(last_piece);
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
    ssize_t size;
    int failed = 0;

    while (!failed && (size = read(from, buffer, 1 << 16)) > 0)
        failed = file_write(to, buffer, (size_t)size);
    free(buffer);
    return size < 0 ? -1 : failed;
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

/*--- Receiving ---*/

/* As in the tool (vgtool/cp_format.h), which a message comes from. */
enum { HEAD = 32, MOST = HEAD + 64 * 1024 };
enum { BEGIN = 'b', DATA = 'd', END = 'e', END_EXEC = 'x', WITHDRAW = 'w' };

/* Seconds for processes that end together with the program, or a little later. */
#define GRACE 1

/* A process, and the file that it sends, if any. */
struct sender {
    long pid;
    long image;   /* which of its programs, from 1 on */
    bool goes_on; /* the last one was followed by another program */
    int fd;       /* -1: it sends none */
    char *path;
    int error; /* of writing this file */
};

struct raw_receiver {
    pthread_t thread;
    int socket;
    const struct tempdir *dir;
    struct sender *items;
    size_t n, room;
    char *problem;
};

/*--- Files ---*/

static struct sender *sender_of(struct raw_receiver *r, long pid)
{
    for (size_t i = r->n; i > 0; i--)
        if (r->items[i - 1].pid == pid)
            return &r->items[i - 1];
    GROW(r->items, r->n, r->room);
    r->items[r->n] = (struct sender){.pid = pid, .image = 1, .fd = -1};
    return &r->items[r->n++];
}

static void drop(struct sender *s)
{
    if (s->fd >= 0) {
        close(s->fd);
        unlink(s->path);
    }
    s->fd = -1;
    free(s->path);
    s->path = NULL;
}

static void keep_problem(struct raw_receiver *r, const struct sender *s)
{
    if (!r->problem)
        r->problem = xasprintf("cannot write the profile '%s': error %d%s", s->path, s->error,
                               s->error == ENOSPC  ? " (no space left on the device)"
                               : s->error == EFBIG ? " (file size limit)"
                                                   : "");
}

static void begin(struct raw_receiver *r, struct sender *s, long part)
{
    struct raw_piece piece;

    drop(s);
    s->image += s->goes_on;
    s->goes_on = false;
    piece = (struct raw_piece){.pid = s->pid, .image = s->image, .part = part};
    s->path = raw_piece_path(r->dir, &piece);
    s->fd = open(s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    s->error = s->fd < 0 ? errno : 0;
}

static void add(struct sender *s, const char *bytes, size_t size)
{
    if (s->fd >= 0 && !s->error && file_write(s->fd, bytes, size) < 0)
        s->error = errno;
}

static void end(struct raw_receiver *r, struct sender *s, bool goes_on)
{
    if (s->fd >= 0 && !s->error) {
        close(s->fd);
        s->fd = -1;
        s->goes_on = goes_on;
    } else if (s->path) {
        keep_problem(r, s);
        drop(s);
    }
}

/* The exec that the profile was written before has failed. */
static void withdraw(struct sender *s)
{
    s->goes_on = false;
    if (s->path && s->fd < 0)
        unlink(s->path);
}

/*--- Messages ---*/

static void take(struct raw_receiver *r, char *message, size_t size)
{
    struct sender *s;
    long pid = 0, part = 0;

    if (size < HEAD)
        return;
    message[HEAD - 1] = '\0';
    if (sscanf(message + 1, "%ld %ld", &pid, &part) != 2)
        return;
    s = sender_of(r, pid);
    if (*message == BEGIN)
        begin(r, s, part);
    else if (*message == DATA)
        add(s, message + HEAD, size - HEAD);
    else if (*message == END || *message == END_EXEC)
        end(r, s, *message == END_EXEC);
    else if (*message == WITHDRAW)
        withdraw(s);
}

static void *receive(void *data)
{
    struct raw_receiver *r = data;
    char *message = xmalloc(MOST);
    ssize_t size;

    while ((size = recv(r->socket, message, MOST, 0)) != 0)
        if (size > 0)
            take(r, message, (size_t)size);
        else if (errno != EINTR)
            break;
    free(message);
    return NULL;
}

struct raw_receiver *raw_receiver_begin(const struct tempdir *dir, int *tool)
{
    struct raw_receiver *r;
    int ends[2], error;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return NULL;
    r = xcalloc(1, sizeof *r);
    *r = (struct raw_receiver){.socket = ends[0], .dir = dir};
    /* The thread takes no signals: that of a limit of files would end the program. */
    error = thread_begin(&r->thread, receive, r);
    if (!error) {
        *tool = ends[1];
        return r;
    }
    close(ends[0]);
    close(ends[1]);
    free(r);
    errno = error;
    return NULL;
}

/* The process has not ended. A zombie has. */
static bool is_running(long pid)
{
    char *path = xasprintf("/proc/%ld/stat", pid), state = 'Z';
    /* "PID (NAME) STATE ..."; a name with a parenthesis reads as one that runs. */
    bool is_there = access(path, F_OK) == 0;

    if (is_there && file_scan(path, "%*[^)]) %c", &state) != 1)
        state = 'R';
    free(path);
    return state != 'Z' && state != 'X';
}

/* The process is still running after some time: others end together with the program. */
static bool goes_on_running(long pid)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

    for (int i = 0; i < GRACE * 100 && is_running(pid); i++)
        nanosleep(&pause, NULL);
    return is_running(pid);
}

char *raw_receiver_end(struct raw_receiver *r, bool *go_on)
{
    struct timespec until;
    char *problem;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += GRACE;
    *go_on = pthread_timedjoin_np(r->thread, NULL, &until) != 0;
    if (*go_on) {
        shutdown(r->socket, SHUT_RDWR);
        pthread_join(r->thread, NULL);
    }
    for (size_t i = 0; i < r->n; i++) {
        *go_on |= r->items[i].goes_on && goes_on_running(r->items[i].pid);
        drop(&r->items[i]);
    }
    problem = r->problem;
    close(r->socket);
    free(r->items);
    free(r);
    return problem;
}
