/*
 * server.c - runs command lines of cargo-cprof, each in a process of its own that is forked from
 * here: that saves the start of a program with sanitizers, which takes longer than most runs.
 *
 * A request is a native 32-bit size and so many bytes: texts that end with a NUL. They are the
 * folder to run in, the files for standard input, output and errors, seconds and MiB that the run
 * may take, the keys to type ("": there is no terminal; else the three are a terminal's, and the
 * second file gets what it shows), variables NAME=VALUE up to an empty text, and the words after
 * the program's name. The answer is one line: "exit STATUS", "signal NUMBER", "time" or "memory",
 * then the microseconds that it took, and its peak memory in KiB.
 */
#include <config.h>

#include "base/output.h"
#include "cmd/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_WORDS = 500,
    TICK = 20, /* milliseconds between two looks at a run */
    ROWS = 30,
    COLUMNS = 100,
    PAUSE = 3,           /* milliseconds of silence before the next key */
    FILE_BYTES = 1 << 28 /* what one file may grow to */
};

struct request {
    char *folder, *input, *output, *errors;
    double seconds;
    long megabytes;
    char *keys;
    char **environment; /* ends with "" */
    char **words;       /* ends with NULL */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
    perror(what);
    _exit(90);
}

/*--- The run ---*/

static void put_file(const char *path, int flags, int fd)
{
    int opened = open(path, flags, 0600);

    if (opened < 0 || dup2(opened, fd) < 0)
        die(path);
    close(opened);
}

static void run(const struct request *r)
{
    struct rlimit no_core = {0, 0}, file = {FILE_BYTES, FILE_BYTES};
    int n = 0;

    if (chdir(r->folder) < 0)
        die(r->folder);
    if (!*r->keys) {
        setsid();
        put_file(r->input, O_RDONLY, 0);
        put_file(r->output, O_WRONLY | O_CREAT | O_TRUNC, 1);
        put_file(r->errors, O_WRONLY | O_CREAT | O_TRUNC, 2);
    }
    for (char **e = r->environment; **e; e++)
        putenv(*e);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &file);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    setlocale(LC_CTYPE, "");
    while (r->words[n])
        n++;
    exit(output_close(command_main(n, r->words)));
}

/*--- Watching it ---*/

static long memory_of(pid_t pid)
{
    char path[40];
    long size = 0, resident = 0;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
    in = fopen(path, "re");
    if (in && fscanf(in, "%ld %ld", &size, &resident) != 2)
        resident = 0;
    if (in)
        fclose(in);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Reads what the terminal shows, and types the next key where it has fallen silent. */
static void serve_terminal(int master, int log, const char **keys, int silent)
{
    char buffer[4096];
    ssize_t size;

    if (!silent) {
        size = read(master, buffer, sizeof buffer);
        if (size > 0 && write(log, buffer, (size_t)size) < 0)
            die("log");
    } else if (**keys) {
        if (write(master, *keys, 1) == 1)
            ++*keys;
    }
}

/* Reads what the terminal still holds of a run that has ended. */
static void drain(int master, int log)
{
    char buffer[4096];
    ssize_t size;

    fcntl(master, F_SETFL, O_NONBLOCK);
    while ((size = read(master, buffer, sizeof buffer)) > 0)
        if (write(log, buffer, (size_t)size) < 0)
            die("log");
}

static const char *watch(const struct request *r, pid_t pid, int master, int log)
{
    struct pollfd fds[2] = {{.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN},
                            {.fd = master, .events = POLLIN}};
    double end = now() + r->seconds;
    const char *keys = r->keys, *verdict = NULL;

    for (;;) {
        int n = poll(fds, 2, master >= 0 && *keys ? PAUSE : TICK);

        if (n > 0 && fds[0].revents)
            break;
        if (master >= 0 && !(fds[1].revents & POLLIN) && (fds[1].revents & POLLHUP))
            fds[1].fd = -1;
        else if (master >= 0)
            serve_terminal(master, log, &keys, n == 0);
        if (now() > end)
            verdict = "time";
        else if (memory_of(pid) > r->megabytes * 1024)
            verdict = "memory";
        if (verdict)
            break;
    }
    close(fds[0].fd);
    return verdict;
}

static void answer(const struct request *r)
{
    struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    int master = -1, log = -1, status;
    double start = now();
    const char *verdict;
    struct rusage usage;
    pid_t pid;

    if (*r->keys)
        log = open(r->output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid = *r->keys ? forkpty(&master, NULL, NULL, &size) : fork();
    if (pid < 0)
        die("fork");
    if (pid == 0)
        run(r);
    verdict = watch(r, pid, master, log);
    /* The process leads a group of its own, with what it has started. */
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    if (master >= 0) {
        drain(master, log);
        close(master);
        close(log);
    }
    if (verdict)
        printf("%s", verdict);
    else if (WIFEXITED(status))
        printf("exit %d", WEXITSTATUS(status));
    else
        printf("signal %d", WTERMSIG(status));
    printf(" %.0f %ld\n", (now() - start) * 1e6, usage.ru_maxrss);
    fflush(stdout);
}

/*--- Requests ---*/

static char *next(char **at, const char *end)
{
    char *text = *at;

    if (text >= end)
        return NULL;
    *at = text + strlen(text) + 1;
    return text;
}

static void serve(char *bytes, const char *end)
{
    static char program[] = "cargo-cprof";
    char *words[MAX_WORDS + 2] = {program}, *environment[MAX_WORDS + 1], *at = bytes, *text;
    struct request r = {.environment = environment, .words = words};
    size_t n = 0;

    r.folder = next(&at, end);
    r.input = next(&at, end);
    r.output = next(&at, end);
    r.errors = next(&at, end);
    r.seconds = atof(next(&at, end));
    r.megabytes = atol(next(&at, end));
    r.keys = next(&at, end);
    while (n < MAX_WORDS && *(environment[n++] = next(&at, end)))
        ;
    for (n = 1; n <= MAX_WORDS && (text = next(&at, end)); n++)
        words[n] = text;
    words[n] = NULL;
    answer(&r);
}

int main(void)
{
    char *bytes = NULL;
    unsigned size;

    while (fread(&size, sizeof size, 1, stdin) == 1) {
        bytes = realloc(bytes, (size_t)size + 1);
        if (!bytes || fread(bytes, 1, size, stdin) != size)
            return 1;
        bytes[size] = '\0';
        serve(bytes, bytes + size);
    }
    free(bytes);
    return 0;
}
