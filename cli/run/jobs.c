#include <config.h>

#include "run/jobs.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/terminal.h"
#include "run/machine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct running {
    pid_t pid; /* 0: free */
    size_t job;
    FILE *result, *output; /* files without a name, which both processes write to and read from */
};

/* A handler has no argument. */
static struct running *running;
static size_t n_running;
static volatile sig_atomic_t stopped; /* the signal that came, or 0 */

static void pass_on(int sig, siginfo_t *info, void *context)
{
    (void)context;
    stopped = sig;
    /* The terminal sends Ctrl-C to all of them. */
    for (size_t i = 0; info->si_code != SI_KERNEL && i < n_running; i++)
        if (running[i].pid > 0)
            kill(running[i].pid, sig);
}

/* In the job's own process. */
static void work(const struct jobs *jobs, const struct running *r, const struct handlers *handlers)
{
    json_t *result;

    handlers_unset(handlers);
    if (r->output) {
        dup2(fileno(r->output), STDOUT_FILENO);
        dup2(fileno(r->output), STDERR_FILENO);
    }
    result = jobs->work(jobs->data, r->job);
    if (result && json_dumpf(result, r->result, JSON_COMPACT) == 0)
        fflush(r->result);
    json_decref(result);
    exit(0);
}

static int start(const struct jobs *jobs, struct running *r, size_t job,
                 const struct handlers *handlers)
{
    r->job = job;
    r->result = tmpfile();
    r->output = jobs->capture ? tmpfile() : NULL;
    /* Both processes would write a buffered text. */
    fflush(NULL);
    r->pid = r->result && (r->output || !jobs->capture) ? fork() : -1;
    if (r->pid == 0)
        work(jobs, r, handlers);
    if (r->pid > 0)
        return 0;
    message_error("cannot start another process: %s; %s", strerror(errno),
                  limits_advice("raise the limit of processes (ulimit -u)"));
    if (r->result)
        fclose(r->result);
    if (r->output)
        fclose(r->output);
    r->pid = 0;
    return -1;
}

/*--- Progress ---*/

static void clear_progress(const struct jobs *jobs)
{
    if (jobs->progress && terminal_color(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void say_progress(const struct jobs *jobs, size_t n_ended)
{
    if (jobs->progress && terminal_color(STDERR_FILENO) && n_ended < jobs->n)
        fprintf(stderr, "%12s %s of %s", "Ran", TEXT_COUNT(n_ended), TEXT_COUNT(jobs->n));
}

/*--- Ends ---*/

static void finish(const struct jobs *jobs, struct running *r)
{
    char *output = NULL;
    json_t *result;

    if (r->output) {
        rewind(r->output);
        output = file_rest(r->output);
    }
    rewind(r->result);
    result = json_loadf(r->result, 0, NULL);
    r->pid = 0;
    fclose(r->result);
    if (r->output)
        fclose(r->output);
    clear_progress(jobs);
    jobs->done(jobs->data, r->job, result, output);
    free(output);
}

/* Waits for the end of any job. */
static void wait_for_one(const struct jobs *jobs)
{
    int status;
    pid_t pid;

    do
        pid = waitpid(-1, &status, 0);
    while (pid < 0 && errno == EINTR);
    for (size_t i = 0; i < n_running; i++)
        if (running[i].pid == pid && pid > 0)
            finish(jobs, &running[i]);
}

static size_t count_busy(void)
{
    size_t busy = 0;

    for (size_t i = 0; i < n_running; i++)
        busy += running[i].pid > 0;
    return busy;
}

size_t jobs_parallel(long wanted, size_t n)
{
    long most = wanted ? wanted : sysconf(_SC_NPROCESSORS_ONLN);

    return most < 1 || !n ? 1 : (size_t)most < n ? (size_t)most : n;
}

int jobs_run(const struct jobs *jobs)
{
    struct handlers handlers = {.n = 3, .signals = {SIGINT, SIGTERM, SIGHUP}, .handler = pass_on};
    size_t next = 0;
    int failed = 0;

    n_running = jobs->parallel;
    running = xcalloc(n_running, sizeof *running);
    stopped = 0;
    handlers_set(&handlers);
    for (;;) {
        for (size_t i = 0; i < n_running && next < jobs->n && !stopped && !failed; i++)
            if (!running[i].pid)
                failed = start(jobs, &running[i], next++, &handlers);
        if (!count_busy())
            break;
        wait_for_one(jobs);
        say_progress(jobs, next - count_busy());
    }
    clear_progress(jobs);
    handlers_unset(&handlers);
    free(running);
    running = NULL;
    n_running = 0;
    return failed ? STATUS_ERROR : stopped ? STATUS_SIGNAL + (int)stopped : 0;
}
