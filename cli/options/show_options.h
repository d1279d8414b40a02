/*
 * show_options.h - the options of what is shown of a profile, which every command with a table has.
 */
#ifndef OPTIONS_SHOW_OPTIONS_H
#define OPTIONS_SHOW_OPTIONS_H

#include "base/options.h"
#include "resolve/resolve.h"
#include "table/groups.h"
#include "table/view_kinds.h"

#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

/* The two tables: one Ir column with locations, or nine (thirteen) cache columns. */
enum show_view { SHOW_CALLGRIND, SHOW_CACHEGRIND };

enum show_format { FORMAT_TABLE, FORMAT_MARKDOWN, FORMAT_CSV /* of one view of one profile */ };

enum show_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The events of a run that is still to come, for show_check(). */
struct counted {
    const char *events; /* "Ir Dr" */
    bool calls;         /* calls will be known */
};

struct show_settings {
    long limit;          /* -n: rows to show; 0 shows all; SHOW_LIMIT_DEFAULT: not given */
    const char *sort;    /* --sort: a column, in any case; NULL: the first */
    bool inclusive;      /* --inclusive: by that column's inclusive costs */
    const char *columns; /* --columns: a comma-separated list; NULL: the view's own */
    bool percent;        /* --percent: percentages of the total in every column */
    bool counts;         /* --counts: counts only */
    const char *filter;  /* --filter: extended regular expression on the function's name */
    const char *file;    /* --file: the same on the file's path */
    int by;              /* --by: enum group_by */
    const char *crate;   /* --crate: NAME or NAME@VERSION */
    int parts;           /* --view: enum view_id; show_view() says what is shown */
    const char *layout;  /* --layout: a type of data; NULL: off */
    bool blame;          /* --blame: own lines with what they led to, instead of functions */
    int color;           /* enum show_color */
    const char *output;  /* -o: file to write to instead of standard output */
    int format;          /* --format: enum show_format; without --json */
    bool summary;        /* --summary: Markdown to $GITHUB_STEP_SUMMARY, too */
    const char *json;    /* --json: NULL: off; "": on; "tree": with call paths */
    bool html;           /* --html: a page instead of a table */
    bool full_paths;     /* --full-paths: in that page's flame graph (flame_output.h) */
    bool threads;        /* --threads: the same */
    bool no_pager;       /* --no-pager: on a terminal all at once */
    bool strict;         /* --strict: warnings of the library are errors */
    struct resolve_settings names; /* --no-inlines */
    const struct counted *counted; /* of a run that is still to come; NULL: there is a profile */
};

/* Without -n a table has this many rows, fewer below own code, and data all. */
enum { SHOW_LIMIT_TABLE = 20, SHOW_LIMIT_BELOW = 10, SHOW_LIMIT_DEFAULT = -1 };

/* The rows of `n` that are shown; without -n `usual`, of which 0 is all. */
size_t show_limit(const struct show_settings *settings, size_t usual, size_t n);

/* The settings' defaults, and the table of the options above. */
#define SHOW_SETTINGS_INIT                                \
    {                                                     \
        .limit = SHOW_LIMIT_DEFAULT, .parts = VIEW_UNSAID \
    }
extern const struct option_def show_options[];
extern const char *const show_parts_names[];  /* the words of --view that a comparison has */
extern const char *const show_color_names[];  /* enum show_color */
extern const char *const show_format_names[]; /* enum show_format, but CSV */

/* Rows for any table of options. `at`: where its settings have their struct show_settings, 0 where
 * that is all of them; `usual`: OPTION_USUAL or 0. */
#define SHOW_OPTION_LIMIT(at, usual, words)                                            \
    {                                                                                  \
        .name = "limit", .letter = 'n', .kind = OPTION_NUMBER | (usual), .value = "N", \
        .help = (words), .offset = (at) + offsetof(struct show_settings, limit)        \
    }
#define SHOW_OPTION_SORT(at, usual, words)                                                   \
    {                                                                                        \
        .name = "sort", .kind = OPTION_STRING | (usual), .value = "COLUMN", .help = (words), \
        .offset = (at) + offsetof(struct show_settings, sort)                                \
    }
/* `schema`: "cprof-diff/1", and what else its help says. */
#define SHOW_OPTION_JSON(at, schema, more)                                \
    {                                                                     \
        .name = "json", .kind = OPTION_OPTIONAL | OPTION_USUAL,           \
        .help = "write JSON (schema " schema ") instead of a table" more, \
        .offset = (at) + offsetof(struct show_settings, json)             \
    }
#define SHOW_OPTION_COLOR(at)                                                               \
    {                                                                                       \
        .name = "color", .kind = OPTION_CHOICE, .value = "WHEN",                            \
        .help = "colours: auto (on a terminal without NO_COLOR), always, never",            \
        .offset = (at) + offsetof(struct show_settings, color), .choices = show_color_names \
    }
#define SHOW_OPTION_OUTPUT(at, usual)                                                      \
    {                                                                                      \
        .name = "output", .letter = 'o', .kind = OPTION_STRING | (usual), .value = "FILE", \
        .help = "write to a file, whole or not at all",                                    \
        .offset = (at) + offsetof(struct show_settings, output)                            \
    }
#define SHOW_OPTION_FORMAT(at)                                                                \
    {                                                                                         \
        .name = "format", .kind = OPTION_CHOICE, .value = "FORMAT",                           \
        .help = "write a table for people, or one of Markdown: table, md",                    \
        .offset = (at) + offsetof(struct show_settings, format), .choices = show_format_names \
    }
