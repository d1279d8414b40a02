#include <config.h>

#include "run/perf.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "run/perf_events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY_POLL = 20 /* ms */, COUNTS_BUFFERS = 256 << 20 /* bytes, all of them */ };

/*--- Messages ---*/

int perf_log_open(const struct tempdir *dir)
{
    int log = memfd_create("perf.log", MFD_CLOEXEC);

    return log < 0 && dir ? open(dir->path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : log;
}

char *perf_log_text(int log)
{
    struct stat st;
    char *text;
    ssize_t size;

    if (fstat(log, &st) < 0 || st.st_size <= 0)
        return xstrdup("");
    text = xmalloc((size_t)st.st_size + 1);
    size = pread(log, text, (size_t)st.st_size, 0);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

static int say_missing(int error)
{
    return error == ENOENT
               ? message_error("'perf' is not installed, which takes the samples; install it "
                               "('sudo apt install linux-perf' on Debian)")
               : message_error(
                     "cannot run 'perf': %s; install it ('sudo apt install linux-perf' on "
                     "Debian)",
                     strerror(error));
}

/* perf ended before it took samples of `event`, which somebody asked for, or NULL. */
static int say_failure(const char *messages, const char *event, int status)
{
    static const char works[] = "'perf record true' shows whether it works here";
    const char *advice = NULL, *problem = perf_events_problem(&advice);
    char *complaint = problem ? xstrdup(problem) : perf_events_complaint(messages, event, &advice);

    if (complaint)
        message_error("no samples: %s; %s", complaint, advice ? advice : works);
    else
        message_error("no samples: perf ended with status %d; %s",
                      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), works);
    free(complaint);
    return STATUS_ERROR;
}

/*--- Recording ---*/

/* The bytes of each processor's buffer: what perf may lock in memory, up to 8 MB, and more where
 * each sample is to be kept. With stacks in it, 512 kB, which everybody may, are full within 32
 * samples. */
static unsigned long long buffer_size(bool counts)
{
    unsigned long long size = 512 << 10, most = 8 << 20, n = (unsigned long long)get_nprocs_conf();
    struct rlimit limit;

    while (counts && most * n < COUNTS_BUFFERS)
        most *= 2;
    if (geteuid() == 0)
        return most;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0)
        return size;
    while (size < most && n * 2 * size <= limit.rlim_cur)
        size *= 2;
    return size;
}

/* Tells whether perf compresses what it records. The copies of a program's stack are much the same,
 * so they come to a hundredth. */
