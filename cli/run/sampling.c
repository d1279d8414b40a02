#include <config.h>

#include "run/sampling.h"

#include "base/file.h"
#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "cprof.h"
#include "run/native.h"
#include "run/perf.h"
#include "run/probes.h"
#include "run/sampling_read.h"
#include "run/setup.h"
#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*--- Options ---*/

enum {
    FREQUENCY_MOST = 100000,
    DURATION_MOST = 86400,
    EVERY_MOST = 1000000000,
    CLOCK_LEAST = 10000, /* ns: as often as FREQUENCY_MOST */
    STACK_LEAST = 512,   /* bytes */
    STACK_MOST = 65528   /* that the kernel copies */
};

static const char *const call_graph_names[] = {"dwarf", "fp", "lbr", NULL};
static const char *const engine_names[] = {"perf", "gperftools", NULL};

#define AT(member) offsetof(struct sampling, member)
/* Rows of both tables. */
#define FREQUENCY                                                                   \
    {                                                                               \
        .name = "frequency", .kind = OPTION_NUMBER | OPTION_USUAL, .value = "HZ",   \
        .offset = AT(frequency), .help = "samples a second of processor time (999)" \
    }
#define CALL_GRAPH                                                                                \
    {                                                                                             \
        .name = "call-graph", .kind = OPTION_STRING, .value = "HOW", .offset = AT(call_graph),    \
        .choices = call_graph_names,                                                              \
        .help =                                                                                   \
            "find callers by debug information (dwarf), by frame pointers, which the build gets " \
            "then (fp), or by the processor's branch records (lbr)"                               \
    }
#define STACK_SIZE                                                                                 \
    {                                                                                              \
        .name = "stack-size", .kind = OPTION_NUMBER, .value = "BYTES", .offset = AT(stack_size),   \
        .help =                                                                                    \
            "bytes of the stack that each sample has at most, up to 65528: deeper stacks are cut " \
            "off (as many as perf can write)"                                                      \
    }

const struct option_def sampling_options[] = {
    FREQUENCY,
    {.name = "event",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "LIST",
     .offset = AT(event),
     .help = "sample by events of 'perf list'"},
    {.name = "probe",
     .kind = OPTION_LIST | OPTION_USUAL,
     .value = "FUNCTION",
     .offset = AT(probes),
     .help = "count calls: malloc, or 'libc:memcpy arg3'"},
    {.name = "every",
     .kind = OPTION_NUMBER,
     .value = "N",
     .offset = AT(every),
     .help = "take a sample at each Nth event; 1 for probes, tracepoints and the kernel's own, "
             "which counts them"},
    {.name = "off-cpu",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(off_cpu),
     .help = "show where the program waits, not where it works"},
    {.name = "section",
     .kind = OPTION_LIST,
     .value = "NAME",
     .offset = AT(sections),
     .help = "only within this section that the program names (cprof::section!, CPROF_BEGIN); '*' "
             "is any; repeatable"},
    {.name = "engine",
     .kind = OPTION_CHOICE,
     .value = "NAME",
     .offset = AT(engine),
     .choices = engine_names,
     .help = "what takes the samples: perf, or the library of gperftools, which needs no rights"},
    CALL_GRAPH,
    STACK_SIZE,
    {.name = "pid",
     .kind = OPTION_STRING | OPTION_USUAL,
     .value = "PID",
     .offset = AT(pid),
     .help = "sample a running process, to Ctrl-C or the end"},
    {.name = "duration",
     .kind = OPTION_NUMBER | OPTION_USUAL,
     .value = "S",
     .offset = AT(duration),
     .help = "end after S seconds, and the program, too"},
    {.name = NULL}};

const struct option_def sampling_time_options[] = {
    FREQUENCY, CALL_GRAPH, STACK_SIZE, {.name = NULL}};

/*--- What is asked for ---*/

/* The rest of "dwarf,16384" behind the comma; NULL: there is none. */
static const char *size_word(const struct sampling *s)
{
    return s->call_graph && !strncmp(s->call_graph, "dwarf,", 6) ? s->call_graph + 6 : NULL;
}

