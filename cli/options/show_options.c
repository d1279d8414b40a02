#include <config.h>

#include "options/show_options.h"

#include "base/file.h"
#include "base/message.h"
#include "cprof.h"
#include "options/column_selection.h"
#include "options/command.h"
#include "table/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*--- Options ---*/

const char *const show_name_styles[] = {"short", "full", "raw", NULL};
const char *const show_parts_names[] = {"both", "own", "functions", NULL};
static const char *const by_names[] = {"function", "line", "file", "crate", "object", NULL};
const char *const show_color_names[] = {"auto", "always", "never", NULL};
const char *const show_format_names[] = {"table", "md", NULL};
static const char *const format_names[] = {"table", "md", "csv", NULL};

#define SHOWS(id, word, form, shows) ", " shows " (" word ")"
#define AT(member)                   offsetof(struct show_settings, member)

const struct option_def show_options[] = {
    {.name = "view",
     .kind = OPTION_CHOICE,
     .value = "WHAT",
     .help = "show your own code (own), the whole program (functions), both" VIEW_TABLES(
         SHOWS) "; as far as they were counted; JSON of one table is cprof-table/1",
     .offset = AT(parts),
     .choices = view_words},
    {.name = "layout",
     .kind = OPTION_STRING,
     .value = "TYPE",
     .help = "show a type of data as it lies in memory, with the misses of each member",
     .offset = AT(layout)},
    SHOW_OPTION_LIMIT(0, OPTION_USUAL, "show N rows, 0 for all (20; second table: 10)"),
    SHOW_OPTION_SORT(0, OPTION_USUAL, "sort by this count, highest first: Ir, Dr, ..."),
    SHOW_OPTIONS_COSTS("sort by what was spent in a function and in all that it called",
                       "columns to show: Ir,%,Function,Location,...",
                       "show percentages of each column's total instead of counts"),
    SHOW_OPTION_FILTER(0, OPTION_USUAL),
    SHOW_OPTION_FILE,
    {.name = "by",
     .kind = OPTION_CHOICE | OPTION_USUAL,
     .value = "WHAT",
     .help = "add up by function, line, file, crate or object",
     .offset = AT(by),
     .choices = by_names},
    {.name = "crate",
     .kind = OPTION_STRING,
     .value = "NAME",
     .help = "show what is of this crate; NAME@VERSION where there are several",
     .offset = AT(crate)},
    {.name = "blame",
     .kind = OPTION_FLAG,
     .help = "show lines of your own code with what std, dependencies and libc cost for them: "
             "--view own --by line",
     .offset = AT(blame)},
    SHOW_OPTION_COLOR(0),
    SHOW_OPTION_OUTPUT(0, OPTION_USUAL),
    {.name = "format",
     .kind = OPTION_CHOICE,
     .value = "FORMAT",
     .help = "write tables for people, or of Markdown, or one view as comma-separated values: "
             "table, md, csv",
     .offset = AT(format),
     .choices = format_names},
    SHOW_OPTION_SUMMARY(0),
    SHOW_OPTION_JSON(0, "cprof-profile/1", "; --json=tree: with call paths"),
    {.name = "strict",
     .kind = OPTION_FLAG,
     .help = "fail where something in the profile would be warned of",
     .offset = AT(strict)},
    SHOW_OPTIONS_NAMES(struct show_settings, names),
    {.name = NULL},
};

enum view_id show_view(const struct show_settings *s)
{
    if (s->blame || (s->parts == VIEW_OWN && s->by == GROUP_LINE))
        return VIEW_OWN_LINES;
    if (s->layout && !s->json)
        return VIEW_LAYOUT;
    if (s->by != GROUP_FUNCTION)
        return VIEW_BY_LINE + (enum view_id)(s->by - GROUP_LINE);
    if (s->parts != VIEW_UNSAID)
        return (enum view_id)s->parts;
    return s->format == FORMAT_CSV ? VIEW_FUNCTIONS : VIEW_BOTH;
}

