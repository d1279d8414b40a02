#include <config.h>

#include "run/sampling.h"

#include "base/held_process.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/pass_on.h"
#include "run/gperftools.h"
#include "run/perf.h"
#include "run/sampling_read.h"
#include "run/setup.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/*--- The program's surroundings ---*/

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

static void describe(struct process_spec *spec, const struct program *program,
                     const struct measure *measure, struct string_list *environment)
{
    measure_environment(measure, environment);
    if (program->libraries)
        string_list_add(environment, xstrdup(program->libraries));
    for (size_t i = 0; i < program->environment.n; i++)
        measure_default(environment, program->environment.items[i]);
    spec->environment = environment;
    spec->folder = program->folder;
    spec->output = measure->output_to_errors ? STDERR_FILENO : -1;
}

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
        return message_error("cannot start '%s': %s", run->spec.argv[0], strerror(error));
    run->outcome->pid = request->pid = held.pid;
    status = perf_record_begin(&run->record, request, run->dir);
    if (status || pass_on_is_pending()) {
        held_process_drop(&held);
        return status;
    }
    error = release(run->sampling, &held, run->outcome);
    if (error)
        return message_error("cannot execute '%s': %s", run->spec.argv[0], strerror(error));
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
                      .words = words_of(program, s->pid ? NULL : arguments),
                      .spec = PROCESS_SPEC_INIT,
                      .record = {.pid = -1, .log = -1},
                      .dir = dir,
                      .outcome = outcome};
    int status = 0;

    *outcome = (struct run_outcome){
        .sampled = true, .counted = sampling_every(s) == 1, .waits = s->off_cpu && s->pid};
    describe(&run.spec, program, measure, &run.environment);
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
