#include <config.h>

#include "runs/profile_run.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/process.h"
#include "base/words.h"
#include "options/open_file.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "run/elf_check.h"
#include "run/input.h"
#include "run/jobs.h"
#include "run/perf.h"
#include "run/saved_profile.h"
#include "run/tempdir.h"
#include "run/tool.h"
#include "runs/pace_runs.h"
#include "runs/several_runs.h"
#include "symbols/forecast.h"
#include "views/browse_profile.h"
#include "views/flame_output.h"
#include "views/show.h"
#include "views/view_form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- The command ---*/

static const struct option_def keep_options[] = {
    {.name = "keep",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(keep),
     .help = "leave the profile in the current folder as a standard callgrind.out, or "
             "cachegrind.out of cachegrind and data"},
    {.name = NULL}};

static const struct option_def file_options[] = {
    {.name = "flamegraph",
     .kind = OPTION_FILE,
     .value = "FILE",
     .offset = RUN_AT(flamegraph),
     .help = "draw the call paths as a flame graph (SVG), by the cost of --sort; without FILE "
             "it is kept here"},
    {.name = "html",
     .kind = OPTION_FILE | OPTION_USUAL,
     .value = "FILE",
     .offset = RUN_AT(html),
     .help = "write a page for a browser, too: table, flame graph and source; with "
             "--baseline what changed"},
    {.name = "open",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(open),
     .help = "write the page of --html, or else the flame graph, and " OPEN_HELP},
    {.name = "full-paths",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(show.full_paths),
     .help = "in flame graphs, draw " FLAME_FULL_PATHS_HELP},
    {.name = NULL}};

static const struct option_def browse_options[] = {
    {.name = "tui",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .offset = RUN_AT(tui),
     .help = "look around on the terminal, instead of a table"},
    {.name = NULL}};

static const struct option_def apart_options[] = {
    {.name = "processes",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(processes),
     .help = "show each process apart; else forked children are added to the program"},
    {.name = "parts",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(parts),
     .help = "show each part apart, where the program divides the run (CALLGRIND_DUMP_STATS)"},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(threads),
     .help = "each thread apart, in flame graphs, too; needs call paths"},
    {.name = NULL}};

static const struct option_def threads_options[] = {
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = RUN_AT(measure.quiet),
     .help = "for scripts that give it to each command: a run that is sampled shows nothing of how "
             "far it is"},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .offset = RUN_AT(threads),
     .help = "threads and processes apart, by their names, in flame graphs, too"},
    {.name = "env",
     .kind = OPTION_LIST,
     .value = "NAME[=VALUE]",
     .offset = RUN_AT(measure.environment),
     .help = "set a variable for the program; without a value, leave it as it is here"},
    {.name = NULL}};

static const struct option_def baseline_options[] = {
    RUN_OPTIONS_BASELINE("the profile"),
    {.name = "repeat",
     .kind = OPTION_NUMBER,
     .value = "N",
     .offset = RUN_AT(repeat),
     .help = "run the program N times and show which functions vary; comparisons take that much "
             "for no change"},
    RUN_OPTION_PARALLEL(
        0, "with --repeat: N runs side by side, where they do not share files or input; with "
           "--orders: N at once (as many as there are processors)"),
    {.name = NULL}};

static const struct option_def order_options[] = {
    RUN_OPTION_ORDERS("a program of several threads in N orders"), {.name = NULL}};

/*--- Before the run ---*/

/* The program's standard output would spoil ours where that is JSON or CSV. */
static bool data_on_output(const struct show_settings *show)
{
    return show_is_data(show) && !show->output;
}

