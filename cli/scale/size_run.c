#include <config.h>

#include "scale/size_run.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/words.h"
#include "bench/bench_run.h"
#include "derive/sections.h"
#include "profiles/load.h"
#include "render/json/json_value.h"
#include "run/tempdir.h"
#include "run/valgrind.h"
#include "runs/run_notes.h"
#include "runs/run_show.h"
#include "scale/inclusive.h"
#include "scale/sizes.h"
#include "table/own.h"
#include "table/rows.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*--- Standard input ---*/

/* Takes the file over as standard input, from its beginning. */
static int take_input(FILE *file)
{
    int status = 0;

    if (fflush(file) == EOF || lseek(fileno(file), 0, SEEK_SET) < 0 ||
        dup2(fileno(file), STDIN_FILENO) < 0)
        status = message_error("cannot make the standard input of a run: %s; " TEMPDIR_ADVICE,
                               strerror(errno));
    fclose(file);
    return status;
}

static FILE *new_input(void)
{
    FILE *file = tmpfile();

    if (!file)
        message_error("cannot make the standard input of a run: %s; " TEMPDIR_ADVICE,
                      strerror(errno));
    return file;
}

static int cannot_read(const char *path)
{
    return message_error("cannot read '%s' of --stdin: %s; name a file, with {n} in its name or in "
                         "its text",
                         path, strerror(errno));
}

/* A file for each size, or one whose text has {n}. */
static int input_of_file(const char *path, int64_t size)
{
    char *name = template_fill(path, size), *text, *filled;
    FILE *from = fopen(name, "re"), *file = from ? new_input() : NULL;
    int status = file ? 0 : from ? STATUS_ERROR : cannot_read(name);

    if (!status && template_has_size(path)) {
        if (dup2(fileno(from), STDIN_FILENO) < 0)
            status = cannot_read(name);
        fclose(file);
    } else if (!status) {
        text = file_rest(from);
        filled = template_fill(text, size);
        fputs(filled, file);
        status = take_input(file);
        free(filled);
        free(text);
    }
    if (from)
        fclose(from);
    free(name);
    return status;
}

/* The output of a command of the shell. */
static int input_of_command(const char *command, int64_t size)
{
    char *filled = template_fill(command, size);
    const char *const words[] = {"/bin/sh", "-c", filled, NULL};
    struct process_spec spec = {.argv = words, .no_input = true};
    FILE *file = new_input();
    int status = file ? 0 : STATUS_ERROR, error;
    pid_t pid;

    if (!status) {
        spec.output = fileno(file);
        error = process_start(&spec, &pid);
        if (error)
            status = process_refused(words[0], error);
        else if (process_wait(pid))
            status = message_error("the command of --stdin-from failed: '%s'; it has to end with "
                                   "status 0, having printed the program's input",
                                   filled);
    }
    if (!status)
        status = take_input(file);
    else if (file)
        fclose(file);
    free(filled);
    return status;
}

static int make_input(const struct size_run *run, int64_t size)
{
    if (run->input_file)
        return input_of_file(run->input_file, size);
    if (run->input_command)
        return input_of_command(run->input_command, size);
    return input_rewind_apart(run->input);
}

/*--- Functions ---*/

/* All that tells functions of one name apart, but numbers of look-alikes, which runs count each for
 * itself. */
static char *key_of(const struct row *row)
{
    return xasprintf("%s\n%s\n%s:%u\n%s", row->name, row->mangled ? row->mangled : "",
                     row->file ? row->file : "", row->line, row->object ? row->object : "");
}

/* Names of libc's functions that copy many bytes by one instruction for each, and few by one for
 * many. */
static bool is_copy(const char *name)
{
    return text_ends_in(name, "_erms");
}

static json_t *row_json(const struct row *row, const char *key, json_t *counts)
{
    return json_members(json_object(), "name", json_text(row->name), "key", json_text(key), "file",
                        json_text(row->file), "line", json_number(row->line), "object",
                        json_text(row->object), "counts", counts, "jumps",
                        is_copy(row->name) ? json_true() : NULL, NULL);
}

