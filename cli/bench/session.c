#include <config.h>

#include "bench/session.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "bench/bench_run.h"
#include "bench/doc_tests.h"
#include "bench/document.h"
#include "bench/failure.h"
#include "bench/gates.h"
#include "bench/table.h"
#include "bench/why.h"
#include "diff/gate.h"
#include "render/json/json.h"
#include "render/text/run_header.h"
#include "run/elf_check.h"
#include "run/input.h"
#include "run/jobs.h"
#include "run/measure.h"
#include "run/program.h"
#include "run/saved_profile.h"
#include "run/tool.h"
#include "runs/run_settings.h"
#include "views/compare.h"
#include "views/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Settings ---*/

/* The settings of the commands bench and test, and their options. */

struct session_settings {
    struct run_settings common;
    int sort; /* enum bench_sort */
    bool cycles, json, tests;
};

#define AT(member) offsetof(struct session_settings, member)

static const char *const sort_names[] = {"listed", "cost", "name", "change", NULL};

#define PACKAGES(what)                                                                             \
    {.name = "package",                                                                            \
     .letter = 'p',                                                                                \
     .kind = OPTION_ONCE | OPTION_USUAL,                                                           \
     .value = "SPEC",                                                                              \
     .offset = RUN_AT(build.package),                                                              \
     .help = "the " what " of this package only"},                                                 \
    {                                                                                              \
        .name = "workspace", .kind = OPTION_FLAG | OPTION_USUAL,                                   \
        .offset = RUN_AT(build.workspace), .help = "the " what " of all packages of the workspace" \
    }
static const struct option_def session_bench_targets[] = {
    {.name = "bench",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = RUN_AT(build.bench),
     .help = "the benches of this target only"},
    {.name = "lib",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(build.lib),
     .help = "the library's own benches only"},
    {.name = "benches",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(build.benches),
     .help = "all benches of folders benches/ only"},
    PACKAGES("benches"),
    {.name = NULL}};

static const struct option_def session_test_targets[] = {
    {.name = "test",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "NAME",
     .offset = RUN_AT(build.test),
     .help = "this integration test only"},
    {.name = "lib",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = RUN_AT(build.lib),
     .help = "the library's unit tests only"},
    {.name = "bin",
     .kind = OPTION_ONCE,
     .value = "NAME",
     .offset = RUN_AT(build.bin),
     .help = "the unit tests of this binary only"},
    {.name = "bins",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(build.bins),
     .help = "the unit tests of all binaries only"},
    {.name = "doc", .kind = OPTION_FLAG, .offset = RUN_AT(build.doc), .help = "doc tests only"},
    {.name = "tests",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(build.tests),
     .help = "all unit and integration tests"},
    PACKAGES("tests"),
    {.name = NULL}};

#define SORT(order)                                                                  \
    {                                                                                \
        .name = "sort", .kind = OPTION_CHOICE, .value = "ORDER", .offset = AT(sort), \
        .help = order, .choices = sort_names                                         \
    }
static const struct option_def session_bench_options[] = {
    RUN_OPTION_CACHE_SIM("model the caches too: D1 and LL misses"),
    RUN_OPTION_PARALLEL(OPTION_USUAL,
                        "run N benches side by side (as many as there are processors)"),
    {.name = "cycles",
     .kind = OPTION_FLAG,
     .offset = AT(cycles),
     .help = "estimate cycles, too: Ir + 10 first-level misses + 100 last-level misses; models "
             "the caches"},
    RUN_OPTION_ORDERS("a bench that starts threads in N orders of them"),
    SORT("order of rows: as they are listed (usual), by cost, by name, or by change"),
    {.name = NULL}};
static const struct option_def session_test_options[] = {
    RUN_OPTION_CACHE_SIM("model the caches too: D1 and LL misses"),
    RUN_OPTION_ORDERS("tests that have threads in N orders of them"),
    SORT("order of rows: by cost (usual), by name, by change, or as they are listed"),
    {.name = NULL}};

#define BASELINES(gate)                                                                      \
    {                                                                                        \
        RUN_OPTIONS_BASELINE("the counts"),                                                  \
            RUN_OPTION_FAIL_IF(                                                              \
                "end with status 3 if this holds: '" gate                                    \
                "(parse*): ir>+1%', or 'ir>+1%' for all of them together; more behind ';'"), \
        {                                                                                    \
            .name = NULL                                                                     \
        }                                                                                    \
    }
