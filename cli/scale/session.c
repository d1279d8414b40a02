#include <config.h>

#include "scale/session.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "options/open_file.h"
#include "render/html/html.h"
#include "render/text/style.h"
#include "render/text/table_text.h"
#include "run/elf_check.h"
#include "run/input.h"
#include "run/jobs.h"
#include "run/tool.h"
#include "runs/run_settings.h"
#include "scale/bench_names.h"
#include "scale/check.h"
#include "scale/probe.h"
#include "scale/scale_gate.h"
#include "scale/scale_json.h"
#include "scale/scale_plot.h"
#include "scale/scale_table.h"
#include "scale/series.h"
#include "scale/size_run.h"
#include "scale/sizes.h"
#include "views/screen.h"
#include "views/show.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Settings ---*/

struct scale_settings {
    struct run_settings common;
    const char *sizes;
    const char *seconds; /* --auto; "": the usual; NULL: not given */
    const char *input_file, *input_command;
    const char *check;
    const char *svg, *html; /* files; NULL: none */
    bool any_status;        /* the program may end with another status than 0 */
    bool all_sizes;         /* the count at each size is shown */
    bool plot;              /* a picture on the terminal, above the tables */
    bool json;
};

#define AT(member) offsetof(struct scale_settings, member)

static const struct option_def scale_options[] = {
    {.name = "sizes",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "N,N,...",
     .offset = AT(sizes),
     .help = "sizes to run at, better five or more, and not each the double of the one before: "
             "1k,1.5k,2k,3k,4k,6k,8k,12k"},
    {.name = "auto",
     .kind = OPTION_OPTIONAL | OPTION_USUAL,
     .offset = AT(seconds),
     .help =
         "find sizes in place of --sizes, by runs at sizes that double, within about 30 seconds "
         "of processors; --auto=SECONDS: within so many"},
    {.name = "stdin",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "FILE",
     .offset = AT(input_file),
     .help = "standard input of each run: a file whose name has {n}, or one whose text has {n}, "
             "where the size is filled in"},
    {.name = "stdin-from",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "COMMAND",
     .offset = AT(input_command),
     .help = "standard input of each run: output of a command of the shell that has {n}: "
             "'seq {n}'"},
    {.name = "check",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "N",
     .offset = AT(check),
     .help = "run once more at a larger size, and compare with what is foretold of it"},
    RUN_OPTION_FAIL_IF(
        "end with status 3 if this holds: 'slope(parser::*)>1.1' for own functions with what "
        "others cost for each, 'slope(incl(a::b))>1.5', 'slope>1.2' for the program; more "
        "behind ';'"),
    {.name = "any-status",
     .kind = OPTION_FLAG,
     .offset = AT(any_status),
     .help = "take runs that end with another status than 0, too, as grep's that finds nothing; a "
             "line says which"},
    RUN_OPTION_PARALLEL(OPTION_USUAL, "run N sizes side by side (as many as there are processors)"),
    RUN_OPTIONS_ALIKE("model the caches too: how misses grow",
                      "count what is allocated, too: how allocations and bytes grow", "size"),
    {.name = NULL}};

static const struct option_def scale_output_options[] = {
    {.name = "counts",
     .kind = OPTION_FLAG,
     .offset = AT(all_sizes),
     .help = "show the count at each size, side by side, and not only that at the largest"},
    {.name = "plot",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(plot),
     .help = "draw above the tables, on logarithmic axes, how counts grow"},
    {.name = "svg",
     .kind = OPTION_ONCE,
     .value = "FILE",
     .offset = AT(svg),
     .help = "write a picture of how counts grow into this file, too"},
    {.name = "html",
     .kind = OPTION_ONCE | OPTION_USUAL,
     .value = "FILE",
     .offset = AT(html),
     .help = "write a page for a browser, too: picture and tables"},
    SHOW_OPTION_LIMIT(RUN_AT(show), 0, "show N rows; 0 shows all"),
    SHOW_OPTION_SORT(
        RUN_AT(show), 0,
        "the count whose growth is shown: Ir, Calls, Incl, with --cache-sim D1m and the like, "
        "with --heap Allocs and Bytes"),
    SHOW_OPTION_FILTER(RUN_AT(show), 0),
    SHOW_OPTION_COLOR(RUN_AT(show)),
    SHOW_OPTION_OUTPUT(RUN_AT(show), 0),
    SHOW_OPTION_FORMAT(RUN_AT(show)),
    {.name = "json",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = AT(json),
     .help = "write JSON (schema cprof-scale/1) instead of a table"},
    SHOW_OPTIONS_NAMES(struct run_settings, show.names),
    {.name = NULL}};

