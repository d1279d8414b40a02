#include <config.h>

#include "options/command.h"

#include "base/message.h"
#include "base/strbuf.h"
#include "base/terminal.h"
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HELP_WIDTH = 80, /* where there is no terminal */
    HELP_WIDTH_MAX = 100
};

/* Who sees a command's options in place of its help. A command keeps its options to itself and has
 * no argument to hand this through. */
static struct {
    command_visitor *visit;
    void *data;
} visitor;

static command_defaults *defaults_of; /* NULL: there are none */

void command_use_defaults(command_defaults *defaults)
{
    defaults_of = defaults;
}

unsigned command_help_width(void)
{
    unsigned width = terminal_width(STDOUT_FILENO);

    return !width ? HELP_WIDTH : width < HELP_WIDTH_MAX ? width : HELP_WIDTH_MAX;
}

/* Prints a command's help: summary, usage, options, examples. That of -h has the usual options, and
 * all where none is marked. Returns STATUS_OK. Within command_describe() it prints nothing. */
static int print_help(const struct command *command, const struct option_group *groups,
                      enum option_help help)
{
    bool usual = help == OPTION_HELP_USUAL && options_have_usual(groups);

    if (visitor.visit) {
        visitor.visit(command, groups, visitor.data);
        return STATUS_OK;
    }
    printf("%s\n\nUsage: cargo cprof %s %s\n\n", command->summary, command->name, command->usage);
    if (usual || command->rest)
        options_help_usual(stdout, groups, command_help_width(), command->usual);
    else
        options_help(stdout, groups, command_help_width());
    if (command->own && help == OPTION_HELP_ALL)
        options_help_further(stdout, groups, command_help_width(), command->own);
    printf("Examples:\n%s", command->examples);
    if (command->rest)
        printf("\n'cargo cprof %s --help' shows all options\n", command->rest);
    else if (command->more_help && help == OPTION_HELP_ALL)
        command->more_help(stdout);
    else if (command->more_help || usual)
        printf("\n'cargo cprof %s --help' shows all\n", command->name);
    return STATUS_OK;
}

char *command_line(const struct command *self, int argc, char **argv)
{
    struct strbuf text = {.text = NULL};

    strbuf_add(&text, self->name);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char *word = shell_word(argv[i]);

        strbuf_addf(&text, " %s", word);
        free(word);
    }
    return strbuf_take(&text);
}

int command_run(const struct command *command, const struct option_group *groups, int argc,
                char **argv, command_work *work, void *settings)
{
    struct option_result result;
    struct string_list kept = {0};
    int status = options_parse(command->name, argc, argv, groups, &result);

    if (status == STATUS_OK && !result.help && defaults_of)
        status = defaults_of(command, groups, &result, &kept);
    if (status == STATUS_OK)
        status = result.help ? print_help(command, groups, result.help) : work(settings, &result);
    option_result_free(&result);
    string_list_free_texts(&kept);
    return status;
}

int command_run_plain(const struct command *command, const struct option_def *options, int argc,
                      char **argv, command_work *work, void *settings)
{
    static const struct option_def none[] = {{.name = NULL}};
    const struct option_group groups[] = {
        {.title = "Options", .defs = options ? options : none, .settings = settings},
        {.title = NULL}};

    return command_run(command, groups, argc, argv, work, settings);
}

int command_ask_help(const struct command *command)
{
    char name[32], option[] = "--help";
    char *words[] = {name, option, NULL};

    snprintf(name, sizeof name, "%s", command->name);
    return command->run(command, 2, words);
}

void command_describe(const struct command *command, command_visitor *visit, void *data)
{
    visitor.visit = visit;
    visitor.data = data;
    (void)command_ask_help(command);
    visitor.visit = NULL;
}
