#include <config.h>

/* The options of a run that is sampled. */
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "run/perf.h"
#include "run/probes.h"
#include "run/sampling.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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
     .help = "where it waits, and not where it works"},
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
     .help = "a process that runs, until Ctrl-C or it ends"},
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
        return message_usage("'%s' is no value for --call-graph; it is one of dwarf, dwarf,BYTES, "
                             "fp, lbr",
                             s->call_graph);
    if (is_size && s->stack_size)
        return message_usage("--call-graph %s and --stack-size both say how much of the stack each "
                             "sample has; leave out one",
                             s->call_graph);
    if ((is_size || s->stack_size) &&
        (sampling_stack_size(s) < STACK_LEAST || sampling_stack_size(s) > STACK_MOST))
        return message_usage(
            "'%ld' is no number of bytes to copy of the stack; perf takes %d to %d",
            sampling_stack_size(s), STACK_LEAST, STACK_MOST);
    if (s->stack_size && sampling_call_graph(s) != CALL_GRAPH_DWARF)
        return message_usage("--call-graph %s copies no stack; leave out --stack-size",
                             s->call_graph);
    return 0;
}

long sampling_pid(const struct sampling *s)
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
        return message_usage("--probe and --event cannot be counted in one run; make two");
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
    static const char *const names[] = {"page-faults",      "faults",           "minor-faults",
                                        "major-faults",     "context-switches", "cs",
                                        "cpu-migrations",   "migrations",       "alignment-faults",
                                        "emulation-faults", "cgroup-switches",  "bpf-output"};
    const char *colon = memchr(event, ':', size);
    size_t length = colon ? (size_t)(colon - event) : size;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(event, names[i], length))
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

char *sampling_perf_events(const struct sampling *s, const char *events)
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
    const char *slash = path ? strrchr(path, '/') : NULL;
    int status = 0;

    *program = (struct program){0};
    if (slash) {
        program->path = xstrdup(path);
        program->name = xstrdup(slash + 1);
    } else {
        status = message_error("cannot look at process %s: %s; %s", s->pid, strerror(errno),
                               errno == ENOENT ? "it is the kernel's, has ended, or its program "
                                                 "was deleted"
                                               : "sample it as its user or as root");
    }
    free(path);
    free(link);
    return status;
}
