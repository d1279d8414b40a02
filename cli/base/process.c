#include <config.h>

#include "base/process.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*--- Handlers ---*/

void handlers_set(struct handlers *h)
{
    struct sigaction action = {.sa_sigaction = h->handler, .sa_flags = SA_SIGINFO | h->flags};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < h->n; i++) {
        sigaction(h->signals[i], NULL, &h->old[i]);
        if (h->old[i].sa_handler != SIG_IGN)
            sigaction(h->signals[i], &action, NULL);
    }
}

void handlers_unset(const struct handlers *h)
{
    for (size_t i = 0; i < h->n; i++)
        sigaction(h->signals[i], &h->old[i], NULL);
}

static bool same_name(const char *a, const char *b)
{
    size_t size = strcspn(a, "=");

    return !strncmp(a, b, size) && b[size] == '=';
}

char **process_environment(const struct process_spec *spec)
{
    const struct string_list none = {0}, *changes = spec->environment ? spec->environment : &none;
    size_t n = 0, kept = 0;
    char **result;

    while (!spec->only_environment && environ[n])
        n++;
    result = xcalloc(n + changes->n + 1, sizeof *result);
    for (size_t i = 0; i < n; i++) {
        bool replaced = false;

        for (size_t j = 0; j < changes->n; j++)
            replaced |= same_name(changes->items[j], environ[i]);
        if (!replaced)
            result[kept++] = environ[i];
    }
    for (size_t j = 0; j < changes->n; j++)
        if (strchr(changes->items[j], '='))
            result[kept++] = (char *)changes->items[j];
    return result;
}

static rlim_t size_limit = RLIM_INFINITY;

void process_lift_size_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
        return;
    size_limit = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

unsigned long long process_size_limit(void)
{
    return size_limit;
}

static void describe_files(const struct process_spec *spec, posix_spawn_file_actions_t *actions)
{
    if (spec->no_input)
        posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (spec->input)
        posix_spawn_file_actions_adddup2(actions, spec->input, STDIN_FILENO);
    if (spec->output)
        posix_spawn_file_actions_adddup2(actions, spec->output, STDOUT_FILENO);
    if (spec->errors)
        posix_spawn_file_actions_adddup2(actions, spec->errors, STDERR_FILENO);
    if (spec->no_errors)
        posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (spec->errors_to_output)
        posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO);
    /* A copy onto itself is not closed by exec. */
    for (size_t i = 0; i < sizeof spec->inherited / sizeof *spec->inherited; i++)
        if (spec->inherited[i])
            posix_spawn_file_actions_adddup2(actions, spec->inherited[i], spec->inherited[i]);
    if (spec->folder)
        posix_spawn_file_actions_addchdir_np(actions, spec->folder);
}

static void describe_signals(const struct process_spec *spec, posix_spawnattr_t *attributes)
{
    if (!spec->blocked)
        return;
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(attributes, spec->blocked);
}

int process_start(const struct process_spec *spec, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **environment = process_environment(spec);
    int error;

    /* posix_spawn reports a failure of the exec itself. Caught signals need no attention: an exec
     * resets that, and only that. */
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    describe_files(spec, &actions);
    describe_signals(spec, &attributes);
    error = posix_spawnp(pid, spec->path ? spec->path : spec->argv[0], &actions, &attributes,
                         (char *const *)spec->argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

int process_refused(const char *path, int error)
{
    const char *advice = error == ENOENT || error == ENOTDIR ? "check the path"
                         : error == EACCES                   ? "check the permissions (chmod +x)"
                         : error == E2BIG ? "give it fewer arguments and variables"
                         : error == EAGAIN || error == ENOMEM
                             ? "raise the limits of processes (ulimit -u) and memory (ulimit -v)"
                             : "build it for this machine";

    return message_error("cannot execute '%s': %s; %s", path, strerror(error), advice);
}

int process_wait(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return message_error("cannot tell how process %ld ended: %s; run it again", (long)pid,
                                 strerror(errno))
                   << 8;
    return status;
}

int process_capture(const struct process_spec *spec, void (*line)(void *data, char *text),
                    void *data, int *status)
{
    struct process_spec with_pipe = *spec;
    char *text = NULL;
    size_t room = 0;
    ssize_t size;
    int ends[2], error;
    pid_t pid;
    FILE *in;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    with_pipe.output = ends[1];
    error = process_start(&with_pipe, &pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return error;
    }
    in = fdopen(ends[0], "r");
    while (in && (size = getline(&text, &room, in)) > 0) {
        if (text[size - 1] == '\n')
            text[size - 1] = '\0';
        line(data, text);
    }
    free(text);
    if (in)
        fclose(in);
    *status = process_wait(pid);
    return 0;
}

static void keep_first(void *data, char *line)
{
    char **first = data;

    if (!*first && *line)
        *first = xstrdup(line);
}

int process_first_line(const struct process_spec *spec, char **first, int *status)
{
    *first = NULL;
    return process_capture(spec, keep_first, first, status);
}

static void append_line(void *data, char *line)
{
    strbuf_addf(data, "%s\n", line);
}

int process_text(const struct process_spec *spec, char **text, int *status)
{
    struct strbuf all = {.text = NULL};
    int error = process_capture(spec, append_line, &all, status);

    *text = strbuf_take(&all);
    return error;
}

char *process_line(const char *const *argv)
{
    const struct process_spec spec = {.argv = argv, .no_input = true, .no_errors = true};
    char *line;
    int status;

    if (!process_first_line(&spec, &line, &status) && status) {
        free(line);
        line = NULL;
    }
    return line;
}

int thread_begin(pthread_t *thread, void *(*work)(void *data), void *data)
{
    sigset_t all, old;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(thread, NULL, work, data);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

const char *process_signal_name(int sig)
{
    static char text[32];
    const char *name = sigabbrev_np(sig);

    if (name)
        snprintf(text, sizeof text, "SIG%s", name);
    else
        snprintf(text, sizeof text, "signal %d", sig);
    return text;
}

const char *environment_or(const char *name, const char *otherwise)
{
    const char *value = getenv(name);

    return value && *value ? value : otherwise;
}

char *process_find(const char *name)
{
    char *folders = xstrdup(environment_or("PATH", "")), *rest = folders, *folder;
    char *found = NULL;
    struct stat st;

    while (!found && (folder = strsep(&rest, ":"))) {
        found = xasprintf("%s/%s", *folder ? folder : ".", name);
        if (stat(found, &st) < 0 || !S_ISREG(st.st_mode) || access(found, X_OK) < 0) {
            free(found);
            found = NULL;
        }
    }
    free(folders);
    return found;
}

/*--- Signals that are passed on ---*/

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