static const struct option_def session_bench_baselines[] = BASELINES("bench");
static const struct option_def session_test_baselines[] = BASELINES("test");

static const struct option_def session_output_options[] = {
    SHOW_OPTION_LIMIT(RUN_AT(show), 0, "show N rows; 0 shows all"),
    SHOW_OPTION_COLOR(RUN_AT(show)),
    SHOW_OPTION_OUTPUT(RUN_AT(show), 0),
    SHOW_OPTION_FORMAT(RUN_AT(show)),
    SHOW_OPTION_SUMMARY(RUN_AT(show)),
    {.name = "json",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(json),
     .help = "write JSON (schema cprof-bench/1) instead of a table"},
    {.name = NULL}};

/* Checks the settings before anything is done, and reads the gates. Returns 0, or a status after
 * having said what is wrong. */
static int session_check(const struct session_settings *s, const struct option_result *result,
                         struct gates *gates)
{
    int status;

    if (result->operands.n > 1)
        return message_usage(
            "'%s' and '%s' are two filters; give one, which is a part of the names "
            "of the %s that are wanted",
            result->operands.items[0], result->operands.items[1], s->tests ? "tests" : "benches");
    if (result->rest && *result->rest && !s->tests)
        return message_usage("'%s' stands behind --: a bench gets no arguments but those that run "
                             "it once; leave it out",
                             *result->rest);
    status = baseline_names_check(s->common.baseline, s->common.save_baseline);
    if (!status && s->common.build.doc &&
        (s->common.build.test || s->common.build.lib || s->common.build.bin ||
         s->common.build.bins || s->common.build.tests))
        status = message_usage(
            "--doc is for doc tests alone; leave out --doc, or what names other targets");
    if (!status && s->common.build.package && s->common.build.workspace)
        status = message_usage("--package and --workspace exclude each other; leave out one");
    if (!status && !s->common.baseline && (s->common.compare.fail_if.n || s->sort == SORT_CHANGE))
        status =
            message_usage("%s needs --baseline, the counts to compare with; add --baseline NAME",
                          s->common.compare.fail_if.n ? "--fail-if" : "--sort change");
    if (!status)
        status = build_request_check(&s->common.build);
    if (!status)
        status = measure_check(&s->common.measure);
    if (!status)
        status = measure_check_orders(&s->common.measure, s->common.orders);
    if (!status && s->common.measure.count_args.n)
        status = message_usage("--count-arg is not for rows of %s; take 'cargo cprof callgrind %s'",
                               s->tests ? "tests" : "benches",
                               s->tests ? "--test NAME" : "--bench NAME");
    if (!status && s->common.show.output)
        status = output_check(s->common.show.output);
    if (!status)
        status = compare_read_gates(&s->common.compare.fail_if, gates);
    if (!status)
        status = bench_gates_check(gates, s->tests);
    return status ? status : tool_check();
}

/*--- Plan ---*/

/* The runs that benches, or tests, take: found in what cargo built. */

struct plan {
    size_t n, room;
    struct bench_run *items; /* their `name` and `kept` are owned, all else is borrowed */
    size_t n_benches;        /* that there are, filtered or not */
};

static void plan_free(struct plan *plan);

enum { KEPT_BYTES = 150 }; /* of a file's name, which may have 255 */

/* A name for a file, of the executable's and the bench's: letters that mean something to a shell or
 * in a path become "-". */
static char *file_name(const struct cargo_executable *e, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+";
    const char *kind = !strcmp(e->kind, "bin") || !strcmp(e->kind, "example") ? e->kind : "";
    char *text = xasprintf("%s%s%s%s%s", e->program.name, *kind ? "-" : "", kind, name ? "." : "",
                           name ? name : "");
    size_t kept = 0;

    for (const char *c = text; *c; c++) {
        bool is_plain = strchr(plain, *c) != NULL;

        if (is_plain || (kept && text[kept - 1] != '-'))
            text[kept++] = (char)(is_plain ? *c : '-');
    }
    while (kept > 1 && (text[kept - 1] == '-' || kept > KEPT_BYTES))
        kept--;
    text[kept] = '\0';
    return text;
}

static bool is_taken(const struct plan *plan, const char *kept)
{
    for (size_t i = 0; i < plan->n; i++)
        if (!strcmp(plan->items[i].kept, kept))
            return true;
    return false;
}