/* A file that is written after the run; NULL: none. */
static int check_pictures(const struct run_settings *s)
{
    int status;

    if (s->flamegraph && !s->measure.contexts)
        return message_usage("--flamegraph needs call paths; %s", s->view == SHOW_CACHEGRIND
                                                                      ? "add --contexts"
                                                                      : "leave out --no-contexts");
    if (s->show.full_paths && !s->flamegraph && !s->html && !s->open)
        return message_usage("--full-paths is for flame graphs; add --flamegraph or --html");
    if (s->show.full_paths && s->baseline && !s->flamegraph)
        return message_usage("--full-paths has no effect with --baseline, whose page compares each "
                             "path in full; leave it out");
    status = open_check("flamegraph", s->flamegraph);
    return status ? status : open_check("html", s->html);
}

static int check_orders(const struct run_settings *s)
{
    if (s->orders != ORDERS_UNSET && s->repeat > 1)
        return message_usage("--orders and --repeat each run the program several times; leave out "
                             "one");
    return measure_check_orders(&s->measure, s->orders);
}

static int check_baselines(const struct run_settings *s)
{
    bool apart = s->processes || s->parts || s->threads;

    if (baseline_names_check(s->baseline, s->save_baseline))
        return STATUS_USAGE;
    if (!s->baseline && (s->compare.fail_if.n || s->compare.lines))
        return message_usage(
            "%s needs --baseline, the profile to compare with; add --baseline NAME",
            s->compare.lines ? "--lines" : "--fail-if");
    if (apart && (s->baseline || s->save_baseline || s->repeat || s->orders != ORDERS_UNSET))
        return message_usage("--processes, --parts and --threads show what baselines, --repeat and "
                             "--orders are about as a whole; leave them out");
    if (s->parallel && s->repeat < 2 && !runs_may_order(s))
        return message_usage("--parallel is for the runs of --repeat; add --repeat N");
    if ((apart || s->baseline) && s->show.format == FORMAT_CSV)
        return message_usage("--format csv has the table of one profile; leave out %s",
                             s->baseline ? "--baseline" : "--processes, --parts and --threads");
    if (s->baseline && s->show.json && *s->show.json)
        return message_usage("--json=%s is for profiles without --baseline; leave out one",
                             s->show.json);
    return 0;
}

/* The program that samples are taken of: one that is started or one that runs. */
static int check_sampling(const struct run_settings *s, const struct option_result *result)
{
    const struct build_request *b = &s->build;

    if (s->sampling.pid &&
        (build_request_targets(b) || b->test_harness || b->package || b->release || b->profile))
        return message_usage("--pid is for a process that runs, and nothing is built or started "
                             "then; leave out what names a program");
    if (s->sampling.pid && (s->repeat || s->measure.environment.n || result->rest))
        return message_usage("--pid is for a process that runs: --repeat, --env and arguments have "
                             "no effect on it; leave them out");
    if (s->sampling.pid && sampling_call_graph(&s->sampling) == CALL_GRAPH_FP)
        message_note("--call-graph fp finds the right callers in code that was built with frame "
                     "pointers only");
    return sampling_check(&s->sampling);
}

static int check_settings(const struct run_settings *s, const struct option_result *result)
{
    int status;

    if (result->operands.n)
        return message_usage("unexpected '%s'; the program is named by --bin and the like, its "
                             "arguments stand after --",
                             result->operands.items[0]);
    status = build_request_check(&s->build);
    if (!status)
        status = s->sampling.on ? check_sampling(s, result) : measure_check(&s->measure);
    if (!status)
        status = show_check(&s->show);
    if (!status)
        status = check_baselines(s);
    if (!status && !s->sampling.on)
        status = check_orders(s);
    if (!status && s->threads && !s->measure.contexts)
        status = message_usage("--threads needs call paths; take callgrind, or add --contexts");
    if (!status)
        status = check_pictures(s);
    if (!status && s->tui &&
        (s->processes || s->parts || s->threads || s->show.json || s->show.format ||
         s->show.output))
        status = message_usage("--tui shows the run as a whole, on the terminal; leave out "
                               "--processes, --parts, --threads, --json, --format and --output");
    if (!status && s->tui && s->compare.fail_if.n)
        status = message_usage("--fail-if is for a run that nobody looks at; leave out --tui");
    if (!status && s->tui)
        status = browse_check();
    if (!status && s->keep && access(".", W_OK) < 0)
        status = message_error("--keep cannot write to the current folder: %s; go to another",
                               strerror(errno));
    if (!status && !s->sampling.on)
        status = tool_check();
    return status;
}

