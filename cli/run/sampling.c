#include <config.h>

#include "run/sampling.h"

#include "base/cleanup.h"
#include "base/handlers.h"
#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "cprof_internal.h"
#include "run/perf.h"
#include "run/perf_events.h"
#include "symbols/code_places.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FREQUENCY_MOST = 100000, DURATION_MOST = 86400, GRACE = 2 /* seconds */ };

static const char *const call_graph_names[] = {"dwarf", "fp", "lbr", NULL};

#define AT(member) offsetof(struct sampling, member)
const struct option_def sampling_options[] = {
    {.name = "frequency",
     .kind = OPTION_NUMBER | OPTION_USUAL,
     .value = "HZ",
     .offset = AT(frequency),
     .help = "samples a second of processor time (999)"},
    {.name = "event",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "LIST",
     .offset = AT(event),
     .help = "by these events of 'perf list' (cycles or cpu-clock)"},
    {.name = "call-graph",
     .kind = OPTION_CHOICE,
     .value = "HOW",
     .offset = AT(call_graph),
     .choices = call_graph_names,
     .help = "find callers by debug information (dwarf), by frame pointers, which the build gets "
             "then (fp), or by the processor's branch records (lbr)"},
    {.name = "pid",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "PID",
     .offset = AT(pid),
     .help = "sample a process that runs, until Ctrl-C or its end"},
    {.name = "duration",
     .kind = OPTION_NUMBER | OPTION_USUAL,
     .value = "S",
     .offset = AT(duration),
     .help = "end after S seconds, and the program, too"},
    {.name = NULL}};

/*--- What is asked for ---*/

static long pid_of(const struct sampling *s)
{
    return s->pid ? strtol(s->pid, NULL, 10) : 0;
}

int sampling_check(const struct sampling *s)
{
    size_t digits = s->pid ? strspn(s->pid, "0123456789") : 0;

    if (s->frequency < 1 || s->frequency > FREQUENCY_MOST)
        return message_usage("'%ld' is no value for --frequency; it takes 1 to %d", s->frequency,
                             FREQUENCY_MOST);
    if (s->event && !*s->event)
        return message_usage("'' is no value for --event; 'perf list' names what there is");
    if (s->duration < 0 || s->duration > DURATION_MOST)
        return message_usage("'%ld' is no value for --duration; it takes 1 to %d", s->duration,
                             DURATION_MOST);
    if (s->pid && (!digits || s->pid[digits] || digits > 9 || pid_of(s) < 1))
        return message_usage("'%s' is no value for --pid; it takes the number of a process",
                             s->pid);
    if (s->pid && kill((pid_t)pid_of(s), 0) < 0)
        return errno == EPERM
                   ? message_error("process %s is another user's: sample it as that user or as "
                                   "root (sudo)",
                                   s->pid)
                   : message_error("no process %s; 'pgrep NAME' finds processes", s->pid);
    return 0;
}

const char *sampling_events(const struct sampling *s, bool *is_clock)
{
    *is_clock = !s->event && !perf_events_have_cycles();
    return s->event ? s->event : *is_clock ? "cpu-clock" : "cycles";
}

int sampling_program(const struct sampling *s, struct program *program)
{
    char *link = xasprintf("/proc/%s/exe", s->pid), *path = realpath(link, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    int status = 0;

    *program = (struct program){0};
    if (slash) {
        program->path = xstrdup(path);
        program->name = xstrdup(slash + 1);
    } else {
        status = message_error("cannot look at process %s: %s; sample it as its user or as root",
                               s->pid, strerror(errno));
    }
    free(path);
    free(link);
    return status;
}

/*--- Signals while it runs ---*/

/* A handler has no argument, so these must be global: the program, or perf, that a signal ends, and
 * what came in. */
static volatile sig_atomic_t running, ends_perf;
static volatile sig_atomic_t end_signal, interrupted;

static void pass_on(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (ends_perf) {
        interrupted = sig == SIGINT || sig == SIGQUIT;
        if (sig == SIGTERM || sig == SIGHUP)
            end_signal = sig;
        if (running > 0)
            kill((pid_t)running, SIGTERM);
        return;
    }
    /* The terminal sends Ctrl-C to the program too: passing it on would make two of it. */
    if (info->si_code == SI_KERNEL)
        return;
    if (sig == SIGTERM || sig == SIGHUP)
        end_signal = sig;
    if (running > 0)
        kill((pid_t)running, sig);
}

/*--- Waiting ---*/

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for the end of a child, at most so many seconds. True with its status where it came. */
static bool wait_for(pid_t pid, double seconds, int *status)
{
    const struct timespec little = {.tv_nsec = 10000000};
    double end = now() + seconds;

    while (now() < end) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        nanosleep(&little, NULL);
    }
    return false;
}