static void add(struct plan *plan, const struct bench_run *pattern, const char *name)
{
    char *stem = file_name(pattern->executable, name), *kept = xstrdup(stem);
    struct bench_run run = *pattern;

    for (unsigned i = 2; is_taken(plan, kept); i++) {
        free(kept);
        kept = xasprintf("%s-%u", stem, i);
    }
    free(stem);
    run.name = name ? xstrdup(name) : NULL;
    run.kept = kept;
    APPEND(plan->items, plan->n, plan->room) = run;
}

static int add_executable(struct plan *plan, struct bench_run *pattern, const char *filter)
{
    const struct cargo_executable *e = pattern->executable;
    const struct harness *h = harness_find(e->program.path);
    struct string_list names;
    int status;

    /* Unit tests, which cargo bench builds with the rest, have libtest or nothing. */
    if (h->list == LIST_NONE && strcmp(e->kind, "bench") != 0)
        return 0;
    if (h->own_runner) {
        message_note("'%s' is not profiled: it is a bench of %s, which starts itself again under "
                     "%s",
                     e->program.name, h->name, h->own_runner);
        return 0;
    }
    pattern->harness = h;
    status = harness_names(h, &e->program, &names);
    plan->n_benches += names.n;
    for (size_t i = 0; i < names.n && !status; i++)
        if (!filter || strstr(names.items[i], filter))
            add(plan, pattern, names.items[i]);
    if (!status)
        string_list_free_texts(&names);
    return status;
}

/*
 * Plans a run of each bench whose name has `filter` in it (NULL: of all), in the order of the
 * executables and of their lists; what a run of the command needs else is in `pattern`. What cannot
 * be profiled is named. Returns 0, or STATUS_ERROR after having said what is wrong.
 */
static int plan_benches(struct plan *plan, const struct bench_run *pattern, const char *filter)
{
    struct bench_run run = *pattern;
    int status = 0;

    *plan = (struct plan){.n = 0};
    for (size_t i = 0; i < pattern->built->n && !status; i++) {
        run.executable = &pattern->built->items[i];
        status = add_executable(plan, &run, filter);
    }
    return status;
}

static void plan_doc_tests(struct plan *plan, const struct bench_run *pattern,
                           const struct build_request *doc)
{
    struct bench_run run = *pattern;
    bool can = doc_tests_can_run();

    run.doc = doc;
    for (size_t i = 0; i < pattern->built->n; i++) {
        run.executable = &pattern->built->items[i];
        if (strcmp(run.executable->kind, "lib") != 0)
            continue;
        if (can)
            add(plan, &run, NULL);
        else
            message_note("the doc tests of '%s' are not profiled: this rustdoc knows no stable "
                         "--test-runtool; 'cargo test --doc' runs them",
                         run.executable->program.name);
    }
}

/* Plans a run of each executable with tests, and of the doc tests of each library, which `doc`
 * (NULL: leave them out) says how to build; of these alone with `only_doc`. What cannot be profiled
 * is named. */
static void plan_tests(struct plan *plan, const struct bench_run *pattern,
                       const struct build_request *doc, bool only_doc)
{
    struct bench_run run = *pattern;

    *plan = (struct plan){.n = 0};
    for (size_t i = 0; i < pattern->built->n && !only_doc; i++) {
        const struct harness *h = harness_find(pattern->built->items[i].program.path);

        run.executable = &pattern->built->items[i];
        if (!strcmp(h->name, "libtest"))
            add(plan, &run, NULL);
        else
            message_note("'%s' is not profiled: its tests have a harness of their own, '%s' "
                         "profiles it as a whole",
                         run.executable->program.name, "cargo cprof callgrind --test");
    }
    if (doc)
        plan_doc_tests(plan, pattern, doc);
}

static void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->n; i++) {
        free((char *)plan->items[i].name);
        free(plan->items[i].kept);
    }
    free(plan->items);
    *plan = (struct plan){.n = 0};
}

/*--- The runs ---*/

struct session {
    const struct session_settings *settings;
    const struct run_settings *common; /* within these */
    struct cargo_built built;
    struct plan plan;
    json_t **results;          /* of each run; NULL: failed, or not there yet */
    size_t n_done, n_threaded; /* runs, and those of which something has started threads */
    bool beside;               /* tests ran side by side, in no certain order */
    struct string_list shown;  /* lines that benches printed before they failed */
    struct input input;        /* where there are several runs: each has it from its start */
    bool lists;                /* the harnesses only list their tests */
    int status;                /* of the first run that failed, or 0 */
};