enum group_by show_by(const struct show_settings *s)
{
    return show_view(s) == VIEW_OWN_LINES ? GROUP_FUNCTION : (enum group_by)s->by;
}

void show_settle_subject(struct show_settings *s, enum view_id first)
{
    bool open = s->parts == VIEW_UNSAID && show_view(s) <= VIEW_FUNCTIONS && !s->json && !s->html &&
                !s->file && !s->crate && !s->columns && !s->inclusive;

    if (open && first != VIEW_BOTH)
        s->parts = (int)first;
}

void show_leave_table(struct show_settings *s)
{
    s->json = NULL;
    s->format = FORMAT_TABLE;
    s->summary = false;
}

void show_help(FILE *out)
{
    fputs("\nColumns, for --sort and --columns:\n", out);
    column_help(out, command_help_width());
}

/*--- --summary ---*/

FILE *summary_open(void)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    FILE *summary;

    if (!path || !*path) {
        message_note("no summary was written: GITHUB_STEP_SUMMARY is not set, as it is in a job on "
                     "GitHub");
        return NULL;
    }
    summary = fopen(path, "ae");
    if (!summary)
        message_warning("no summary was written: cannot write '%s': %s; %s", path, strerror(errno),
                        file_advice(errno));
    return summary;
}

void summary_close(FILE *summary)
{
    if (summary && fclose(summary) != 0)
        message_warning("the summary in the file of GITHUB_STEP_SUMMARY is not whole: %s",
                        strerror(errno));
}

/*--- Filters ---*/

/* Compiles `text` for the option called `option`; 0 or STATUS_USAGE. */
static int compile(regex_t *regex, const char *option, const char *text)
{
    int status = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
    char reason[128];

    if (status == 0)
        return 0;
    regerror(status, regex, reason, sizeof reason);
    if (status == REG_BADPAT)
        return message_usage("'%s' is no value for --%s; it takes an extended regular expression",
                             text, option);
    return message_usage("'%s' is no value for --%s: %s; it takes an extended regular expression",
                         text, option, reason);
}

/* The expression of --section is compiled where names are given; here it is only looked at. */
static int check_section(const char *text)
{
    regex_t regex;

    if (!text)
        return 0;
    if (compile(&regex, "section", text) != 0)
        return STATUS_USAGE;
    regfree(&regex);
    return 0;
}

int filters_compile(struct filters *filters, const struct show_settings *settings)
{
    *filters = (struct filters){.has_function = false};
    if (check_section(settings->names.section) != 0)
        return STATUS_USAGE;
    if (settings->filter) {
        if (compile(&filters->function, "filter", settings->filter) != 0)
            return STATUS_USAGE;
        filters->has_function = true;
    }
    if (settings->file) {
        if (compile(&filters->file, "file", settings->file) != 0)
            return STATUS_USAGE;
        filters->has_file = true;
    }
    return 0;
}

void filters_free(struct filters *filters)
{
    if (filters->has_function)
        regfree(&filters->function);
    if (filters->has_file)
        regfree(&filters->file);
    filters->has_function = filters->has_file = false;
}

/*--- --threshold ---*/

int threshold_read(const char *text, double *threshold)
{
    char *end;

    *threshold = 1;
    if (!text)
        return 0;
    *threshold = strtod(text, &end);
    if (*end == '%')
        end++;
    if (end == text || *end || !(*threshold >= 0 && *threshold <= 100))
        return message_usage(
            "'%s' is no value for --threshold; it takes a percentage from 0 to 100", text);
    return 0;
}

size_t show_limit(const struct show_settings *settings, size_t usual, size_t n)
{
    size_t most = settings->limit == SHOW_LIMIT_DEFAULT ? usual : (size_t)settings->limit;

    return most == 0 || most > n ? n : most;
}
