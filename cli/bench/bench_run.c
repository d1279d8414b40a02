#include <config.h>

#include "bench/bench_run.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "bench/failure.h"
#include "bench/harness.h"
#include "bench/measured.h"
#include "names/object_name.h"
#include "profiles/load.h"
#include "render/json/json_value.h"
#include "run/saved_profile.h"
#include "run/valgrind.h"
#include "runs/run_load.h"
#include "runs/run_notes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static json_t *counts_json(const struct cprof_profile *p, const int64_t *counts)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < p->n_events; i++)
        json_object_set_new_nocheck(object, p->events[i].name, json_integer(counts[i]));
    return object;
}

static json_t *row_json(const struct bench_run *run, const struct cprof_profile *p,
                        const struct measured *m, bool whole)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:b}", "name",
                     json_text(m->name    ? m->name
                               : run->doc ? "doc tests, merged into one program"
                                          : run->name),
                     "iterations", (json_int_t)m->iterations, "counts", counts_json(p, m->counts),
                     "function", json_text(m->function), "whole", whole);
}

/* Charges what ran on threads of what is measured, or adds it as nobody's. */
static void find_threads(const struct bench_run *run, struct measured_list *list,
                         const struct cprof_profile *p, const struct crates *crates, json_t *result)
{
    const char *crate = run->harness ? run->harness->crate : "test";
    int64_t *counts = xcalloc(p->n_events + 1, sizeof *counts);
    enum measured_threads found =
        crate ? measured_threads(list, counts, p, crates, crate) : THREADS_NONE;

    if (found != THREADS_NONE)
        json_object_set_new(result, "threaded", json_true());
    if (found == THREADS_UNKNOWN)
        json_object_set_new(result, "threads", counts_json(p, counts));
    free(counts);
}

/* The library that libtest's code is in; NULL: it is in the program, as it is where the compiler's
 * own libraries are not needed. Some distributions remove its symbols. */
static const char *library_harness(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_objects; i++) {
        const char *name = object_name(p->objects[i].path);

        if (!strncmp(name, "libtest-", strlen("libtest-")))
            return name;
    }
    return NULL;
}

/* Adds the rows of a profile with names, and what is nobody's of it. */
static void find_rows(const struct bench_run *run, const struct cprof_profile *p, json_t *result)
{
    struct source_finder finder = {.root = run->built->root, .program = p->program};
    struct measured_list list = {0};
    json_t *rows = json_array();
    struct crates crates;
    const char *unnamed;
    bool whole = false;

    crates_load(&crates, p, &run->built->packages, NULL);
    if (run->doc)
        measured_doc_test(&list, p, &crates);
    else if (!run->harness)
        measured_tests(&list, p, &crates);
    else
        measured_bench(&list, p, &crates, run->harness, &finder);
    if ((run->harness || run->doc) && !list.n) {
        whole = true;
        measured_whole(&list, p, &crates);
    }
    if (!whole)
        find_threads(run, &list, p, &crates, result);
    for (size_t i = 0; i < list.n; i++)
        json_array_append_new(rows, row_json(run, p, &list.items[i], whole));
    json_object_set_new(result, "rows", rows);
    if (!run->harness && !run->doc && !list.n && (unnamed = library_harness(p)))
        json_object_set_new(result, "unnamed", json_text(unnamed));
    if (!run->doc && ending_of(p, &crates, run->harness) == ENDING_EARLY)
        json_object_set_new(result, "early", json_true());
    measured_free(&list);
    crates_free(&crates);
    source_finder_free(&finder);
}

/* How many of the first event's counts are of stacks of panics, which RUST_BACKTRACE has printed.
 */
