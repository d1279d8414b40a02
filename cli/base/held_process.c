#include <config.h>

#include "base/held_process.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*--- Waiting ---*/

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

void child_times_begin(struct child_times *times)
{
    *times = (struct child_times){.whole = clock_seconds(), .processor = children_seconds()};
    ready_time_begin(&times->looks, times->whole);
}

int child_times_look(struct child_times *times, pid_t pid)
{
    enum { OFTEN = 100, MOST = 10000 };
    double begin = clock_seconds(), next;

    ready_time_look(&times->looks, pid, begin);
    /* Looks at very many threads are rare, so that they cost little. */
    next = 50 * 1000 * (clock_seconds() - begin);
    return next < OFTEN ? OFTEN : next > MOST ? MOST : (int)next;
}

/* Looks at the child until it ends. */
static void look_on(pid_t pid, struct child_times *times)
{
    struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};

    if (ended.fd < 0)
        return;
    while (poll(&ended, 1, child_times_look(times, pid)) <= 0)
        ;
    close(ended.fd);
}

int child_wait_end(pid_t pid, struct child_times *times)
{
    siginfo_t info;
    int status;

    if (times)
        look_on(pid, times);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    if (times)
        (void)child_times_look(times, pid);
    status = process_wait(pid);
    if (times) {
        times->whole = clock_seconds() - times->whole;
        times->processor = children_seconds() - times->processor;
        times->ready = ready_time_end(&times->looks, times->processor);
    }
    return status;
}

bool child_wait_for(pid_t pid, double seconds, int *status, struct child_times *times)
{
    const struct timespec little = {.tv_nsec = 10000000};
    double end = clock_seconds() + seconds, look = 0;

    while (clock_seconds() < end) {
        siginfo_t info = {.si_pid = 0};

        if (times && clock_seconds() >= look)
            look = clock_seconds() + child_times_look(times, pid) / 1e3;

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

/*--- Held processes ---*/

static void change_environment(const struct string_list *changes)
{
    for (size_t i = 0; changes && i < changes->n; i++) {
        const char *text = changes->items[i];

        if (strchr(text, '='))
            (void)putenv((char *)text);
        else
            (void)unsetenv(text);
    }
}

/* In the new process. */
_Noreturn static void begin(const struct process_spec *spec, int gate, int error)
{
    char byte;
    int problem = 0;

    (void)prctl(PR_SET_NAME, HELD_PROCESS_NAME);
    if (read(gate, &byte, 1) != 1)
        _exit(0);
    close(gate);
    if (spec->only_environment)
        (void)clearenv();
    change_environment(spec->environment);
    if (spec->folder && chdir(spec->folder) < 0)
        problem = errno;
    if (!problem && spec->output >= 0 && dup2(spec->output, STDOUT_FILENO) < 0)
        problem = errno;
    if (spec->blocked)
        sigprocmask(SIG_SETMASK, spec->blocked, NULL);
    if (!problem) {
        execvp(spec->argv[0], (char *const *)spec->argv);
        problem = errno;
    }
    (void)!write(error, &problem, sizeof problem);
    _exit(127);
}

/* The handlers of the parent would be called until the exec, with what it knows. */
static void reset_signals(void)
{
    static const int caught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction action;

        if (sigaction(caught[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)signal(caught[i], SIG_DFL);
    }
}

int held_process_start(const struct process_spec *spec, struct held_process *process)
{
    int gate[2], error[2], problem;

    if (pipe2(gate, O_CLOEXEC) < 0)
        return errno;
    if (pipe2(error, O_CLOEXEC) < 0) {
        problem = errno;
        close(gate[0]);
        close(gate[1]);
        return problem;
    }
    process->pid = fork();
    problem = process->pid < 0 ? errno : 0;
    if (process->pid == 0) {
        close(gate[1]);
        close(error[0]);
        reset_signals();
        begin(spec, gate[0], error[1]);
    }
    close(gate[0]);
    close(error[1]);
    process->gate = gate[1];
    process->error = error[0];
    if (problem) {
        close(gate[1]);
        close(error[0]);
    }
    return problem;
}

int held_process_release(struct held_process *process)
{
    int problem = 0;

    (void)!write(process->gate, "", 1);
    close(process->gate);
    if (read(process->error, &problem, sizeof problem) != sizeof problem)
        problem = 0;
    close(process->error);
    process->error = -1;
    if (problem)
        process_wait(process->pid);
    return problem;
}

void held_process_drop(struct held_process *process)
{
    close(process->gate);
    close(process->error);
    process_wait(process->pid);
}
