#include <config.h>

#include "bench/harness.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "bench/name_tree.h"
#include "symbols/symbol_table.h"

#include <stdlib.h>
#include <string.h>

/* Length-prefixed parts of paths: both manglings have them so. An executable has the harness that
 * comes first here: those with one of their own may have libtest linked beside it. */
static const struct harness harnesses[] = {
    {.name = "criterion",
     .symbol = "9criterion7bencher",
     .crate = "criterion",
     .file = "/bencher.rs",
     .routine = "routine",
     .words = {"--bench", "--test"},
     .pattern = true,
     .list = LIST_LINES},
    {.name = "divan",
     .symbol = "5divan",
     .crate = "divan",
     .file = "/bench/mod.rs",
     .routine = "benched",
     .words = {"--test", "--exact"},
     .list = LIST_TREE},
    {.name = "gungraun", .symbol = "8gungraun", .own_runner = "gungraun-runner"},
    {.name = "iai-callgrind", .symbol = "13iai_callgrind", .own_runner = "iai-callgrind-runner"},
    {.name = "libtest",
     .symbol = "4test16test_main_static",
     .crate = "test",
     .file = "/test/src/bench.rs",
     .function = "ns_iter_inner",
     /* Without --bench a bench is a test, and runs once. */
     .words = {"--test-threads=1", "--exact"},
     .ignores = true,
     .list = LIST_LINES},
};
enum {
    N_HARNESSES = sizeof harnesses / sizeof *harnesses,
    N_WORDS = sizeof harnesses->words / sizeof *harnesses->words
};

static const struct harness plain = {.name = "plain", .words = {"--bench"}};

const struct harness *harness_find(const char *path)
{
    const char *symbols[N_HARNESSES];
    size_t found;

    for (size_t i = 0; i < N_HARNESSES; i++)
        symbols[i] = harnesses[i].symbol;
    found = symbol_search(path, symbols, N_HARNESSES);
    return found < N_HARNESSES ? &harnesses[found] : &plain;
}

/*--- Lists ---*/

static char *cut_ending(char *line, const char *ending)
{
    size_t size = strlen(line), cut = strlen(ending);

    if (size <= cut || strcmp(line + size - cut, ending) != 0)
        return NULL;
    line[size - cut] = '\0';
    return line;
}

static void read_line(void *data, char *line)
{
    const char *name = cut_ending(line, ": benchmark");

    if (!name)
        name = cut_ending(line, ": bench");
    if (name)
        string_list_add(data, xstrdup(name));
}

static void read_tree(void *data, char *line)
{
    name_tree_line(data, line);
}

/* Starts the executable natively; `line` gets what it prints. */
static int ask(const struct program *program, const char *const *words,
               void (*line)(void *data, char *text), void *data, int *wait_status)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct string_list argv = {0}, environment = {0};
    int error;

    string_list_add(&argv, program->path);
    for (; *words; words++)
        string_list_add(&argv, *words);
    if (program->libraries)
        string_list_add(&environment, program->libraries);
    spec.argv = argv.items;
    spec.environment = &environment;
    spec.folder = program->folder;
    spec.no_input = true;
    spec.no_errors = true;
    error = process_capture(&spec, line, data, wait_status);
    string_list_free(&argv);
    string_list_free(&environment);
    if (error)
        message_error("cannot execute '%s': %s", program->path, strerror(error));
    return error;
}

/* The tree that divan draws of a list has no arguments of benches; that of a run has. */
static int ask_tree(const struct program *program, struct string_list *names, int *wait_status)
{
    static const char *const list[] = {"--list", NULL}, *const test[] = {"--test", NULL};
    struct name_tree listed = {0}, run = {0};
    int ran = 0, error = ask(program, list, read_tree, &listed, wait_status);

    if (!error && !*wait_status)
        error = ask(program, test, read_tree, &run, &ran);
    if (!error)
        name_tree_names(&listed, ran ? NULL : &run, names);
    name_tree_free(&listed);
    name_tree_free(&run);
    return error;
}

/* libtest lists what is ignored, too, and would not run it. */
static int drop_ignored(const struct program *program, struct string_list *names)
{
    static const char *const list[] = {"--bench", "--list", "--ignored", NULL};
    struct string_list ignored = {0};
    int status = 0, error = ask(program, list, read_line, &ignored, &status);
    size_t kept = 0;

    for (size_t i = 0; i < names->n && !error && !status; i++) {
        bool drop = false;

        for (size_t k = 0; k < ignored.n && !drop; k++)
            drop = !strcmp(names->items[i], ignored.items[k]);
        if (drop)
            free((char *)names->items[i]);
        else
            names->items[kept++] = names->items[i];
    }
    if (!error && !status)
        names->n = kept;
    harness_names_free(&ignored);
    return error;
}

int harness_names(const struct harness *harness, const struct program *program,
                  struct string_list *names)
{
    static const char *const list[] = {"--bench", "--list", NULL};
    int status = 0, error = 0;

    *names = (struct string_list){0};
    if (harness->list == LIST_NONE)
        string_list_add(names, xstrdup(program->name));
    else if (harness->list == LIST_TREE)
        error = ask_tree(program, names, &status);
    else
        error = ask(program, list, read_line, names, &status);
    if (!error && !status && names->n && harness->ignores)
        error = drop_ignored(program, names);
    if (error || status)
        harness_names_free(names);
    if (error)
        return STATUS_ERROR;
    if (status)
        return message_error("cannot list the benches of '%s': it has the functions of %s, but "
                             "'%s --list' failed; is that harness run by its main()?",
                             program->name, harness->name, program->path);
    return 0;
}

void harness_names_free(struct string_list *names)
{
    string_list_free_texts(names);
}

/*--- Running one ---*/

/* A regular expression that matches `name` alone: criterion knows no other filter in all of its
 * versions. */
static char *exact_pattern(const char *name)
{
    struct strbuf text = {.text = NULL};

    strbuf_add_char(&text, '^');
    for (; *name; name++) {
        if (strchr("\\.+*?()|[]{}^$#&-~", *name))
            strbuf_add_char(&text, '\\');
        strbuf_add_char(&text, *name);
    }
    strbuf_add_char(&text, '$');
    return strbuf_take(&text);
}

void harness_words(const struct harness *harness, const char *name, struct string_list *words)
{
    for (size_t i = 0; i < N_WORDS && harness->words[i]; i++)
        string_list_add(words, xstrdup(harness->words[i]));
    if (harness->list != LIST_NONE)
        string_list_add(words, harness->pattern ? exact_pattern(name) : xstrdup(name));
}