struct session {
    const struct scale_settings *settings;
    const struct run_settings *common; /* within these */
    struct sizes sizes;
    unsigned seconds; /* for finding sizes; 0: they are given */
    struct size_probes probes;
    int64_t check; /* a further size; 0: none */
    struct program program;
    struct size_run run;
    struct input input;
    struct filters filters;
    struct slope_gates gates;
    size_t n_jobs;
    size_t *slots; /* of each job: where its result goes */
    size_t n_slots;
    json_t **results; /* by slot */
    int status;       /* of the first job that failed, or 0 */
};

/*--- Checks ---*/

/* The first word behind -- is a program where no option names one: a path, or outside of packages
 * the name of one on PATH. */
static char *const *take_program(struct scale_settings *s, char *const *rest)
{
    if (!rest || !*rest || build_request_targets(&s->common.build) || template_has_size(*rest) ||
        (!strchr(*rest, '/') && program_in_package()))
        return rest;
    s->common.build.bin = *rest;
    return rest + 1;
}

static bool input_has_size(const char *path)
{
    FILE *file = path && !template_has_size(path) ? fopen(path, "re") : NULL;
    char *text = file ? file_rest(file) : NULL;
    bool has = template_has_size(path) || template_has_size(text);

    free(text);
    if (file)
        fclose(file);
    return has;
}

/* The size has to reach the program. */
static bool has_size(const struct scale_settings *s, char *const *arguments)
{
    bool has = input_has_size(s->input_file) || template_has_size(s->input_command);

    for (; arguments && *arguments; arguments++)
        has |= template_has_size(*arguments);
    for (size_t i = 0; i < s->common.measure.environment.n; i++)
        has |= template_has_size(s->common.measure.environment.items[i]);
    return has;
}

enum { SECONDS_USUAL = 30, SECONDS_MOST = 86400 };

static int read_seconds(const char *text, unsigned *seconds)
{
    int64_t number = SECONDS_USUAL;

    if (*text && (!size_read(text, &number) || number > SECONDS_MOST))
        return message_usage("'%s' is no time for --auto; it takes whole seconds, up to %d", text,
                             SECONDS_MOST);
    *seconds = (unsigned)number;
    return 0;
}

/* The check has to be beyond all sizes, when these are known. */
static int check_check(const struct session *session)
{
    if (!session->check || !session->sizes.n ||
        session->check > session->sizes.items[session->sizes.n - 1])
        return 0;
    return message_usage("--check %s is not larger than the largest size, %s, and so nothing is "
                         "foretold of it; give a larger one",
                         session->settings->check,
                         TEXT_COUNT(session->sizes.items[session->sizes.n - 1]));
}

static int check_sizes(struct session *session, const struct scale_settings *s)
{
    int status = 0;

    if (s->sizes && s->seconds)
        status = message_usage("--sizes and --auto exclude each other; leave out one");
    else if (s->sizes)
        status = sizes_read(&session->sizes, s->sizes);
    else if (s->seconds)
        status = read_seconds(s->seconds, &session->seconds);
    else if (!s->common.build.bench) /* names of benches have sizes */
        status = message_usage("there are no sizes to run at; give --sizes, as in '--sizes "
                               "1k,1.5k,2k,3k,4k', or --auto, which finds some");
    if (!status && s->check && !size_read(s->check, &session->check))
        status = message_usage("'%s' is no size for --check; it takes a whole number above 0, as "
                               "40k",
                               s->check);
    return status ? status : check_check(session);
}