/* Waits for the program; after --duration ends it. True where that ended it. */
static bool wait_for_program(const struct sampling *s, pid_t pid, int *status)
{
    if (!s->duration) {
        *status = process_wait(pid);
        return false;
    }
    if (wait_for(pid, (double)s->duration, status))
        return false;
    kill(pid, SIGTERM);
    if (!wait_for(pid, GRACE, status)) {
        kill(pid, SIGKILL);
        *status = process_wait(pid);
    }
    return true;
}

/*--- Reading what perf recorded ---*/

struct reading {
    struct code_places *places;
    FILE *out;
};

/* Code that is in no file: generated, on a stack. */
static const char *unnamed_object(const char *object)
{
    return object[0] == '[' && strncmp(object, "[anon", 5) != 0 && strcmp(object, "[heap]") != 0 &&
                   strcmp(object, "[stack]") != 0 && strcmp(object, "[unknown]") != 0
               ? object
               : "[anonymous]";
}

static void locate(void *data, const struct samples_frame *frame, struct samples_place *place)
{
    struct reading *reading = data;
    struct code_place found;

    if (frame->object[0] == '/' && code_places_find(reading->places, frame->object, frame->address,
                                                    frame->is_caller, &found)) {
        place->build_id = found.build_id;
        place->address = found.address;
        place->function = found.function;
        return;
    }
    /* A file that is gone is known by its path; perf's own maps are of generated code. */
    if (frame->object[0] == '/' && strncmp(frame->object, "/tmp/perf-", 10) != 0 &&
        strncmp(frame->object, "//", 2) != 0) {
        place->address = frame->address;
        return;
    }
    place->object = unnamed_object(frame->object);
    place->is_named = 1;
    place->function = frame->symbol_size ? frame->address - frame->offset : 0;
    place->address = place->function ? place->function : frame->address;
}

static int put_bytes(void *to, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, to) == size ? 0 : -1;
}

/* The words of the program's command line, for the header of its profile. */
static struct string_list words_of(const struct program *program, char **arguments)
{
    struct string_list words = {0};

    string_list_add(&words, program->path);
    for (; arguments && *arguments; arguments++)
        string_list_add(&words, *arguments);
    if (program->is_bench)
        string_list_add(&words, "--bench");
    string_list_add(&words, NULL);
    return words;
}

static int64_t write_raw(const char *text, const struct samples_source *source, const char *path,
                         struct cprof_error *error)
{
    FILE *out = fopen(path, "we");
    int64_t n;

    if (!out) {
        message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, path, strerror(errno));
        return -2;
    }
    n = samples_to_raw(text, source, put_bytes, out, error);
    if (fclose(out) != 0 && n > 0) {
        message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, path, strerror(errno));
        n = -2;
    }
    if (n <= 0)
        unlink(path);
    return n;
}

/* perf's text has ended; `n` samples were in it. Returns 0 or a status. */
static int judge_reading(int64_t n, int status, const char *messages,
                         const struct cprof_error *error)
{
    const char *advice;
    char *complaint = status ? perf_events_complaint(messages, &advice) : NULL;

    if (n == -1)
        status = message_library_error(error);
    else if (n < 0)
        status = STATUS_ERROR;
    else if (status && n)
        message_warning("perf's data is not whole, and samples at its end are missing: %s",
                        complaint ? complaint : "perf script failed");
    else if (status)
        message_error("cannot read perf's data: %s; %s",
                      complaint ? complaint : "perf script failed",
                      complaint ? advice : "run it again");
    free(complaint);
    return n > 0 ? 0 : status ? STATUS_ERROR : 0;
}

/* Makes a raw profile, in `dir`, of what perf recorded. */
static int read_data(const struct perf_record *record, const struct program *program,
                     char **arguments, const struct sampling *s, const struct tempdir *dir,
                     const struct run_outcome *outcome)
{
    struct reading reading = {.places = code_places_new()};
    struct string_list words = words_of(program, s->pid ? NULL : arguments);
    char *version = perf_version(), *creator = xasprintf("cprof-" VERSION " %s", version);
    char *path = xasprintf("%s/" RAWSET_NAME "%ld", dir->path, (long)outcome->pid), *input = NULL;
    char *absolute = realpath(program->path, NULL), *messages;
    struct samples_source source = {
        .locate = locate,
        .data = &reading,
        .callers_return = s->call_graph == CALL_GRAPH_FP,
        .left_out = s->pid ? NULL : HELD_PROCESS_NAME,
        .creator = creator,
        .pid = (long)outcome->pid,
        .program = absolute ? absolute : program->path,
        .arguments = words.items,
        .exit_code = WIFEXITED(outcome->wait_status) ? WEXITSTATUS(outcome->wait_status) : -1};
    struct cprof_error error;
    int text = -1, log = perf_log_open(dir), status = 0, failed;
    int64_t n = 0;
    pid_t pid;

    failed = perf_script_begin(record->data, &text, log, &pid);
    if (failed) {
        status = message_error("cannot run 'perf': %s", strerror(failed));
    } else {
        input = xasprintf("/proc/self/fd/%d", text);
        n = write_raw(input, &source, path, &error);
        close(text);
        status = process_wait(pid);
        messages = perf_log_text(log);
        status = judge_reading(n, status, messages, &error);
        free(messages);
    }
    if (log >= 0)
        close(log);
    code_places_free(reading.places);
    string_list_free(&words);
    free(version);
    free(creator);
    free(absolute);
    free(input);
    free(path);
    return status;
}

