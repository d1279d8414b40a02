#include <config.h>

#include "base/child_wait.h"

#include "base/process.h"

#include <signal.h>
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

bool child_wait_for(pid_t pid, double seconds, int *status)
{
    const struct timespec little = {.tv_nsec = 10000000};
    double end = child_wait_clock() + seconds;

    while (child_wait_clock() < end) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        nanosleep(&little, NULL);
    }
    return false;
}

bool child_wait(pid_t pid, long seconds, int *status)
{
    if (!seconds) {
        *status = process_wait(pid);
        return false;
    }
    if (child_wait_for(pid, (double)seconds, status))
        return false;
    kill(pid, SIGTERM);
    if (!child_wait_for(pid, GRACE, status)) {
        kill(pid, SIGKILL);
        *status = process_wait(pid);
    }
    return true;
}