#define SHOW_OPTION_SUMMARY(at)                                                                  \
    {                                                                                            \
        .name = "summary", .kind = OPTION_FLAG,                                                  \
        .help = "append the table as Markdown to the file that $GITHUB_STEP_SUMMARY names, too", \
        .offset = (at) + offsetof(struct show_settings, summary)                                 \
    }
#define SHOW_OPTION_FILTER(at, usual)                                        \
    {                                                                        \
        .name = "filter", .kind = OPTION_STRING | (usual), .value = "REGEX", \
        .help = "show functions whose name matches (extended regex)",        \
        .offset = (at) + offsetof(struct show_settings, filter)              \
    }
/* How a table is written, and where to. */
#define SHOW_OPTIONS_WRITTEN(at)                                                         \
    SHOW_OPTION_COLOR(at), SHOW_OPTION_OUTPUT(at, OPTION_USUAL), SHOW_OPTION_FORMAT(at), \
        SHOW_OPTION_SUMMARY(at)

/* Rows of struct show_settings for the costs and the functions of a table. */
#define SHOW_OPTIONS_COSTS(inclusive_words, columns_words, percent_words)                  \
    {.name = "inclusive",                                                                  \
     .kind = OPTION_FLAG,                                                                  \
     .help = (inclusive_words),                                                            \
     .offset = offsetof(struct show_settings, inclusive)},                                 \
        {.name = "columns",                                                                \
         .kind = OPTION_STRING,                                                            \
         .value = "LIST",                                                                  \
         .help = (columns_words),                                                          \
         .offset = offsetof(struct show_settings, columns)},                               \
        {.name = "percent",                                                                \
         .kind = OPTION_FLAG,                                                              \
         .help = (percent_words),                                                          \
         .offset = offsetof(struct show_settings, percent)},                               \
    {                                                                                      \
        .name = "counts", .kind = OPTION_FLAG, .help = "show counts only, no percentages", \
        .offset = offsetof(struct show_settings, counts)                                   \
    }
#define SHOW_OPTION_FILE                                              \
    {                                                                 \
        .name = "file", .kind = OPTION_STRING, .value = "REGEX",      \
        .help = "show functions whose file, or else object, matches", \
        .offset = offsetof(struct show_settings, file)                \
    }

/* The row of --no-pager of struct show_settings. */
#define SHOW_OPTION_NO_PAGER                                                 \
    {                                                                        \
        .name = "no-pager", .kind = OPTION_FLAG,                             \
        .help = "write all at once; on a terminal $PAGER shows it, or less", \
        .offset = offsetof(struct show_settings, no_pager)                   \
    }

/* The row of --names for any table of options; `type` has a struct resolve_settings called
 * `member`. */
#define SHOW_OPTION_NAMES(type, member)                                                          \
    {                                                                                            \
        .name = "names", .kind = OPTION_CHOICE, .value = "STYLE",                                \
        .help =                                                                                  \
            "how functions are called: short, full (with all paths and type arguments), or raw " \
            "(as the linker does)",                                                              \
        .offset = offsetof(type, member.style), .choices = show_name_styles                      \
    }

/* The options that say how functions are named, the same way. */
#define SHOW_OPTIONS_NAMES(type, member)                                                  \
    SHOW_OPTION_NAMES(type, member),                                                      \
        {.name = "section",                                                               \
         .kind = OPTION_STRING,                                                           \
         .value = "REGEX",                                                                \
         .help = "show what ran in sections whose names match as if it were the program", \
         .offset = offsetof(type, member.section)},                                       \
        {.name = "fold-generics",                                                         \
         .kind = OPTION_FLAG,                                                             \
         .help = "make all instances of a generic function one, with their number",       \
         .offset = offsetof(type, member.fold_generics)},                                 \
    {                                                                                     \
        .name = "no-inlines", .kind = OPTION_FLAG,                                        \
        .help = "count inlined code as the function's that it was compiled into",         \
        .offset = offsetof(type, member.no_inlines)                                       \
    }
extern const char *const show_name_styles[]; /* enum name_style */

/* The view that the options choose together. */
enum view_id show_view(const struct show_settings *settings);
/* The kind of rows that stand in place of functions; own lines have an order of their own. */
enum group_by show_by(const struct show_settings *settings);

/* Shows `first`, what a profile is about, alone where the settings leave open what is shown. */
void show_settle_subject(struct show_settings *settings, enum view_id first);

/* True where programs read what is written, JSON or CSV: with all rows, and no line beside them. */
static inline bool show_is_data(const struct show_settings *settings)
{
    return settings->json || settings->format == FORMAT_CSV;
}

/* Leaves out all that is for a table or JSON beside a page: that page is as without these. */
void show_leave_table(struct show_settings *settings);

/* Writes what columns there are, for the end of a command's help. */
void show_help(FILE *out);

/*--- --summary ---*/

/* Opens the file that $GITHUB_STEP_SUMMARY names for appending: a job on GitHub shows the Markdown
 * in it. NULL, having said so, where the variable is not set or the file
 * cannot be written: a summary is no reason to fail. */
FILE *summary_open(void);
/* Closes it, and says what could not be written. NULL is allowed. */
void summary_close(FILE *summary);

/*--- Filters ---*/

/* The expressions of --filter and --file, and the number of --threshold. */

struct filters {
    regex_t function, file;
    bool has_function, has_file; /* the expressions above are compiled */
};

/* Returns 0, or STATUS_USAGE after having said what is wrong; filters_free() in either case. */
int filters_compile(struct filters *filters, const struct show_settings *settings);
void filters_free(struct filters *filters);

/*--- --threshold ---*/

/* Reads "1", "0.5" or "2%" into `*threshold`, percent; 1 for NULL. Returns 0 or STATUS_USAGE. */
int threshold_read(const char *text, double *threshold);

#endif