/*--- The run ---*/

/* Samples that perf could not keep; its data may still have others. */
static void warn_of_perf(int status, const char *messages)
{
    const char *advice;
    char *complaint = perf_events_complaint(messages, &advice);

    /* It was told to end, and ends by the signal then. */
    if (WIFSIGNALED(status) ? WTERMSIG(status) != SIGTERM : WEXITSTATUS(status) != 0)
        message_warning("perf ended early, and samples may be missing: %s",
                        complaint ? complaint : "it does not say why");
    free(complaint);
}

static void handle_signals(struct handlers *handlers, pid_t pid, bool is_perf)
{
    *handlers = (struct handlers){.n = 4,
                                  .signals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP},
                                  .handler = pass_on,
                                  .flags = SA_RESTART};
    end_signal = interrupted = 0;
    ends_perf = is_perf;
    running = pid;
    handlers_set(handlers);
}

/* Starts the program with perf attached, and waits for its end. */
static int sample_program(const struct process_spec *spec, const struct sampling *s,
                          const struct tempdir *dir, struct perf_record *record,
                          struct run_outcome *outcome)
{
    struct held_process held;
    struct handlers handlers;
    char *messages;
    int error = held_process_start(spec, &held), status;

    if (error)
        return message_error("cannot start '%s': %s", spec->argv[0], strerror(error));
    outcome->pid = held.pid;
    status = perf_record_begin(record, s, held.pid, dir);
    if (status) {
        held_process_drop(&held);
        return status;
    }
    handle_signals(&handlers, held.pid, false);
    error = held_process_release(&held);
    if (!error)
        outcome->duration_over = wait_for_program(s, held.pid, &outcome->wait_status);
    running = 0;
    handlers_unset(&handlers);
    outcome->ended_by = (int)end_signal;
    if (error)
        return message_error("cannot execute '%s': %s", spec->argv[0], strerror(error));
    status = perf_record_end(record, true, &messages);
    warn_of_perf(status, messages);
    free(messages);
    return 0;
}

/* Looks at a process that runs. */
static int sample_process(const struct sampling *s, const struct tempdir *dir,
                          struct perf_record *record, struct run_outcome *outcome)
{
    struct handlers handlers;
    char *messages;
    int status;

    outcome->pid = (pid_t)pid_of(s);
    status = perf_record_begin(record, s, outcome->pid, dir);
    if (status)
        return status;
    handle_signals(&handlers, record->pid, true);
    if (s->duration && !wait_for(record->pid, (double)s->duration, &status))
        status = perf_record_end(record, true, &messages);
    else if (s->duration) {
        record->pid = -1;
        messages = perf_log_text(record->log);
    } else {
        status = perf_record_end(record, false, &messages);
    }
    running = 0;
    handlers_unset(&handlers);
    outcome->ended_by = (int)end_signal;
    outcome->interrupted = interrupted;
    warn_of_perf(status, messages);
    free(messages);
    return 0;
}

static void describe(struct process_spec *spec, const struct program *program,
                     const struct measure *measure, struct string_list *environment)
{
    measure_environment(measure, environment);
    if (program->libraries)
        string_list_add(environment, xstrdup(program->libraries));
    spec->environment = environment;
    spec->folder = program->folder;
    spec->output = measure->output_to_errors ? STDERR_FILENO : -1;
}

int sampling_run(const struct program *program, char **arguments, const struct sampling *s,
                 const struct measure *measure, const struct tempdir *dir,
                 struct run_outcome *outcome)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct string_list words = words_of(program, arguments), environment = {0};
    struct perf_record record;
    char *data = xasprintf("%s/" PERF_DATA, dir->path);
    int status;

    *outcome = (struct run_outcome){.sampled = true};
    describe(&spec, program, measure, &environment);
    spec.argv = words.items;
    record = (struct perf_record){.pid = -1, .log = -1};
    cleanup_add(data);
    fflush(NULL); /* our output stands before the program's */
    status = s->pid ? sample_process(s, dir, &record, outcome)
                    : sample_program(&spec, s, dir, &record, outcome);
    if (!status && !outcome->ended_by)
        status = read_data(&record, program, arguments, s, dir, outcome);
    unlink(data);
    cleanup_forget(data);
    if (!status)
        status = rawset_collect(&outcome->raw, dir, outcome->pid);
    perf_record_free(&record);
    string_list_free(&words);
    string_list_free_texts(&environment);
    free(data);
    return status;
}
