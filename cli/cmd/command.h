/*
 * command.h - the commands of cargo-cprof. To add one:
 *   1. write cli/cmd/NAME.c with one `const struct command command_NAME`;
 *   2. name it in cli/cmd/local.mk;
 *   3. declare it below and add it to the table in cli/cmd/command.c;
 *   4. describe it in README.md and NEWS.md, and test its help and its errors in tests/cli/.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "base/options.h"

struct command {
    const char *name;
    const char *summary;          /* one line, for `cargo-cprof help` */
    const char *usage;            /* "[OPTIONS] [-- ARGUMENTS...]" */
    const char *examples;         /* lines of "  command   what it does" */
    void (*more_help)(FILE *out); /* prints what --help has behind the examples; NULL: nothing */
    /* Runs with argv[0] the command's name; returns the program's exit status. */
    int (*run)(const struct command *self, int argc, char **argv);
};

extern const struct command command_callgrind;
extern const struct command command_cachegrind;
extern const struct command command_report;
extern const struct command command_callers;
extern const struct command command_callees;
extern const struct command command_tree;
extern const struct command command_export;
extern const struct command command_flamegraph;
extern const struct command command_diff;
extern const struct command command_merge;
extern const struct command command_baselines;
extern const struct command command_annotate;
extern const struct command command_browse;
extern const struct command command_doctor;
extern const struct command command_completions;
extern const struct command command_help;

/* All commands, in the order of the help; ends with NULL. */
extern const struct command *const command_table[];

/* The command called `name`, or NULL. */
const struct command *command_find(const char *name);

/* Says that there is no such command, with the nearest one. Returns STATUS_USAGE. */
int command_unknown(const char *name);

/* How wide help is: as the terminal, within limits. */
unsigned command_help_width(void);

/* Prints a command's help: summary, usage, options, examples. That of -h has the usual options, and
 * all where none is marked. Returns STATUS_OK. Within command_describe() it prints nothing. */
int command_help_of(const struct command *command, const struct option_group *groups,
                    enum option_help help);

/* Runs a command with --help. Returns its exit status. */
int command_ask_help(const struct command *command);

/* Sees a command's options as its help does; the groups are there during the call only. */
typedef void command_visitor(const struct command *command, const struct option_group *groups,
                             void *data);
/* Calls `visit` for the command, once; nothing is printed. */
void command_describe(const struct command *command, command_visitor *visit, void *data);

/* Runs the program's own command line: argv[0] is its name. Returns the exit status. */
int command_main(int argc, char **argv);

#endif