static bool can_compress(void)
{
    static const char *const words[] = {"perf", "version", "--build-options", NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    int log = perf_log_open(NULL);
    char *text, *word;
    bool can = false;
    pid_t pid;

    if (log < 0)
        return false;
    spec.argv = words;
    spec.no_input = spec.no_errors = true;
    spec.output = log;
    if (process_start(&spec, &pid) == 0 && process_wait(pid) == 0) {
        text = perf_log_text(log);
        word = strstr(text, "zstd: [");
        word = word ? strtok(word + 7, " ]") : NULL;
        can = word && !strcmp(word, "on");
        free(text);
    }
    close(log);
    return can;
}

/* The bytes of each stack that perf can keep up with: in its buffers, and in what it writes. Events
 * that are each taken come in any number. */
static long stack_bytes(const struct sampling *s, bool compressed)
{
    enum { LEAST = 16384, MOST = 65528, FIT = 16, WRITTEN = 32 << 20, COMPRESSED = 256 << 20 };
    long asked = sampling_stack_size(s), most = (compressed ? COMPRESSED : WRITTEN) / s->frequency;
    long fit = (long)(buffer_size(false) / FIT);

    if (asked)
        return (asked + 7) & ~7L;
    if (sampling_every(s))
        return LEAST;
    if (most > fit)
        most = fit;
    return most < LEAST ? LEAST : most > MOST ? MOST : most & ~7L;
}

static char *call_graph_word(struct perf_record *r, const struct sampling *s)
{
    if (sampling_call_graph(s) != CALL_GRAPH_DWARF)
        return xstrdup(sampling_call_graph(s) == CALL_GRAPH_FP ? "fp" : "lbr");
    r->stack_bytes = stack_bytes(s, r->compressed);
    return xasprintf("dwarf,%ld", r->stack_bytes);
}

/* The samples: how many, of what, with what. */
static void sample_words(struct perf_record *r, struct string_list *w, const struct perf_request *q)
{
    const struct sampling *s = q->sampling;
    long every = sampling_every(s);
    char *graph;

    if (every)
        string_list_add(w, xasprintf("--count=%ld", every));
    /* The kernel takes all of the software's own events where samples have their period. */
    if (every > 1)
        string_list_add(w, xstrdup("--no-period"));
    if (!every)
        string_list_add(w, xasprintf("--freq=%ld", s->frequency));
    string_list_add(w, xasprintf("--event=%s", q->events));
    graph = call_graph_word(r, s);
    string_list_add(w, xasprintf("--call-graph=%s", graph));
    free(graph);
    if (r->compressed)
        string_list_add(w, xstrdup("--compression-level=1"));
    if (s->off_cpu)
        string_list_add(w, xstrdup("--switch-events"));
    if (s->sections.n)
        string_list_add(w, xstrdup("--clockid=CLOCK_MONOTONIC"));
    string_list_add(w, xasprintf("--mmap-pages=%lluK", buffer_size(every == 1) >> 10));
}

static struct string_list record_words(struct perf_record *r, const struct perf_request *q)
{
    struct string_list w = {0};

    string_list_add(&w, xstrdup("perf"));
    string_list_add(&w, xstrdup("record"));
    string_list_add(&w, xstrdup("--quiet"));
    /* Nothing goes to ~/.debug, and the data is not read once more at the end. */
    string_list_add(&w, xstrdup("--no-buildid"));
    string_list_add(&w, xstrdup("--no-buildid-cache"));
    string_list_add(&w, xasprintf("--output=%s", r->data));
    string_list_add(&w, xasprintf("--control=fifo:%s,%s", r->control[0], r->control[1]));
    sample_words(r, &w, q);
    string_list_add(&w, xasprintf("--pid=%ld", (long)q->pid));
    /* The maps of the held process are gone when it becomes the program. perf would take the unwind
     * tables of its libraries, such as libc, from there all the same. */
    if (!q->is_begun)
        string_list_add(&w, xstrdup("--synth=task"));
    string_list_add(&w, NULL);
    return w;
}

/* Ctrl-C is for the program: perf is told when to end. */
static int start_perf(struct perf_record *r, const struct perf_request *q)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct string_list words = record_words(r, q);
    sigset_t blocked;
    int error;

    sigprocmask(SIG_SETMASK, NULL, &blocked);
    sigdelset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGQUIT);
    sigaddset(&blocked, SIGHUP);
    spec.argv = words.items;
    spec.no_input = true;
    spec.output = r->log;
    spec.errors_to_output = true;
    spec.blocked = &blocked;
    error = process_start(&spec, &r->pid);
    string_list_free_texts(&words);
    return error;
}

/* Waits until perf answers, or has ended: then its status, else 0. */
static int wait_until_ready(const struct perf_record *r, int from, bool *ready)
{
    struct pollfd answer = {.fd = from, .events = POLLIN};
    int status = 0;

    *ready = false;
    for (;;) {
        if (poll(&answer, 1, READY_POLL) > 0 && answer.revents & POLLIN) {
            *ready = true;
            return 0;
        }
        if (waitpid(r->pid, &status, WNOHANG) == r->pid)
            return status;
    }
}