enum call_graph sampling_call_graph(const struct sampling *s)
{
    for (int i = CALL_GRAPH_FP; s->call_graph && call_graph_names[i]; i++)
        if (!strcmp(s->call_graph, call_graph_names[i]))
            return (enum call_graph)i;
    return CALL_GRAPH_DWARF;
}

long sampling_stack_size(const struct sampling *s)
{
    const char *size = size_word(s);

    return size ? strtol(size, NULL, 10) : s->stack_size;
}

static int check_stacks(const struct sampling *s)
{
    const char *size = size_word(s);
    bool is_size = size && *size && !size[strspn(size, "0123456789")] && strlen(size) < 9;

    if (s->call_graph && !is_size && strcmp(s->call_graph, call_graph_names[CALL_GRAPH_DWARF]) &&
        sampling_call_graph(s) == CALL_GRAPH_DWARF)
        return message_usage(
            "'%s' is no value for --call-graph; it takes one of dwarf, dwarf,BYTES, fp, lbr",
            s->call_graph);
    if (is_size && s->stack_size)
        return message_usage("--call-graph %s and --stack-size both say how much of the stack each "
                             "sample has; leave out one",
                             s->call_graph);
    if ((is_size || s->stack_size) &&
        (sampling_stack_size(s) < STACK_LEAST || sampling_stack_size(s) > STACK_MOST))
        return message_usage(
            "'%ld' is no value for the bytes of the stack that a sample has; perf takes %d to %d",
            sampling_stack_size(s), STACK_LEAST, STACK_MOST);
    if (s->stack_size && sampling_call_graph(s) != CALL_GRAPH_DWARF)
        return message_usage("--call-graph %s copies no stack; leave out --stack-size",
                             s->call_graph);
    return 0;
}

/* The number of --pid; 0: none. */
static long sampling_pid(const struct sampling *s)
{
    return s->pid ? strtol(s->pid, NULL, 10) : 0;
}

static int check_values(const struct sampling *s)
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
    if (s->every < 0 || s->every > EVERY_MOST)
        return message_usage("'%ld' is no value for --every; it takes 1 to %d", s->every,
                             EVERY_MOST);
    if (check_stacks(s))
        return STATUS_USAGE;
    if (s->pid && (!digits || s->pid[digits] || digits > 9 || sampling_pid(s) < 1))
        return message_usage("'%s' is no value for --pid; it takes the number of a process",
                             s->pid);
    return probes_check(&s->probes);
}

static bool is_of_clock(const struct sampling *s)
{
    bool is_clock;
    const char *events = sampling_events(s, &is_clock);

    return !s->probes.n && (!strncmp(events, "cpu-clock", 9) || !strncmp(events, "task-clock", 10));
}

/* Options that are about other kinds of samples. */
static int check_kinds(const struct sampling *s)
{
    bool other = s->event || s->every || s->frequency != SAMPLING_FREQUENCY;

    if (s->probes.n && s->event)
        return message_usage(
            "--probe and --event cannot be counted in one run; make a run for each");
    if (s->off_cpu && (other || s->probes.n))
        return message_usage("--off-cpu takes each wait; leave out --event, --probe, --every and "
                             "--frequency");
    if (s->every && s->every < CLOCK_LEAST && is_of_clock(s))
        return message_usage("--every counts nanoseconds of the clock, and %ld is too few to take "
                             "samples by; take %d or more, or --frequency",
                             s->every, CLOCK_LEAST);
    if (s->every && s->frequency != SAMPLING_FREQUENCY)
        return message_usage("--every takes the Nth event, --frequency so many a second; leave out "
                             "one");
    if (s->sections.n && s->off_cpu)
        return message_usage("--section is for what runs; leave out --off-cpu");
    if (s->sections.n && s->pid)
        return message_usage("--section needs a program that is started; leave out --pid");
    if (s->engine == ENGINE_GPERFTOOLS &&
        (s->event || s->every || s->probes.n || s->off_cpu || s->sections.n || s->pid ||
         s->stack_size || s->call_graph))
        return message_usage("--engine gperftools takes samples of a program's processor time; "
                             "leave out --event, --every, --probe, --off-cpu, --section, --pid, "
                             "--stack-size and --call-graph");
    return 0;
}