/* The count is told before all runs, and not after them. */
static int check_measure(const struct scale_settings *s)
{
    char *events = run_events(&s->common.measure);
    const struct counted counted = {.events = events, .calls = s->common.measure.contexts};
    struct show_settings show = SHOW_SETTINGS_INIT;
    int status;

    show.counted = &counted;
    show.sort = s->common.show.sort;
    status = show_check(&show);
    free(events);
    return status;
}

static int check_settings(struct session *session, const struct scale_settings *s,
                          const struct option_result *result)
{
    int status;

    if (result->operands.n)
        return message_usage("unexpected '%s'; a program and its arguments stand after --",
                             result->operands.items[0]);
    status = check_sizes(session, s);
    if (!status && s->input_file && s->input_command)
        status = message_usage("--stdin and --stdin-from are both for standard input; leave out "
                               "one");
    if (!status && !has_size(s, session->run.arguments))
        status = message_usage("nothing tells the program its size; write {n} where it stands: in "
                               "an argument, in --env NAME={n}, in --stdin or in --stdin-from");
    if (!status)
        status = build_request_check(&s->common.build);
    if (!status)
        status = measure_check(&s->common.measure);
    if (!status)
        status = filters_compile(&session->filters, &s->common.show);
    if (!status)
        status = check_measure(s);
    if (!status)
        status = slope_gates_read(&session->gates, &s->common.compare.fail_if);
    if (!status && s->common.show.output)
        status = output_check(s->common.show.output);
    if (!status)
        status = open_check("svg", s->svg);
    if (!status)
        status = open_check("html", s->html);
    if (!status && s->plot && (s->json || s->common.show.format == FORMAT_MARKDOWN))
        status = message_usage("--plot is for tables on a terminal; leave it out, or take --svg");
    return status ? status : tool_check();
}

/*--- The runs ---*/

/* The first size runs once more behind all sizes, and after it the size of the check. */
static int64_t size_of(const struct session *s, size_t slot)
{
    return slot < s->sizes.n    ? s->sizes.items[slot]
           : slot == s->sizes.n ? s->sizes.items[0]
                                : s->check;
}

static json_t *work(void *data, size_t job)
{
    const struct session *s = data;

    return size_run(&s->run, size_of(s, s->slots[job]));
}

static int status_in(const json_t *result)
{
    return (int)json_integer_value(json_object_get(result, "status"));
}

/* A run that a signal ended says nothing of the size, whatever its status. */
static bool is_taken(const struct session *s, const json_t *result)
{
    int status = status_in(result);

    return !json_is_true(json_object_get(result, "ended")) &&
           (!status || (s->settings->any_status && status < STATUS_SIGNAL));
}

/* Shows the output of a run that failed. */
static void show_output(const char *output)
{
    if (output && *output)
        fprintf(stderr, "%s%s", output, output[strlen(output) - 1] == '\n' ? "" : "\n");
}

static void done(void *data, size_t job, json_t *result, const char *output)
{
    struct session *s = data;
    int status = status_in(result);

    s->results[s->slots[job]] = result;
    if ((!result || !is_taken(s, result)) && !s->status) {
        s->status =
            result && json_is_true(json_object_get(result, "ended")) ? status : STATUS_ERROR;
        show_output(output);
        if (result)
            message_error("the program ended with status %d at n = %s, so nothing is known of its "
                          "growth; give sizes at which it ends with 0%s",
                          status, TEXT_COUNT(size_of(s, s->slots[job])),
                          status < STATUS_SIGNAL ? ", or --any-status" : "");
        else if (!output || !*output)
            message_error("there is no profile at n = %s; give sizes at which the program runs",
                          TEXT_COUNT(size_of(s, s->slots[job])));
    }
}

/* Results that are there already need no job. */
static void plan(struct session *s)
{
    s->n_slots = s->sizes.n + 1 + (s->check > 0);
    s->results = xcalloc(s->n_slots + 1, sizeof(json_t *));
    s->slots = xcalloc(s->n_slots + 1, sizeof *s->slots);
    for (size_t i = 0; i < s->n_slots; i++) {
        if (i < s->sizes.n)
            s->results[i] = probes_take(&s->probes, s->sizes.items[i]);
        if (!s->results[i])
            s->slots[s->n_jobs++] = i;
    }
}

