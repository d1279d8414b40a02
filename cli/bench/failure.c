#include <config.h>

#include "bench/failure.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/words.h"
#include "names/crates.h"
#include "symbols/symbol_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Ends ---*/

/* Part of the name of the function that writes the result of libtest, and the same as both
 * manglings have it. */
#define FINISH "write_run_finish"
static const char *const finish_symbol = "16" FINISH;

/* True where code of the run could have called it under its name: the program's, or libtest's as a
 * library. */
static bool has_finish(const struct cprof_profile *p)
{
    if (p->program && symbol_search(p->program, &finish_symbol, 1) == 0)
        return true;
    for (uint32_t i = 0; i < p->n_objects; i++)
        if (strstr(p->objects[i].path, "/libtest-") &&
            symbol_search(p->objects[i].path, &finish_symbol, 1) == 0)
            return true;
    return false;
}

static enum ending ending_of_libtest(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++)
        if (strstr(p->functions[p->contexts[i].function].name, FINISH))
            return ENDING_OWN;
    return has_finish(p) ? ENDING_EARLY : ENDING_UNKNOWN;
}

/* Not _exit(), which a child calls whose program cannot be executed, as where criterion looks for
 * gnuplot; its paths are among these. */
static bool is_exit(const char *function)
{
    return text_is_word_of("exit quick_exit std::process::exit", function, strlen(function));
}

/* True where exit() was called below the harness, or on a thread that is not the first. */
static bool exits_below(const struct cprof_profile *p, const struct crates *crates,
                        const char *crate)
{
    bool *below = xcalloc(p->n_contexts + 1, sizeof *below), found = false;

    for (uint32_t i = 0; i < p->n_contexts && !found; i++) {
        const struct cprof_context *x = &p->contexts[i];
        const char *name = p->functions[x->function].name;

        if (x->parent == CPROF_NONE)
            below[i] = root_is_thread(&p->functions[x->function]) &&
                       !root_is_first_thread(&p->functions[x->function]);
        else
            below[i] = below[x->parent] || !strcmp(crates_of(crates, x->function)->name, crate);
        found = below[i] && is_exit(name);
    }
    free(below);
    return found;
}

enum ending ending_of(const struct cprof_profile *profile, const struct crates *crates,
                      const struct harness *harness)
{
    const char *crate = harness ? harness->crate : "test";

    if (!crate)
        return ENDING_UNKNOWN;
    if (!strcmp(crate, "test"))
        return ending_of_libtest(profile);
    return profile->exit == CPROF_EXIT_EXEC || exits_below(profile, crates, crate) ? ENDING_EARLY
                                                                                   : ENDING_OWN;
}

/*--- Failures ---*/

enum {
    LINES_MOST = 30, /* that are shown of what a bench printed */
    LINES_BEFORE = 5 /* of these, those before its panic, where that is not in the last ones */
};

/*--- Output ---*/

static void split(struct string_list *lines, const char *text)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        string_list_add(lines, xstrndup(text, strcspn(text, "\n")));
}

/* The line that says where it panicked; the number of lines where there is none. */
static size_t find_panic(const struct string_list *lines)
{
    size_t i = 0;

    while (i < lines->n && !strstr(lines->items[i], " panicked at "))
        i++;
    return i;
}

static void put_line(const char *line)
{
    char *clean = text_clean(line);

    fprintf(stderr, "  | %s\n", clean);
    free(clean);
}

/* The last lines, or those from the panic on where these do not have it: a backtrace is long, and
 * what is nearest to the panic says most. */
static void show_output(struct string_list *shown, const char *output)
{
    struct string_list lines = {0};
    size_t panic, from, to;

    split(&lines, output);
    panic = find_panic(&lines);
    from = lines.n > LINES_MOST ? lines.n - LINES_MOST : 0;
    if (panic < from)
        from = panic > LINES_BEFORE ? panic - LINES_BEFORE : 0;
    to = lines.n - from > LINES_MOST ? from + LINES_MOST : lines.n;
    for (size_t i = from; i < to; i++) {
        if (i < panic && panic < lines.n && *lines.items[i] &&
            string_list_has(shown, lines.items[i]))
            continue;
        put_line(lines.items[i]);
        if (i < panic && panic < lines.n)
            string_list_add(shown, xstrdup(lines.items[i]));
    }
    if (to < lines.n)
        fprintf(stderr, "  (%s more lines)\n", TEXT_COUNT(lines.n - to));
    string_list_free_texts(&lines);
}

/*--- Messages ---*/

/* The harness of tests ended before it had a result. */
static void say_early_tests(const struct bench_run *run, const json_t *result)
{
    size_t n = json_array_size(json_object_get(result, "rows"));
    json_int_t announced = json_integer_value(json_object_get(result, "announced"));
    char *rows = announced ? xasprintf("%s of %s tests have", TEXT_COUNT(n), TEXT_COUNT(announced))
                           : xasprintf("%s test%s", TEXT_COUNT(n), n == 1 ? " has" : "s have");

    message_error("the tests of '%s' ended before their harness had a result: %s a row; one of "
                  "them ended the process",
                  run->executable->program.name, rows);
    free(rows);
}

static void say_bench(const struct bench_run *run, const json_t *result, bool printed)
{
    const char *target = run->executable->program.name, *end = printed ? "; it printed:" : "";

    if (json_is_true(json_object_get(result, "early")))
        message_error("the bench '%s' of '%s' ended the process before its harness came to an "
                      "end%s",
                      run->name, target, end);
    else if (result)
        message_error("the bench '%s' of '%s' failed with status %d%s", run->name, target,
                      (int)json_integer_value(json_object_get(result, "status")), end);
    else
        message_error("there is no profile of the bench '%s' of '%s'%s", run->name, target, end);
}

void failure_say(struct string_list *shown, const struct bench_run *run, const json_t *result,
                 const char *output)
{
    if (run->name)
        say_bench(run, result, output && *output);
    else if (json_is_true(json_object_get(result, "early")))
        say_early_tests(run, result);
    else if (!result)
        message_error(
            "there is no profile of the tests of '%s'; 'cargo test' says how they end without one",
            run->executable->program.name);
    if (output)
        show_output(shown, output);
}

void failure_say_order(const struct bench_run *run, const json_t *result, long seed,
                       const char *output)
{
    int status = (int)json_integer_value(json_object_get(result, "status"));
    char *what = result ? xasprintf("failed with status %d", status) : xstrdup("left no profile");
    struct string_list shown = {0};

    message_error("the %s '%s' %s in another order of threads, by --schedule-seed %ld%s",
                  run->name ? "bench" : "tests of",
                  run->name ? run->name : run->executable->program.name, what, seed,
                  *output ? "; that run printed:" : "");
    show_output(&shown, output);
    string_list_free_texts(&shown);
    free(what);
}

int failure_say_unnamed(const struct bench_run *run, const char *library)
{
    return message_error("the tests of '%s' cannot be told apart: %s has no symbols; rustup's "
                         "toolchains have them",
                         run->executable->program.name, library);
}

void failure_note_left(const struct bench_run *run, const json_t *result)
{
    json_int_t n = json_integer_value(json_object_get(result, "left"));

    if (!n)
        return;
    message_note("%s process%s of %s%s%s '%s' went on as %s, which is not counted; "
                 "--trace-children counts it",
                 TEXT_COUNT(n), n == 1 ? "" : "es", run->name ? "the bench '" : "the tests",
                 run->name ? run->name : "", run->name ? "' of" : " of",
                 run->executable->program.name, n == 1 ? "another program" : "other programs");
}