static json_t *work(void *data, size_t job)
{
    const struct session *session = data;
    const struct bench_run *run = &session->plan.items[job];

    return run->doc ? doc_tests_run(run) : bench_run(run);
}

static void done(void *data, size_t job, json_t *result, const char *output)
{
    struct session *s = data;
    const struct bench_run *run = &s->plan.items[job];
    int status = (int)json_integer_value(json_object_get(result, "status"));

    s->results[job] = result;
    s->n_done++;
    if (!result || status)
        failure_say(&s->shown, run, result, output);
    failure_note_left(run, result);
    s->n_threaded += json_object_get(result, "threaded") != NULL;
    s->beside |= json_object_get(result, "beside") != NULL;
    if (!s->status && (!result || status))
        s->status = result ? status : STATUS_ERROR;
    if (json_object_get(result, "unnamed"))
        s->status = failure_say_unnamed(run, json_string_value(json_object_get(result, "unnamed")));
}

static size_t parallel_of(const struct session_settings *s, size_t n)
{
    return s->tests ? 1 : jobs_parallel(s->common.parallel, n);
}

static int run_all(struct session *s)
{
    const struct session_settings *settings = s->settings;
    struct jobs jobs = {.n = s->plan.n,
                        .parallel = parallel_of(settings, s->plan.n),
                        .capture = !settings->tests,
                        .progress = !settings->tests && !settings->common.measure.quiet,
                        .work = work,
                        .done = done,
                        .data = s};
    int status;

    if (!settings->tests || s->plan.items->orders > 1)
        input_keep_files(&s->input);
    s->results = xcalloc(s->plan.n + 1, sizeof(json_t *));
    status = jobs_run(&jobs);
    if (status > STATUS_SIGNAL)
        message_note("the run was ended by a signal: %s of %s ran", TEXT_COUNT(s->n_done),
                     TEXT_COUNT(s->plan.n));
    return status;
}

/*--- What came of them ---*/

static json_t *make_document(struct session *s)
{
    json_t *document = document_begin(s->common->command_line, s->settings->tests);

    for (size_t i = 0; i < s->plan.n; i++)
        document_add(document, &s->plan.items[i], s->results[i]);
    return document;
}

/* The rows that are shown, and all that the baseline says of them. */
struct shown {
    struct bench_rows rows, olds;
    struct environment_diff environment;
    struct bench_whys whys;
};

static struct bench_table table_of(const struct session_settings *s, const struct shown *shown)
{
    const struct show_settings *show = &s->common.show;

    return (struct bench_table){.rows = &shown->rows,
                                .environment = &shown->environment,
                                .whys = &shown->whys,
                                .tests = s->tests,
                                .cycles = s->cycles,
                                .markdown = show->format == FORMAT_MARKDOWN,
                                .sort = (enum bench_sort)s->sort,
                                .limit = show->limit >= 0 ? (size_t)show->limit
                                         : s->tests       ? SHOW_LIMIT_TABLE
                                                          : 0,
                                .command_line = s->common.command_line,
                                .screen = show_screen(show)};
}

static int write_document(const struct session_settings *s, const json_t *document,
                          const struct shown *shown)
{
    struct bench_table table = table_of(s, shown);
    struct output_file file;
    int status = output_begin(&file, s->common.show.output);

    if (status)
        return status;
    /* Parts the table from what the tests wrote, where both are on standard output. */
    if (s->tests && !s->json && !s->common.show.output && !table.markdown)
        run_header_rule(&table.screen, file.stream);
    if (!s->json)
        bench_table_write(&table, file.stream);
    else if (json_dumpf(document, file.stream, JSON_INDENT(2)) != 0 ||
             fputc('\n', file.stream) == EOF)
        status = output_failed(file.stream);
    if (s->common.show.summary) {
        FILE *summary = summary_open();

        table.markdown = true;
        if (summary)
            bench_table_write(&table, summary);
        summary_close(summary);
    }
    return output_end(&file, s->common.show.output, status);
}

/* Adds what each row of the document was in the baseline. */
static void add_old(json_t *document, const struct bench_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        json_t *counts = json_object();
        const struct bench_row *row = &rows->items[i];

        for (uint32_t e = 0; row->old && e < rows->events.n; e++) {
            int64_t before, after;

            if (bench_change(rows, row, rows->events.items[e].name, &before, &after))
                json_object_set_new(counts, rows->events.items[e].name, json_integer(before));
        }
        json_object_set_new(json_array_get(json_object_get(document, "rows"), i), "baseline",
                            row->old ? counts : json_null());
        if (!row->old)
            json_decref(counts);
    }
}

