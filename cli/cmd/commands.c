#include <config.h>

#include "cmd/commands.h"

#include "base/clean.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/nearest.h"
#include "cmd/defaults.h"
#include "run/tool.h"
#include "run/valgrind.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command *const command_table[] = {
    &command_callgrind,   &command_cachegrind, &command_sample,    &command_heap,
    &command_data,        &command_bench,      &command_test,      &command_report,
    &command_callers,     &command_callees,    &command_tree,      &command_annotate,
    &command_browse,      &command_flamegraph, &command_export,    &command_diff,
    &command_time,        &command_merge,      &command_baselines, &command_clean,
    &command_completions, &command_doctor,     &command_help,      NULL};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (!strcmp(command_table[i]->name, name))
            return command_table[i];
    return NULL;
}

int command_unknown(const char *name)
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
    char *folder = valgrind_folder(), *clean = folder ? text_local(folder) : NULL;

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
    return command ? command->run(command, argc - 1, argv + 1) : command_unknown(name);
}