int sampling_check(const struct sampling *s)
{
    int status = check_values(s);

    if (!status)
        status = check_kinds(s);
    if (status)
        return status;
    if (s->pid && kill((pid_t)sampling_pid(s), 0) < 0)
        return errno == EPERM
                   ? message_error("process %s is another user's: sample it as that user or as "
                                   "root (sudo)",
                                   s->pid)
                   : message_error("no process %s; 'pgrep NAME' finds processes", s->pid);
    return 0;
}

/* Events that the kernel counts by itself. */
static bool is_counted(const char *event, size_t size)
{
    static const char names[] =
        "page-faults faults minor-faults major-faults context-switches cs cpu-migrations "
        "migrations alignment-faults emulation-faults cgroup-switches bpf-output";
    const char *colon = memchr(event, ':', size);
    size_t length = colon ? (size_t)(colon - event) : size;

    if (text_is_word_of(names, event, length))
        return true;
    /* A tracepoint, "sched:sched_switch"; letters behind a ':' are of other things: "cycles:u". */
    return colon && colon > event && strspn(colon + 1, "ukhpPGHISDWeb") < size - length - 1;
}

long sampling_every(const struct sampling *s)
{
    const char *at = s->event;

    if (s->every || s->probes.n || s->off_cpu)
        return s->every ? s->every : 1;
    while (at && *at) {
        size_t size = strcspn(at, ",");

        if (!is_counted(at, size))
            return 0;
        at += size + (at[size] == ',');
    }
    return s->event && s->frequency == SAMPLING_FREQUENCY ? 1 : 0;
}

/* An event of the processor's cycles, for which perf takes the clock where there is none. */
static bool is_cycles(const char *event)
{
    size_t size = event ? strcspn(event, ":") : 0;

    return (size == 6 && !strncmp(event, "cycles", 6)) ||
           (size == 10 && !strncmp(event, "cpu-cycles", 10));
}

bool sampling_is_of_kernel(const struct sampling *s)
{
    const char *modifiers = s->event ? strrchr(s->event, ':') : NULL;

    return s->engine != ENGINE_GPERFTOOLS && !s->probes.n && !s->off_cpu &&
           (!modifiers || strcmp(modifiers, ":u"));
}

/* The events as perf takes them: beside samples, what the kernel counts is taken each. The
 * caller frees it. */
static char *sampling_perf_events(const struct sampling *s, const char *events)
{
    struct strbuf list = {.text = NULL};

    if (sampling_every(s) || !strchr(events, ',') || strpbrk(events, "{/"))
        return xstrdup(events);
    for (const char *at = events; *at;) {
        size_t size = strcspn(at, ",");
        char *event = xstrndup(at, size);

        if (!strchr(event, ':') && is_counted(event, size))
            strbuf_addf(&list, "%s%s/period=1,name=%s/", list.size ? "," : "", event, event);
        else
            strbuf_addf(&list, "%s%s", list.size ? "," : "", event);
        free(event);
        at += size + (at[size] == ',');
    }
    return strbuf_take(&list);
}

const char *sampling_events(const struct sampling *s, bool *is_clock)
{
    bool is_other = (s->event && !is_cycles(s->event)) || s->probes.n || s->off_cpu ||
                    s->engine == ENGINE_GPERFTOOLS;

    *is_clock = !is_other && !perf_events_have_cycles();
    if (!*is_clock)
        return s->event ? s->event : "cycles";
    return s->event && strstr(s->event, ":u") ? "cpu-clock:u" : "cpu-clock";
}

char *sampling_columns(const struct sampling *s)
{
    bool is_clock, is_exact = sampling_every(s) == 1;
    char *names, *columns;

    if (s->off_cpu)
        return xstrdup("blocked preempted switches");
    if (s->engine == ENGINE_GPERFTOOLS)
        return xstrdup("Samples cpu");
    names = s->probes.n ? probes_event_names(&s->probes) : xstrdup(sampling_events(s, &is_clock));
    columns = xasprintf("%s%s", is_exact ? "" : "Samples ", names);
    for (char *c = columns; *c && !s->probes.n; c++)
        *c = *c == ',' ? ' ' : *c;
    free(names);
    return columns;
}

void sampling_free(struct sampling *s)
{
    string_list_free(&s->probes);
    string_list_free(&s->sections);
}

