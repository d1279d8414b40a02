#include <config.h>

#include "base/child_wait.h"

#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { GRACE = 2 /* seconds */ };

double child_wait_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double child_wait_processor(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* The seconds for which the first thread of a process was ready, but had no processor. */
static double queued(pid_t pid)
{
    char path[40];
    unsigned long long ran, ready = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)pid);
    file = fopen(path, "re");
    if (file && fscanf(file, "%llu %llu", &ran, &ready) != 2)
        ready = 0;
    if (file)
        fclose(file);
    return (double)ready / 1e9;
}

int child_wait_end(pid_t pid, double *ready)
{
    siginfo_t info;

    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    *ready = queued(pid);
    return process_wait(pid);
}

bool child_wait_for(pid_t pid, double seconds, int *status, double *ready)
{
    const struct timespec little = {.tv_nsec = 10000000};
    double end = child_wait_clock() + seconds;

    while (child_wait_clock() < end) {
        siginfo_t info = {.si_pid = 0};

        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == pid) {
            *status = child_wait_end(pid, ready);
            return true;
        }
        nanosleep(&little, NULL);
    }
    return false;
}

bool child_wait(pid_t pid, long seconds, int *status, double *ready)
{
    if (!seconds) {
        *status = child_wait_end(pid, ready);
        return false;
    }
    if (child_wait_for(pid, (double)seconds, status, ready))
        return false;
    kill(pid, SIGTERM);
    if (!child_wait_for(pid, GRACE, status, ready)) {
        kill(pid, SIGKILL);
        *status = child_wait_end(pid, ready);
    }
    return true;
}
