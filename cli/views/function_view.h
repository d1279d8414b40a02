/*
 * function_view.h - what the commands have in common that look at the calls of one profile:
 * callers, callees, tree.
 */
#ifndef VIEWS_FUNCTION_VIEW_H
#define VIEWS_FUNCTION_VIEW_H

#include "options/column_selection.h"
#include "options/command.h"
#include "options/show_options.h"
#include "table/rows.h"

struct function_settings {
    struct show_settings show; /* first: rows of its options are of this struct, too */
    const char *profile;       /* --profile-file; NULL: the last run's */
    const char *threshold;
};

/* One profile, and what its functions are called. */
struct function_view {
    const struct command *self; /* the command that looks at it */
    struct function_settings *settings;
    struct cprof_profile *profile;
    enum name_quality *qualities; /* NULL: as the file has them */
    struct column_selection selection;
    struct crates crates;
    struct rows rows; /* all functions, highest inclusive cost first (own cost without calls); where
                         the command needs no calls, by rows_load_inlined() */
    char *root;       /* folder that locations are relative to */
    const char *operand; /* what was named; NULL: nothing */
};

/* Writes the view of `function` (a row's index, or SIZE_MAX: none was named). Returns an exit
 * status. */
typedef int function_write_fn(struct function_view *view, size_t function, FILE *out);

struct function_command {
    const struct option_def *options; /* of struct function_settings */
    bool needs_function;
    bool needs_contexts; /* call edges are not enough */
    function_write_fn *write;
    bool needs_no_calls; /* costs are enough */
    bool finds_itself;   /* `write` finds what view->operand means; it gets SIZE_MAX */
    size_t paths_if;     /* where in the settings a bool says that call paths are needed; 0: none */
    int (*check)(const struct function_settings *); /* of settings that the command alone has; it
                                                       returns an exit status. NULL: none */
};

/* Runs a command; `settings`, with their defaults, begin the struct that command->options are of.
 */
int function_run(const struct command *self, const struct function_command *command,
                 struct function_settings *settings, int argc, char **argv);

/* The row that `text` means, into `*row` (index). Returns 0, or an exit status after having said
 * that there is none, or which ones there are. */
int function_find(const struct function_view *view, const char *text, size_t *row);

/* Lets a pager show what is written from now on, where there may be one (pager.h), and says so
 * where the profile is of sections alone. Commands that find the function themselves call it once
 * they have. */
void function_begin(const struct function_view *view, FILE *out);

/* For the tables of options. */
#define FUNCTION_AT(member) offsetof(struct function_settings, member)
#define FUNCTION_OPTION_PROFILE                                                                  \
    {                                                                                            \
        .name = "profile-file", .kind = OPTION_STRING, .value = "FILE",                          \
        .help = "look at this profile instead of the last run's", .offset = FUNCTION_AT(profile) \
    }
#define FUNCTION_OPTIONS_OUTPUT                                                     \
    SHOW_OPTION_COLOR(FUNCTION_AT(show)), SHOW_OPTION_OUTPUT(FUNCTION_AT(show), 0), \
        SHOW_OPTION_NO_PAGER,                                                       \
        {.name = "json",                                                            \
         .kind = OPTION_OPTIONAL,                                                   \
         .help = "write JSON instead of a table",                                   \
         .offset = FUNCTION_AT(show.json)},                                         \
    {                                                                               \
        .name = "strict", .kind = OPTION_FLAG,                                      \
        .help = "fail where something in the profile would be warned of",           \
        .offset = FUNCTION_AT(show.strict)                                          \
    }
#define FUNCTION_OPTIONS_NAMES SHOW_OPTIONS_NAMES(struct function_settings, show.names)
#define FUNCTION_OPTIONS_END \
    {                        \
        .name = NULL         \
    }

#endif
