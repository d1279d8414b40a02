#include <config.h>

#include "scale/scale_json.h"

#include "base/memory.h"
#include "render/json/json_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define SCHEMA "cprof-scale/1"

/* A number; NULL, which adds no member, where it is not known or none that JSON has. */
static json_t *real(long double value)
{
    double narrow = (double)value;

    return isfinite(narrow) ? json_real(narrow) : NULL;
}

static json_t *take_text(char *text)
{
    json_t *value = json_text(text);

    free(text);
    return value;
}

/*--- Fits ---*/

static const char *kind_name(const struct growth *fit)
{
    static const char *const names[] = {"none", "polynomial", "exponential", "squares", "slope"};

    return fit->sum ? "sum" : names[fit->kind];
}

/* "-1/4": exact, from the power 0 on. */
static json_t *fractions(const struct growth *fit)
{
    json_t *array = json_array();

    for (size_t i = 0; i < fit->terms; i++) {
        const struct growth_fraction *f = &fit->polynomial[i];

        json_array_append_new(array, take_text(f->denominator == 1
                                                   ? xasprintf("%" PRId64, f->numerator)
                                                   : xasprintf("%" PRId64 "/%" PRId64, f->numerator,
                                                               f->denominator)));
    }
    return array;
}

static json_t *fit_json(const struct growth *fit)
{
    char *formula = growth_formula(fit);
    json_t *object = json_members(json_object(), "growth", take_text(growth_text(fit)), "kind",
                                  json_text(kind_name(fit)), "exact", json_boolean(fit->exact),
                                  "steps", json_boolean(fit->steps), "from", json_number(fit->from),
                                  "slope", real(fit->slope), "residual", real(fit->residual),
                                  "formula", formula ? take_text(formula) : NULL, NULL);

    if (fit->kind == GROWTH_POLYNOMIAL && !fit->sum)
        json_object_set_new(object, "coefficients", fractions(fit));
    if (fit->kind == GROWTH_EXPONENTIAL && !fit->sum)
        json_object_set_new(object, "base", real(fit->base));
    return object;
}

static json_t *foretold_json(const struct foretold *f, int64_t size)
{
    return json_members(json_object(), "size", json_count(size), "count", real(f->count), "low",
                        real(f->range.low), "high", real(f->range.high), "share", real(f->share),
                        NULL);
}

static json_t *ahead_json(const struct series *s, const struct foretold *ahead)
{
    json_t *array = json_array();

    for (int i = 0; i < SERIES_AHEAD; i++)
        json_array_append_new(
            array, foretold_json(&ahead[i], s->sizes.items[s->sizes.n - 1] * series_times[i]));
    return array;
}

/*--- Counts ---*/

static json_t *values_json(const struct series *s, const struct series_item *item,
                           const struct column *column)
{
    json_t *array = json_array();

    for (size_t i = 0; i < s->sizes.n; i++)
        json_array_append_new(array, json_count(series_value(s, item, column, i)));
    return array;
}

/* {"Ir": {"values": [...], "fit": {...}}, ...}: all that is counted. */
static json_t *counts_json(const struct series *s, const struct series_item *item)
{
    json_t *object = json_object();

    for (size_t i = 0; i < s->columns.n; i++) {
        const struct column *column = &s->columns.items[i];
        struct growth fit;

        if (!series_takes(column) && !column_is_inclusive(column))
            continue;
        series_grow(s, item, column, &fit);
        json_object_set_new(object, column->name,
                            json_members(json_object(), "values", values_json(s, item, column),
                                         "fit", fit_json(&fit), NULL));
    }
    return object;
}

static json_t *item_json(const struct series *s, const struct series_item *item)
{
    return json_members(json_object(), "name", json_text(item->name), "file", json_text(item->file),
                        "line", json_number(item->line), "object", json_text(item->object),
                        "varies", json_boolean(item->varies), "fit", fit_json(&item->fit),
                        "foretold", ahead_json(s, item->ahead), "counts", counts_json(s, item),
                        NULL);
}

static json_t *functions_json(const struct scale_table *t)
{
    json_t *array = json_array();

    for (size_t i = 0; i < t->series->n; i++)
        if (scale_table_has(t, &t->series->items[i]) &&
            (!t->limit || json_array_size(array) < t->limit))
            json_array_append_new(array, item_json(t->series, &t->series->items[i]));
    return array;
}

/*--- The check ---*/

static json_t *check_row_json(const struct scale_check_row *row, int64_t size)
{
    return json_members(foretold_json(&row->foretold, size), "name",
                        row->item ? json_text(row->item->name) : NULL, "real",
                        json_count(row->real), "error_percent", real(scale_check_error(row)),
                        "holds", json_boolean(scale_check_holds(row)), NULL);
}

static json_t *check_json(const struct scale_check *check)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < check->n; i++)
        json_array_append_new(rows, check_row_json(&check->rows[i], check->size));
    return json_members(json_object(), "size", json_count(check->size), "program",
                        check_row_json(&check->program, check->size), "functions", rows, NULL);
}

/*--- Gates ---*/

static json_t *gate_json(const struct slope_gate *gate)
{
    json_t *offenders = json_array();

    for (size_t i = 0; i < gate->n; i++)
        json_array_append_new(offenders, json_members(json_object(), "function",
                                                      json_text(gate->offenders[i].name), "fit",
                                                      fit_json(&gate->offenders[i].fit), NULL));
    return json_members(json_object(), "gate", json_text(gate->text), "holds",
                        json_boolean(gate->n > 0), "matching",
                        gate->pattern ? json_count((int64_t)gate->n_matching) : NULL, "failed",
                        offenders, NULL);
}

/* NULL: there are none. */
static json_t *gates_json(const struct slope_gates *gates)
{
    json_t *array = gates->n ? json_array() : NULL;

    for (size_t i = 0; i < gates->n; i++)
        json_array_append_new(array, gate_json(&gates->items[i]));
    return array;
}

/*--- The document ---*/

/* NULL: all are 0. */
static json_t *statuses_json(const struct series *s)
{
    json_t *array = json_array();
    bool any = false;

    for (size_t i = 0; i < s->sizes.n; i++) {
        any |= s->statuses[i] != 0;
        json_array_append_new(array, json_integer(s->statuses[i]));
    }
    if (any)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *program_json(const struct series *s)
{
    const struct series_item program = {.counts = s->totals, .varies = s->n_varying > 0};

    return json_members(json_object(), "fit", fit_json(&s->total_fit), "foretold",
                        ahead_json(s, s->ahead), "counts", counts_json(s, &program), NULL);
}

int scale_json_write(const struct scale_table *t, const struct scale_table *own,
                     const struct slope_gates *gates, const char *command_line, const char *program,
                     FILE *out)
{
    const struct series *s = t->series;
    json_t *document = json_members(
        json_object(), "schema", json_text(SCHEMA), "command", json_text(command_line), "program",
        json_text(program), "sizes", json_count_list(s->sizes.items, s->sizes.n), "statuses",
        statuses_json(s), "in_phase", json_boolean(s->in_phase), "measure",
        json_text(s->measure->name), "total", program_json(s), "own", functions_json(own),
        "functions", functions_json(t), "others",
        s->others.counts ? json_members(item_json(s, &s->others), "functions",
                                        json_count((int64_t)s->n_others), NULL)
                         : NULL,
        "check", t->check ? check_json(t->check) : NULL, "gates", gates_json(gates), NULL);

    return json_finish(document, out);
}
