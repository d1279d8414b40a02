#include <config.h>

/* The command time: exact counts and samples of one program, side by side. */
#include "base/memory.h"
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "base/process.h"
#include "cmd/commands.h"
#include "diff/same_program.h"
#include "options/open_file.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "run/input.h"
#include "run/perf.h"
#include "run/program.h"
#include "run/sampling.h"
#include "run/saved_profile.h"
#include "views/browse_profile.h"
#include "views/show.h"
#include "views/show_time.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct settings {
    struct build_request build;
    struct sampling sampling;
    struct time_settings time;
    bool quiet;                            /* of both commands */
    const struct option_group *run_groups; /* the options of a run */
};

static const struct option_def run_options[] = {
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(struct settings, quiet),
     .help = "do not show how far a long run is, on a terminal"},
    {.name = NULL}};

static const char *const by_names[] = {"function", "line", NULL}; /* enum time_by */

#define AT(member) offsetof(struct show_settings, member)

static const struct option_def shown_options[] = {
    SHOW_OPTION_LIMIT(0, OPTION_USUAL, "show N rows, 0 for all (20; JSON: all)"),
    SHOW_OPTION_FILTER(0, OPTION_USUAL),
    SHOW_OPTIONS_WRITTEN(0),
    SHOW_OPTION_JSON(0, "cprof-time/1", ""),
    SHOW_OPTION_NAMES(struct show_settings, names),
    SHOW_OPTION_NO_PAGER,
    {.name = NULL},
};

static const struct option_def page_options[] = {
    {.name = "html",
     .kind = OPTION_FILE | OPTION_USUAL,
     .value = "FILE",
     .help = "write a page for a browser, too: the tables, the samples' flame graph and source, to "
             "FILE, or that of -o",
     .offset = offsetof(struct time_settings, html),
     .choices = open_page_endings},
    {.name = "tui",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .help = "look around on the terminal, instead of a table",
     .offset = offsetof(struct time_settings, tui)},
    {.name = NULL},
};

static const struct option_def row_options[] = {
    {.name = "view",
     .kind = OPTION_CHOICE | OPTION_USUAL,
     .value = "WHAT",
     .help = "show your own code with what other code cost for it (own), the whole program "
             "(functions), or both",
     .offset = offsetof(struct time_settings, show.parts),
     .choices = show_parts_names},
    {.name = "by",
     .kind = OPTION_CHOICE | OPTION_USUAL,
     .value = "WHAT",
     .help = "a row for each function, or for each line of one: function, line",
     .offset = offsetof(struct time_settings, by),
     .choices = by_names},
    {.name = NULL},
};

static int show_both(const struct diff_input inputs[DIFF_SIDES],
                     const char *const names[DIFF_SIDES], const struct time_settings *s, FILE *out)
{
    struct show_time shown;
    int status;

    if (s->tui)
        return show_time_browse(inputs, s);
    status = show_time_load(&shown, inputs, names, s);
    if (!status)
        status = show_time_write(&shown, s, out);
    if (!status && s->html)
        status = show_time_page(&shown, &inputs[DIFF_NEW], s);
    show_time_free(&shown);
    return status;
}

/* Shows two profiles that are loaded. */
static int show_to_output(const struct diff_input inputs[DIFF_SIDES],
                          const char *const names[DIFF_SIDES], const struct settings *s)
{
    const struct show_settings *show = &s->time.show;
    struct output_file file;
    int status = output_begin(&file, show->output);

    if (!status) {
        if (!show->output && !show->no_pager && !s->time.tui)
            pager_begin();
        status = show_both(inputs, names, &s->time, file.stream);
    }
    return output_end(&file, show->output, status);
}

