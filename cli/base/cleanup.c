#include <config.h>

#include "base/cleanup.h"

#include "base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A fixed table, since a signal handler reads it: an entry is written before it counts. More paths
 * than this at one time are a bug.
 */
enum { MAX_PATHS = 16 };
static char *volatile paths[MAX_PATHS];
static volatile pid_t owners[MAX_PATHS]; /* a process that was forked leaves them alone */
static char *volatile texts[MAX_PATHS];  /* goes behind the end of that file; NULL: it is removed */

/* By what a signal handler may call. */
static void append(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

    if (fd < 0)
        return;
    (void)!write(fd, text, strlen(text));
    close(fd);
}

/* Removes the files of a folder. Not by opendir(), which a signal handler must not call. */
static void clear_folder(int fd)
{
    alignas(struct dirent64) char entries[4096];
    bool removed;

    do {
        ssize_t size;

        removed = false;
        lseek(fd, 0, SEEK_SET);
        while ((size = getdents64(fd, entries, sizeof entries)) > 0)
            for (ssize_t at = 0; at < size;) {
                const struct dirent64 *entry = (const void *)(entries + at);

                removed |= unlinkat(fd, entry->d_name, 0) == 0;
                at += entry->d_reclen;
            }
    } while (removed);
}

/* Not remove(), which a signal handler must not call. */
static void remove_one(const char *path)
{
    int fd;

    if (unlink(path) == 0)
        return;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    clear_folder(fd);
    close(fd);
    rmdir(path);
}

static void remove_all(void)
{
    pid_t self = getpid();

    for (int i = MAX_PATHS - 1; i >= 0; i--)
        if (!paths[i] || owners[i] != self)
            continue;
        else if (texts[i])
            append(paths[i], texts[i]);
        else
            remove_one(paths[i]);
}

static void die(int sig)
{
    remove_all();
    /* SA_RESETHAND has put the default action back: this ends the program as the signal would have.
     */
    raise(sig);
}

/* Only signals that would have ended the program: what was ignored at start (nohup) stays ignored.
 */
static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = die, .sa_flags = (int)SA_RESETHAND}, old;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

static void prepare(void)
{
    static int ready;

    if (ready)
        return;
    ready = 1;
    atexit(remove_all);
    catch_signals();
}

/* Takes over both. */
static void add(char *path, char *text)
{
    prepare();
    for (int i = 0; i < MAX_PATHS; i++) {
        if (!paths[i]) {
            texts[i] = text;
            owners[i] = getpid();
            paths[i] = path;
            return;
        }
    }
    abort();
}

void cleanup_add(const char *path)
{
    char *copy = strdup(path);

    if (!copy) {
        remove_one(path);
        memory_die();
    }
    add(copy, NULL);
}

char *cleanup_make_folder(char *pattern)
{
    sigset_t all, before;
    char *folder;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    folder = mkdtemp(pattern);
    if (folder)
        cleanup_add(folder);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return folder;
}

void cleanup_add_text(const char *path, const char *text)
{
    add(xstrdup(path), xstrdup(text));
}

void cleanup_forget(const char *path)
{
    for (int i = 0; i < MAX_PATHS; i++) {
        char *old = paths[i];

        if (old && !strcmp(old, path)) {
            char *text = texts[i];

            paths[i] = NULL;
            texts[i] = NULL;
            free(old);
            free(text);
        }
    }
}