int sampling_program(const struct sampling *s, struct program *program)
{
    char *link = xasprintf("/proc/%s/exe", s->pid), *path = realpath(link, NULL);
    int status = 0;

    *program = (struct program){0};
    if (path) {
        program->path = path;
        program->name = xstrdup(path_base(path));
    } else {
        status = message_error("cannot look at process %s: %s; %s", s->pid, strerror(errno),
                               errno == ENOENT ? "it is the kernel's, has ended, or its program "
                                                 "was deleted"
                                               : "sample it as its user or as root");
    }
    free(link);
    return status;
}

/*--- gperftools ---*/

/* Samples by the library of gperftools, which a program takes of itself: by a timer of its own,
 * without rights. */

/*--- Raw profiles ---*/

/* A processor profile of gperftools is made a raw profile, so that its addresses get names. */

/* The samples become text as perf has it, one after the other, and go the way of perf's. */

/* Beyond this many, which are days of sampling, a file is more likely damaged. */
enum { MOST_SAMPLES = 4 << 20 };

/* The columns of the reader. */
enum { COLUMN_SAMPLES, COLUMN_CPU, COLUMNS };

static bool can_be_raw(const struct cprof_profile *p)
{
    return p->format == CPROF_FORMAT_GPERFTOOLS && p->n_events == COLUMNS &&
           strcmp(p->events[COLUMN_CPU].name, "cpu") == 0 && !p->n_warnings && p->program &&
           p->totals[COLUMN_SAMPLES] > 0 && p->totals[COLUMN_SAMPLES] <= MOST_SAMPLES;
}

/* The stack of the context, the innermost frame first. Functions of such a profile are called as
 * their addresses; what is not, is no code. */
static void put_stack(FILE *out, const struct cprof_profile *p, uint32_t context)
{
    for (uint32_t i = context; i != CPROF_NONE; i = p->contexts[i].parent) {
        const struct cprof_function *f = &p->functions[p->contexts[i].function];
        char *end;
        unsigned long long address = strtoull(f->name, &end, 16);

        if (!*end && f->object != CPROF_NONE)
            fprintf(out, "\t%16llx [unknown] (%s)\n", address, p->objects[f->object].path);
    }
}

static void put_samples(FILE *out, const struct cprof_profile *p)
{
    long long period = (long long)(p->totals[COLUMN_CPU] / p->totals[COLUMN_SAMPLES]);

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            for (int64_t n = cprof_context_values(p, k)[COLUMN_SAMPLES]; n > 0; n--) {
                fprintf(out, "program 1 0.000001: %lld cpu: \n", period);
                put_stack(out, p, i);
                fputc('\n', out);
            }
    }
}

/* Returns the number of samples, or -1. */
static int64_t make_raw(const struct cprof_profile *p, int text, FILE *out)
{
    struct code_places *places = code_places_new();
    char *path = xasprintf("/proc/self/fd/%d", text);
    struct samples_source source = {.locate = sample_places_find,
                                    .places = places,
                                    .kind = SAMPLES_CHANCE,
                                    .creator = "gperftools",
                                    .is_file = 1,
                                    .program = p->program};
    struct cprof_error error;
    int64_t n = samples_to_raw(path, &source, sample_places_put, out, &error);

    free(path);
    code_places_free(places);
    return n;
}

/* True, with the raw profile in memory that the caller frees, for such a profile that is whole;
 * any other is to be shown as it is. */
static bool gperftools_raw(const struct cprof_profile *p, char **bytes, size_t *size)
{
    int text = can_be_raw(p) ? memfd_create("samples", MFD_CLOEXEC) : -1;
    FILE *to = text < 0 ? NULL : fdopen(dup(text), "w"), *out;
    bool is_made = false;

    *bytes = NULL;
    *size = 0;
    out = open_memstream(bytes, size);
    if (to && out) {
        put_samples(to, p);
        is_made = fflush(to) == 0 && lseek(text, 0, SEEK_SET) == 0 &&
                  make_raw(p, text, out) == p->totals[COLUMN_SAMPLES];
    }
    if (to)
        fclose(to);
    if (text >= 0)
        close(text);
    return (!out || fclose(out) == 0) && is_made;
}

