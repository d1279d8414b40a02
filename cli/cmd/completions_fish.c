#include <config.h>

/* The script that completes in fish. */
#include "cmd/completions.h"

#include <stdio.h>

static const char functions[] =
    "# fish completion for cargo-cprof, made by 'cargo cprof completions fish'\n"
    "# Prints the command of 'cargo-cprof COMMAND' and 'cargo cprof COMMAND'; status 1: another "
    "line.\n"
    "function __cargo_cprof_command\n"
    "    set -l words (commandline -opc)\n"
    "    if string match -qr '(^|/)cargo$' -- $words[1]\n"
    "        set -l rest (string match -v -r '^[-+]' -- $words[2..-1])\n"
    "        test \"$rest[1]\" = cprof; or return 1\n"
    "        echo $rest[2]\n"
    "    else\n"
    "        echo $words[2]\n"
    "    end\n"
    "end\n"
    "function __cargo_cprof_wants_command\n"
    "    set -l command (__cargo_cprof_command); and test -z \"$command\"\n"
    "end\n"
    "function __cargo_cprof_is\n"
    "    set -l command (__cargo_cprof_command); and test \"$command\" = $argv[1]\n"
    "end\n"
    "for program in cargo-cprof cargo\n"
    "    complete -c $program -n __cargo_cprof_wants_command -f -s h -l help "
    "-d 'show the commands'\n"
    "    complete -c $program -n __cargo_cprof_wants_command -f -s V -l version "
    "-d 'show the version'\n";

static void put_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void begin(const char *command)
{
    printf("    complete -c $program -n '__cargo_cprof_is %s'", command);
}

static void put_words(const char *const *words)
{
    printf(" -a '");
    for (size_t i = 0; words[i]; i++)
        printf("%s%s", i ? " " : "", words[i]);
    putchar('\'');
}

static void put_option(const char *command, const struct option_def *def)
{
    begin(command);
    printf(" -l %s", def->name);
    if (def->letter)
        printf(" -s %c", def->letter);
    switch (completion_of_option(def)) {
    case COMPLETION_NONE:
        break;
    case COMPLETION_FILE:
        printf(" -r -F");
        break;
    case COMPLETION_FOLDER:
        printf(" -x -a '(__fish_complete_directories)'");
        break;
    case COMPLETION_CHOICES:
        printf(" -x");
        put_words(def->choices);
        break;
    default:
        printf(" -x");
        break;
    }
    printf(" -d ");
    put_text(def->help);
    putchar('\n');
}

static void put_operands(const struct command *command)
{
    begin(command->name);
    switch (completion_of_operands(command)) {
    case COMPLETION_FILE:
        printf(" -F");
        break;
    case COMPLETION_COMMAND:
        printf(" -f -a '");
        for (size_t i = 0; command_table[i]; i++)
            printf("%s%s", i ? " " : "", command_table[i]->name);
        putchar('\'');
        break;
    case COMPLETION_SHELL:
        printf(" -f");
        put_words(completion_shells);
        break;
    default:
        /* Files are for the program's own arguments. */
        printf(" -n 'not contains -- -- (commandline -opc)' -f");
        break;
    }
    putchar('\n');
}

static void put_command(const struct command *command, const struct option_group *groups,
                        void *data)
{
    (void)data;
    printf("    complete -c $program -n __cargo_cprof_wants_command -f -a %s -d ", command->name);
    put_text(command->summary);
    putchar('\n');
    put_operands(command);
    for (; groups->title; groups++)
        for (const struct option_def *def = groups->defs; def->name; def++)
            put_option(command->name, def);
    begin(command->name);
    printf(" -s h -l help -d 'show this help'\n");
}

void completions_fish(void)
{
    printf("%s", functions);
    for (size_t i = 0; command_table[i]; i++)
        command_describe(command_table[i], put_command, NULL);
    printf("end\n");
}
