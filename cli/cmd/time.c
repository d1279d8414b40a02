#include <config.h>

/* The command time: exact counts and samples of one program, side by side. */
#include "base/message.h"
#include "base/option_words.h"
#include "base/output.h"
#include "base/pager.h"
#include "base/process.h"
#include "cmd/commands.h"
#include "diff/time_rows.h"
#include "render/json/time_json.h"
#include "render/text/link.h"
#include "render/text/time_table.h"
#include "report/diff_input.h"
#include "report/filters.h"
#include "report/load.h"
#include "report/same_program.h"
#include "report/summary.h"
#include "run/program.h"
#include "run/saved_profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct settings {
    struct build_request build;
    struct show_settings show;
    int by; /* enum time_by */
};

enum time_by { BY_FUNCTION, BY_LINE };
static const char *const by_names[] = {"function", "line", NULL};

#define AT(member) offsetof(struct show_settings, member)

static const struct option_def shown_options[] = {
    {"limit", 'n', OPTION_NUMBER | OPTION_USUAL, "N", "show N rows, 0 for all (20; JSON: all)",
     AT(limit), NULL},
    {"filter", 0, OPTION_STRING | OPTION_USUAL, "REGEX",
     "show functions whose name matches (extended regex)", AT(filter), NULL},
    SHOW_OPTIONS_WRITTEN,
    {"json", 0, OPTION_OPTIONAL | OPTION_USUAL, NULL,
     "write JSON (schema cprof-time/1) instead of a table", AT(json), NULL},
    SHOW_OPTION_NAMES(struct show_settings, names),
    SHOW_OPTION_NO_PAGER,
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

static const struct option_def row_options[] = {
    {"by", 0, OPTION_CHOICE | OPTION_USUAL, "WHAT",
     "a row for each function, or for each line of one: function, line",
     offsetof(struct settings, by), by_names},
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

static size_t limit_of(const struct show_settings *show)
{
    if (show->limit == SHOW_LIMIT_DEFAULT)
        return show->json ? 0 : SHOW_LIMIT_TABLE;
    return (size_t)show->limit;
}

static int write_table(const struct time_table *table, const struct settings *s, FILE *out)
{
    const struct show_settings *show = &s->show;
    struct show_screen screen = show_screen(show, show->output != NULL);
    struct time_view view = {.table = table,
                             .limit = limit_of(show),
                             .brief = show->limit == SHOW_LIMIT_DEFAULT,
                             .root = getcwd(NULL, 0)};
    struct titled_grid filled;
    struct links links;
    char *root = (char *)view.root;

    if (show->json) {
        free(root);
        return time_write_json(table, s->by == BY_LINE, view.limit, out) ? output_failed(out) : 0;
    }
    time_view_fill(&view, &filled);
    if (show->summary) {
        FILE *summary = summary_open();

        if (summary)
            titled_grid_write(&filled, NULL, summary);
        summary_close(summary);
    }
    show_titled_grid(&filled, show->format == FORMAT_MARKDOWN ? NULL : &screen,
                     show_links(&links, &screen, table->profile[DIFF_NEW]), out);
    links_free(&links);
    free(root);
    return 0;
}

static int show_both(const struct cprof_profile *exact, const struct cprof_profile *sampled,
                     const struct settings *s, FILE *out)
{
    struct filters filters;
    struct time_table table;
    char *problem = time_problem(exact, sampled);
    int status = problem ? message_error("%s", problem) : 0;

    free(problem);
    if (status)
        return status;
    same_program_note(exact, sampled);
    status = filters_compile(&filters, &s->show);
    if (!status) {
        time_table_load(&table, exact, sampled, s->by == BY_LINE);
        time_table_name(&table, (enum name_style)s->show.names.style);
        if (filters.has_function)
            time_table_filter(&table, &filters.function);
        status = write_table(&table, s, out);
        time_table_free(&table);
    }
    filters_free(&filters);
    return status;
}

/* Shows two profiles that are loaded. */
static int show_to_output(const struct diff_input *exact, const struct diff_input *sampled,
                          const struct settings *s)
{
    struct output_file file;
    int status = output_begin(&file, s->show.output);

    if (!status) {
        if (!s->show.output && !s->show.no_pager)
            pager_begin();
        status = show_both(exact->profile, sampled->profile, s, file.stream);
    }
    return output_end(&file, s->show.output, status);
}

static int read_both(const struct string_list *names, const struct settings *s)
{
    struct diff_input exact = {.profile = NULL}, sampled = {.profile = NULL};
    int status = diff_input_load(&exact, names->items[0], &load_compared_names);

    if (!status)
        status = diff_input_load(&sampled, names->items[1], &load_compared_names);
    if (!status)
        status = show_to_output(&exact, &sampled, s);
    diff_input_free(&exact);
    diff_input_free(&sampled);
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

/* Runs another command with the options of this one, its table to nobody; then loads its profile,
 * with whatever status the program ended: *ended. */
static int run_command(const char *const *command, const struct string_list *words, char **rest,
                       const struct settings *s, struct diff_input *input, int *ended)
{
    struct string_list all = {0};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *self = realpath("/proc/self/exe", NULL);
    ino_t before = last_run();
    pid_t pid;
    int status, error;

    string_list_add(&all, self ? self : PACKAGE);
    for (; *command; command++)
        string_list_add(&all, *command);
    for (size_t i = 0; i < words->n; i++)
        string_list_add(&all, words->items[i]);
    string_list_add(&all, "--");
    for (; rest && *rest; rest++)
        string_list_add(&all, *rest);
    string_list_add(&all, NULL);
    spec.argv = all.items;
    spec.output = s->show.json && !s->show.output ? STDERR_FILENO : -1;
    error = process_start(&spec, &pid);
    status = error ? message_error("cannot start '%s': %s", spec.argv[0], strerror(error)) : 0;
    if (!status) {
        int wait_status = process_wait(pid);

        status = *ended = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : STATUS_ERROR;
    }
    if (!status || (!error && last_run() != before))
        status = diff_input_load(input, "last", &load_compared_names);
    string_list_free(&all);
    free(self);
    return status;
}

/* Both runs keep their profiles, as the commands do: "last" is the one of samples then. */
static int run_both(const struct option_group *groups, const struct option_result *result,
                    const struct settings *s)
{
    static const char *const exact_command[] = {"cachegrind", "--branch-sim", "--output=/dev/null",
                                                NULL};
    static const char *const sampled_command[] = {"sample", "--output=/dev/null", NULL};
    struct diff_input exact = {.profile = NULL}, sampled = {.profile = NULL};
    struct string_list words = {0};
    int status, ended = 0;

    option_words(groups, result, &words);
    status = run_command(exact_command, &words, result->rest, s, &exact, &ended);
    if (!status)
        status = run_command(sampled_command, &words, result->rest, s, &sampled, &ended);
    if (!status)
        status = show_to_output(&exact, &sampled, s);
    if (!status)
        status = ended;
    diff_input_free(&exact);
    diff_input_free(&sampled);
    string_list_free_texts(&words);
    return status;
}

static int check(const struct settings *s, const struct option_group *groups,
                 const struct option_result *result)
{
    struct string_list words = {0};
    int status;

    if (s->show.json && *s->show.json)
        return message_usage("--json takes no value, found '%s'; -o names a file", s->show.json);
    status = show_check(&s->show);
    if (status)
        return status;

    option_words(groups, result, &words);
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
    const struct option_group groups[] = {{"Program", program_options, &s->build},
                                          {"Build", build_options, &s->build},
                                          {NULL, NULL, NULL}};
    int status = check(s, groups, result);

    if (status)
        return status;
    return result->operands.n ? read_both(&result->operands, s) : run_both(groups, result, s);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.show = SHOW_SETTINGS_INIT};
    const struct option_group groups[] = {{"Program", program_options, &settings.build},
                                          {"Build", build_options, &settings.build},
                                          {"Rows", row_options, &settings},
                                          {"Output", shown_options, &settings.show},
                                          {NULL, NULL, NULL}};
    int status = command_run(self, groups, argc, argv, work, &settings);

    build_request_free(&settings.build);
    return status;
}

const struct command command_time = {
    .name = "time",
    .summary = "hold exact counts beside samples: which instructions are slow",
    .usage = "[OPTIONS] [EXACT SAMPLED | -- ARGUMENTS...]",
    .examples = "  cargo cprof time --release           two runs: one counted, one sampled\n"
                "  cargo cprof time --release --by line the same, line by line\n"
                "  cargo cprof time xz.cachegrind last  two profiles that there are already\n"
                "  cargo cprof time --release --json    for scripts\n",
    .run = run,
};
