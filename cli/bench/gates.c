#include <config.h>

#include "bench/gates.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "profiles/compared.h"
#include "views/compare.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN_MAX = 20 }; /* rows that are named */

int bench_gates_check(const struct gates *gates, bool tests)
{
    enum gate_scope own = tests ? GATE_TEST : GATE_BENCH;

    for (size_t i = 0; i < gates->n; i++) {
        const struct gate *gate = &gates->items[i];

        if (gate_names_time(gate))
            return message_usage(
                "'%s' for --fail-if asks for the time of whole runs, and %s are parts of runs; "
                "leave out 'time', or take '%s NAME', which runs one program as a whole",
                gate->text, tests ? "tests" : "benches",
                tests ? "cargo cprof callgrind --test" : "cargo cprof callgrind --bench");
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

/*--- Counts ---*/

/* Adds a row's counts on one side; those of one order are the same in each. */
static void add_side(struct gate_orders *to, const struct column *column,
                     const struct bench_row *row, size_t n_events)
{
    size_t n = row->n_orders ? row->n_orders : 1;

    if (n > to->n) {
        to->items = xreallocarray(to->items, n, sizeof *to->items);
        for (size_t i = to->n; i < n; i++)
            to->items[i] = i ? to->items[0] : 0;
        to->n = n;
    }
    for (size_t i = 0; i < to->n; i++)
        count_add(&to->items[i], column_value(column, i < row->n_orders ? row->orders + i * n_events
                                                                        : row->counts));
}

/* Adds a row of which the gate's count is known on both sides; else leaves all as it is, and
 * returns false. */
static bool add_row(struct gate_counted *to, const struct gate *gate, const struct bench_rows *rows,
                    const struct bench_row *row)
{
    int64_t before, after;

    if (!bench_change(rows, row, gate->column, &before, &after))
        return false;
    add_side(&to->side[DIFF_OLD], columns_find(rows->old_columns, gate->column), row->old,
             rows->n_old_events);
    add_side(&to->side[DIFF_NEW], columns_find(&rows->columns, gate->column), row, rows->events.n);
    return true;
}

/* Adds the rows that both have: a bench that is new, or did not run, is no change. */
static void add_rows(struct gate_counted *to, const struct gate *gate,
                     const struct bench_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        (void)add_row(to, gate, rows, &rows->items[i]);
}

/* The count of a row that only NEW has, from none. */
static void add_new(struct gate_counted *to, const struct column *column,
                    const struct bench_row *row)
{
    for (int side = 0; side < DIFF_SIDES; side++)
        to->side[side] = (struct gate_orders){1, xcalloc(1, sizeof(int64_t))};
    to->side[DIFF_NEW].items[0] = column_value(column, row->counts);
}

/*--- Verdicts ---*/

/* A row that fails a gate, or may; NULL: all together. */
struct offender {
    const struct bench_row *row;
    struct gate_offender said; /* its name is borrowed */
};
struct offenders {
    size_t n, room;
    struct offender *items;
};

/* Gates that are joined. */
struct holding {
    const struct bench_rows *rows;
    const struct gate *gates;
    size_t n_gates;
    struct offenders failed, undecided;
    size_t n_new; /* rows that limits in % do not apply to */
};

/* True where both are about the rows of one pattern, or about all rows together. */
static bool same_subject(const struct gate *a, const struct gate *b)
{
    return a->scope == b->scope && (a->scope == GATE_TOTAL || !strcmp(a->pattern, b->pattern));
}

/* The verdict on a row, or on all together (NULL). */
static enum gate_verdict verdict_on(struct holding *h, const struct gate *gate,
                                    const struct bench_row *row, struct gate_counted *count)
{
    const struct column *column = columns_find(&h->rows->columns, gate->column);

    if (!row) {
        add_rows(count, gate, h->rows);
    } else if (!add_row(count, gate, h->rows, row)) {
        if (!column)
            return GATE_PASSES;
        add_new(count, column, row);
        if (gate->limit == GATE_PERCENT) {
            h->n_new++;
            return GATE_PASSES;
        }
    }
    return gate_verdict(gate, count);
}

/* Adds an offender, unless the last one has this count of the row, by another condition. */
static void add_offender(struct holding *h, const struct gate *gate, const struct bench_row *row,
                         const struct gate_counted *count, enum gate_verdict verdict)
{
    struct offenders *to = verdict == GATE_FAILS ? &h->failed : &h->undecided;
    const struct offender *last = to->n ? &to->items[to->n - 1] : NULL;
    const struct column *column = columns_find(&h->rows->columns, gate->column);

    if (last && last->row == row && last->said.column == column)
        return;
    APPEND(to->items, to->n, to->room) = (struct offender){
        row,
        {.gate = gate,
         .name = (char *)(uintptr_t)(row ? row->name : "all together"),
         .column = column,
         .count = {gate_count_of(&count->side[DIFF_OLD]), gate_count_of(&count->side[DIFF_NEW])}}};
}

/* The verdict on two conditions that are joined: that which speaks most against a failure. */
static enum gate_verdict both(enum gate_verdict a, enum gate_verdict b)
{
    if (a == GATE_PASSES || b == GATE_PASSES)
        return GATE_PASSES;
    return a == GATE_FAILS ? b : a;
}

/* Holds a row, or all together, against all conditions that are about the same as `first`. */
static enum gate_verdict hold_one(struct holding *h, const struct gate *first,
                                  const struct bench_row *row)
{
    size_t n_failed = h->failed.n, n_undecided = h->undecided.n;
    enum gate_verdict all = GATE_FAILS;

    for (size_t i = 0; i < h->n_gates; i++) {
        const struct gate *gate = &h->gates[i];
        struct gate_counted count = {.noise_threshold = 0};
        enum gate_verdict verdict;

        if (!same_subject(gate, first))
            continue;
        verdict = verdict_on(h, gate, row, &count);
        if (verdict != GATE_PASSES)
            add_offender(h, gate, row, &count, verdict);
        all = both(all, verdict);
        gate_counted_free(&count);
    }
    if (all != GATE_FAILS)
        h->failed.n = n_failed;
    if (all == GATE_PASSES)
        h->undecided.n = n_undecided;
    return all;
}

static bool is_matched(const struct gate *gate, const struct bench_row *row)
{
    return gate->scope != GATE_TOTAL && gate_matches(gate->pattern, row->name);
}

/* Holds all that `first` is about against it. Returns the verdict on what fails most clearly, and
 * adds to `n` how many there are. */
static enum gate_verdict hold_subject(struct holding *h, const struct gate *first, size_t *n)
{
    enum gate_verdict most = GATE_PASSES;

    if (first->scope == GATE_TOTAL) {
        ++*n;
        return hold_one(h, first, NULL);
    }
    for (size_t i = 0; i < h->rows->n; i++) {
        const struct bench_row *row = &h->rows->items[i];
        enum gate_verdict verdict;

        if (!is_matched(first, row))
            continue;
        ++*n;
        verdict = hold_one(h, first, row);
        if (most != GATE_FAILS && verdict != GATE_PASSES)
            most = verdict;
    }
    return most;
}

/* True for the first of the joined gates that is about what it is about. */
static bool is_first(const struct holding *h, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_subject(&h->gates[i], &h->gates[at]))
            return false;
    return true;
}

/* Holds the rows against all that are joined. Sets `*unmatched` to a gate that is about no row. */
static enum gate_verdict hold_joined(struct holding *h, const struct gate **unmatched)
{
    enum gate_verdict all = GATE_FAILS;

    for (size_t i = 0; i < h->n_gates; i++) {
        size_t n = 0;

        if (!is_first(h, i))
            continue;
        all = both(all, hold_subject(h, &h->gates[i], &n));
        if (!n)
            *unmatched = &h->gates[i];
    }
    if (all != GATE_FAILS)
        h->failed.n = 0;
    if (all == GATE_PASSES)
        h->undecided.n = 0;
    return all;
}

static struct holding holding_of(const struct gates *gates, size_t first,
                                 const struct bench_rows *rows)
{
    size_t n = 1;

    while (first + n < gates->n && gates->items[first + n].joined)
        n++;
    return (struct holding){.rows = rows, .gates = &gates->items[first], .n_gates = n};
}

static void holding_free(struct holding *h)
{
    free(h->failed.items);
    free(h->undecided.items);
}

/*--- Holding gates ---*/

/* Why a row of both sides cannot be compared: it ran in other orders of threads; NULL: each can.
 * The caller frees it. */
static char *find_other_orders(const struct bench_rows *rows)
{
    char *problem = NULL;

    for (size_t i = 0; i < rows->n && !problem; i++)
        if (rows->items[i].old)
            problem = orders_problem((unsigned)rows->items[i].old->n_orders,
                                     (unsigned)rows->items[i].n_orders);
    return problem;
}

/* Returns STATUS_ERROR after having said why one of the gates cannot be held. */
static int check_counts(const struct holding *h, const struct bench_rows *old)
{
    char *problem = find_other_orders(h->rows);
    int status = 0;

    for (size_t i = 0; i < h->n_gates && !status; i++) {
        const struct gate *gate = &h->gates[i];

        if (!columns_find(&h->rows->columns, gate->column))
            status = compare_no_count(gate, "this run has", &h->rows->columns);
        else if (!columns_find(&old->columns, gate->column))
            status = compare_no_count(gate, "the baseline has", &old->columns);
    }
    if (!status && problem)
        status = message_error("cannot hold --fail-if '%s': %s", h->gates->text, problem);
    free(problem);
    return status;
}

static void say_offenders(const struct holding *h)
{
    const char *text = h->gates->text;

    for (size_t i = 0; i < h->failed.n && i < SHOWN_MAX; i++)
        compare_say_offence(&h->failed.items[i].said, true);
    for (size_t i = 0; i < h->undecided.n && i < SHOWN_MAX; i++)
        compare_say_offence(&h->undecided.items[i].said, false);
    if (h->failed.n > SHOWN_MAX)
        message_error("'%s' holds for %s more rows, which are not listed", text,
                      TEXT_COUNT(h->failed.n - SHOWN_MAX));
    if (h->undecided.n > SHOWN_MAX)
        message_warning("'%s' cannot be told for %s more rows, which are not listed", text,
                        TEXT_COUNT(h->undecided.n - SHOWN_MAX));
    if (h->n_new)
        message_note("%s new row%s nothing that a limit in %% could be relative to; save the "
                     "baseline again",
                     TEXT_COUNT(h->n_new), h->n_new == 1 ? " has" : "s have");
}

static int hold_and_say(struct holding *h, const struct bench_rows *old)
{
    const struct gate *unmatched = NULL;
    enum gate_verdict verdict;

    if (check_counts(h, old))
        return STATUS_ERROR;
    verdict = hold_joined(h, &unmatched);
    if (unmatched)
        return message_error(
            "cannot hold --fail-if '%s': nothing that ran matches '%s'; name a row of the table",
            unmatched->text, unmatched->pattern);
    say_offenders(h);
    return verdict == GATE_FAILS ? STATUS_GATE : 0;
}

int bench_gates_hold(const struct gates *gates, const struct bench_rows *rows,
                     const struct bench_rows *old)
{
    int status = 0;

    output_flush();
    for (size_t i = 0; i < gates->n;) {
        struct holding h = holding_of(gates, i, rows);
        int gate_status = hold_and_say(&h, old);

        if (status != STATUS_ERROR && gate_status)
            status = gate_status;
        i += h.n_gates;
        holding_free(&h);
    }
    return status;
}

/*--- What fails ---*/

/* The change of a row by the gate's count; 0: there is none, or it is not known. */
static int64_t change_of(const struct gate *gate, const struct bench_rows *rows,
                         const struct bench_row *row)
{
    int64_t before, after;

    return bench_change(rows, row, gate->column, &before, &after) ? count_change(before, after) : 0;
}

/* Notes an offence where the row has none yet and changed in the direction of `change`. */
static void note_offence(struct bench_offence *found, const struct gate *gate,
                         const struct bench_rows *rows, const struct bench_row *row, int64_t change)
{
    int64_t own = change_of(gate, rows, row);

    if (!found[row - rows->items].gate && own && (own < 0) == (change < 0))
        found[row - rows->items] = (struct bench_offence){gate, own};
}

static void note_offender(struct bench_offence *found, const struct bench_rows *rows,
                          const struct offender *o)
{
    const struct gate_count *count = o->said.count;
    int64_t change = count_change(count[DIFF_OLD].value, count[DIFF_NEW].value);

    for (size_t i = 0; i < rows->n; i++)
        if (!o->row || o->row == &rows->items[i])
            note_offence(found, o->said.gate, rows, &rows->items[i], change);
}

struct bench_offence *bench_gates_failed(const struct gates *gates, const struct bench_rows *rows)
{
    struct bench_offence *found = xcalloc(rows->n + 1, sizeof *found);

    for (int together = 0; together < 2; together++)
        for (size_t i = 0; i < gates->n;) {
            struct holding h = holding_of(gates, i, rows);
            const struct gate *unmatched;

            hold_joined(&h, &unmatched);
            for (size_t k = 0; k < h.failed.n; k++)
                if ((h.failed.items[k].row == NULL) == together)
                    note_offender(found, rows, &h.failed.items[k]);
            i += h.n_gates;
            holding_free(&h);
        }
    return found;
}
