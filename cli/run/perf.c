#include <config.h>

#include "run/perf.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- Events ---*/

#define PARANOID        "/proc/sys/kernel/perf_event_paranoid"
#define PARANOID_ADVICE "allow it by 'sudo sysctl kernel.perf_event_paranoid=1'"
#define CONTAINER_ADVICE                                                               \
    "allow it where the container or sandbox is set up (docker run --cap-add PERFMON " \
    "--security-opt "                                                                  \
    "seccomp=unconfined)"

/* A counter of this process, of its own code alone or with the kernel's. Returns 0 or an errno. */
static int try_event(unsigned type, unsigned long long config, bool kernel)
{
    struct perf_event_attr attributes = {.type = type,
                                         .size = sizeof attributes,
                                         .config = config,
                                         .disabled = 1,
                                         .exclude_kernel = !kernel,
                                         .exclude_hv = 1};
    long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0)
        return errno;
    close((int)fd);
    return 0;
}

bool perf_events_have_cycles(void)
{
    return try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false) == 0;
}

bool perf_events_see_kernel(void)
{
    return try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true) == 0;
}

static long paranoid(void)
{
    long value;

    return file_scan(PARANOID, "%ld", &value) == 1 ? value : -1;
}

const char *perf_events_problem(const char **advice)
{
    switch (try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false)) {
    case 0:
        return NULL;
    case EACCES:
    case EPERM:
        *advice = paranoid() > 2 ? PARANOID_ADVICE : CONTAINER_ADVICE;
        return paranoid() > 2 ? "the kernel lets only root take samples (perf_event_paranoid)"
                              : "taking samples is denied (perf_event_open)";
    case ENOSYS:
        *advice = CONTAINER_ADVICE;
        return "there is no perf_event_open here: the kernel is built without it, or it is denied";
    default:
        *advice = "'perf record true' may say more";
        return "the kernel takes no samples here";
    }
}

/* Texts of perf, and what they mean. */
static const struct complaint {
    const char *part, *text, *advice;
    bool of_event; /* of those that somebody asked for */
} complaints[] = {
    {"perf_event_paranoid", "the kernel does not allow taking samples (perf_event_paranoid)",
     PARANOID_ADVICE, false},
    {"access trace events", "only root may count the kernel's tracepoints", "run it as root (sudo)",
     false},
    {"Unable to find debugfs/tracefs", "tracefs is not mounted, which has the kernel's tracepoints",
     "run it as root (sudo), for whom perf mounts it", false},
    {"event syntax error", "perf knows no such event", "'perf list' names what there is", true},
    {"event is not supported", "this machine does not count the event",
     "'perf list' names what there is; 'cpu-clock' is everywhere", true},
    {"PMU Hardware doesn't support", "this machine's processor cannot do that",
     "leave out --call-graph lbr, and take --event cpu-clock", false},
    {"incompatible file format", "the file is of another perf, or damaged",
     "have the perf that wrote it write text: perf script -i FILE >samples.txt", false},
    {"No such process", "there is no such process any more", "look with 'pgrep'", false},
    {"sample rate", "the frequency is more than the kernel allows",
     "take less, or raise it by 'sudo sysctl kernel.perf_event_max_sample_rate=N'", false},
    {"No space left", "there is no room for perf's data", "set TMPDIR to a folder with room",
     false},
    {"No permission", "perf may not do that", PARANOID_ADVICE, false},
};

/* The first line that says anything; after "Error:", which stands alone. */
static char *first_words(const char *messages)
{
    while (*messages) {
        size_t size = strcspn(messages, "\n");

        if (size && strncmp(messages, "Error:\n", 7) != 0 &&
            strncmp(messages, "Warning:\n", 9) != 0)
            return xasprintf("perf says: %.*s", (int)(size < 300 ? size : 300), messages);
        messages += size + (messages[size] == '\n');
    }
    return NULL;
}

char *perf_events_complaint(const char *messages, const char *event, const char **advice)
{
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
        if (strstr(messages, complaints[i].part)) {
            *advice = complaints[i].advice;
            return event && complaints[i].of_event ? xasprintf("%s '%s'", complaints[i].text, event)
                                                   : xstrdup(complaints[i].text);
        }
    *advice = NULL;
    return first_words(messages);
}

/*--- Runs of perf ---*/

enum { READY_POLL = 20 /* ms */, COUNTS_BUFFERS = 256 << 20 /* bytes, all of them */ };

/*--- Messages ---*/

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
               : message_error("cannot execute 'perf': %s; install it ('sudo apt install "
                               "linux-perf' on Debian)",
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
                      WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL + WTERMSIG(status),
                      works);
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
    const struct process_spec spec = {
        .argv = words, .no_input = true, .no_errors = true, .output = tempdir_log(NULL)};
    char *text, *word;
    bool can = false;
    pid_t pid;

    if (spec.output < 0)
        return false;
    if (process_start(&spec, &pid) == 0 && process_wait(pid) == 0) {
        text = perf_log_text(spec.output);
        word = strstr(text, "zstd: [");
        word = word ? strtok(word + 7, " ]") : NULL;
        can = word && !strcmp(word, "on");
        free(text);
    }
    close(spec.output);
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
    return w;
}

/* Ctrl-C is for the program: perf is told when to end. */
static int start_perf(struct perf_record *r, const struct perf_request *q)
{
    struct string_list words = record_words(r, q);
    sigset_t blocked;
    const struct process_spec spec = {.argv = words.items,
                                      .no_input = true,
                                      .output = r->log,
                                      .errors_to_output = true,
                                      .blocked = &blocked};
    int error;

    sigprocmask(SIG_SETMASK, NULL, &blocked);
    sigdelset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGQUIT);
    sigaddset(&blocked, SIGHUP);
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
        return message_error("cannot talk to perf: %s; run it again", strerror(errno));
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

    *r = (struct perf_record){.pid = -1, .log = tempdir_log(dir), .compressed = can_compress()};
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
    struct process_spec spec = {
        .argv = words, .environment = &environment, .no_input = true, .errors = log};
    int ends[2], error;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    spec.output = ends[1];
    error = process_start(&spec, pid);
    close(ends[1]);
    if (error)
        close(ends[0]);
    *text = ends[0];
    return error;
}

char *perf_version(void)
{
    char *line = process_line((const char *const[]){"perf", "--version", NULL});
    bool is_known = line && !strncmp(line, "perf version ", 13);
    char *version = is_known ? xasprintf("perf-%s", line + 13) : xstrdup("perf");

    free(line);
    return version;
}

int perf_check(void)
{
    const char *const words[] = {"perf", "--version", NULL};
    const char *advice, *problem = perf_events_problem(&advice);
    const struct process_spec spec = {.argv = words, .no_input = true, .no_errors = true};
    char *line = NULL;
    int status, error;

    if (problem)
        return message_error("no samples: %s; %s", problem, advice);
    error = process_first_line(&spec, &line, &status);
    free(line);
    return error ? say_missing(error) : 0;
}