static json_t *row_of(const struct rows *rows, const struct row *row)
{
    size_t calls = 2 * (size_t)rows->profile->n_events;
    char *key = key_of(row);
    json_t *counts = json_count_list(row->counts, rows->width), *object;

    if (rows->width > calls)
        json_array_set_new(counts, calls, json_count(row_calls(row, row->counts[calls])));
    object = row_json(row, key, counts);
    free(key);
    return object;
}

/*--- Own code ---*/

/* The row of a function, with charges in place of its own costs. */
static json_t *own_row(const struct rows *rows, const struct row *function,
                       const struct own_function *own)
{
    char *key = key_of(function);
    json_t *row = row_of(rows, function), *counts = json_incref(json_object_get(row, "counts"));
    json_t *object;

    for (size_t i = 0; i < rows->profile->n_events; i++)
        json_array_set_new(counts, i, json_count(own->charged[i]));
    object = row_json(&own->row, key, counts);
    for (size_t i = 0; i < own->n_charges; i++)
        if (own->charges[i].purpose == PURPOSE_COPYING ||
            own->charges[i].purpose == PURPOSE_FILLING ||
            is_copy(blame_charge_name(rows->profile, &own->charges[i])))
            json_object_set_new(object, "jumps", json_true());
    json_decref(row);
    free(key);
    return object;
}

/* Code without own code above it. */
static void add_outside(const struct rows *rows, const struct own *own, json_t *list)
{
    int64_t *counts = xcalloc(rows->width + 1, sizeof *counts);

    for (int i = 0; i < BLAME_OUTSIDES; i++) {
        struct row row = {.name = blame_outside_name(own->paths, (enum blame_outside)i),
                          .counts = counts};

        if (!counts_any(own->outside[i], rows->profile->n_events))
            continue;
        memcpy(counts, own->outside[i], rows->profile->n_events * sizeof *counts);
        json_array_append_new(list, row_of(rows, &row));
    }
    free(counts);
}

/* None where no code is known to be own. */
static json_t *own_rows(const struct size_run *run, const struct rows *rows)
{
    const struct cprof_profile *p = rows->profile;
    uint32_t *row_of_function = rows_of_functions(rows);
    json_t *list = json_array();
    struct columns columns;
    struct crates crates;
    struct own own;

    columns_load(&columns, events_of(p));
    crates_load(&crates, p, &run->program->packages, NULL);
    own_load(&own, profile_paths(p), &crates, crates.own, &columns.items[0], false);
    for (size_t i = 0; i < own.n; i++) {
        uint32_t row = row_of_function[own.items[i].row.function];

        if (row != CPROF_NONE)
            json_array_append_new(list, own_row(rows, &rows->items[row], &own.items[i]));
    }
    if (own.n)
        add_outside(rows, &own, list);
    own_free(&own);
    crates_free(&crates);
    columns_free(&columns);
    free(row_of_function);
    return list;
}

/* Adds what inclusive counts are made of. */
static void add_parts(const struct size_run *run, const struct rows *rows, json_t *list)
{
    const struct column *column;
    struct columns columns;

    columns_load(&columns, rows_events(rows));
    column = run->inclusive ? columns_find(&columns, run->inclusive) : NULL;
    if (column && column_is_inclusive(column)) {
        json_t *parts = inclusive_parts(rows, &columns, column);

        for (size_t i = 0; i < rows->n; i++)
            json_object_set(json_array_get(list, i), "parts", json_array_get(parts, i));
        json_decref(parts);
    }
    columns_free(&columns);
}

static json_t *result_of(const struct size_run *run, const struct cprof_profile *p,
                         const struct run_outcome *outcome)
{
    json_t *events = json_array(), *list = json_array(), *result;
    struct rows rows;

    rows_load(&rows, p);
    for (uint32_t i = 0; i < p->n_events; i++)
        json_array_append_new(events, json_text(p->events[i].name));
    for (size_t i = 0; i < rows.n; i++)
        json_array_append_new(list, row_of(&rows, &rows.items[i]));
    add_parts(run, &rows, list);
    result = json_pack("{s:i, s:o, s:b, s:o, s:o, s:o}", "status", run_status(outcome), "events",
                       events, "inclusive", rows_events(&rows).inclusive, "totals",
                       json_count_list(rows.totals, rows.width), "functions", list, "own",
                       own_rows(run, &rows));
    rows_free(&rows);
    return result;
}

