#include <config.h>

#include "bench/harness.h"

#include "base/array.h"
#include "base/clean.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "cprof.h"
#include "render/json/json_value.h"
#include "symbols/symbol_table.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Harnesses ---*/

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

static void read_line(void *data, char *line)
{
    if (text_ends_in(line, ": benchmark") || text_ends_in(line, ": bench"))
        string_list_add(data, xstrndup(line, (size_t)(strrchr(line, ':') - line)));
}

/* Starts the executable natively; `line` gets what it prints. */
static int ask(const struct program *program, const char *const *words,
               void (*line)(void *data, char *text), void *data, int *wait_status)
{
    struct string_list argv = STRING_LIST(program->path);
    struct string_list environment = STRING_LIST(program->libraries);
    struct process_spec spec = {.environment = &environment,
                                .folder = program->folder,
                                .no_input = true,
                                .no_errors = true};
    int error;

    string_list_append(&argv, words);
    spec.argv = argv.items;
    error = process_capture(&spec, line, data, wait_status);
    string_list_free(&argv);
    string_list_free(&environment);
    if (error)
        process_refused(program->path, error);
    return error;
}

/* The tree that divan draws of a list has no arguments of benches; that of a run has. */
static int ask_tree(const struct program *program, struct string_list *names, int *wait_status)
{
    static const char *const list[] = {"--list", NULL}, *const test[] = {"--test", NULL};
    struct name_tree listed = {0}, run = {0};
    int ran = 0, error = ask(program, list, name_tree_line, &listed, wait_status);

    if (!error && !*wait_status)
        error = ask(program, test, name_tree_line, &run, &ran);
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
        if (string_list_has(&ignored, names->items[i]))
            free((char *)names->items[i]);
        else
            names->items[kept++] = names->items[i];
    }
    if (!error && !status)
        names->n = kept;
    string_list_free_texts(&ignored);
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
        string_list_free_texts(names);
    if (error)
        return STATUS_ERROR;
    if (status)
        return message_error("cannot list the benches of '%s': it has the functions of %s, but '%s "
                             "--list' failed; run the harness by main()",
                             program->name, harness->name, program->path);
    return 0;
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

/*--- Lines ---*/

void harness_output_line(struct harness_output *o, const char *line)
{
    char *end;
    long n;

    if (o->in_list && !strncmp(line, "    ", 4) && line[4])
        string_list_add(&o->failed, xstrdup(line + 4));
    else
        o->in_list = !strcmp(line, "failures:");
    if (strstr(line, "test result: "))
        o->has_result = true;
    if (strncmp(line, "running ", 8) != 0)
        return;
    n = strtol(line + 8, &end, 10);
    if (end != line + 8 && n >= 0 && (!strcmp(end, " test") || !strcmp(end, " tests")))
        o->announced = n;
}

json_t *harness_output_failed(const struct harness_output *o)
{
    json_t *failed = json_array();

    for (size_t i = 0; i < o->failed.n; i++)
        json_array_append_new(failed, json_text(o->failed.items[i]));
    return failed;
}

void harness_output_free(struct harness_output *o)
{
    string_list_free_texts(&o->failed);
}

/*--- Passing on ---*/

struct passing {
    struct harness_output *output;
    int from, to;
    int stop[2]; /* a pipe: that its writing end is closed says that nothing more is expected */
    int before;  /* standard output as it was */
    struct strbuf line;
    pthread_t thread;
};

static void take_in(struct passing *p, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n' && bytes[i] != '\0') {
            strbuf_add_char(&p->line, bytes[i]);
            continue;
        }
        harness_output_line(p->output, p->line.text ? p->line.text : "");
        strbuf_free(&p->line);
    }
}

/* Passes on until all writers are gone, or nothing is left when `stop` is closed. */
static void *pass_on(void *data)
{
    struct passing *p = data;
    struct pollfd fds[2] = {{.fd = p->from, .events = POLLIN},
                            {.fd = p->stop[0], .events = POLLIN}};
    char bytes[4096];

    for (;;) {
        ssize_t n;

        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (!fds[0].revents)
            break;
        n = read(p->from, bytes, sizeof bytes);
        if (n <= 0)
            break;
        (void)file_write(p->to, bytes, (size_t)n);
        take_in(p, bytes, (size_t)n);
    }
    return NULL;
}