/*--- The library ---*/

#define LIBRARY "libprofiler.so"

enum { GPERF_FREQUENCY_MOST = 4000 /* gperftools takes no more */ };

static bool is_library(const void *unused, const char *name)
{
    (void)unused;
    return !strncmp(name, LIBRARY, strlen(LIBRARY)) ||
           !strncmp(name, "libtcmalloc_and_profiler", 24);
}

/* Asks in a process of its own whether the dynamic linker finds the library, so that its code does
 * not run in this one. */
static bool is_found(const char *name)
{
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(dlopen(name, RTLD_LAZY) ? 0 : 1);
    status = pid < 0 ? 1 : process_wait(pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The word for LD_PRELOAD; NULL: it is linked with the program. A static program may have it in
 * itself. Returns 0, or STATUS_ERROR having said what is wrong. */
static int find_library(const char *path, const char **preload)
{
    static const char *const names[] = {LIBRARY ".0", LIBRARY};
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);
    bool is_linked, is_static;

    *preload = NULL;
    if (fd < 0)
        return 0;
    is_linked = elf_file_needs(elf, is_library, NULL);
    is_static = !elf_file_interpreter(elf);
    elf_end(elf);
    close(fd);
    if (is_linked || is_static)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !*preload; i++)
        *preload = is_found(names[i]) ? names[i] : NULL;
    return *preload ? 0
                    : message_error("'%s', the library of gperftools, is not installed, and the "
                                    "program is not linked with it; install it ('sudo apt install "
                                    "libgoogle-perftools4' on Debian), or leave out --engine",
                                    LIBRARY);
}

/*--- A run with the library ---*/

static void add_environment(struct string_list *environment, const struct sampling *s,
                            const char *path, const char *preload)
{
    const char *own = getenv("LD_PRELOAD");
    long frequency = s->frequency < GPERF_FREQUENCY_MOST ? s->frequency : GPERF_FREQUENCY_MOST;

    for (size_t i = 0; i < environment->n; i++)
        if (!strncmp(environment->items[i], "LD_PRELOAD=", 11))
            own = environment->items[i] + 11;
    if (preload)
        string_list_add(environment, own && *own ? xasprintf("LD_PRELOAD=%s:%s", preload, own)
                                                 : xasprintf("LD_PRELOAD=%s", preload));
    string_list_add(environment, xasprintf("CPUPROFILE=%s", path));
    string_list_add(environment, xasprintf("CPUPROFILE_FREQUENCY=%ld", frequency));
}

static int run(const struct process_spec *spec, const struct sampling *s,
               struct run_outcome *outcome)
{
    struct handlers handlers;
    int error;

    child_times_begin(&outcome->times);
    error = pass_on_start(&handlers, spec, &outcome->pid);
    if (!error)
        outcome->duration_over =
            child_wait(outcome->pid, s->duration, &outcome->wait_status, &outcome->times);
    outcome->ended_by = pass_on_end(&handlers).ended_by;
    return error ? process_refused(spec->argv[0], error) : 0;
}

/* The library writes the file when the program ends by itself. */
static int check_file(const char *path, const struct run_outcome *outcome)
{
    struct stat st;

    if (outcome->ended_by || (stat(path, &st) == 0 && st.st_size > 0))
        return 0;
    unlink(path);
    if (WIFSIGNALED(outcome->wait_status))
        return message_error(
            "no profile: the program was ended by a signal, and the library of gperftools writes "
            "it when a program ends by itself; leave out --engine");
    return message_error("no profile: the library of gperftools wrote none; a program that is "
                         "static has to be linked with it (-lprofiler), or take samples without "
                         "--engine");
}

/* The run's profile, at `to`, is the library's file, made raw. */
static int keep(const char *from, const char *to)
{
    struct cprof_error error;
    struct cprof_profile *p = cprof_load(from, 0, &error);
    char *bytes = NULL;
    size_t size = 0;
    int status = 0;

    if (!p)
        return message_library_error(&error);
    if (gperftools_raw(p, &bytes, &size)) {
        FILE *file = fopen(to, "we");
        bool is_written = file && fwrite(bytes, 1, size, file) == size;

        if ((file && fclose(file) != 0) || !is_written)
            status = message_error("cannot write '%s': %s; " TEMPDIR_ADVICE, to, strerror(errno));
        unlink(from);
    } else {
        (void)rename(from, to);
    }
    free(bytes);
    cprof_free(p);
    return status;
}