/*--- The bench ---*/

/* Leaves what the bench measures alone in the profile. True: all of it stays, as the harness's loop
 * was not found. */
static bool cut_harness(const struct size_run *run, struct cprof_profile **profile)
{
    struct cprof_profile *part;
    struct cprof_error error;
    struct crates crates;
    bool *chosen;

    crates_load(&crates, *profile, &run->program->packages, NULL);
    chosen = bench_contexts(*profile, &crates, run->harness, run->program->root);
    crates_free(&crates);
    if (!chosen)
        return true;
    part = part_profile(*profile, chosen, &error);
    if (!part)
        message_library_error(&error);
    cprof_free(*profile);
    *profile = part;
    free(chosen);
    return false;
}

/*--- The run ---*/

/* The measure with {n} filled in, in the variables that it sets. Criterion would else ask cargo for
 * the folder. */
static struct measure measure_at(const struct size_run *run, int64_t size)
{
    const struct measure *measure = run->measure;
    struct measure filled = *measure;

    filled.environment = (struct string_list){0};
    if (run->harness && run->program->target)
        string_list_add(&filled.environment,
                        xasprintf("CRITERION_HOME=%s/criterion", run->program->target));
    for (size_t i = 0; i < measure->environment.n; i++)
        string_list_add(&filled.environment, template_fill(measure->environment.items[i], size));
    return filled;
}

/* The program's words, in memory of their own. */
static void add_words(const struct size_run *run, int64_t size, struct string_list *words)
{
    char *const *arguments = run->arguments;

    if (run->harness) {
        char *name = template_fill(*arguments++, size);

        harness_words(run->harness, name, words);
        free(name);
    }
    for (; arguments && *arguments; arguments++)
        string_list_add(words, template_fill(*arguments, size));
}

static json_t *run_in(const struct size_run *run, int64_t size, const struct tempdir *dir)
{
    struct measure measure = measure_at(run, size);
    const struct show_settings show = {.names = *run->names};
    struct run_outcome outcome = {0};
    struct string_list words = {0};
    struct cprof_profile *profile = NULL;
    json_t *result = NULL;
    bool whole = false;
    int status;

    add_words(run, size, &words);
    status = valgrind_run(run->program, (char **)words.items, &measure, dir, &outcome);
    if (!status && outcome.ended_by)
        result = json_pack("{s:i, s:b}", "status", run_status(&outcome), "ended", true);
    else if (!status)
        status = run_background_read(&outcome, &show, &profile);
    if (profile && run->harness && run->harness->file && !run->names->section)
        whole = cut_harness(run, &profile);
    if (profile)
        result = result_of(run, profile, &outcome);
    if (result && whole)
        json_object_set_new(result, "whole", json_true());
    cprof_free(profile);
    run_outcome_free(&outcome);
    string_list_free_texts(&words);
    string_list_free_texts(&measure.environment);
    return result;
}

/* Seconds of processors that this process and those that it waited for have taken. */
static double seconds_taken(void)
{
    struct rusage own, children;

    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
                    children.ru_stime.tv_sec) +
           1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
                           children.ru_stime.tv_usec);
}

/* A signal that is passed on to the program: its profile is dropped, as by Ctrl-C. */
static void end_run(int sig)
{
    (void)sig;
    kill(getpid(), SIGTERM);
}

/* Real time is longer where others run, too; it ends a program that waits. */
enum { REAL_TIMES = 10 };

static void limit_time(unsigned seconds)
{
    const struct rlimit limit = {seconds, seconds + 1}, no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &limit);
    signal(SIGALRM, end_run);
    alarm(REAL_TIMES * seconds);
}

json_t *size_run(const struct size_run *run, int64_t size)
{
    struct tempdir dir = {NULL, -1};
    json_t *result = NULL;

    if (run->seconds)
        limit_time(run->seconds);
    if (!make_input(run, size) && !tempdir_make(&dir))
        result = run_in(run, size, &dir);
    tempdir_remove(&dir);
    if (result)
        json_object_set_new(result, "seconds", json_real(seconds_taken()));
    return result;
}
