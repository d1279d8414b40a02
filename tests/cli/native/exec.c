/*
 * exec MODE: starts programs in the ways that differ from an exec of a path. With AGAIN in its
 * environment it is such a program, and says so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static __attribute__((noinline)) long after(void)
{
    volatile long sum = 0;

    for (long i = 0; i < 1000; i++)
        sum += i;
    return sum;
}

static void spawn_missing(char **argv)
{
    char *words[] = {"tool", NULL};
    pid_t pid = 0;
    int error = posix_spawn(&pid, argv[2], NULL, NULL, words, environ);

    printf("spawn: %s\n", error ? strerror(error) : "started");
    if (!error)
        waitpid(pid, &error, 0);
}

static volatile int global_error;

static void fork_missing(char **argv)
{
    volatile int error = 0;
    pid_t pid = vfork();

    if (pid == 0) {
        execl(argv[2], "tool", (char *)NULL);
        error = errno;
        global_error = errno + 1000;
        _exit(3);
    }
    printf("vfork: %s, %d\n", strerror(error), global_error);
    waitpid(pid, (int *)&error, 0);
    printf("status %d\n", WEXITSTATUS(error));
}

static void itself(char **argv)
{
    char own[64];

    snprintf(own, sizeof own, "/proc/%d/exe", getpid());
    execv(!strcmp(argv[2], "PID") ? own : argv[2], argv);
    printf("exec: %s\n", strerror(errno));
}

static int memory_program(unsigned flags)
{
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("program", flags);
    struct stat st;

    if (from < 0 || to < 0 || fstat(from, &st) < 0 ||
        sendfile(to, from, NULL, (size_t)st.st_size) != st.st_size)
        return -1;
    return to;
}

static void memory(char **argv)
{
    int fd = memory_program(!strcmp(argv[2], "close") ? MFD_CLOEXEC : 0);
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!strcmp(argv[2], "path"))
        execv(path, argv);
    else
        fexecve(fd, argv, environ);
    printf("exec: %s\n", strerror(errno));
}

static void deleted(char **argv)
{
    (void)argv;
    unlink(argv[0]);
    execv("/proc/self/exe", argv);
    printf("exec: %s\n", strerror(errno));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*work)(char **argv);
    } modes[] = {{"spawn", spawn_missing},
                 {"vfork", fork_missing},
                 {"itself", itself},
                 {"memory", memory},
                 {"deleted", deleted}};

    if (getenv("AGAIN")) {
        printf("again: %ld\n", after());
        return 0;
    }
    setenv("AGAIN", "yes", 1);
    for (size_t i = 0; argc > 2 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(argv[1], modes[i].name))
            modes[i].work(argv);
    return 1;
}