static struct bench_runs runs_of(const struct session *s, const char *baseline)
{
    return (struct bench_runs){s->plan.n, s->plan.items, s->built.target, baseline,
                               s->settings->tests};
}

/* Finds each row's partner in the baseline, and says in what their environments differ; finds why
 * rows fail gates. Returns how many rows of the baseline did not run. */
static size_t compare(const struct session *s, json_t *document, struct shown *shown,
                      const struct gates *gates)
{
    const struct bench_runs runs = runs_of(s, s->common->baseline);
    size_t missing = bench_rows_compare(&shown->rows, &shown->olds);

    add_old(document, &shown->rows);
    bench_environments(&shown->rows, &shown->environment);
    if (shown->environment.n)
        json_object_set_new(document, "environment", json_environment(&shown->environment));
    environment_diff_note(&shown->environment);
    bench_whys_load(&shown->whys, &shown->rows, gates, &runs);
    bench_whys_add(&shown->whys, &shown->rows, document);
    return missing;
}

/* Shows the document, beside the baseline `old` where that is not NULL, and holds the gates. */
static int show_and_hold(const struct session *s, json_t *document, const json_t *old,
                         const struct gates *gates, bool filtered)
{
    struct shown shown = {.whys = {.n = 0}};
    size_t missing = 0;
    int status;

    if (!bench_rows_read(&shown.rows, document) || (old && !bench_rows_read(&shown.olds, old)))
        return message_error("cannot read the counts of the run, which are no " DOCUMENT_SCHEMA
                             "; run it again");
    if (old)
        missing = compare(s, document, &shown, gates);
    status = write_document(s->settings, document, &shown);
    if (!status && missing && !filtered)
        message_note("%s row%s of the baseline '%s' did not run", TEXT_COUNT(missing),
                     missing == 1 ? "" : "s", s->common->baseline);
    if (!status && old)
        status = bench_gates_hold(gates, &shown.rows, &shown.olds);
    bench_whys_free(&shown.whys);
    environment_diff_free(&shown.environment);
    bench_rows_free(&shown.rows);
    bench_rows_free(&shown.olds);
    return status;
}

/* Tests that failed are best left out: the others' counts can be kept then. */
static void say_not_saved(const struct session *s, const char *name, int status)
{
    bool there = bench_baseline_rows(s->built.target, name, s->settings->tests) >= 0;

    message_note(
        "the baseline '%s' %s, since %s%s", name, there ? "was left as it is" : "was not made",
        status == STATUS_GATE ? "--fail-if held" : "not all succeeded",
        status == STATUS_GATE ? ""
        : s->settings->tests  ? "; '-- --skip NAME' leaves out a test that fails"
                              : "; 'bench FILTER' runs only those with FILTER in their names");
}

static int save(const struct session *s, const json_t *document, int status)
{
    const char *name = s->common->save_baseline;
    long before;

    if (!name)
        return status;
    if (status || s->status) {
        say_not_saved(s, name, status);
        return status;
    }
    before = bench_baseline_rows(s->built.target, name, s->settings->tests);
    status = bench_baseline_save(document, s->built.target, name, s->settings->tests);
    if (!status) {
        const struct bench_runs runs = runs_of(s, name);

        status = bench_runs_keep(document, &runs);
    }
    if (!status && before > (long)json_array_size(json_object_get(document, "rows")))
        message_note(
            "the baseline '%s' has %s row%s now, and had %s: it is of what ran, as a whole", name,
            TEXT_COUNT(json_array_size(json_object_get(document, "rows"))),
            json_array_size(json_object_get(document, "rows")) == 1 ? "" : "s", TEXT_COUNT(before));
    return status;
}

/* Tests that panic, as they are meant to or not, are costly where each prints its stack. */
static void note_backtraces(const struct session *s)
{
    json_int_t backtraces = 0, total = 0;

    for (size_t i = 0; i < s->plan.n; i++) {
        const json_t *totals = json_object_get(s->results[i], "totals");

        backtraces += json_integer_value(json_object_get(s->results[i], "backtraces"));
        total += json_integer_value(json_object_get(totals, "Ir"));
    }
    if (backtraces > total / 10)
        message_note("%.0f %% of the instructions print stacks of panics, since RUST_BACKTRACE is "
                     "set: --env RUST_BACKTRACE=0 leaves them out",
                     100 * (double)backtraces / (double)total);
}