static int run_all(struct session *s)
{
    struct jobs jobs = {.capture = true,
                        .progress = !s->common->measure.quiet,
                        .work = work,
                        .done = done,
                        .data = s};
    int status;

    plan(s);
    s->run.seconds = 0;
    jobs.n = s->n_jobs;
    jobs.parallel = jobs_parallel(s->common->parallel, s->n_jobs);
    message_status("Profiling", "%s at %s sizes, %s at a time", s->program.name,
                   TEXT_COUNT(s->sizes.n), TEXT_COUNT(jobs.parallel));
    status = jobs_run(&jobs);
    return status ? status : s->status;
}

/*--- Benches ---*/

/* Has a harness that knows its benches by name run the one of each size. One that has none runs as
 * any program. */
static int find_bench(struct session *s)
{
    const struct harness *harness = harness_find(s->program.path);
    char *const *arguments = s->run.arguments;
    int status;

    if (!s->program.is_bench || (harness->list == LIST_NONE && !harness->own_runner))
        return s->sizes.n || s->seconds
                   ? 0
                   : message_usage("'%s' has no benches with sizes in their names; give --sizes",
                                   s->program.name);
    if (!arguments || !*arguments || !template_has_size(*arguments))
        return message_usage(
            "a bench is named behind --, with {n} where its size stands: 'sum/{n}'");
    status = bench_names_find(harness, &s->program, *arguments, &s->sizes);
    s->run.harness = harness;
    s->program.is_bench = false; /* the harness's words have it */
    return status ? status : check_check(s);
}

/*--- Sizes that are found ---*/

struct probing {
    const struct session *session;
    int64_t size;
    json_t *result;
};

static json_t *probe_work(void *data, size_t job)
{
    const struct probing *p = data;

    (void)job;
    return size_run(&p->session->run, p->size);
}

static void probe_done(void *data, size_t job, json_t *result, const char *output)
{
    struct probing *p = data;

    (void)job;
    (void)output;
    p->result = result;
}

static json_t *probe(void *data, int64_t size, unsigned seconds, bool *stopped)
{
    struct session *s = data;
    struct probing probing = {.session = s, .size = size};
    const struct jobs jobs = {.n = 1,
                              .parallel = 1,
                              .capture = true,
                              .work = probe_work,
                              .done = probe_done,
                              .data = &probing};

    s->run.seconds = seconds;
    message_status("Trying", "n = %s", TEXT_COUNT(size));
    *stopped = jobs_run(&jobs) != 0;
    if (probing.result && !is_taken(s, probing.result)) {
        json_decref(probing.result);
        probing.result = NULL;
    }
    return probing.result;
}

static int find_sizes(struct session *s)
{
    int status = probe_sizes(&s->probes, &s->sizes, s->seconds, probe, s);

    return status ? status : check_check(s);
}

/*--- What came of them ---*/

/* Own code and functions, in this order in arrays. */
struct growths {
    struct series own, functions;
    struct scale_check checks[2];
    struct scale_table tables[2];
};

/* Nothing is learned where the size changes nothing. */
static void note_growth(const struct series *s)
{
    int64_t first = column_value(s->measure, s->totals);
    int64_t last = column_value(s->measure, s->totals + (s->sizes.n - 1) * s->width);

    if (first == last)
        message_note("the program costs the same at all sizes: does it read what {n} stands for?");
    else if (last < first)
        message_note("the program costs less at the largest size than at the smallest: is {n} the "
                     "size of its input?");
}

static void note_harness(const struct session *s)
{
    for (size_t i = 0; i < s->sizes.n; i++)
        if (json_is_true(json_object_get(s->results[i], "whole"))) {
            message_note("the harness is counted with the bench: its loop around it was not found "
                         "at n = %s",
                         TEXT_COUNT(s->sizes.items[i]));
            return;
        }
}

static void write_table(const struct scale_table *t, const struct text_screen *screen, FILE *out)
{
    struct table table;
    size_t n = scale_table_fill(t, &table);

    fputc('\n', out);
    table_take(&table, screen, out);
    if (screen && t->limit && n > t->limit)
        fprintf(out, "%s of %s shown (-n 0 shows all)\n", TEXT_COUNT(t->limit), TEXT_COUNT(n));
    if (!t->check)
        return;
    fputc('\n', out);
    scale_check_fill(t, &table);
    table_take(&table, screen, out);
}

