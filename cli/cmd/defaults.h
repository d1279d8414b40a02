/*
 * defaults.h - options that stand in files, a table for each command:
 *
 *     [package.metadata.cprof.callgrind]     in the package's Cargo.toml, first
 *     [workspace.metadata.cprof.callgrind]   in the workspace's
 *     [callgrind]                            in $XDG_CONFIG_HOME/cprof/config.toml, or ~/.config
 *
 * The command line goes before all of them.
 */
#ifndef CMD_DEFAULTS_H
#define CMD_DEFAULTS_H

#include "options/command.h"

/* A command_defaults. */
int defaults_apply(const struct command *command, const struct option_group *groups,
                   struct option_result *result, struct string_list *kept);

#endif