/* Threads that run in no fixed order make counts vary. */
static void note_threads(const struct session *s)
{
    const struct measure *measure = &s->settings->common.measure;
    const char *why = !measure_fixes_schedule(measure)
                          ? "whose order may vary from run to run, and counts with it; --schedule "
                            "fixed fixes that"
                      : measure->clock == CLOCK_FIXED
                          ? "and real time decided on their order, so counts may vary from run to "
                            "run"
                          : "and real time decided on their order, so counts may vary from run to "
                            "run; --clock fixed fixes their clock";

    if (s->n_threaded)
        message_note("%s%s ran threads of their own, %s",
                     s->settings->tests ? "" : TEXT_COUNT(s->n_threaded),
                     s->settings->tests   ? "tests"
                     : s->n_threaded == 1 ? " bench"
                                          : " benches",
                     why);
    else if (s->beside && (s->settings->common.baseline || s->settings->common.save_baseline))
        message_note("tests ran side by side, and the first of them to come pays for what all "
                     "need, so counts may vary from run to run; '-- --test-threads=1' has them "
                     "run in turn%s",
                     measure_fixes_schedule(measure) ? ""
                                                     : ", --schedule fixed in orders that repeat");
}

static int show_session(struct session *s, const json_t *old, const struct gates *gates,
                        bool filtered)
{
    json_t *document = make_document(s);
    int status;

    note_backtraces(s);
    if (s->settings->tests && !json_array_size(json_object_get(document, "rows"))) {
        json_decref(document);
        return s->lists || s->status
                   ? s->status
                   : message_error("no test ran%s",
                                   filtered ? ": none has the filter in its name; 'cargo test -- "
                                              "--list' lists them"
                                            : "; there is none, or all are ignored");
    }
    note_threads(s);
    status = show_and_hold(s, document, old, gates, filtered);
    status = save(s, document, status);
    json_decref(document);
    if (status == STATUS_GATE || !s->status)
        return status;
    /* 3 says that a gate failed, and nothing else. */
    return s->status == STATUS_GATE && s->common->compare.fail_if.n ? STATUS_ERROR : s->status;
}

/*--- In their order ---*/

static int say_nothing(const struct session *s, const char *filter)
{
    if (s->settings->tests)
        return message_error("there are no tests; 'cargo test --no-run' says what it builds");
    if (!s->plan.n_benches)
        return message_error("there are no benches; 'cargo bench --no-run' says what it builds");
    return message_error("no bench has '%s' in its name; there are %s, and 'cargo bench -- --list' "
                         "lists them",
                         filter, TEXT_COUNT(s->plan.n_benches));
}

/* cargo test has doc tests where no target is asked for. */
static bool with_doc_tests(const struct build_request *r)
{
    return r->doc || !(r->bin || r->test || r->lib || r->bins || r->tests);
}

/* The most orders of threads that a row of a baseline has. */
static size_t orders_of(const json_t *old)
{
    const json_t *row, *list;
    const char *event;
    size_t i, most = 0;

    json_array_foreach(json_object_get(old, "rows"), i, row)
    {
        json_object_foreach((json_t *)(uintptr_t)json_object_get(row, "orders"), event, list)
        {
            if (json_array_size(list) > most)
                most = json_array_size(list);
        }
    }
    return most;
}

/* How many orders of its threads a run is made in. */
static long wanted_orders(const struct session_settings *s, const json_t *old)
{
    if (!measure_fixes_schedule(&s->common.measure) ||
        (!s->common.baseline && !s->common.save_baseline && s->common.orders == ORDERS_UNSET))
        return 1;
    return measure_orders(s->common.orders, orders_of(old));
}