/* Runs the program, with the library preloaded where it is not linked with it, and leaves its
 * profile in `dir`. Returns 0 with the outcome filled; else STATUS_ERROR, having said what is
 * wrong.
 */
static int gperftools_run(struct process_spec *spec, const struct sampling *s,
                          const struct tempdir *dir, struct run_outcome *outcome)
{
    struct string_list environment = {0};
    char *path = xasprintf("%s/cpu.prof", dir->path), *kept;
    const char *preload;
    int status = find_library(spec->argv[0], &preload);

    for (size_t i = 0; spec->environment && i < spec->environment->n; i++)
        string_list_add(&environment, xstrdup(spec->environment->items[i]));
    if (!status) {
        add_environment(&environment, s, path, preload);
        spec->environment = &environment;
        status = run(spec, s, outcome);
    }
    if (!status)
        status = check_file(path, outcome);
    kept = xasprintf("%s/" RAWSET_NAME "%ld", dir->path, (long)outcome->pid);
    if (!status)
        status = keep(path, kept);
    spec->environment = NULL;
    string_list_free_texts(&environment);
    free(kept);
    free(path);
    return status;
}

/*--- A run ---*/

/* A run, as far as it has come. */
struct run {
    const struct program *program;
    const struct sampling *sampling;
    struct string_list words, environment; /* the program's */
    struct string_list setup;              /* setup.h */
    struct process_spec spec;
    struct probes probes;
    struct section_log sections;
    struct perf_record record;
    const struct tempdir *dir;
    struct run_outcome *outcome;
};

/*--- The run ---*/

/* Samples that perf could not keep; its data may still have others. */
static void warn_of_perf(int status, const char *messages)
{
    const char *advice;
    char *complaint = perf_events_complaint(messages, NULL, &advice);

    /* perf was told to end, and ends by the signal then. */
    if (WIFSIGNALED(status) ? WTERMSIG(status) != SIGTERM : WEXITSTATUS(status) != 0)
        message_warning("perf ended early, and samples may be missing: %s",
                        complaint ? complaint : "it does not say why");
    free(complaint);
}

/* Lets the program begin, and waits for its end. Returns 0 or an errno. */
static int release(const struct sampling *s, struct held_process *held, struct run_outcome *outcome)
{
    int error;

    child_times_begin(&outcome->times);
    pass_on_to(held->pid);
    error = held_process_release(held);
    if (error)
        return error;
    outcome->duration_over =
        child_wait(held->pid, s->duration, &outcome->wait_status, &outcome->times);
    pass_on_to(0);
    return 0;
}

/* Starts the program with perf attached, and waits for its end. */
static int sample_program(struct run *run, struct perf_request *request)
{
    struct held_process held;
    char *messages;
    int error = held_process_start(&run->spec, &held), status;

    if (error)
        return process_refused(run->spec.argv[0], error);
    run->outcome->pid = request->pid = held.pid;
    status = perf_record_begin(&run->record, request, run->dir);
    if (status || pass_on_is_pending()) {
        held_process_drop(&held);
        return status;
    }
    error = release(run->sampling, &held, run->outcome);
    if (error)
        return process_refused(run->spec.argv[0], error);
    status = perf_record_end(&run->record, true, &messages);
    warn_of_perf(status, messages);
    free(messages);
    return 0;
}

/* Looks at a process that runs. */
static int sample_process(struct run *run, struct perf_request *request)
{
    const struct sampling *s = run->sampling;
    struct perf_record *record = &run->record;
    char *messages;
    int status;

    run->outcome->pid = request->pid = (pid_t)sampling_pid(s);
    request->is_begun = true;
    status = perf_record_begin(record, request, run->dir);
    if (status)
        return status;
    pass_on_to(record->pid);
    if (s->duration && !child_wait_for(record->pid, (double)s->duration, &status, NULL))
        status = perf_record_end(record, true, &messages);
    else if (s->duration) {
        record->pid = -1;
        messages = perf_log_text(record->log);
    } else {
        status = perf_record_end(record, false, &messages);
    }
    pass_on_to(0);
    warn_of_perf(status, messages);
    free(messages);
    return 0;
}