static int read_both(const struct string_list *names, const struct settings *s)
{
    struct diff_input inputs[DIFF_SIDES] = {{.profile = NULL}, {.profile = NULL}};
    const char *const called[DIFF_SIDES] = {names->items[0], names->items[1]};
    int status = diff_input_load(&inputs[DIFF_OLD], called[DIFF_OLD], &load_compared_names);

    if (!status)
        status = diff_input_load(&inputs[DIFF_NEW], called[DIFF_NEW], &load_compared_names);
    if (!status)
        status = show_to_output(inputs, called, s);
    diff_input_free(&inputs[DIFF_OLD]);
    diff_input_free(&inputs[DIFF_NEW]);
    return status;
}

/* The last run's profile: a new run's is another file. */
static ino_t last_run(void)
{
    char *path = saved_profile_last();
    struct stat st;
    ino_t file = path && stat(path, &st) == 0 ? st.st_ino : 0;

    free(path);
    return file;
}

/* Starts the program and waits for its end; signals are its affair. Returns its exit status. */
static int wait_for(const struct process_spec *spec)
{
    struct handlers handlers;
    pid_t pid;
    int error, status;

    error = pass_on_start(&handlers, spec, &pid);
    status = error ? 0 : process_wait(pid);
    pass_on_end(&handlers);
    if (error)
        return process_refused(spec->argv[0], error);
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_ERROR;
}

/* True for the exit status of a command that Ctrl-C, or another signal that is passed on, ended. */
static bool is_stopped(int status)
{
    sigset_t signals;

    pass_on_signals(&signals);
    return status > 128 && sigismember(&signals, status - 128) == 1;
}

/* Runs another command with the options of this one, its table to nobody; then loads its profile,
 * with whatever status the program ended: *ended. */
static int run_command(const char *const *command, const struct string_list *words, char **rest,
                       const struct settings *s, struct diff_input *input, int *ended)
{
    char *self = realpath("/proc/self/exe", NULL);
    struct string_list all = STRING_LIST(self ? self : PACKAGE);
    bool is_json = s->time.show.json && !s->time.show.output;
    struct process_spec spec = {.output = is_json ? STDERR_FILENO : 0};
    ino_t before = last_run();
    int status;

    string_list_append(&all, command);
    string_list_append(&all, words->items);
    string_list_add(&all, "--");
    string_list_append(&all, (const char *const *)rest);
    spec.argv = all.items;
    status = *ended = wait_for(&spec);
    input->told = true;
    if (!status || last_run() != before)
        status = diff_input_load(input, "last", &load_compared_names);
    string_list_free(&all);
    free(self);
    return status;
}

/* The name of the kept run that a command made of the program, for the caller to free; NULL: the
 * profile has no program. */
static char *kept_name(const struct diff_input *input, const char *command)
{
    char *program = input->profile ? program_name(input->profile) : NULL;
    char *name = program ? xasprintf("%s.%s", program, command) : NULL;

    free(program);
    return name;
}

/* Both runs keep their profiles, as the commands do: "last" is the one of samples then. */
static int run_both(const struct option_result *result, struct settings *s)
{
    static const char *const exact_command[] = {"cachegrind", "--contexts", "--branch-sim",
                                                "--output=/dev/null", NULL};
    static const char *const sampled_command[] = {"sample", "--output=/dev/null", NULL};
    const struct option_group *groups = s->run_groups;
    const struct option_group exact_groups[] = {groups[0], groups[1], groups[3], {.title = NULL}};
    struct diff_input inputs[DIFF_SIDES] = {{.profile = NULL}, {.profile = NULL}};
    struct string_list exact = {0}, sampled = {0};
    struct input input = {.is_file = false};
    char *exact_name, *sampled_name;
    int status, ended = 0;

    option_words(exact_groups, result, &exact);
    option_words(groups, result, &sampled);
    status = s->sampling.engine == ENGINE_PERF ? perf_check() : 0;
    if (!status)
        status = input_keep(&input);
    if (!status)
        status = run_command(exact_command, &exact, result->rest, s, &inputs[DIFF_OLD], &ended);
    if (!status && is_stopped(ended)) {
        message_note("no samples were taken; 'cargo cprof report' shows what was counted");
        status = ended;
    }
    input_rewind(&input);
    if (!status)
        status = run_command(sampled_command, &sampled, result->rest, s, &inputs[DIFF_NEW], &ended);
    exact_name = kept_name(&inputs[DIFF_OLD], exact_command[0]);
    sampled_name = kept_name(&inputs[DIFF_NEW], sampled_command[0]);
    if (!status)
        status = show_to_output(inputs, (const char *const[]){exact_name, sampled_name}, s);
    if (!status)
        status = ended;
    free(exact_name);
    free(sampled_name);
    diff_input_free(&inputs[DIFF_OLD]);
    diff_input_free(&inputs[DIFF_NEW]);
    string_list_free_texts(&exact);
    string_list_free_texts(&sampled);
    return status;
}

