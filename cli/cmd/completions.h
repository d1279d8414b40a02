/*
 * completions.h - what shells complete: made from the commands and their option tables, so that it
 * never says another thing than the help.
 */
#ifndef CMD_COMPLETIONS_H
#define CMD_COMPLETIONS_H

#include "base/options.h"
#include "cmd/commands.h"

/* The values of an option, or a command's operands. */
enum completion_kind {
    COMPLETION_NONE,    /* a flag has no value */
    COMPLETION_ANY,     /* a number, a name: nothing that a shell knows */
    COMPLETION_CHOICES, /* one of option_def.choices */
    COMPLETION_FILE,
    COMPLETION_FOLDER,
    COMPLETION_COMMAND,
    COMPLETION_SHELL
};

/* The shells that there are scripts for, NULL-terminated. */
extern const char *const completion_shells[];

#endif