static int make_plan(struct session *s, const json_t *old, const struct option_result *result,
                     char **arguments)
{
    const struct session_settings *settings = s->settings;
    const struct bench_run pattern = {.built = &s->built,
                                      .arguments = arguments,
                                      .lists = s->lists,
                                      .command = settings->common.command,
                                      .orders = wanted_orders(settings, old),
                                      .input = &s->input,
                                      .measure = &settings->common.measure};
    const char *filter = result->operands.n ? result->operands.items[0] : NULL;
    int status = 0;

    if (settings->tests)
        plan_tests(&s->plan, &pattern,
                   with_doc_tests(&settings->common.build) ? &settings->common.build : NULL,
                   settings->common.build.doc);
    else
        status = plan_benches(&s->plan, &pattern, filter);
    for (size_t i = 0; i < s->plan.n && !status; i++)
        if (!i || s->plan.items[i].executable != s->plan.items[i - 1].executable)
            status = elf_check(s->plan.items[i].executable->program.path);
    if (!status && !s->plan.n)
        status = say_nothing(s, filter);
    return status;
}

static void say_plan(const struct session *s)
{
    const char *note = s->built.debug_on ? " (debug=1 switched on for names; --no-debuginfo leaves "
                                           "the build alone)"
                                         : "";

    if (s->settings->tests)
        message_status("Profiling", "tests of %s executable%s%s", TEXT_COUNT(s->plan.n),
                       s->plan.n == 1 ? "" : "s", note);
    else
        message_status("Profiling", "%s bench%s, %s at a time%s", TEXT_COUNT(s->plan.n),
                       s->plan.n == 1 ? "" : "es", TEXT_COUNT(parallel_of(s->settings, s->plan.n)),
                       note);
}

/* A run that a signal ended has results that are not shown. */
static void session_free(struct session *s)
{
    for (size_t i = 0; s->results && i < s->plan.n; i++)
        json_decref(s->results[i]);
    free(s->results);
    plan_free(&s->plan);
    string_list_free_texts(&s->shown);
    cargo_built_free(&s->built);
}

static int run_session(struct session *s, const struct option_result *result,
                       const struct gates *gates)
{
    struct string_list arguments = {0};
    json_t *old = NULL;
    int status = cargo_build_all(&s->common->build, !s->settings->tests, &s->built);

    if (s->settings->tests && result->operands.n)
        string_list_add(&arguments, result->operands.items[0]);
    if (s->settings->tests)
        string_list_append(&arguments, (const char *const *)result->rest);
    /* Words that have the harness of tests run none. */
    s->lists = string_list_has(&arguments, "--list") || string_list_has(&arguments, "--help") ||
               string_list_has(&arguments, "-h");
    if (!status && s->common->baseline &&
        !(old = bench_baseline_load(s->built.target, s->common->baseline, s->settings->tests)))
        status = STATUS_ERROR;
    if (!status)
        status = make_plan(s, old, result, (char **)arguments.items);
    if (!status) {
        if (!s->lists)
            say_plan(s);
        status = run_all(s);
    }
    if (!status)
        status = show_session(s, old, gates, result->operands.n > 0);
    json_decref(old);
    string_list_free(&arguments);
    session_free(s);
    return status;
}

static int begin(void *data, struct option_result *result)
{
    struct session_settings *settings = data;
    struct session session = {.settings = settings, .common = &settings->common};
    struct gates gates = {.n = 0};
    int status = session_check(settings, result, &gates);

    if (settings->cycles)
        settings->common.measure.cache_sim = true;
    settings->common.measure.output_to_errors = settings->json && !settings->common.show.output;
    if (!status)
        status = run_session(&session, result, &gates);
    gates_free(&gates);
    return status;
}

int bench_session(const struct command *self, int argc, char **argv, bool tests)
{
    struct session_settings s = {.common = {.measure = {.contexts = true,
                                                        .max_contexts = CONTEXTS_UNSET,
                                                        .is_compared = true},
                                            RUN_SETTINGS_INIT},
                                 .sort = tests ? SORT_COST : SORT_LISTED,
                                 .tests = tests};
    const struct option_group groups[] = {
        {.title = tests ? "Tests" : "Benches",
         .defs = tests ? session_test_targets : session_bench_targets,
         .settings = &s},
        {.title = "Build", .defs = build_options, .settings = &s.common.build},
        {.title = "Run",
         .defs = tests ? session_test_options : session_bench_options,
         .settings = &s},
        {.title = "Counts", .defs = measure_options, .settings = &s.common.measure},
        {.title = "Caches", .defs = cache_options, .settings = &s.common.measure},
        {.title = "Baselines",
         .defs = tests ? session_test_baselines : session_bench_baselines,
         .settings = &s},
        {.title = "Output", .defs = session_output_options, .settings = &s},
        {.title = NULL}};

    return run_by_options(self, groups, argc, argv, begin, &s.common);
}