static int check(const struct settings *s, const struct option_result *result)
{
    struct string_list words = {0};
    int status = show_check_plain(&s->time.show);

    if (!status)
        status = sampling_check(&s->sampling);
    if (!status)
        status = open_check("html", s->time.html);
    if (!status && s->time.tui &&
        (s->time.show.json || s->time.show.format || s->time.show.output || s->time.html))
        status = message_usage("--tui shows both on the terminal; leave out --json, --format, "
                               "--output and --html");
    if (!status && s->time.tui)
        status = browse_check();
    if (status)
        return status;

    option_words(s->run_groups, result, &words);
    if (result->operands.n && words.n)
        status = message_usage(
            "'%s' is for a run, and two profiles are read; leave out one of both", words.items[0]);
    else if (result->operands.n && result->operands.n != 2)
        status =
            message_usage("time runs a program, or takes two profiles, an exact one and one of "
                          "samples, found %zu; each is a file, or the name of a baseline or of "
                          "a kept run",
                          result->operands.n);
    string_list_free_texts(&words);
    return status;
}

static int work(void *data, struct option_result *result)
{
    struct settings *s = data;
    char *kept_page;
    int status = open_take_operand(result, result->operands.n != DIFF_SIDES, &s->time.html);

    if (status)
        return status;
    status = open_name("time.html", !s->time.show.json && !s->time.show.format, &s->time.html,
                       &s->time.show.output, &kept_page);
    if (!status)
        status = check(s, result);
    if (!status)
        status = result->operands.n ? read_both(&result->operands, s) : run_both(result, s);
    free(kept_page);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.time.show = SHOW_SETTINGS_INIT,
                                .sampling = {.frequency = SAMPLING_FREQUENCY}};
    const struct option_group run_groups[] = {
        {.title = "Program", .defs = program_options, .settings = &settings.build},
        {.title = "Build", .defs = build_options, .settings = &settings.build},
        {.title = "Samples", .defs = sampling_time_options, .settings = &settings.sampling},
        {.title = "Run", .defs = run_options, .settings = &settings},
        {.title = NULL}};
    const struct option_group groups[] = {
        run_groups[0],
        run_groups[1],
        run_groups[2],
        run_groups[3],
        {.title = "Rows", .defs = row_options, .settings = &settings.time},
        {.title = "Output", .defs = shown_options, .settings = &settings.time.show},
        {.title = "Files", .defs = page_options, .settings = &settings.time},
        {.title = NULL}};
    int status;

    settings.run_groups = run_groups;
    status = command_run(self, groups, argc, argv, work, &settings);
    build_request_free(&settings.build);
    return status;
}

const struct command command_time = {
    .name = "time",
    .summary = "show which code is slow for what it executes, and why",
    .usage = "[OPTIONS] [EXACT SAMPLED | -- ARGUMENTS...]",
    .examples = "  cargo cprof time --release             two runs: one counted, one sampled\n"
                "  cargo cprof time --release --by line   two runs, line by line\n"
                "  cargo cprof time nnet.cachegrind last  two profiles that there are already\n"
                "  cargo cprof time --release --json      for scripts\n",
    .run = run,
};