/* One line on names that will be missing, and what to do about it. */
static void note_names(const struct program *program)
{
    const char *name = program->name;

    switch (forecast_look(program->path)) {
    case FORECAST_STRIPPED:
        message_note("'%s' is stripped: its functions have no names or lines, only those it "
                     "exports have; build it without strip, or install its package of debug "
                     "symbols (Debian: -dbgsym)",
                     name);
        break;
    case FORECAST_NO_STARTS:
        message_note("'%s' has neither symbols nor unwind tables: where its functions begin is "
                     "known by calls alone, and one that was jumped to may count as part of the "
                     "one before it; build it without strip, or install its package of debug "
                     "symbols (Debian: -dbgsym)",
                     name);
        break;
    case FORECAST_NO_LINES:
        message_note("'%s' has no debug information: no lines and no inlined functions; build it "
                     "with debug=1 (-g)",
                     name);
        break;
    case FORECAST_STD_ONLY:
        message_note("'%s' has debug information of the standard library only: no lines and no "
                     "inlined functions of your own; build it with debug=1",
                     name);
        break;
    case FORECAST_SHORT_NAMES:
        message_note("'%s' has line tables only: inlined functions have short names without their "
                     "paths; build it with debug=1",
                     name);
        break;
    case FORECAST_FULL:
        break;
    }
}

/* A wrong name is told before the run, where it can be seen that it is none. */
static int check_layout(const char *name, const struct program *program)
{
    char *nearest, *hint;
    int status = 0;

    if (!name || !type_forecast_is_absent(program->path, name, &nearest))
        return 0;
    hint = nearest ? xasprintf("; did you mean '%s'?", nearest) : xstrdup("");
    status = message_error("no type '%s' in the debug information of '%s'%s; if a library has it, "
                           "run without --layout, and then 'cargo cprof report --layout %s'",
                           name, program->name, hint, name);
    free(hint);
    free(nearest);
    return status;
}

/* Says what samples are taken by, where it is not what was asked for, and what they leave out. */
static void note_events(const struct sampling *s)
{
    const char *advice;
    bool is_clock;

    (void)sampling_events(s, &is_clock);
    if (is_clock)
        message_note("this machine has no counters of the processor: samples are taken by its "
                     "clock (cpu-clock)");
    if (sampling_is_of_kernel(s) && !perf_events_problem(&advice) && !perf_events_see_kernel())
        message_note("the kernel's time is in no sample, as only root may see "
                     "it; " PERF_EVENTS_KERNEL_ADVICE);
}

static int prepare(const struct run_settings *s, struct program *program)
{
    const struct sampling *sampling = &s->sampling;
    int status =
        sampling->pid ? sampling_program(sampling, program) : program_find(&s->build, program);

    if (!status && !sampling->on)
        status = elf_check(program->path);
    if (!status)
        status = check_layout(s->show.layout, program);
    if (status)
        return status;
    message_status(sampling->on ? "Sampling" : "Profiling", "%s%s", program->name,
                   !program->debug_on ? ""
                   : s->build.types ? " (debug=2 switched on for names and types of your own code; "
                                      "--no-debuginfo leaves the build alone)"
                                    : " (debug=1 switched on for names; --no-debuginfo leaves the "
                                      "build alone)");
    note_names(program);
    if (sampling->on)
        note_events(sampling);
    else if (!measure_runs_copies(&s->measure) && program->root && avx512_is_likely(program->path))
        message_note("'%s' has instructions of AVX-512, which Valgrind does not know, by its "
                     "target-cpu or target-feature; if it ends with SIGILL, build it with "
                     "RUSTFLAGS='-C target-cpu=x86-64-v3'",
                     program->name);
    return 0;
}

