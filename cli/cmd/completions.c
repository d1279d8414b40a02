#include <config.h>

#include "cmd/completions.h"

#include "base/message.h"

#include <string.h>

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};
static void (*const writers[])(void) = {completions_bash, completions_zsh, completions_fish};

static const struct option_def no_options[] = {{.name = NULL}};

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

enum completion_kind completion_of_option(const struct option_def *def)
{
    const char *value = def->value ? def->value : "";

    switch (option_kind(def)) {
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
    case OPTION_OPTIONAL:
        return COMPLETION_NONE;
    case OPTION_FILE:
        return COMPLETION_FILE;
    default:
        if (def->choices)
            return COMPLETION_CHOICES;
        if (has(value, "DIRECTORY"))
            return COMPLETION_FOLDER;
        return has(value, "FILE") || has(value, "PATH") ? COMPLETION_FILE : COMPLETION_ANY;
    }
}

enum completion_kind completion_of_operands(const struct command *command)
{
    if (has(command->usage, "COMMAND"))
        return COMPLETION_COMMAND;
    if (has(command->usage, "SHELL"))
        return COMPLETION_SHELL;
    return has(command->usage, "FILE") || has(command->usage, "OLD") ? COMPLETION_FILE
                                                                     : COMPLETION_ANY;
}

static int write_script(const char *shell)
{
    for (size_t i = 0; completion_shells[i]; i++) {
        if (!strcmp(completion_shells[i], shell)) {
            writers[i]();
            return STATUS_OK;
        }
    }
    return message_usage("no completions for the shell '%s'; there are those for bash, zsh and "
                         "fish",
                         shell);
}

static int work(void *settings, struct option_result *result)
{
    (void)settings;
    if (result->operands.n != 1)
        return message_usage("completions takes one shell: bash, zsh or fish");
    return write_script(result->operands.items[0]);
}

static int run(const struct command *self, int argc, char **argv)
{
    const struct option_group groups[] = {{"Options", no_options, NULL}, {NULL, NULL, NULL}};

    return command_run(self, groups, argc, argv, work, NULL);
}

const struct command command_completions = {
    .name = "completions",
    .summary = "write what a shell needs to complete commands and options",
    .usage = "SHELL",
    .examples = "  source <(cargo cprof completions bash)      in ~/.bashrc\n"
                "  source <(cargo cprof completions zsh)       in ~/.zshrc, after compinit\n"
                "  cargo cprof completions fish | source       in ~/.config/fish/config.fish\n",
    .run = run,
};
