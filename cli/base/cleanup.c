#include <config.h>

#include "base/cleanup.h"

#include "base/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A fixed table, since a signal handler reads it: an entry is written before it counts. More paths
 * than this at one time are a bug.
 */
enum { MAX_PATHS = 16 };
static char *volatile paths[MAX_PATHS];
static char *volatile texts[MAX_PATHS]; /* goes behind the end of that file; NULL: it is removed */

/* By what a signal handler may call. */
static void append(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

    if (fd < 0)
        return;
    (void)!write(fd, text, strlen(text));
    close(fd);
}

/* Not remove(): these two are all that a signal handler may call. */
static void remove_one(const char *path)
{
    if (unlink(path) < 0)
        rmdir(path);
}

static void remove_all(void)
{
    for (int i = MAX_PATHS - 1; i >= 0; i--)
        if (paths[i] && texts[i])
            append(paths[i], texts[i]);
        else if (paths[i])
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
