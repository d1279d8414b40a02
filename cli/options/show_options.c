#include <config.h>

#include "options/show_options.h"

#include "options/column_selection.h"
#include "options/command.h"
#include "table/columns.h"
#include "table/groups.h"

const char *const show_name_styles[] = {"short", "full", "raw", NULL};
const char *const show_parts_names[] = {"both", "own", "functions", NULL};
static const char *const by_names[] = {"function", "line", "file", "crate", "object", NULL};
const char *const show_color_names[] = {"auto", "always", "never", NULL};
const char *const show_format_names[] = {"table", "md", NULL};

#define SHOWS(id, word, form, shows) ", " shows " (" word ")"
#define AT(member)                   offsetof(struct show_settings, member)

const struct option_def show_options[] = {
    {"view", 0, OPTION_CHOICE, "WHAT",
     "show your own code (own), the whole program (functions), both" VIEW_TABLES(
         SHOWS) "; as far as they were counted",
     AT(parts), view_words},
    {"layout", 0, OPTION_STRING, "TYPE",
     "show a type of data as it lies in memory, with the misses of each member", AT(layout), NULL},
    {"limit", 'n', OPTION_NUMBER | OPTION_USUAL, "N",
     "show N rows, 0 for all (20; second table: 10)", AT(limit), NULL},
    {"sort", 0, OPTION_STRING | OPTION_USUAL, "COLUMN",
     "sort by this count, highest first: Ir, Dr, ...", AT(sort), NULL},
    {"inclusive", 0, OPTION_FLAG, NULL,
     "sort by what was spent in a function and in all that it called", AT(inclusive), NULL},
    {"columns", 0, OPTION_STRING, "LIST", "columns to show: Ir,%,Function,Location,...",
     AT(columns), NULL},
    {"percent", 0, OPTION_FLAG, NULL, "show percentages of each column's total instead of counts",
     AT(percent), NULL},
    {"counts", 0, OPTION_FLAG, NULL, "show counts only, no percentages", AT(counts), NULL},
    {"filter", 0, OPTION_STRING | OPTION_USUAL, "REGEX",
     "show functions whose name matches (extended regex)", AT(filter), NULL},
    {"file", 0, OPTION_STRING, "REGEX", "show functions whose file, or else object, matches",
     AT(file), NULL},
    {"by", 0, OPTION_CHOICE | OPTION_USUAL, "WHAT",
     "add up by function, line, file, crate or object", AT(by), by_names},
    {"crate", 0, OPTION_STRING, "NAME",
     "show what is of this crate; NAME@VERSION where there are several", AT(crate), NULL},
    {"blame", 0, OPTION_FLAG, NULL,
     "show lines of your own code with what std, dependencies and libc cost for them: --view own "
     "--by line",
     AT(blame), NULL},
    SHOW_OPTIONS_WRITTEN,
    {"json", 0, OPTION_OPTIONAL | OPTION_USUAL, NULL,
     "write JSON (schema cprof-profile/1) instead of a table; --json=tree: with call paths",
     AT(json), NULL},
    {"strict", 0, OPTION_FLAG, NULL, "fail where something in the profile would be warned of",
     AT(strict), NULL},
    SHOW_OPTIONS_NAMES(struct show_settings, names),
    {NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL},
};

enum view_id show_view(const struct show_settings *s)
{
    if (s->blame || (s->parts == VIEW_OWN && s->by == GROUP_LINE))
        return VIEW_OWN_LINES;
    if (s->layout && !s->json)
        return VIEW_LAYOUT;
    if (s->by != GROUP_FUNCTION)
        return VIEW_BY_LINE + (enum view_id)(s->by - GROUP_LINE);
    return s->parts == VIEW_UNSAID ? VIEW_BOTH : (enum view_id)s->parts;
}

enum group_by show_by(const struct show_settings *s)
{
    return show_view(s) == VIEW_OWN_LINES ? GROUP_FUNCTION : (enum group_by)s->by;
}

void show_settle_subject(struct show_settings *s, enum view_id first)
{
    bool open = s->parts == VIEW_UNSAID && show_view(s) == VIEW_BOTH && !s->json && !s->html &&
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
