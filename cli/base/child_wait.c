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

static double clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The processor time of the children that have ended. */
static double children_seconds(void)
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

void child_times_begin(struct child_times *times)
{
    *times = (struct child_times){.whole = clock_seconds(), .processor = children_seconds()};
}

int child_wait_end(pid_t pid, struct child_times *times)
{
    double ready;
    siginfo_t info;
    int status;

    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    ready = queued(pid);
    status = process_wait(pid);
    if (times)
        *times = (struct child_times){clock_seconds() - times->whole,
                                      children_seconds() - times->processor, ready};
    return status;
}

bool child_wait_for(pid_t pid, double seconds, int *status, struct child_times *times)
{
    const struct timespec little = {.tv_nsec = 10000000};
    double end = clock_seconds() + seconds;

    while (clock_seconds() < end) {
        siginfo_t info = {.si_pid = 0};

        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == pid) {
            *status = child_wait_end(pid, times);
            return true;
        }
        nanosleep(&little, NULL);
    }
    return false;
}

bool child_wait(pid_t pid, long seconds, int *status, struct child_times *times)
{
    if (!seconds) {
        *status = child_wait_end(pid, times);
        return false;
    }
    if (child_wait_for(pid, (double)seconds, status, times))
        return false;
    kill(pid, SIGTERM);
    if (!child_wait_for(pid, GRACE, status, times)) {
        kill(pid, SIGKILL);
        *status = child_wait_end(pid, times);
    }
    return true;
}
