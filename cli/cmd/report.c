#include <config.h>

/* The command report: tables, JSON and pages of profiles in files. */
#include "base/message.h"
#include "base/options.h"
#include "base/output.h"
#include "cmd/commands.h"
#include "options/open_file.h"
#include "options/show_options.h"
#include "profiles/load.h"
#include "render/text/text.h"
#include "table/view_kinds.h"
#include "views/flame_output.h"
#include "views/show.h"
#include "views/show_own.h"
#include "views/view_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The cachegrind table suits what cachegrind wrote and what has its misses. */
static enum show_view view_of(const struct cprof_profile *p)
{
    return p->format == CPROF_FORMAT_CACHEGRIND || cprof_find_event(p, "I1mr") != CPROF_NONE ||
                   cprof_find_event(p, "D1mr") != CPROF_NONE
               ? SHOW_CACHEGRIND
               : SHOW_CALLGRIND;
}

/* The time that a file was written; 0: not known. */
static time_t time_of(const char *path)
{
    struct stat file_state;

    return stat(path, &file_state) == 0 && S_ISREG(file_state.st_mode) ? file_state.st_mtime : 0;
}

struct report_settings {
    struct show_settings show; /* first: rows of its options are of this struct, too */
    bool apart;                /* each file for itself */
    bool open;
    const char *page; /* --html: NULL: not given; "": without a file */
    bool last;        /* the profile is the last run's */
};

static const struct option_def report_options[] = {
    {.name = "apart",
     .kind = OPTION_FLAG | OPTION_USUAL,
     .help = "show each file for itself; else several are added up",
     .offset = offsetof(struct report_settings, apart)},
    {.name = "html",
     .kind = OPTION_FILE | OPTION_USUAL,
     .value = "FILE",
     .help =
         "write a page for a browser: table, flame graph and source in one file, FILE or that of "
         "-o",
     .offset = offsetof(struct report_settings, page),
     .choices = open_page_endings},
    {.name = "open",
     .kind = OPTION_FLAG,
     .help = "write the page of --html, and " OPEN_HELP,
     .offset = offsetof(struct report_settings, open)},
    {.name = "full-paths",
     .kind = OPTION_FLAG,
     .help = "in the page's flame graph, draw " FLAME_FULL_PATHS_HELP,
     .offset = offsetof(struct report_settings, show.full_paths)},
    {.name = "threads",
     .kind = OPTION_FLAG,
     .help = "in the page's flame graph, draw threads apart, also threads that run equal code",
     .offset = offsetof(struct report_settings, show.threads)},
    SHOW_OPTION_NO_PAGER,
    {.name = NULL},
};

#define EXAMPLE "report callgrind.out.1234"

/* The sum of these files. */
static int report_sum(const struct string_list *files, const struct report_settings *s, FILE *out)
{
    struct show_settings own_copy = s->show, *settings = &own_copy;
    struct resolve_settings names = load_brief(&settings->names);
    enum name_quality *qualities;
    struct cprof_profile *profile;
    struct packages packages = {0};
    struct show_context context = {.packages = &packages};
    int status = STATUS_ERROR;

    names.inlined_contexts = show_own_is_wanted(settings);
    profile = load_merged_profile(files, &names, false, &qualities);
    context.qualities = qualities;
    for (size_t i = 0; i < files->n; i++)
        packages_find(&packages, files->items[i]);
    if (profile) {
        show_settle_subject(settings, view_first(profile));
        if (show_is_data(settings) || settings->html)
            load_warn_names(profile, qualities);
        context.view = view_of(profile);
        context.command = profile->sampled                         ? "samples"
                          : profile->subject == CPROF_SUBJECT_HEAP ? "heap"
                          : profile->subject == CPROF_SUBJECT_DATA ? "data"
                          : context.view == SHOW_CACHEGRIND        ? "cachegrind"
                                                                   : "callgrind";
        context.file = s->last ? NULL : files->items[0];
        context.files = files->n;
        context.when = files->n == 1 ? time_of(files->items[0]) : 0;
        if (!settings->output && !settings->no_pager)
            pager_begin();
        status = show_write(profile, settings, &context, out);
    }
    packages_free(&packages);
    cprof_free(profile);
    free(qualities);
    return status;
}

/* One of several. */
static int report_one(const char *name, const struct report_settings *settings, FILE *out)
{
    struct string_list one = {0};
    char *path;
    int status = load_path(name, EXAMPLE, &path);

    if (status)
        return status;
    string_list_add(&one, path);
    status = report_sum(&one, settings, out);
    string_list_free(&one);
    free(path);
    return status;
}

/* All profiles in turn, each with its name above where there are several. One that cannot be read
 * does not keep the others back. */
