/*
 * command.h - a command of cargo-cprof: what its help says, and how it begins. cmd/commands.h has
 * the list of them.
 */
#ifndef OPTIONS_COMMAND_H
#define OPTIONS_COMMAND_H

#include "base/options.h"

struct command {
    const char *name;
    const char *summary;  /* one line, for `cargo-cprof help` */
    const char *usage;    /* "[OPTIONS] [-- ARGUMENTS...]" */
    const char *examples; /* lines of "  command   what it does" */
    const char *usual;    /* the options that -h has, "bin release"; NULL: those marked as
                             usual */
    const char
        *own; /* options that --help has beside the usual ones, where `rest` has all others */
    const char *rest; /* the command that has all options of this one; NULL: --help shows all */
    void (*more_help)(FILE *out); /* prints what --help has behind the examples; NULL: nothing */
    /* Runs with argv[0] the command's name; returns the program's exit status. */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* How wide help is: as the terminal, within limits. */
unsigned command_help_width(void);

/* A command's work, once its options are read; the operands are in `result`. Returns an exit
 * status. */
typedef int command_work(void *settings, struct option_result *result);
/* Reads a command's options into what `groups` name, shows the help where
 * that is asked for, or does the work. Returns an exit status. */
int command_run(const struct command *command, const struct option_group *groups, int argc,
                char **argv, command_work *work, void *settings);
/* command_run() with one group, of these options of the settings; NULL: there are none. */
int command_run_plain(const struct command *command, const struct option_def *options, int argc,
                      char **argv, command_work *work, void *settings);

/* Gives options that are not on the command line what files say of them. The texts that are made
 * for it are added to `kept`. Returns 0, or a status after having said what is wrong. */
typedef int command_defaults(const struct command *command, const struct option_group *groups,
                             struct option_result *result, struct string_list *kept);
/* Has command_run() do so, from now on. */
void command_use_defaults(command_defaults *defaults);

/* The command as it was given, without what follows "--". The caller frees it. */
char *command_line(const struct command *self, int argc, char **argv);

/* Runs a command with --help. Returns its exit status. */
int command_ask_help(const struct command *command);

/* Sees a command's options as its help does; the groups are there during the call only. */
typedef void command_visitor(const struct command *command, const struct option_group *groups,
                             void *data);
/* Calls `visit` for the command, once; nothing is printed. */
void command_describe(const struct command *command, command_visitor *visit, void *data);

#endif
