#include <config.h>

#include "bench/document.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "render/json/json_value.h"
#include "run/saved_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*--- Writing ---*/

json_t *document_begin(const char *command_line, bool tests)
{
    return json_pack("{s:s, s:s, s:o, s:[], s:{}, s:{}, s:{}, s:{}, s:[], s:[], s:[]}", "schema",
                     DOCUMENT_SCHEMA, "kind", tests ? "test" : "bench", "command",
                     json_text(command_line), "events", "totals", "measured", "harness", "threads",
                     "environments", "rows", "failed");
}

void document_add_counts(json_t *to, json_t *more, int sign)
{
    const char *name;
    json_t *count;

    json_object_foreach(more, name, count)
    {
        json_t *sum = json_object_get(to, name);
        int64_t value = json_integer_value(sum), change = sign * json_integer_value(count);

        counts_add(&value, &change, 1);
        json_object_set_new(to, name, json_integer(value));
    }
}

static void add_failure(json_t *document, const struct bench_run *run, json_t *status)
{
    json_array_append_new(json_object_get(document, "failed"),
                          json_pack("{s:o, s:o, s:o, s:o}", "package",
                                    json_text(bench_package(run)), "target",
                                    json_text(run->executable->program.name), "name",
                                    json_text(run->name), "status", status));
}

/* Finds what equals `environment` in the list, or adds it. Returns its index. */
static size_t add_environment(json_t *list, json_t *environment)
{
    size_t i = 0;

    while (i < json_array_size(list) && !json_equal(json_array_get(list, i), environment))
        i++;
    if (i == json_array_size(list))
        json_array_append(list, environment);
    return i;
}

/* Doc tests have no target of their own. */
static json_t *target_text(const struct bench_run *run)
{
    char *name = xasprintf("%s%s", run->executable->program.name, run->doc ? " (doc)" : "");
    json_t *text = json_text(name);

    free(name);
    return text;
}

/* A test has failed where its harness says so; else it is the run that has. */
static bool has_failed(const struct bench_run *run, const json_t *result, const json_t *row)
{
    const json_t *names = json_object_get(result, "failed");

    if (run->harness || json_is_true(json_object_get(row, "whole")))
        return json_integer_value(json_object_get(result, "status")) != 0;
    for (size_t i = 0; i < json_array_size(names); i++)
        if (json_equal(json_array_get(names, i), json_object_get(row, "name")))
            return true;
    return false;
}

void document_add(json_t *document, const struct bench_run *run, json_t *result)
{
    json_t *rows = json_object_get(document, "rows"), *row;
    json_t *status = json_object_get(result, "status");
    json_t *environment = json_object_get(result, "environment");
    size_t i, known = 0;

    if (!result || json_integer_value(status))
        add_failure(document, run, result ? json_incref(status) : json_null());
    if (!result)
        return;
    if (!json_array_size(json_object_get(document, "events")))
        json_object_set(document, "events", json_object_get(result, "events"));
    document_add_counts(json_object_get(document, "totals"), json_object_get(result, "totals"), 1);
    document_add_counts(json_object_get(document, "harness"), json_object_get(result, "totals"), 1);
    document_add_counts(json_object_get(document, "threads"), json_object_get(result, "threads"),
                        1);
    if (environment)
        known = add_environment(json_object_get(document, "environments"), environment);
    json_array_foreach(json_object_get(result, "rows"), i, row)
    {
        json_t *counts = json_object_get(row, "counts");

        json_object_set_new(row, "package", json_text(bench_package(run)));
        json_object_set_new(row, "target", target_text(run));
        json_object_set_new(row, "target_kind",
                            json_text(run->doc ? "doc" : run->executable->kind));
        json_object_set_new(row, "harness", json_text(run->harness ? run->harness->name : "tests"));
        if (!json_object_get(row, "run"))
            json_object_set(row, "run", json_object_get(result, "run"));
        if (environment)
            json_object_set_new(row, "environment", json_integer((json_int_t)known));
        json_object_set_new(row, "failed", json_boolean(has_failed(run, result, row)));
        json_array_append(rows, row);
        document_add_counts(json_object_get(document, "measured"), counts, 1);
        document_add_counts(json_object_get(document, "harness"), counts, -1);
    }
}

/*--- Reading ---*/

static bool read_counts(const struct bench_rows *rows, const json_t *from, int64_t *to)
{
    for (uint32_t i = 0; i < rows->events.n; i++) {
        const json_t *count = json_object_get(from, rows->events.items[i].name);

        if (!json_is_integer(count) || json_integer_value(count) < 0)
            return false;
        to[i] = json_integer_value(count);
    }
    return true;
}

int64_t bench_each(int64_t count, int64_t iterations)
{
    return count / iterations + (count % iterations > (iterations - 1) / 2);
}

