/*
 * repeating.c - preloaded into programs that run several times: makes equal what varies between two
 * runs. It is always the same time, random bits are the same, files with random names have numbers,
 * and a pipe is read when those who write to it have ended.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

time_t time(time_t *now)
{
    const time_t fixed = 1700000000;

    if (now)
        *now = fixed;
    return fixed;
}

ssize_t getrandom(void *bits, size_t size, unsigned flags)
{
    (void)flags;
    memset(bits, 7, size);
    return (ssize_t)size;
}

int mkstemp(char *name)
{
    static unsigned n;

    snprintf(name + strlen(name) - 6, 7, "%06u", n++);
    return open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
}

/* Children write less than a pipe holds. */
static void wait_for_writers(int file)
{
    struct stat status;
    siginfo_t info;

    if (!fstat(file, &status) && S_ISFIFO(status.st_mode))
        waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
}

ssize_t read(int file, void *buffer, size_t size)
{
    wait_for_writers(file);
    return syscall(SYS_read, file, buffer, size);
}