static void close_all(struct passing *p)
{
    const int fds[] = {p->from, p->to, p->stop[0], p->stop[1], p->before};

    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    strbuf_free(&p->line);
    free(p);
}

struct passing *passing_begin(struct harness_output *output, bool to_errors)
{
    struct passing *p = xcalloc(1, sizeof *p);
    int ends[2];

    *p = (struct passing){.output = output, .from = -1, .stop = {-1, -1}};
    p->to = fcntl(to_errors ? STDERR_FILENO : STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    p->before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (p->to < 0 || p->before < 0 || pipe2(p->stop, O_CLOEXEC) < 0 || pipe2(ends, O_CLOEXEC) < 0) {
        close_all(p);
        return NULL;
    }
    p->from = ends[0];
    if (thread_begin(&p->thread, pass_on, p)) {
        close(ends[1]);
        close_all(p);
        return NULL;
    }
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    return p;
}

void passing_end(struct passing *p)
{
    if (!p)
        return;
    dup2(p->before, STDOUT_FILENO);
    close(p->stop[1]);
    p->stop[1] = -1;
    pthread_join(p->thread, NULL);
    close_all(p);
}

/*--- Names drawn as a tree ---*/

/* The name in a line, and the columns before it. */
static const char *name_in(const char *line, size_t *depth)
{
    size_t size;
    uint32_t c;

    for (*depth = 0; *line; line += size, ++*depth) {
        c = text_decode(line, &size);
        /* U+2500 to U+257F are drawn lines. */
        if (c != ' ' && (c < 0x2500 || c > 0x257f))
            break;
    }
    return line;
}

/* The bytes of a name: blanks and columns of numbers may follow, which two blanks part from it. */
static size_t name_size(const char *name)
{
    const char *end = strstr(name, "  ");
    size_t size = end ? (size_t)(end - name) : strlen(name);

    while (size && name[size - 1] == ' ')
        size--;
    return size;
}

void name_tree_line(void *data, char *line)
{
    struct name_tree *tree = data;
    size_t depth, i = tree->n;
    const char *name = name_in(line, &depth);
    size_t size = name_size(name);
    char *path;

    if (!size || *line == ' ' || strstr(name, "(ignored)") || (!depth && memchr(name, ' ', size)))
        return;
    while (i > 0 && tree->items[i - 1].depth >= depth)
        i--;
    if (depth && !i)
        return;
    path = depth ? xasprintf("%s::%.*s", tree->items[i - 1].path, (int)size, name)
                 : xstrndup(name, size);
    APPEND(tree->items, tree->n, tree->room) = (struct name_node){path, depth};
}

static bool is_leaf(const struct name_tree *tree, size_t i)
{
    return i + 1 == tree->n || tree->items[i + 1].depth <= tree->items[i].depth;
}

static bool is_below(const char *path, const char *parent)
{
    size_t size = strlen(parent);

    return !strncmp(path, parent, size) && !strncmp(path + size, "::", 2);
}

/* divan's branches for numbers of threads, "t=4", are no names that it can be asked for. */
static bool is_threads(const char *name)
{
    return !strncmp(name, "t=", 2) && !name[2 + strspn(name + 2, "0123456789")];
}

/* Adds the leaves of the run that stand under one of the list. Returns false where there is none.
 */
static bool add_below(const struct name_tree *run, const char *leaf, struct string_list *names)
{
    size_t before = names->n;

    for (size_t i = 0; run && i < run->n; i++) {
        const char *path = run->items[i].path, *below = path + strlen(leaf) + 2;

        if (is_below(path, leaf) && !strstr(below, "::") && !is_threads(below))
            string_list_add(names, xstrdup(path));
    }
    return names->n > before;
}

void name_tree_names(const struct name_tree *listed, const struct name_tree *run,
                     struct string_list *names)
{
    for (size_t i = 0; i < listed->n; i++) {
        const char *path = listed->items[i].path;

        if (!is_leaf(listed, i))
            continue;
        if (!add_below(run, path, names))
            string_list_add(names, xstrdup(path));
    }
}

void name_tree_free(struct name_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        free(tree->items[i].path);
    free(tree->items);
    *tree = (struct name_tree){0};
}