/* Signals that came in while it ran, or before that. */
static void note_signals(const struct sampling *s, struct passed_on signals,
                         struct run_outcome *outcome)
{
    outcome->ended_by = signals.ended_by;
    outcome->interrupted = s->pid && signals.interrupted;
    if (!s->pid && signals.interrupted && !outcome->ended_by)
        outcome->ended_by = SIGINT; /* before the program began */
}

static int record(struct run *run)
{
    const struct sampling *s = run->sampling;
    struct perf_request request = {.sampling = s};
    const char *advice;
    bool is_clock;
    char *events;
    int status = probes_make(&run->probes, &s->probes, run->program, sampling_pid(s));

    if (status)
        return status;
    if (s->off_cpu && !perf_events_problem(&advice) && !perf_events_see_kernel())
        return message_error("no waits: the kernel lets only root see when a thread leaves the "
                             "processor; " PERF_EVENTS_KERNEL_ADVICE);
    events = s->probes.n  ? probes_list(&run->probes)
             : s->off_cpu ? xstrdup("context-switches")
                          : sampling_perf_events(s, sampling_events(s, &is_clock));
    request.events = events;
    if (!pass_on_is_pending())
        status = s->pid ? sample_process(run, &request) : sample_program(run, &request);
    free(events);
    return status;
}

/* Runs it by perf. Signals go to the program from here on, so that probes are removed. */
static int run_perf(struct run *run)
{
    const struct sampling *s = run->sampling;
    char *data = xasprintf("%s/" PERF_DATA, run->dir->path);
    struct recording recording = {.data = data,
                                  .program = run->program,
                                  .words = &run->words,
                                  .setup = &run->setup,
                                  .sampling = s,
                                  .probes = &run->probes,
                                  .sections = s->sections.n ? &run->sections : NULL,
                                  .dir = run->dir,
                                  .outcome = run->outcome};
    struct handlers handlers;
    int status;

    pass_on_begin(&handlers, s->pid ? PASS_ON_END : PASS_ON_AS_IS);
    status = record(run);
    recording.stack_bytes = run->record.stack_bytes;
    if (run->record.pid > 0)
        perf_record_free(&run->record);
    note_signals(s, pass_on_end(&handlers), run->outcome);
    if (!status && !run->outcome->ended_by && s->sections.n)
        status = section_log_read(&run->sections, &s->sections);
    if (!status && !run->outcome->ended_by)
        status = sampling_read(&recording);
    probes_remove(&run->probes);
    unlink(data);
    free(data);
    return status;
}

int sampling_run(const struct program *program, char **arguments, const struct sampling *s,
                 const struct measure *measure, const struct tempdir *dir,
                 struct run_outcome *outcome)
{
    struct run run = {.program = program,
                      .sampling = s,
                      .words = native_words(program, s->pid ? NULL : arguments),
                      .record = {.pid = -1, .log = -1},
                      .dir = dir,
                      .outcome = outcome};
    int status = 0;

    *outcome = (struct run_outcome){
        .sampled = true, .counted = sampling_every(s) == 1, .waits = s->off_cpu && s->pid};
    native_surroundings(&run.spec, program, measure, &run.environment);
    run.spec.output = measure->output_to_errors ? STDERR_FILENO : 0;
    if (s->sections.n)
        status = section_log_make(&run.sections, dir, &run.environment);
    run.spec.argv = run.words.items;
    if (!s->pid)
        setup_texts(program, &run.setup);
    fflush(NULL); /* our output stands before the program's */
    if (!status && s->engine == ENGINE_GPERFTOOLS)
        status = gperftools_run(&run.spec, s, dir, outcome);
    else if (!status)
        status = run_perf(&run);
    section_log_free(&run.sections);
    if (!status)
        status = rawset_collect(&outcome->raw, dir, outcome->pid);
    perf_record_free(&run.record);
    string_list_free(&run.words);
    string_list_free_texts(&run.environment);
    string_list_free_texts(&run.setup);
    return status;
}
