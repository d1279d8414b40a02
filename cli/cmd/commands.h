/*
 * commands.h - the commands of cargo-cprof. To add one:
 *   1. write cli/cmd/NAME.c with one `const struct command command_NAME`, or a row of profile.c;
 *   2. name it in cli/cmd/local.mk;
 *   3. declare it below and add it to the table in cli/cmd/commands.c;
 *   4. describe it in doc/manual.md.in and NEWS.md, run `make manual`, and test its help and its
 * errors in tests/cli/.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "options/command.h"

extern const struct command command_callgrind;
extern const struct command command_cachegrind;
extern const struct command command_sample;
extern const struct command command_heap;
extern const struct command command_data;
extern const struct command command_bench;
extern const struct command command_test;
extern const struct command command_scale;
extern const struct command command_bisect;
extern const struct command command_report;
extern const struct command command_callers;
extern const struct command command_callees;
extern const struct command command_tree;
extern const struct command command_export;
extern const struct command command_flamegraph;
extern const struct command command_diff;
extern const struct command command_time;
extern const struct command command_merge;
extern const struct command command_baselines;
extern const struct command command_clean;
extern const struct command command_annotate;
extern const struct command command_browse;
extern const struct command command_doctor;
extern const struct command command_completions;
extern const struct command command_help;

/* All commands, in the order of the help; ends with NULL. */
extern const struct command *const command_table[];

/* The command called `name`, or NULL. */
const struct command *command_find(const char *name);

/* Runs the program's own command line: argv[0] is its name. Returns the exit status. */
int command_main(int argc, char **argv);

#endif