/* The series that pictures are of. */
static const struct series *plotted(const struct growths *g)
{
    return g->own.n ? &g->own : &g->functions;
}

/* Own code, where there is some, and functions below it. */
static void write_tables(const struct session *s, const struct growths *g, FILE *out)
{
    struct text_screen screen = show_screen(&s->common->show);
    const struct text_screen *to = s->common->show.format == FORMAT_MARKDOWN ? NULL : &screen;

    table_line(s->common->command_line, STYLE_BOLD, "\n", to, out);
    table_take_line(scale_totals_text(&g->functions), "", "\n", to, out);
    if (s->settings->plot) {
        fputc('\n', out);
        scale_plot_text(plotted(g), &screen, out);
    }
    if (g->own.n)
        write_table(&g->tables[0], to, out);
    write_table(&g->tables[1], to, out);
    fputc('\n', out);
    table_take_line(scale_limits_text(&g->functions), STYLE_DIM, "\n", to, out);
}

static int write_all(const struct session *s, const struct growths *g)
{
    struct output_file file;
    int status = output_begin(&file, s->common->show.output);

    if (status)
        return status;
    if (!s->settings->json)
        write_tables(s, g, file.stream);
    else if (scale_json_write(&g->tables[1], &g->tables[0], &s->gates, s->common->command_line,
                              s->program.name, file.stream) != 0)
        status = output_failed(file.stream);
    return output_end(&file, s->common->show.output, status);
}

static void write_page_table(const struct scale_table *t, FILE *out)
{
    struct table table;

    scale_table_fill(t, &table);
    html_table(&table, true, out);
    table_free(&table);
    if (!t->check)
        return;
    scale_check_fill(t, &table);
    html_table(&table, false, out);
    table_free(&table);
}

static int write_page(const struct session *s, const struct growths *g, FILE *out)
{
    char *totals = scale_totals_text(&g->functions), *limits = scale_limits_text(&g->functions);
    const struct html_page page = {.title = s->program.name,
                                   .parts =
                                       HTML_BIT(HTML_COSTS) | (g->own.n ? HTML_BIT(HTML_OWN) : 0),
                                   .functions = true,
                                   .command = s->common->command_line,
                                   .when = time(NULL)};

    html_begin(out, &page);
    fputs("<section id=\"summary\">\n", out);
    html_note(out, totals);
    scale_plot_svg(plotted(g), true, out);
    if (limits)
        html_note(out, limits);
    html_section_end(out);
    if (g->own.n) {
        html_section(out, HTML_OWN, true);
        write_page_table(&g->tables[0], out);
        html_section_end(out);
    }
    html_section(out, HTML_COSTS, true);
    write_page_table(&g->tables[1], out);
    html_section_end(out);
    free(limits);
    free(totals);
    return html_end(out);
}

static int write_picture(const struct session *s, const struct growths *g, FILE *out)
{
    (void)s;
    scale_plot_svg(plotted(g), false, out);
    return ferror(out) ? -1 : 0;
}

/* Writes a further file by `write`; nothing where `path` is NULL. */
static int write_file(const struct session *s, const struct growths *g, const char *path,
                      int write(const struct session *, const struct growths *, FILE *))
{
    struct output_file file;
    int status = path ? output_begin(&file, path) : 0;

    if (status || !path)
        return status;
    if (write(s, g, file.stream) != 0)
        status = output_failed(file.stream);
    status = output_end(&file, path, status);
    if (!status)
        message_status("Written", "%s", path);
    return status;
}

static size_t limit_of(const struct scale_settings *s, size_t usual)
{
    return s->common.show.limit >= 0 ? (size_t)s->common.show.limit : s->json ? 0 : usual;
}

/* A fixed machine copies by vectors, unless another class of processor is asked for. */
static bool copies_by_bytes(const struct measure *measure)
{
    return !measure_fixes_machine(measure) || measure->cpu_level;
}

