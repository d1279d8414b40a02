#include <config.h>

#include "base/pass_on.h"

#include <signal.h>
#include <time.h>

/* A handler has no argument, so these must be global: the child, how it ends, and what came in. */
static volatile sig_atomic_t child, ends_child;
static volatile sig_atomic_t end_signal, interrupted, pending;
static struct timespec end_time; /* of the first signal that is to end us; only handlers use it */

/* True for a signal that is to end us, a second or more after the first: the child has not ended by
 * that. One that sends a signal to a process and to its group sends two at once. */
static bool is_again(int sig)
{
    struct timespec now;

    if (sig != SIGTERM && sig != SIGHUP)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (end_signal)
        return now.tv_sec - end_time.tv_sec - (now.tv_nsec < end_time.tv_nsec) >= 1;
    end_signal = sig;
    end_time = now;
    return false;
}

static void pass_on(int sig, siginfo_t *info, void *context)
{
    bool again = is_again(sig);

    (void)context;
    if (child <= 0)
        pending = 1;
    if (sig != SIGTERM && sig != SIGHUP && (ends_child || child <= 0))
        interrupted = 1;
    if (child <= 0)
        return;
    if (again)
        kill((pid_t)child, SIGKILL);
    else if (ends_child)
        kill((pid_t)child, SIGTERM);
    /* The terminal sends Ctrl-C to the child too: passing it on would make two of it. */
    else if (info->si_code != SI_KERNEL)
        kill((pid_t)child, sig);
}

static const int signals[HANDLERS_MAX] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

void pass_on_signals(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < HANDLERS_MAX; i++)
        sigaddset(set, signals[i]);
}

void pass_on_begin(struct handlers *handlers, enum pass_on_how how)
{
    *handlers = (struct handlers){.n = HANDLERS_MAX, .handler = pass_on, .flags = SA_RESTART};
    for (size_t i = 0; i < HANDLERS_MAX; i++)
        handlers->signals[i] = signals[i];
    end_signal = interrupted = pending = 0;
    child = 0;
    ends_child = how == PASS_ON_END;
    handlers_set(handlers);
}

int pass_on_start(struct handlers *handlers, const struct process_spec *spec, pid_t *pid)
{
    struct process_spec unblocked = *spec;
    sigset_t held, before;
    int error;

    pass_on_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &before);
    pass_on_begin(handlers, PASS_ON_AS_IS);
    unblocked.blocked = &before;
    error = process_start(&unblocked, pid);
    if (!error)
        pass_on_to(*pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

void pass_on_to(pid_t pid)
{
    child = pid;
}

bool pass_on_is_pending(void)
{
    return pending != 0;
}

struct passed_on pass_on_end(const struct handlers *handlers)
{
    child = 0;
    handlers_unset(handlers);
    return (struct passed_on){(int)end_signal, interrupted != 0};
}
