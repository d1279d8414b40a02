#include <config.h>

#include "bench/gates.h"

#include "base/counts.h"
#include "base/json_file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "render/text/diff.h"
#include "run/baseline.h"
#include "run/saved_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 20 }; /* rows that are named */

int bench_gates_check(const struct gates *gates, bool tests)
{
    enum gate_scope own = tests ? GATE_TEST : GATE_BENCH;

    for (size_t i = 0; i < gates->n; i++) {
        const struct gate *gate = &gates->items[i];

        if (gate->scope != own && gate->scope != GATE_TOTAL)
            return message_usage(
                "'%s' for --fail-if is not about %s; write '%s(PATTERN): ir>+1%%', "
                "or a condition alone for all of them together",
                gate->text, tests ? "tests" : "benches", tests ? "test" : "bench");
        if (!strcasecmp(gate->column, "CEst"))
            return message_usage("'%s' for --fail-if is about an estimate; take the counts that it "
                                 "is made of",
                                 gate->text);
    }
    return 0;
}

struct holding {
    const struct gate *gate;
    const struct bench_rows *rows;
    size_t n_matched, n_held, n_new;
};

static void say(struct holding *h, const char *name, int64_t before, int64_t after)
{
    char change[TEXT_NUMBER], percent[TEXT_NUMBER];

    if (++h->n_held > SHOWN_MAX)
        return;
    diff_change_text(change, after - before);
    diff_percent_text(percent, before, after, text_is_utf8());
    message_error("'%s' holds: %s: %s %s -> %s (%s, %s%s)", h->gate->text, name, h->gate->column,
                  TEXT_COUNT(before), TEXT_COUNT(after), change, percent,
                  diff_percent_unit(percent));
}

static void hold_row(struct holding *h, const struct bench_row *row)
{
    const struct column *column = columns_find(&h->rows->columns, h->gate->column);
    int64_t before = 0, after = column_value(column, row->counts);

    if (!gate_matches(h->gate->pattern, row->name))
        return;
    h->n_matched++;
    if (!bench_change(h->rows, row, h->gate->column, &before, &after) &&
        h->gate->limit == GATE_PERCENT)
        h->n_new++;
    else if (gate_holds(h->gate, before, after))
        say(h, row->name, before, after);
}

/* Sums of the rows that both have: a bench that is new, or did not run, is no change. */
static void hold_total(struct holding *h)
{
    int64_t before = 0, after = 0;

    for (size_t i = 0; i < h->rows->n; i++) {
        int64_t old_value, new_value;

        if (!bench_change(h->rows, &h->rows->items[i], h->gate->column, &old_value, &new_value))
            continue;
        counts_add(&before, &old_value, 1);
        counts_add(&after, &new_value, 1);
    }
    h->n_matched++;
    if (gate_holds(h->gate, before, after))
        say(h, "all together", before, after);
}

static int hold_gate(const struct gate *gate, const struct bench_rows *rows,
                     const struct bench_rows *old)
{
    struct holding h = {.gate = gate, .rows = rows};

    if (!columns_find(&rows->columns, gate->column) || !columns_find(&old->columns, gate->column))
        return message_error(
            "cannot hold --fail-if '%s': %s has no count '%s'", gate->text,
            columns_find(&rows->columns, gate->column) ? "the baseline" : "this run", gate->column);
    if (gate->scope == GATE_TOTAL)
        hold_total(&h);
    for (size_t i = 0; i < rows->n && gate->scope != GATE_TOTAL; i++)
        hold_row(&h, &rows->items[i]);
    if (!h.n_matched)
        return message_error("cannot hold --fail-if '%s': nothing that ran matches '%s'",
                             gate->text, gate->pattern);
    if (h.n_held > SHOWN_MAX)
        message_error("and %s more", TEXT_COUNT(h.n_held - SHOWN_MAX));
    if (h.n_new)
        message_note("%s new, which a limit in %% could not be relative to; save the baseline "
                     "again",
                     TEXT_COUNT(h.n_new));
    return h.n_held ? STATUS_GATE : 0;
}

int bench_gates_hold(const struct gates *gates, const struct bench_rows *rows,
                     const struct bench_rows *old)
{
    int status = 0;

    output_flush();
    for (size_t i = 0; i < gates->n; i++) {
        int gate_status = hold_gate(&gates->items[i], rows, old);

        if (status != STATUS_ERROR && gate_status)
            status = gate_status;
    }
    return status;
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
        message_error("the baseline '%s' is not kept: %s", path, strerror(errno));
    else
        message_status("Saved", "the baseline '%s'", name);
    free(folder);
    free(path);
    return failed ? STATUS_ERROR : 0;
}
