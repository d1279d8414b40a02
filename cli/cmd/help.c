#include <config.h>

/* The command help: the list of commands, or the help of one. */
#include "base/message.h"
#include "base/wrap.h"
#include "cmd/commands.h"

#include <stdio.h>

static const struct option_def no_options[] = {{.name = NULL}};

/* Questions, each with the command that answers it. */
static const struct {
    const char *question, *command;
} questions[] = {
    {"Who costs what, exactly?", "callgrind --release"},
    {"Where does the time go, at full speed?", "sample --release"},
    {"Where does it wait?", "sample --release --off-cpu"},
    {"Who allocates?", "heap --release"},
    {"Who misses the caches?", "cachegrind --release"},
    {"Which data misses them?", "data --release"},
    {"Which instructions are slow?", "time --release"},
    {"What does each bench, or test, cost?", "bench"},
    {"Did a change cost?", "callgrind --save-baseline main"},
    {"", "callgrind --baseline main"},
    {"Which lines of a function cost it?", "annotate FUNCTION"},
    {"Who calls it?", "callers FUNCTION"},
};

static void list_command(const struct command *command)
{
    printf("  %-12s ", command->name);
    wrap_put(stdout, command->summary, 15, command_help_width());
    putchar('\n');
}

static void list_commands(void)
{
    printf("Exact costs of Rust programs: instructions, caches and branches by function\n\n"
           "Usage: cargo cprof COMMAND [OPTIONS] [-- ARGUMENTS...]\n\n");
    printf("Start here:                               cargo cprof ...\n");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        printf("  %-38s  %s\n", questions[i].question, questions[i].command);
    printf("\nCommands:\n");
    for (size_t i = 0; command_table[i]; i++)
        list_command(command_table[i]);
    printf("\nOptions:\n"
           "  -h, --help     show this help; after a command, its usual options, or all\n"
           "  -V, --version  show the version, and that of Valgrind\n\n"
           "Examples:\n"
           "  cargo cprof callgrind --release         who costs what\n"
           "  cargo cprof cachegrind --release        caches too\n"
           "  cargo cprof help callgrind              all options of callgrind\n");
}

static int work(void *settings, struct option_result *result)
{
    const struct string_list *operands = &result->operands;
    const struct command *command;

    (void)settings;
    if (operands->n > 1)
        return message_usage("'%s' is one too many; help takes one command", operands->items[1]);
    if (!operands->n) {
        list_commands();
        return STATUS_OK;
    }
    command = command_find(operands->items[0]);
    return command ? command_ask_help(command) : command_unknown(operands->items[0]);
}

static int run_help(const struct command *self, int argc, char **argv)
{
    const struct option_group groups[] = {{"Options", no_options, NULL}, {NULL, NULL, NULL}};

    return command_run(self, groups, argc, argv, work, NULL);
}

const struct command command_help = {
    .name = "help",
    .summary = "show the commands, or one command's options",
    .usage = "[COMMAND]",
    .examples = "  cargo cprof help              the commands\n"
                "  cargo cprof help callgrind    the options of callgrind\n",
    .run = run_help,
};