/* Reads the counts in each order of threads, as many for each event. */
static bool read_orders(const struct bench_rows *rows, const json_t *from, struct bench_row *row)
{
    size_t n_events = rows->events.n;

    row->n_orders = json_array_size(json_object_get(from, rows->events.items[0].name));
    row->orders = xcalloc(row->n_orders + 1, n_events * sizeof *row->orders);
    for (size_t e = 0; e < n_events; e++) {
        const json_t *list = json_object_get(from, rows->events.items[e].name);

        if (json_array_size(list) != row->n_orders)
            return false;
        for (size_t i = 0; i < row->n_orders; i++)
            row->orders[i * n_events + e] = json_integer_value(json_array_get(list, i));
    }
    return row->n_orders > 0;
}

static bool read_row(const struct bench_rows *rows, const json_t *from, struct bench_row *row)
{
    *row = (struct bench_row){
        .package = json_text_in(from, "package"),
        .target = json_text_in(from, "target"),
        .name = json_text_in(from, "name"),
        .harness = json_text_in(from, "harness"),
        .function = json_text_in(from, "function"),
        .run = json_text_in(from, "run"),
        .iterations = json_integer_value(json_object_get(from, "iterations")),
        .whole = json_is_true(json_object_get(from, "whole")),
        .failed = json_is_true(json_object_get(from, "failed")),
        .counts = xcalloc(rows->events.n + 1, sizeof *row->counts),
    };
    if (!row->package || !row->target || !row->name || !row->harness || row->iterations < 1 ||
        !read_counts(rows, json_object_get(from, "counts"), row->counts))
        return false;
    for (uint32_t i = 0; i < rows->events.n; i++)
        row->counts[i] = bench_each(row->counts[i], row->iterations);
    return !json_object_get(from, "orders") || !rows->events.n ||
           read_orders(rows, json_object_get(from, "orders"), row);
}

/* Baselines of other versions have no environments. */
static void read_environments(struct bench_rows *rows, const json_t *list)
{
    size_t n = json_array_size(list);

    rows->environments = xcalloc(n + 1, sizeof *rows->environments);
    for (size_t i = 0; i < n; i++)
        for (size_t fact = 0; fact < ENVIRONMENT_FACTS; fact++)
            rows->environments[i].values[fact] =
                json_text_in(json_array_get(list, i), environment_word(fact));
}

/* The environment that a row of the document names; NULL: not known. */
static const struct environment *environment_of(const struct bench_rows *rows, const json_t *row,
                                                size_t n)
{
    const json_t *index = json_object_get(row, "environment");

    return json_is_integer(index) && json_integer_value(index) >= 0 &&
                   (size_t)json_integer_value(index) < n
               ? &rows->environments[json_integer_value(index)]
               : NULL;
}

static bool read_events(struct bench_rows *rows, const json_t *list)
{
    size_t n = json_array_size(list);
    struct cprof_event *events = xcalloc(n + 1, sizeof *events);

    rows->events.items = events;
    rows->events.n = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        events[i].name = json_string_value(json_array_get(list, i));
        if (!events[i].name)
            return false;
    }
    columns_load(&rows->columns, rows->events);
    return true;
}

static bool read_all(struct bench_rows *rows, const json_t *document)
{
    const json_t *list = json_object_get(document, "rows");
    const json_t *environments = json_object_get(document, "environments");
    const char *schema = json_text_in(document, "schema");

    if (!schema || strcmp(schema, DOCUMENT_SCHEMA) != 0 || !json_is_array(list) ||
        !read_events(rows, json_object_get(document, "events")))
        return false;
    rows->items = xcalloc(json_array_size(list) + 1, sizeof *rows->items);
    rows->totals = xcalloc(rows->events.n + 1, sizeof *rows->totals);
    rows->threads = xcalloc(rows->events.n + 1, sizeof *rows->threads);
    rows->measured = xcalloc(rows->events.n + 1, sizeof *rows->measured);
    read_environments(rows, environments);
    for (size_t i = 0; i < json_array_size(list); i++) {
        rows->n++;
        if (!read_row(rows, json_array_get(list, i), &rows->items[i]))
            return false;
        rows->items[i].environment =
            environment_of(rows, json_array_get(list, i), json_array_size(environments));
    }
    /* Counts are empty where nothing ran. */
    (void)read_counts(rows, json_object_get(document, "totals"), rows->totals);
    (void)read_counts(rows, json_object_get(document, "measured"), rows->measured);
    (void)read_counts(rows, json_object_get(document, "threads"), rows->threads);
    return true;
}

bool bench_rows_read(struct bench_rows *rows, const json_t *document)
{
    *rows = (struct bench_rows){.n = 0};
    if (read_all(rows, document))
        return true;
    bench_rows_free(rows);
    return false;
}

/*--- Comparing ---*/

static int compare_names(const struct bench_row *a, const struct bench_row *b)
{
    int order = strcmp(a->package, b->package);

    if (!order)
        order = strcmp(a->target, b->target);
    return order ? order : strcmp(a->name, b->name);
}