static int64_t cost_of_backtraces(const struct cprof_profile *p)
{
    bool *within = xcalloc(p->n_contexts + 1, sizeof *within);
    int64_t cost = 0;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        within[i] = (c->parent != CPROF_NONE && within[c->parent]) ||
                    strstr(p->functions[c->function].name, "panicking::default_hook") != NULL;
        for (uint32_t k = c->first_cost; within[i] && k < c->first_cost + c->n_costs; k++)
            cost += cprof_context_values(p, k)[0];
    }
    free(within);
    return cost;
}

json_t *bench_result(const struct bench_run *run, const struct cprof_profile *profile, int status)
{
    json_t *events = json_array(), *result;

    for (uint32_t i = 0; i < profile->n_events; i++)
        json_array_append_new(events, json_text(profile->events[i].name));
    result = json_pack("{s:o, s:i, s:o, s:o}", "run", json_text(NULL), "status", status, "events",
                       events, "totals", counts_json(profile, profile->totals));
    find_rows(run, profile, result);
    json_object_set_new(result, "backtraces", json_integer(cost_of_backtraces(profile)));
    return result;
}

static json_t *result_of(const struct bench_run *run, const struct run_outcome *outcome)
{
    static const struct resolve_settings settings = {.brief_contexts = true};
    struct cprof_profile *raw = run_load_pieces(&outcome->raw, 0, outcome->raw.n), *named;
    struct cprof_error error;
    json_t *result;

    if (!raw)
        return NULL;
    named = load_resolve(raw, &settings, NULL, &error);
    cprof_free(raw);
    if (!named) {
        message_library_error(&error);
        return NULL;
    }
    result = bench_result(run, named, run_status(outcome));
    cprof_free(named);
    return result;
}

/* Keeps the profile, and names it in the result. */
static void keep(const struct bench_run *run, const struct run_outcome *outcome, json_t *result)
{
    char *path = saved_profile_keep(outcome->raw.path, run->built->target, run->kept, run->command,
                                    &run->built->packages);

    if (path) {
        char *name = xasprintf("%s.%s", run->kept, run->command);

        json_object_set_new(result, "run", json_text(name));
        free(name);
    }
    free(path);
}

static bool has_word(char *const *words, const char *beginning)
{
    for (; words && *words; words++)
        if (!strncmp(*words, beginning, strlen(beginning)))
            return true;
    return false;
}

/* The run's words, in memory of their own. A harness whose output is passed on does not see that
 * it ends on a terminal. */
static struct string_list words_of(const struct bench_run *run)
{
    int end = run->measure->output_to_errors ? STDERR_FILENO : STDOUT_FILENO;
    struct string_list words = {0};

    if (run->harness)
        harness_words(run->harness, run->name, &words);
    for (char *const *a = run->arguments; a && *a; a++)
        string_list_add(&words, xstrdup(*a));
    if (!run->harness && isatty(end) && !has_word(run->arguments, "--color"))
        string_list_add(&words, xstrdup("--color=always"));
    string_list_add(&words, NULL);
    return words;
}

/* Variables that cargo and harnesses know, unless they are set already: criterion would else ask
 * cargo for the folder. */
static void add_variables(const struct bench_run *run, struct measure *measure,
                          struct string_list *texts)
{
    string_list_add(texts, xasprintf("CARGO_MANIFEST_DIR=%s", run->executable->program.folder));
    if (run->built->target && !getenv("CRITERION_HOME"))
        string_list_add(texts, xasprintf("CRITERION_HOME=%s/criterion", run->built->target));
    measure->environment = (struct string_list){0};
    for (size_t i = 0; i < texts->n; i++)
        string_list_add(&measure->environment, texts->items[i]);
    for (size_t i = 0; i < run->measure->environment.n; i++)
        string_list_add(&measure->environment, run->measure->environment.items[i]);
}

/* Adds what the harness of tests has printed. That it did not come to its end is no news of a run
 * that the user has ended. */
