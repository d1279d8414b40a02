#include <config.h>

/* The check of a comparison against its gates. */
#include "base/array.h"
#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "diff/gate.h"
#include "diff/section_pairs.h"
#include "table/heap.h"

#include <stdlib.h>
#include <string.h>

/* The text behind its first character. A byte that is not UTF-8 is one character. */
static const char *next_character(const char *text)
{
    size_t size;

    text_decode(text, &size);
    return text + size;
}

bool gate_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL;

    while (*name) {
        if (*pattern == '*') {
            star = pattern++; /* the last star decides: the text before it matches */
            from = name;
        } else if (*pattern == '?') {
            pattern++;
            name = next_character(name);
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = from = next_character(from);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool compare(enum gate_compare how, __int128 a, __int128 b)
{
    switch (how) {
    case GATE_MORE:
        return a > b;
    case GATE_AT_LEAST:
        return a >= b;
    case GATE_LESS:
        return a < b;
    case GATE_AT_MOST:
        return a <= b;
    }
    return false;
}

/* A change from 0 is more, or less, than any percentage; no change is 0 %. */
static bool compare_percent(const struct gate *gate, __int128 change, int64_t old_value)
{
    if (old_value)
        return compare(gate->compare, change * 100 * gate->scale,
                       (__int128)gate->number * old_value);
    if (change)
        return compare(gate->compare, change, 0);
    return compare(gate->compare, 0, gate->number);
}

/* A count in both profiles. A change within the noise threshold is none. */
struct counted {
    int64_t old_value, new_value, noise_threshold;
};

static __int128 magnitude(__int128 number)
{
    return number < 0 ? -number : number;
}

/* Returns true where a count fails the gate. */
static bool offends(const struct gate *gate, const struct counted *count)
{
    __int128 change = (__int128)count->new_value - count->old_value;

    if (gate->limit == GATE_LEVEL)
        return compare(gate->compare, count->new_value, gate->number);
    if (count->noise_threshold && magnitude(change) <= magnitude(count->noise_threshold))
        change = 0;
    if (gate->limit == GATE_CHANGE)
        return compare(gate->compare, change, gate->number);
    return compare_percent(gate, change, count->old_value);
}

bool gate_holds(const struct gate *gate, int64_t old_value, int64_t new_value)
{
    const struct counted count = {old_value, new_value, 0};

    return offends(gate, &count);
}

struct checker {
    struct gate_result *result;
    const struct diff *diff;
    const struct columns *columns;
};

static void check(struct checker *c, const struct gate *gate, const struct column *column,
                  const char *name, const struct counted *count)
{
    struct gate_result *r = c->result;

    if (!offends(gate, count))
        return;
    GROW(r->offenders, r->n, r->room);
    r->offenders[r->n++] = (struct gate_offender){.gate = gate,
                                                  .name = name ? xstrdup(name) : NULL,
                                                  .column = column,
                                                  .old_value = count->old_value,
                                                  .new_value = count->new_value};
}

static struct counted count_of(const struct column *column, const struct diff_row *row)
{
    return (struct counted){column_value(column, row->counts[DIFF_OLD]),
                            column_value(column, row->counts[DIFF_NEW]),
                            row->noise_threshold ? column_value(column, row->noise_threshold) : 0};
}

static void check_row(struct checker *c, const struct gate *gate, const struct column *column,
                      const struct diff_row *row, const char *name)
{
    struct counted count = count_of(column, row);

    if (name && !row->in[DIFF_OLD] && gate->limit == GATE_PERCENT)
        c->result->n_new += count.new_value != 0;
    else
        check(c, gate, column, name, &count);
}

/* The length of a pattern without what tells functions apart that look the same, " #2" or
 * " [h891f88e6]": a row has all of them. */
static size_t size_without_tag(const char *pattern)
{
    const char *space = strrchr(pattern, ' ');
    size_t size = strlen(pattern), digits;

    if (!space || space == pattern)
        return size;
    if (space[1] == '#') {
        digits = strspn(space + 2, "0123456789");
        return digits && !space[2 + digits] ? (size_t)(space - pattern) : size;
    }
    if (strncmp(space + 1, "[h", 2) != 0)
        return size;
    digits = strspn(space + 3, "0123456789abcdef");
    return digits && !strcmp(space + 3 + digits, "]") ? (size_t)(space - pattern) : size;
}

static bool matches_row(const char *pattern, const struct diff_row *row)
{
    if (gate_matches(pattern, row->name))
        return true;
    for (size_t i = 0; i < row->n_aliases; i++)
        if (gate_matches(pattern, row->aliases[i]))
            return true;
    return false;
}

/* Checks each function that matches, or their sum. Returns the number of these functions. */
static size_t check_functions(struct checker *c, const struct gate *gate,
                              const struct column *column)
{
    struct counted sum = {.old_value = 0};
    char *pattern = xstrndup(gate->pattern, size_without_tag(gate->pattern));
    size_t n = 0;

    for (size_t i = 0; i < c->diff->n; i++) {
        const struct diff_row *row = &c->diff->rows[i];
        struct counted count;

        if (row->empty || !matches_row(pattern, row))
            continue;
        n++;
        if (gate->scope != GATE_SUM) {
            check_row(c, gate, column, row, row->name);
            continue;
        }
        count = count_of(column, row);
        counts_add(&sum.old_value, &count.old_value, 1);
        counts_add(&sum.new_value, &count.new_value, 1);
        counts_add(&sum.noise_threshold, &count.noise_threshold, 1);
    }
    if (n && gate->scope == GATE_SUM)
        check(c, gate, column, gate->pattern, &sum);
    free(pattern);
    return n;
}

/* Checks each section that matches. Returns how many. */
static size_t check_sections(struct checker *c, const struct gate *gate,
                             const struct column *column)
{
    struct section_pairs pairs;
    size_t n = 0;

    section_pairs_load(&pairs, c->diff);
    for (size_t i = 0; i < pairs.n; i++) {
        const struct diff_row row = section_pair_row(&pairs.items[i]);

        if (!gate_matches(gate->pattern, pairs.items[i].name))
            continue;
        check_row(c, gate, column, &row, pairs.items[i].name);
        n++;
    }
    section_pairs_free(&pairs);
    return n;
}

/* True where a gate is about what functions allocate themselves, and none does: the heap's counts
 * are those of the functions that allocate, as malloc. */
static bool is_never_own(const struct checker *c, const struct gate *gate,
                         const struct column *column)
{
    char *pattern;
    bool any = false;

    if ((gate->scope != GATE_EACH && gate->scope != GATE_SUM) || !heap_is_column(column->name))
        return false;
    pattern = xstrndup(gate->pattern, size_without_tag(gate->pattern));
    for (size_t i = 0; i < c->diff->n && !any; i++) {
        const struct diff_row *row = &c->diff->rows[i];
        struct counted count = count_of(column, row);

        any = !row->empty && (count.old_value || count.new_value) && matches_row(pattern, row);
    }
    free(pattern);
    return !any;
}

static int check_gate(struct checker *c, const struct gate *gate)
{
    const struct column *column = columns_find(c->columns, gate->column);

    if (!column || !gate_takes(column))
        return GATE_NO_COLUMN;
    if (gate->scope == GATE_INCLUSIVE) {
        column = columns_inclusive(c->columns, column);
        if (!column)
            return GATE_NO_CALLS;
    }
    if (gate->scope == GATE_SECTION)
        return check_sections(c, gate, column) ? GATE_OK : GATE_NO_SECTION;
    if (gate->scope == GATE_TOTAL)
        check_row(c, gate, column, &c->diff->total, NULL);
    else if (!check_functions(c, gate, column))
        return GATE_NO_FUNCTION;
    return is_never_own(c, gate, column) ? GATE_NO_OWN : GATE_OK;
}

void gates_check(struct gate_result *result, const struct gates *gates, const struct diff *diff,
                 const struct columns *columns)
{
    struct checker c = {.result = result, .diff = diff, .columns = columns};

    *result = (struct gate_result){.n = 0};
    for (size_t i = 0; i < gates->n; i++) {
        int problem = check_gate(&c, &gates->items[i]);

        if (problem != GATE_OK && !result->broken) {
            result->broken = &gates->items[i];
            result->problem = problem;
        }
    }
}

void gate_result_free(struct gate_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        free(result->offenders[i].name);
    free(result->offenders);
    *result = (struct gate_result){.n = 0};
}
