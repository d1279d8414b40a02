#include <config.h>

#include "cmd/commands.h"

#include "base/clean.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/words.h"
#include "cmd/defaults.h"
#include "run/tool.h"
#include "run/valgrind.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command *const command_table[] = {&command_callgrind,   &command_cachegrind,
                                               &command_sample,      &command_heap,
                                               &command_data,        &command_bench,
                                               &command_test,        &command_scale,
                                               &command_bisect,      &command_report,
                                               &command_callers,     &command_callees,
                                               &command_tree,        &command_annotate,
                                               &command_browse,      &command_flamegraph,
                                               &command_export,      &command_diff,
                                               &command_time,        &command_merge,
                                               &command_baselines,   &command_clean,
                                               &command_completions, &command_doctor,
                                               &command_help,        NULL};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (!strcmp(command_table[i]->name, name))
            return command_table[i];
    return NULL;
}

/* Says that there is no such command, with the nearest one. Returns STATUS_USAGE. */
static int fail_unknown(const char *name)
{
    const char *names[sizeof command_table / sizeof *command_table];
    const char *near;
    size_t n = 0;

    for (; command_table[n]; n++)
        names[n] = command_table[n]->name;
    near = nearest_name(name, names, n);
    if (near)
        return message_usage("no command '%s'; did you mean '%s'?", name, near);
    return message_usage("no command '%s'; 'cargo cprof help' lists them", name);
}

/* The first line is for programs, too. */
static int print_version(void)
{
    char *folder = valgrind_folder(), *clean = folder ? text_clean(folder) : NULL;

    printf("%s %s (%s)\n", PACKAGE, VERSION, VG_VERSION);
    printf("licence: %s, as its Valgrind tool is\n", tool_licence());
    printf("parts of Valgrind: %s\n",
           clean ? clean : "not found; 'cargo cprof doctor' says what is missing");
    free(clean);
    free(folder);
    return STATUS_OK;
}

int command_main(int argc, char **argv)
{
    const struct command *command;
    const char *name = argc > 1 ? argv[1] : NULL;

    /* Without memory jansson leaves out what it has no room for, and goes on. */
    json_set_alloc_funcs(xmalloc, free);
    if (!name || !strcmp(name, "--help") || !strcmp(name, "-h")) {
        char help[] = "help", *only[] = {help, NULL};
        return command_help.run(&command_help, 1, only);
    }
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return print_version();
    if (name[0] == '-')
        return message_usage(
            "'%s' before the command; options stand after it, as 'cargo cprof help' "
            "shows",
            name);
    command = command_find(name);
    command_use_defaults(defaults_apply);
    return command ? command->run(command, argc - 1, argv + 1) : fail_unknown(name);
}

/*--- help ---*/

/* The command help: the list of commands, or the help of one. */

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
    return command ? command_ask_help(command) : fail_unknown(operands->items[0]);
}

static int run_help(const struct command *self, int argc, char **argv)
{
    return command_run_plain(self, NULL, argc, argv, work, NULL);
}

const struct command command_help = {
    .name = "help",
    .summary = "show the commands, or one command's options",
    .usage = "[COMMAND]",
    .examples = "  cargo cprof help              the commands\n"
                "  cargo cprof help callgrind    the options of callgrind\n",
    .run = run_help,
};