static int report_apart(const struct string_list *names, const struct report_settings *settings,
                        FILE *out)
{
    int status = STATUS_OK;

    if (!names->n)
        return report_one(NULL, settings, out);
    for (size_t i = 0; i < names->n; i++) {
        int file_status;

        if (names->n > 1 && !settings->show.json) {
            char *name = text_clean(names->items[i]);

            fprintf(out, "%s==> %s <==\n\n", i ? "\n" : "", name);
            free(name);
        }
        fflush(out); /* before the notes on standard error */
        file_status = report_one(names->items[i], settings, out);
        if (file_status == STATUS_USAGE)
            return file_status;
        if (file_status != STATUS_OK)
            status = file_status;
    }
    return status;
}

static int report_all(const struct string_list *names, const struct report_settings *settings,
                      FILE *out)
{
    struct string_list paths;
    int status = load_paths(names, EXAMPLE, &paths);

    if (status == 0)
        status = report_sum(&paths, settings, out);
    string_list_free_texts(&paths);
    return status;
}

static int report_to(const struct string_list *names, const struct report_settings *settings)
{
    struct output_file file;
    int status = output_begin(&file, settings->show.output);

    if (status == 0)
        status = settings->apart ? report_apart(names, settings, file.stream)
                                 : report_all(names, settings, file.stream);
    return output_end(&file, settings->show.output, status);
}

/* The options of the page's flame graph. */
static int check_page(const struct show_settings *show, bool page)
{
    if ((show->full_paths || show->threads) && !page)
        return message_usage("%s is for a page's flame graph; add --html",
                             show->full_paths ? "--full-paths" : "--threads");
    return flame_check(
        &(struct flame_settings){.full_paths = show->full_paths, .threads = show->threads});
}

/* Writes the page, and what is wanted beside it: tables or JSON where -o is not the page's. */
static int write_page(const struct string_list *names, struct report_settings *settings)
{
    struct report_settings page = *settings;
    const char *output = settings->show.output;
    bool beside;
    char *kept_page;
    int status =
        open_page("report.html", settings->open, &page.page, &settings->show.output, &kept_page);

    if (status)
        return status;
    beside = page.page && (settings->show.output ||
                           ((settings->show.json || settings->show.format) && page.page != output));
    page.show.html = true;
    page.show.output = page.page;
    if (beside)
        show_leave_table(&page.show);
    status = report_to(names, &page);
    if (!status && page.page && page.page != output)
        message_status("Wrote", "%s", page.page);
    if (!status && beside)
        status = report_to(names, settings);
    if (!status && settings->open)
        status = open_file(page.page);
    free(kept_page);
    return status;
}

static int work(void *data, struct option_result *result)
{
    struct report_settings *settings = data;
    const struct string_list *names = &result->operands;
    bool page = settings->page || settings->open;
    int status = open_take_operand(result, names->n > 1, &settings->page);

    if (status)
        return status;
    options_take_rest(result);
    settings->last = names->n == 0 || (names->n == 1 && !strcmp(names->items[0], "last"));
    if ((show_is_data(&settings->show) || page) && settings->apart && names->n > 1)
        return message_usage("%s takes one profile, found %zu; leave out --apart to add "
                             "them up, or write them one by one",
                             settings->show.json                   ? "--json"
                             : settings->show.format == FORMAT_CSV ? "--format csv"
                                                                   : "--html",
                             names->n);
    status = check_page(&settings->show, page);
    if (status == 0)
        status = page ? write_page(names, settings) : report_to(names, settings);
    return status;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct report_settings settings = {.show = SHOW_SETTINGS_INIT};
    const struct option_group groups[] = {
        {.title = "Options", .defs = report_options, .settings = &settings},
        {.title = "Output", .defs = show_options, .settings = &settings.show},
        {.title = NULL}};

    return command_run(self, groups, argc, argv, work, &settings);
}

const struct command command_report = {
    .name = "report",
    .summary = "show profiles of callgrind, cachegrind, perf and cargo-cprof",
    .usage = "[OPTIONS] [FILE...]",
    .examples = "  cargo cprof report                             the last run again\n"
                "  cargo cprof report callgrind.out.1234          who costs what\n"
                "  cargo cprof report -n 0 --sort dr cachegrind.out.1234\n"
                "                                                 all functions, by data reads\n"
                "  cargo cprof report callgrind.out.1234*         all parts and threads, added up\n"
                "  cargo cprof report perf.txt                    samples, by perf script\n"
                "  cargo cprof report cpu.pb.gz                   by pprof, samply and others\n"
                "  cargo cprof report --html -o report.html       the last run as a web page\n"
                "  cargo cprof report --json callgrind.out.1234   JSON for scripts\n",
    .more_help = show_help,
    .run = run,
};