static int load(const struct session *s, const char *list, const struct series *functions,
                bool may_jump, struct series *series)
{
    const struct series_source source = {.sizes = &s->sizes,
                                         .results = s->results,
                                         .again = s->results[s->sizes.n],
                                         .list = list,
                                         .functions = functions,
                                         .may_jump = may_jump};

    return series_load(series, &source, s->common->show.sort);
}

static struct scale_table table_of(const struct session *s, const struct series *series,
                                   struct scale_check *check, size_t limit)
{
    if (s->check)
        scale_check_load(check, series, s->check, s->results[s->sizes.n + 1]);
    return (struct scale_table){.series = series,
                                .all_sizes = s->settings->all_sizes,
                                .check = s->check ? check : NULL,
                                .root = s->program.root,
                                .filter = s->filters.has_function ? &s->filters.function : NULL,
                                .limit = limit_of(s->settings, limit)};
}

static void growths_free(struct growths *g)
{
    for (int i = 0; i < 2; i++)
        scale_check_free(&g->checks[i]);
    series_free(&g->own);
    series_free(&g->functions);
}

static int show(struct session *s)
{
    struct growths g = {.own = {.n = 0}};
    int status = load(s, "functions", NULL, copies_by_bytes(&s->common->measure), &g.functions);

    if (!status)
        status = load(s, "own", &g.functions, g.functions.jumps, &g.own);
    if (!status) {
        g.tables[0] = table_of(s, &g.own, &g.checks[0], SHOW_LIMIT_BELOW);
        g.tables[1] =
            table_of(s, &g.functions, &g.checks[1], g.own.n ? SHOW_LIMIT_BELOW : SHOW_LIMIT_TABLE);
        note_growth(&g.functions);
        note_harness(s);
        slope_gates_check(&s->gates, &g.own, &g.functions);
        status = write_all(s, &g);
    }
    if (!status)
        status = write_file(s, &g, s->settings->svg, write_picture);
    if (!status)
        status = write_file(s, &g, s->settings->html, write_page);
    if (!status)
        status = slope_gates_say(&s->gates, &s->sizes);
    growths_free(&g);
    return status;
}

/*--- In their order ---*/

static void session_free(struct session *s)
{
    for (size_t i = 0; s->results && i < s->n_slots; i++)
        json_decref(s->results[i]);
    free(s->results);
    free(s->slots);
    probes_free(&s->probes);
    filters_free(&s->filters);
    slope_gates_free(&s->gates);
    program_free(&s->program);
}

static int begin(void *data, struct option_result *result)
{
    struct scale_settings *settings = data;
    struct session s = {.settings = settings, .common = &settings->common};
    int status;

    s.run = (struct size_run){.program = &s.program,
                              .arguments = take_program(settings, result->rest),
                              .input_file = settings->input_file,
                              .input_command = settings->input_command,
                              .measure = &settings->common.measure,
                              .inclusive = settings->common.show.sort,
                              .names = &settings->common.show.names,
                              .input = &s.input};
    status = check_settings(&s, settings, result);
    if (!status)
        status = program_find(&settings->common.build, &s.program);
    if (!status)
        status = elf_check(s.program.path);
    if (!status && settings->common.build.bench)
        status = find_bench(&s);
    if (!status)
        input_keep_files(&s.input);
    if (!status && !s.sizes.n)
        status = find_sizes(&s);
    if (!status)
        status = run_all(&s);
    if (!status)
        status = show(&s);
    session_free(&s);
    return status;
}

int scale_session(const struct command *self, int argc, char **argv)
{
    struct scale_settings s = {.common = {.measure = RUN_MEASURE_ALIKE, RUN_SETTINGS_INIT}};
    const struct option_group groups[] = {
        {.title = "Growth", .defs = scale_options, .settings = &s},
        {.title = "Program", .defs = program_options, .settings = &s.common.build},
        {.title = "Build", .defs = build_options, .settings = &s.common.build},
        {.title = "Counts", .defs = measure_options, .settings = &s.common.measure},
        {.title = "Caches", .defs = cache_options, .settings = &s.common.measure},
        {.title = "Output", .defs = scale_output_options, .settings = &s},
        {.title = NULL}};

    return run_by_options(self, groups, argc, argv, begin, &s.common);
}