static void add_printed(const struct bench_run *run, json_t *result,
                        const struct harness_output *output, const struct run_outcome *outcome)
{
    bool ended = outcome->ended_by ||
                 (WIFSIGNALED(outcome->wait_status) && WTERMSIG(outcome->wait_status) == SIGINT);
    /* Then the profile does not have the harness. */
    bool starts_off = measure_starts_off(run->measure);

    json_object_set_new(result, "failed", harness_output_failed(output));
    if (output->announced >= 0)
        json_object_set_new(result, "announced", json_integer(output->announced));
    if (output->has_result || starts_off)
        json_object_del(result, "early");
    if (output->announced >= 0 && !output->has_result)
        json_object_set_new(result, "early", json_true());
    if (ended)
        json_object_del(result, "early");
    if (json_object_get(result, "early") && !run_status(outcome))
        json_object_set_new(result, "status", json_integer(STATUS_ERROR));
}

/* Runs it, with what tests print looked through. */
static int run_program(const struct bench_run *run, struct string_list *words,
                       struct measure *measure, const struct tempdir *dir,
                       struct run_outcome *outcome, struct harness_output *output)
{
    const struct program program = run->executable->program;
    struct passing *passing =
        run->harness ? NULL : passing_begin(output, run->measure->output_to_errors);
    int status;

    if (passing)
        measure->output_to_errors = false;
    status = valgrind_run(&program, (char **)words->items, measure, dir, outcome);
    passing_end(passing);
    return status;
}

static json_t *run_in(const struct bench_run *run, const struct tempdir *dir)
{
    struct harness_output output = HARNESS_OUTPUT_INIT;
    struct string_list words = words_of(run), texts = {0};
    struct measure measure = *run->measure;
    struct run_outcome outcome = {0};
    json_t *result = NULL;
    size_t left = 0;
    int status;

    add_variables(run, &measure, &texts);
    status = run_program(run, &words, &measure, dir, &outcome, &output);
    if (!status && outcome.raw.path) {
        result = result_of(run, &outcome);
        left = measure.trace_children ? 0 : run_count_left(&outcome.raw);
        if (result) {
            add_printed(run, result, &output, &outcome);
            if (left)
                json_object_set_new(result, "left", json_integer((json_int_t)left));
            keep(run, &outcome, result);
        }
    } else if (!status) {
        run_failure(&outcome);
    }
    run_outcome_free(&outcome);
    harness_output_free(&output);
    harness_names_free(&words);
    harness_names_free(&texts);
    string_list_free(&measure.environment);
    return result;
}

const char *bench_package(const struct bench_run *run)
{
    const struct packages *p = &run->built->packages;

    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->items[i].folder, run->executable->program.folder))
            return p->items[i].name;
    return "";
}

/* A list of tests needs no profile, and is none: the last one is left as it is. */
static json_t *list(const struct bench_run *run)
{
    const struct program *program = &run->executable->program;
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct string_list argv = {0}, environment = {0};
    int status = 0, error;
    pid_t pid;

    string_list_add(&argv, program->path);
    for (char *const *a = run->arguments; a && *a; a++)
        string_list_add(&argv, *a);
    string_list_add(&argv, NULL);
    if (program->libraries)
        string_list_add(&environment, program->libraries);
    spec.argv = argv.items;
    spec.environment = &environment;
    spec.folder = program->folder;
    spec.output = run->measure->output_to_errors ? STDERR_FILENO : -1;
    fflush(NULL);
    error = process_start(&spec, &pid);
    if (!error)
        status = process_wait(pid);
    else
        message_error("cannot execute '%s': %s", program->path, strerror(error));
    string_list_free(&argv);
    string_list_free(&environment);
    return error ? NULL
                 : json_pack("{s:i, s:[], s:{}, s:[]}", "status",
                             WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                             "events", "totals", "rows");
}

json_t *bench_run(const struct bench_run *run)
{
    struct tempdir dir = {NULL, -1};
    json_t *result;

    if (run->lists)
        return list(run);
    result = tempdir_make(&dir) ? NULL : run_in(run, &dir);
    tempdir_remove(&dir);
    return result;
}
