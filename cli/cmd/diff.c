#include <config.h>

/* The command diff: two profiles side by side. */
#include "base/message.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "options/open_file.h"
#include "profiles/compared.h"
#include "profiles/load.h"
#include "views/compare.h"
#include "views/show.h"

#include <stdlib.h>
#include <unistd.h>

#define AT(member) offsetof(struct show_settings, member)

static const struct option_def diff_options[] = {
    {.name = "view",
     .kind = OPTION_CHOICE | OPTION_USUAL,
     .value = "WHAT",
     .help = "show your own code by what it is charged with (where there is some), the functions "
             "of the whole program, or both",
     .offset = AT(parts),
     .choices = show_parts_names},
    SHOW_OPTION_LIMIT(0, OPTION_USUAL,
                      "show the first N functions that changed, 0 for all (20; JSON: all)"),
    SHOW_OPTION_SORT(0, OPTION_USUAL, "compare this count, greatest change first: Ir, Dr, ..."),
    SHOW_OPTIONS_COSTS("compare what was spent in a function and in all that it called",
                       "columns to compare in the table of functions: Ir,%,Calls,Function,...",
                       "show changes in per cent instead of counts"),
    SHOW_OPTION_FILTER(0, 0),
    SHOW_OPTION_FILE,
    SHOW_OPTIONS_WRITTEN(0),
    SHOW_OPTION_JSON(0, "cprof-diff/1", ""),
    SHOW_OPTION_NAMES(struct show_settings, names),
    SHOW_OPTION_NO_PAGER,
    {.name = NULL},
};

static int compare_files(const struct string_list *names, const struct show_settings *show,
                         const struct compare_settings *settings, const struct gates *gates)
{
    struct diff_input old = {.profile = NULL}, new = {.profile = NULL};
    struct output_file file;
    char *root = getcwd(NULL, 0);
    int status = output_begin(&file, show->output), held = 0;

    if (!status)
        status = diff_input_load(&old, names->items[0], &load_compared_names);
    if (!status)
        status = diff_input_load(&new, names->items[1], &load_compared_names);
    if (!status) {
        const struct compare_input inputs[] = {
            {old.profile, diff_input_noise(&old), &old.packages},
            {new.profile, diff_input_noise(&new), &new.packages}};

        if (!show->output && !show->no_pager)
            pager_begin();
        status = held = compare_profiles(inputs, show, settings, gates, root, file.stream);
    }
    /* A comparison that fails a gate is shown all the same. */
    status = output_end(&file, show->output, held == STATUS_GATE ? 0 : status);
    diff_input_free(&old);
    diff_input_free(&new);
    free(root);
    return status ? status : held;
}

static int check(const struct string_list *operands, const struct show_settings *show)
{
    if (operands->n != 2)
        return message_usage("diff takes two profiles, OLD and NEW, found %zu; each is a file, or "
                             "the name of a baseline or of a kept run",
                             operands->n);
    return show_check_plain(show);
}

struct settings {
    struct show_settings show;
    struct compare_settings compare;
    const char *page; /* --html: NULL: not given; "": without a file */
    bool open;
};

static const struct option_def page_options[] = {
    {.name = "html",
     .kind = OPTION_FILE | OPTION_USUAL,
     .value = "FILE",
     .help =
         "write a page for a browser: table and flame graph of what changed, in one file, FILE or "
         "that of -o",
     .offset = offsetof(struct settings, page),
     .choices = open_page_endings},
    {.name = "open",
     .kind = OPTION_FLAG,
     .help = "write the page of --html, and " OPEN_HELP,
     .offset = offsetof(struct settings, open)},
    {.name = NULL},
};

/* Writes the page, and what is wanted beside it: a table or JSON where -o is not the page's. Gates
 * are held once. */
static int write_page(const struct string_list *names, struct settings *s,
                      const struct gates *gates)
{
    const struct gates none = {.n = 0};
    struct show_settings show = s->show;
    const char *page = s->page, *output = s->show.output;
    bool beside;
    char *kept_page;
    int status = open_page("diff.html", s->open, &page, &s->show.output, &kept_page), held = 0;

    if (status)
        return status;
    beside = page && (s->show.output || ((s->show.json || s->show.format) && page != output));
    show.html = true;
    show.output = page;
    if (beside)
        show_leave_table(&show);
    status = check(names, &show);
    if (!status)
        status = held = compare_files(names, &show, &s->compare, beside ? &none : gates);
    if ((!status || held == STATUS_GATE) && page && page != output)
        message_status("Wrote", "%s", page);
    if (!status && beside)
        status = held = compare_files(names, &s->show, &s->compare, gates);
    if (s->open && (!status || held == STATUS_GATE) && open_file(page) != 0)
        status = STATUS_ERROR;
    free(kept_page);
    return status;
}

/* The text of an option that can do less where nothing runs. */
static const struct option_text diff_texts[] = {
    {"fail-if", "end with status 3 if this holds: 'ir>+2%', 'a::*: ir>+1%', 'incl(a::b): ...', "
                "'sum(a::*): ...', 'section(a): ...', 'd1mr>+1000'; also 'and', 'or'"},
    {NULL, NULL}};

/* Reads the gates. Time is asked of runs, and there are none here. */
static int read_gates(const struct compare_settings *settings, struct gates *gates)
{
    int status = compare_gates(settings, gates);
    const struct gate *time = status ? NULL : gates_find_time(gates);

    return time ? message_usage("'%s' for --fail-if takes the time of both builds, and diff runs "
                                "neither; give it to 'cargo cprof callgrind --baseline NAME'",
                                time->text)
                : status;
}

static int work(void *data, struct option_result *result)
{
    struct settings *s = data;
    struct gates gates = {.n = 0};
    int status = open_take_operand(result, result->operands.n > DIFF_SIDES, &s->page);

    if (status)
        return status;
    options_take_rest(result);
    status = read_gates(&s->compare, &gates);
    if (!status && (s->page || s->open)) {
        status = write_page(&result->operands, s, &gates);
    } else if (!status) {
        status = check(&result->operands, &s->show);
        if (!status)
            status = compare_files(&result->operands, &s->show, &s->compare, &gates);
    }
    gates_free(&gates);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct settings settings = {.show = SHOW_SETTINGS_INIT};
    const struct option_group groups[] = {
        {.title = "Options", .defs = diff_options, .settings = &settings.show},
        {.title = "Comparison",
         .defs = compare_options,
         .settings = &settings.compare,
         .texts = diff_texts},
        {.title = "Browser", .defs = page_options, .settings = &settings},
        {.title = NULL}};
    int status = command_run(self, groups, argc, argv, work, &settings);

    string_list_free(&settings.compare.fail_if);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "compare two profiles, function by function",
    .usage = "[OPTIONS] OLD NEW",
    .examples = "  cargo cprof diff a.callgrind b.callgrind       what changed, greatest first\n"
                "  cargo cprof diff main last                     a baseline and the last run\n"
                "  cargo cprof diff --why main last               why, by causes that add up\n"
                "  cargo cprof diff --fail-if 'ir>+2%' main last  status 3 if Ir grew by over 2 %\n"
                "  cargo cprof diff --html -o diff.html main last a page for a browser\n"
                "  cargo cprof diff --json a.out b.out            JSON for scripts\n",
    .run = run,
};
