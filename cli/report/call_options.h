/*
 * call_options.h - what the commands have in common that look at the calls of one profile: callers,
 * callees, tree.
 */
#ifndef REPORT_CALL_OPTIONS_H
#define REPORT_CALL_OPTIONS_H

#include "report/column_selection.h"
#include "report/command.h"
#include "report/show.h"
#include "table/rows.h"

struct paths_settings {
    struct show_settings show;
    const char *profile; /* --profile-file; NULL: the last run's */
    const char *threshold;
};

/* One profile, and what its functions are called. */
struct paths_view {
    const struct paths_settings *settings;
    struct cprof_profile *profile;
    enum name_quality *qualities; /* NULL: as the file has them */
    struct choice choice;
    struct crates crates;
    struct rows rows;    /* all functions, highest inclusive cost first (own cost without calls) */
    char *root;          /* folder that locations are relative to */
    const char *operand; /* what was named; NULL: nothing */
};

/* Writes the view of `function` (a row's index, or SIZE_MAX: none was named). Returns an exit
 * status. */
typedef int paths_write_fn(struct paths_view *view, size_t function, FILE *out, bool to_file);

struct paths_command {
    const struct option_def *options; /* of struct paths_settings */
    bool needs_function;
    bool needs_contexts; /* call edges are not enough */
    paths_write_fn *write;
    bool needs_no_calls; /* costs are enough */
    bool finds_itself;   /* `write` finds what view->operand means; it gets SIZE_MAX */
};

int paths_run(const struct command *self, const struct paths_command *command, int argc,
              char **argv);
/* The same with settings that are part of more: `settings` begins the struct that
 * command->options are of. Their defaults are set. `check` is asked about the rest once they are
 * parsed, and returns an exit status. */
int paths_run_with(const struct command *self, const struct paths_command *command,
                   struct paths_settings *settings, int (*check)(const struct paths_settings *),
                   int argc, char **argv);

/* The row that `text` means, into `*row` (index). Returns 0, or an exit status after having said
 * that there is none, or which ones there are. */
int paths_find_function(const struct paths_view *view, const char *text, size_t *row);

/* For the tables of options. */
#define PATHS_AT(member) offsetof(struct paths_settings, member)
#define PATHS_OPTION_PROFILE                                                          \
    {                                                                                 \
        "profile-file", 0, OPTION_STRING, "FILE",                                     \
            "look at this profile instead of the last run's", PATHS_AT(profile), NULL \
    }
#define PATHS_OPTIONS_OUTPUT                                                                      \
    {"color",                                                                                     \
     0,                                                                                           \
     OPTION_CHOICE,                                                                               \
     "WHEN",                                                                                      \
     "colours: auto (on a terminal without NO_COLOR), always, never",                             \
     PATHS_AT(show.color),                                                                        \
     show_color_names},                                                                           \
        {"output",                                                                                \
         'o',                                                                                     \
         OPTION_STRING,                                                                           \
         "FILE",                                                                                  \
         "write to a file, whole or not at all",                                                  \
         PATHS_AT(show.output),                                                                   \
         NULL},                                                                                   \
        {"json", 0, OPTION_OPTIONAL, NULL, "write JSON instead of a table", PATHS_AT(show.json),  \
         NULL},                                                                                   \
    {                                                                                             \
        "strict", 0, OPTION_FLAG, NULL, "fail where something in the profile would be warned of", \
            PATHS_AT(show.strict), NULL                                                           \
    }
#define PATHS_OPTIONS_NAMES SHOW_OPTIONS_NAMES(struct paths_settings, show.names)
#define PATHS_OPTIONS_END                         \
    {                                             \
        NULL, 0, OPTION_FLAG, NULL, NULL, 0, NULL \
    }

#endif