static int open_control(struct perf_record *r, const struct tempdir *dir, int ends[2])
{
    static const char *const names[] = {"perf.control", "perf.answer"};

    for (int i = 0; i < 2; i++) {
        r->control[i] = xasprintf("%s/%s", dir->path, names[i]);
        unlink(r->control[i]); /* of an earlier run */
        /* For reading and writing, an end of a FIFO does not wait for the other. */
        ends[i] = mkfifo(r->control[i], 0600) < 0
                      ? -1
                      : open(r->control[i], O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (ends[i] < 0)
            return message_error("cannot make '%s': %s; " TEMPDIR_ADVICE, r->control[i],
                                 strerror(errno));
    }
    return 0;
}

static int start_and_wait(struct perf_record *r, const struct perf_request *q, int ends[2])
{
    static const char ping[] = "ping\n";
    bool ready;
    int error = start_perf(r, q), status;

    if (error)
        return say_missing(error);
    if (write(ends[0], ping, strlen(ping)) < 0)
        return message_error("cannot talk to perf: %s", strerror(errno));
    status = wait_until_ready(r, ends[1], &ready);
    if (!ready) {
        char *messages = perf_log_text(r->log);

        r->pid = -1;
        status = say_failure(messages, q->sampling->event, status);
        free(messages);
    }
    return ready ? 0 : status;
}

int perf_record_begin(struct perf_record *r, const struct perf_request *q,
                      const struct tempdir *dir)
{
    int ends[2] = {-1, -1}, status;

    *r = (struct perf_record){.pid = -1, .log = perf_log_open(dir), .compressed = can_compress()};
    r->data = xasprintf("%s/" PERF_DATA, dir->path);
    status = r->log < 0 ? message_error("cannot keep perf's messages: %s; " TEMPDIR_ADVICE,
                                        strerror(errno))
                        : open_control(r, dir, ends);
    if (!status)
        status = start_and_wait(r, q, ends);
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return status;
}

int perf_record_end(struct perf_record *r, bool stop, char **messages)
{
    int status;

    if (stop)
        kill(r->pid, SIGTERM);
    status = process_wait(r->pid);
    r->pid = -1;
    *messages = perf_log_text(r->log);
    return status;
}

void perf_record_free(struct perf_record *r)
{
    if (r->pid > 0) {
        kill(r->pid, SIGTERM);
        process_wait(r->pid);
    }
    if (r->log >= 0)
        close(r->log);
    for (int i = 0; i < 2; i++)
        free(r->control[i]);
    free(r->data);
    *r = (struct perf_record){.pid = -1, .log = -1};
}

/*--- Reading ---*/

int perf_script_begin(const struct perf_script *script, int *text, int log, pid_t *pid)
{
    static const char *const no_server[] = {"DEBUGINFOD_URLS"};
    const struct string_list environment = {1, (const char **)no_server};
    const char *const words[] = {"perf",
                                 "script",
                                 "-i",
                                 script->data,
                                 "--no-inline",
                                 "--show-lost-events",
                                 "--show-task-events",
                                 "--ns",
                                 "-F",
                                 script->values
                                     ? "comm,pid,tid,time,period,event,ip,sym,symoff,dso,trace"
                                     : "comm,pid,tid,time,period,event,ip,sym,symoff,dso",
                                 script->switches ? "--show-switch-events" : NULL,
                                 NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    int ends[2], error;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    spec.argv = words;
    spec.environment = &environment;
    spec.no_input = true;
    spec.output = ends[1];
    spec.errors = log;
    error = process_start(&spec, pid);
    close(ends[1]);
    if (error)
        close(ends[0]);
    *text = ends[0];
    return error;
}

char *perf_version(void)
{
    static const char *const words[] = {"perf", "--version", NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *line = NULL, *version;
    int status;

    spec.argv = words;
    spec.no_input = true;
    spec.no_errors = true;
    if (process_first_line(&spec, &line, &status) || status || !line ||
        strncmp(line, "perf version ", 13) != 0) {
        free(line);
        return xstrdup("perf");
    }
    version = xasprintf("perf-%s", line + 13);
    free(line);
    return version;
}

int perf_check(void)
{
    const char *const words[] = {"perf", "--version", NULL};
    const char *advice, *problem = perf_events_problem(&advice);
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *line = NULL;
    int status, error;

    if (problem)
        return message_error("no samples: %s; %s", problem, advice);
    spec.argv = words;
    spec.no_input = spec.no_errors = true;
    error = process_first_line(&spec, &line, &status);
    free(line);
    return error ? say_missing(error) : 0;
}