static int run_and_show(const struct run_settings *s, const struct program *program,
                        char **arguments, struct run_background *background)
{
    struct tempdir dir = {NULL, -1};
    struct run_outcome outcome = {0};
    struct job job = {.program = program, .arguments = arguments};
    struct pace_runs runs = {.job = &job,
                             .measure = &s->measure,
                             .outcome = &outcome,
                             .baseline = s->baseline,
                             .old = background->baseline,
                             .old_program = background->old_program};
    const struct pace_source pace = {pace_runs_ask, &runs};
    struct cprof_profile *whole = NULL;
    bool again = s->repeat > 1 || runs_may_order(s) || gates_find_time(&background->gates);
    int status = again ? input_keep(&job.input) : 0;

    background->gates.pace = &pace;
    if (!status)
        status = tempdir_make(&dir);
    if (!status)
        status = runs_repeat(s, &job, &dir, background);
    input_rewind(&job.input);
    if (!status)
        status = run_program(s, &job, &dir, &outcome);
    if (!status)
        status = run_keep(s, program, &outcome, &whole);
    if (!status && !outcome.interrupted)
        status = runs_order(s, &job, whole, &dir, background);
    if (!status)
        status = run_show(s, program, &outcome, background, &dir, whole);
    else
        cprof_free(whole);
    background->gates.pace = NULL;
    tempdir_remove(&dir);
    run_outcome_free(&outcome);
    return status;
}

/* Runs that are repeated show how they vary. The heap is counted by call paths, and so are misses
 * of data, by the blocks of the heap; by call paths miss curves are put to own code. The heap and
 * data have commands of their own. */
static struct run_settings *settings_of(void *settings)
{
    struct run_settings *s = settings;
    struct show_settings *show = &s->show;

    s->measure.is_compared = s->baseline || s->save_baseline || s->orders != ORDERS_UNSET;
    if (s->repeat > 1 && s->measure.schedule == SCHEDULE_AUTO)
        s->measure.schedule = SCHEDULE_FREE;
    s->measure.heap |= s->measure.data;
    s->build.types = s->measure.data;
    s->build.frame_pointers = s->sampling.on && sampling_call_graph(&s->sampling) == CALL_GRAPH_FP;
    s->measure.contexts |=
        (s->measure.heap || s->measure.miss_curves) && s->view == SHOW_CACHEGRIND;
    if (!s->baseline)
        show_settle_subject(show, view_of_subject(s->subject));
    return s;
}

/* Files that were asked for without a name. */
struct made_names {
    char *page, *picture;
};

/* Names the page and the flame graph. -o is for the table where that is what it says. */
static int name_files(struct run_settings *s, struct made_names *names)
{
    const char **output = &s->show.output;
    bool is_picture = *output && text_ends_in(*output, ".svg");
    int status;

    if (s->open && !s->html && !s->flamegraph)
        s->html = "";
    status = open_name("flamegraph.svg", is_picture, &s->flamegraph, output, &names->picture);
    if (!status)
        status = open_name("report.html", !s->show.json && !s->show.format, &s->html, output,
                           &names->page);
    return status;
}

static int work_run(void *settings, struct option_result *result)
{
    struct run_settings *s = settings_of(settings);
    struct program program = {0};
    struct made_names names = {.page = NULL};
    struct run_background background = {.n_others = 0};
    char *events = s->sampling.on ? sampling_columns(&s->sampling) : run_events(&s->measure);
    const struct counted counted = {.events = events, .calls = s->measure.contexts};
    int status;

    s->show.counted = &counted;
    s->measure.output_to_errors = data_on_output(&s->show);
    status = name_files(s, &names);
    if (!status)
        status = check_settings(s, result);
    if (!status)
        status = run_background_gates(&background, s);
    if (!status)
        status = prepare(s, &program);
    if (!status)
        status = run_background_load(&background, s, program.target);
    if (!status)
        status = run_and_show(s, &program, result->rest, &background);
    run_background_free(&background);
    program_free(&program);
    free(names.page);
    free(names.picture);
    free(events);
    return status;
}