static int compare_rows(const void *a, const void *b)
{
    return compare_names(*(const struct bench_row *const *)a, *(const struct bench_row *const *)b);
}

size_t bench_rows_compare(struct bench_rows *rows, const struct bench_rows *old)
{
    const struct bench_row **sorted = xcalloc(old->n + 1, sizeof *sorted);
    size_t found = 0;

    for (size_t i = 0; i < old->n; i++)
        sorted[i] = &old->items[i];
    sort_items(sorted, old->n, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < rows->n; i++) {
        const struct bench_row *row = &rows->items[i];
        const struct bench_row **at = bsearch(&row, sorted, old->n, sizeof *sorted, compare_rows);

        rows->items[i].old = at ? *at : NULL;
        found += at != NULL;
    }
    rows->old_columns = &old->columns;
    rows->n_old_events = old->events.n;
    free(sorted);
    return old->n > found ? old->n - found : 0;
}

bool bench_change(const struct bench_rows *rows, const struct bench_row *row, const char *name,
                  int64_t *before, int64_t *after)
{
    const struct column *column = columns_find(&rows->columns, name);
    const struct column *olds = rows->old_columns ? columns_find(rows->old_columns, name) : NULL;

    if (!column || !olds || !row->old)
        return false;
    *before = column_value(olds, row->old->counts);
    *after = column_value(column, row->counts);
    return true;
}

bool bench_band(const struct bench_rows *rows, const struct bench_row *row, const char *name,
                struct gate_count *band)
{
    const struct column *column = columns_find(&rows->columns, name);
    struct gate_orders orders = {column ? row->n_orders : 0, NULL};
    int64_t *values = xcalloc(orders.n + 1, sizeof *values);

    for (size_t i = 0; i < orders.n; i++)
        values[i] = column_value(column, row->orders + i * rows->events.n);
    orders.items = values;
    *band = gate_count_of(&orders);
    free(values);
    return band->least != band->most;
}

void bench_environments(const struct bench_rows *rows, struct environment_diff *diff)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct bench_row *row = &rows->items[i];

        if (row->environment && row->old && row->old->environment)
            environment_diff_add(diff, row->old->environment, row->environment);
    }
}

void bench_rows_free(struct bench_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        free(rows->items[i].counts);
        free(rows->items[i].orders);
    }
    free(rows->items);
    free(rows->totals);
    free(rows->measured);
    free(rows->threads);
    free(rows->environments);
    columns_free(&rows->columns);
    free((void *)(uintptr_t)rows->events.items);
    *rows = (struct bench_rows){.n = 0};
}

/*--- Baselines ---*/

static const char *ending_of(bool tests)
{
    return tests ? BASELINE_TESTS : BASELINE_BENCHES;
}

json_t *bench_baseline_load(const char *target, const char *name, bool tests)
{
    char *file = xasprintf("baselines/%s%s", name, ending_of(tests)),
         *path = saved_find(target, file);
    json_error_t error;
    json_t *document = path ? json_load_file(path, 0, &error) : NULL;
    struct bench_rows rows;

    if (!path) {
        message_error("no baseline '%s' of %s; 'cargo cprof %s --save-baseline %s' makes one", name,
                      tests ? "tests" : "benches", tests ? "test" : "bench", name);
    } else if (!document) {
        message_error("cannot read the baseline '%s': %s; save it again", path, error.text);
    } else if (!bench_rows_read(&rows, document)) {
        message_error("cannot read the baseline '%s': it is no " DOCUMENT_SCHEMA "; save it again",
                      path);
        json_decref(document);
        document = NULL;
    } else {
        bench_rows_free(&rows);
    }
    free(file);
    free(path);
    return document;
}

long bench_baseline_rows(const char *target, const char *name, bool tests)
{
    char *file = xasprintf("baselines/%s%s", name, ending_of(tests)),
         *path = saved_find(target, file);
    json_t *document = path ? json_load_file(path, 0, NULL) : NULL;
    const json_t *rows = json_object_get(document, "rows");
    long n = json_is_array(rows) ? (long)json_array_size(rows) : -1;

    json_decref(document);
    free(file);
    free(path);
    return n;
}

int bench_baseline_save(const json_t *document, const char *target, const char *name, bool tests)
{
    char *folder = saved_folder_make(target, "baselines");
    char *path = folder ? xasprintf("%s/%s%s", folder, name, ending_of(tests)) : xstrdup(name);
    int failed = folder ? json_file_write(document, path) : -1;

    if (failed)
        message_error("cannot keep the baseline '%s': %s; %s", path, strerror(errno),
                      file_advice(errno));
    else
        message_status("Saved", "the baseline '%s'", name);
    free(folder);
    free(path);
    return failed ? STATUS_ERROR : 0;
}
