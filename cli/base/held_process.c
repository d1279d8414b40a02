#include <config.h>

#include "base/held_process.h"

#include "base/array.h"
#include "base/file.h"
#include "base/sort.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*--- Time without a processor ---*/

/*
 * How long a process was ready to run, but had no processor: it, its threads and all
 * that it started.
 *
 * The kernel tells it of each thread as long as that is there, so it is looked at again and again.
 * A thread that has ended since the last look is taken to have been ready all the time, where
 * others of the process were for long; one that no look saw, as long as they were for what it ran.
 */

/* Processes below processes. */
enum { DEPTH_MOST = 32 };

struct looking {
    struct thread_times *threads;
    size_t n, room;
};

static void look_at_process(struct looking *l, pid_t pid, unsigned depth);

/* Adds a thread, if the kernel tells of it. */
static void add_thread(struct looking *l, const char *folder, pid_t id)
{
    struct thread_times t = {.id = id};
    char path[128];

    snprintf(path, sizeof path, "%s/%ld/schedstat", folder, (long)id);
    if (file_scan(path, "%llu %llu", &t.ran, &t.ready) == 2)
        APPEND(l->threads, l->n, l->room) = t;
}

/* Adds the processes that a thread started. */
static void add_children(struct looking *l, const char *folder, pid_t id, unsigned depth)
{
    char path[128];
    FILE *file;
    long pid;

    snprintf(path, sizeof path, "%s/%ld/children", folder, (long)id);
    file = fopen(path, "re");
    while (file && fscanf(file, "%ld", &pid) == 1)
        look_at_process(l, (pid_t)pid, depth + 1);
    if (file)
        fclose(file);
}

static void look_at_process(struct looking *l, pid_t pid, unsigned depth)
{
    const struct dirent *entry;
    char folder[64];
    DIR *threads;

    snprintf(folder, sizeof folder, "/proc/%ld/task", (long)pid);
    threads = depth < DEPTH_MOST ? opendir(folder) : NULL;
    while (threads && (entry = readdir(threads)) != NULL) {
        long id = strtol(entry->d_name, NULL, 10);

        if (id > 0) {
            add_thread(l, folder, (pid_t)id);
            add_children(l, folder, (pid_t)id, depth);
        }
    }
    if (threads)
        closedir(threads);
}

static int compare_ids(const void *a, const void *b)
{
    const struct thread_times *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* The sum over all threads since the last look. A number that is smaller than before is another
 * thread's. `*ended`: a thread of that look is there no more. */
static struct thread_times since(const struct ready_time *r, const struct looking *l, bool *ended)
{
    struct thread_times sum = {.ran = 0};
    size_t k = 0, known = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct thread_times *t = &l->threads[i], none = {.id = t->id}, *before = &none;

        while (k < r->n && r->threads[k].id < t->id)
            k++;
        if (k < r->n && r->threads[k].id == t->id && r->threads[k].ran <= t->ran &&
            r->threads[k].ready <= t->ready) {
            before = &r->threads[k];
            known++;
        }
        sum.ran += t->ran - before->ran;
        sum.ready += t->ready - before->ready;
    }
    *ended = known < r->n;
    return sum;
}

/* True where threads were ready for a while for each time that they ran. */
static bool is_busy(const struct ready_time *r)
{
    return r->was_ready > r->ran / 4;
}

/* Looks at the process, which may have ended but is not waited for yet. */
static void ready_time_look(struct ready_time *r, pid_t pid, double now)
{
    struct looking l = {.n = 0};
    struct thread_times sum;
    double left, ready;
    bool ended;

    look_at_process(&l, pid, 0);
    sort_items(l.threads, l.n, sizeof *l.threads, compare_ids);
    sum = since(r, &l, &ended);
    ready = (double)sum.ready / 1e9;
    left = now - r->last - (double)sum.ran / 1e9;
    r->ran += (double)sum.ran / 1e9;
    r->was_ready += ready;
    if (left > 0)
        r->ready += ready > left || (ended && is_busy(r)) ? left : ready;
    free(r->threads);
    r->threads = l.threads;
    r->n = l.n;
    r->last = now;
}

/* Returns for how many seconds the process was ready, which ran for `processor` seconds. */
static double ready_time_end(struct ready_time *r, double processor)
{
    double left = r->last - r->begin - processor, unseen = processor - r->ran, ready = r->ready;

    /* No look saw it run, so it was ready as others were for each time that they ran. */
    if (unseen > 0 && is_busy(r) && r->ran > 0)
        ready += unseen * r->was_ready / r->ran;
    free(r->threads);
    *r = (struct ready_time){.threads = NULL};
    return ready < left ? ready : left;
}

/*--- Waiting ---*/

enum { GRACE = 2 /* seconds */ };

double clock_seconds(void)
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
    double now = clock_seconds();

    *times = (struct child_times){
        .whole = now, .processor = children_seconds(), .looks = {.begin = now, .last = now}};
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

/* In the new process. */
_Noreturn static void begin(const struct process_spec *spec, int gate, int error)
{
    char byte;
    int problem = 0;

    (void)prctl(PR_SET_NAME, HELD_PROCESS_NAME);
    if (read(gate, &byte, 1) != 1)
        _exit(0);
    close(gate);
    environ = process_environment(spec);
    if (spec->folder && chdir(spec->folder) < 0)
        problem = errno;
    if (!problem && spec->output && dup2(spec->output, STDOUT_FILENO) < 0)
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