int profile_run(const struct command *self, int argc, char **argv, enum show_view view,
                enum cprof_subject subject)
{
    bool caches = view == SHOW_CACHEGRIND;
    struct run_settings s = {.measure = {.cache_sim = caches,
                                         .contexts = !caches,
                                         .heap = subject == CPROF_SUBJECT_HEAP,
                                         .data = subject == CPROF_SUBJECT_DATA,
                                         .subject = subject ? self->name : NULL,
                                         .max_contexts = CONTEXTS_UNSET},
                             RUN_SETTINGS_INIT,
                             .view = view,
                             .subject = subject};
    const struct option_group groups[] = {
        {.title = "Program", .defs = program_options, .settings = &s.build},
        {.title = "Build", .defs = build_options, .settings = &s.build},
        {.title = "Call paths and caches", .defs = path_options, .settings = &s.measure},
        {.title = "Heap and data", .defs = memory_options, .settings = &s.measure},
        {.title = "Counts", .defs = measure_options, .settings = &s.measure},
        {.title = "Caches", .defs = cache_options, .settings = &s.measure},
        {.title = "Browser", .defs = browse_options, .settings = &s},
        {.title = "Shown apart", .defs = apart_options, .settings = &s},
        {.title = "Output (with --json and CSV the program's own goes to standard error)",
         .defs = show_options,
         .settings = &s.show},
        {.title = "Baselines", .defs = baseline_options, .settings = &s},
        {.title = "Orders of threads", .defs = order_options, .settings = &s},
        {.title = "Comparison", .defs = compare_options, .settings = &s.compare},
        {.title = "Standard files", .defs = keep_options, .settings = &s},
        {.title = "Files", .defs = file_options, .settings = &s},
        {.title = NULL}};
    return run_by_options(self, groups, argc, argv, work_run, &s);
}

/* The texts of options that have other counts where these are samples. */
static const struct option_text sampled_texts[] = {
    {"sort", "sort by this count: Samples, cpu-clock, Incl"},
    {"columns", "columns to show: Samples,%,CI,Function,Location,..."},
    {"fail-if",
     "end with status 3 if this holds, beyond chance: 'samples>+9%', 'a::*: samples>+9%', "
     "'sum(a::*): ...', 'incl(a): ...'; also 'and time', 'or'"},
    {"parallel", "with --repeat: N runs side by side, where they do not share files or input"},
    {NULL, NULL}};

int profile_sample(const struct command *self, int argc, char **argv)
{
    struct run_settings s = {.measure = {.contexts = true, .max_contexts = CONTEXTS_UNSET},
                             .sampling = {.on = true, .frequency = SAMPLING_FREQUENCY},
                             RUN_SETTINGS_INIT,
                             .view = SHOW_CALLGRIND};
    const struct option_group groups[] = {
        {.title = "Program", .defs = program_options, .settings = &s.build},
        {.title = "Build", .defs = build_options, .settings = &s.build},
        {.title = "Samples", .defs = sampling_options, .settings = &s.sampling},
        {.title = "Program's surroundings", .defs = threads_options, .settings = &s},
        {.title = "Browser", .defs = browse_options, .settings = &s},
        {.title = "Output (with --json the program's standard output goes to standard error)",
         .defs = show_options,
         .settings = &s.show,
         .texts = sampled_texts},
        {.title = "Baselines", .defs = baseline_options, .settings = &s, .texts = sampled_texts},
        {.title = "Comparison",
         .defs = compare_options,
         .settings = &s.compare,
         .texts = sampled_texts},
        {.title = "Files", .defs = file_options, .settings = &s},
        {.title = NULL}};

    return run_by_options(self, groups, argc, argv, work_run, &s);
}
