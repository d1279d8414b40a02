#include <config.h>

/* The document cprof-diff/1. */

#include "base/counts.h"
#include "base/memory.h"
#include "diff/diff_lines.h"
#include "diff/section_pairs.h"
#include "render/json/json.h"
#include "render/json/json_value.h"
#include "render/text/text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One number for each event, from `values`. */
static json_t *counts_of(const struct diff *d, const int64_t *values)
{
    json_t *object = json_object();

    for (uint32_t e = 0; e < d->common.n; e++) {
        char *name = text_utf8(d->common.items[e].name);

        json_object_set_new(object, name, json_integer(values[e]));
        free(name);
    }
    return object;
}

/* {"old": ..., "new": ..., "delta": ...}; null for an input that does not have it. */
static json_t *change_of(const struct diff *d, const bool in[DIFF_SIDES],
                         int64_t *const counts[DIFF_SIDES], size_t from)
{
    json_t *delta = json_object();

    for (uint32_t e = 0; e < d->common.n; e++) {
        const struct column c = {.n_terms = 1, .terms = {{(uint32_t)from + e, 1}}};
        struct diff_row row = {.counts = {counts[DIFF_OLD], counts[DIFF_NEW]}};
        char *name = text_utf8(d->common.items[e].name);

        json_object_set_new(delta, name, json_integer(diff_delta(&c, &row)));
        free(name);
    }
    return json_pack("{s:o, s:o, s:o}", "old",
                     in[DIFF_OLD] ? counts_of(d, counts[DIFF_OLD] + from) : json_null(), "new",
                     in[DIFF_NEW] ? counts_of(d, counts[DIFF_NEW] + from) : json_null(), "delta",
                     delta);
}

/* The side that has a row, or both. */
static json_t *status_of(const bool in[DIFF_SIDES])
{
    return json_text(!in[DIFF_OLD] ? "new" : !in[DIFF_NEW] ? "gone" : "both");
}

static json_t *line_of(const struct diff *d, const struct diff_line *line)
{
    return json_members(change_of(d, line->in, line->counts, 0), "file", json_text(line->file),
                        "old_line", json_number(line->line[DIFF_OLD]), "new_line",
                        json_number(line->line[DIFF_NEW]), NULL);
}

static json_t *lines_of(const struct diff_view *v, const struct diff_row *row)
{
    json_t *list = json_array();
    struct diff_lines lines;

    diff_lines_load(&lines, v->diff, row, v->sort);
    for (size_t i = 0; i < lines.n; i++)
        json_array_append_new(list, line_of(v->diff, &lines.items[i]));
    diff_lines_free(&lines);
    return list;
}

/* One end of a band, as counts. */
static json_t *end_of(const struct diff *d, const struct diff_band *band, bool most)
{
    int64_t *ends = xcalloc(d->width + 1, sizeof *ends);
    json_t *counts;

    memcpy(ends, band->counts, d->width * sizeof *ends);
    for (size_t i = d->width; i < band->n * d->width; i++) {
        int64_t *end = &ends[i % d->width], value = band->counts[i];

        if (most ? value > *end : value < *end)
            *end = value;
    }
    counts = counts_of(d, ends);
    free(ends);
    return counts;
}

/* The band of one side's counts; null: one order ran. */
static json_t *band_of(const struct diff *d, const struct diff_band *band)
{
    if (!band->n)
        return json_null();
    return json_pack("{s:o, s:o}", "least", end_of(d, band, false), "most", end_of(d, band, true));
}

static json_t *bands_of(const struct diff *d, const struct diff_row *row)
{
    return json_pack("{s:o, s:o}", "old", band_of(d, &row->band[DIFF_OLD]), "new",
                     band_of(d, &row->band[DIFF_NEW]));
}

static json_t *function_of(const struct diff_view *v, const struct diff_row *row)
{
    const struct diff *d = v->diff;
    uint32_t n = d->common.n;
    json_t *calls = json_null();

    if (events_have_calls(&d->common))
        calls = json_members(json_object(), "old", json_count(row->counts[DIFF_OLD][2 * n]), "new",
                             json_count(row->counts[DIFF_NEW][2 * n]), NULL);
    return json_members(
        json_object(), "name", json_text(row->name), "status", status_of(row->in), "file",
        json_text(row->file), "line", json_number(row->line), "object", json_text(row->object),
        "self", change_of(d, row->in, row->counts, 0), "inclusive",
        d->common.inclusive ? change_of(d, row->in, row->counts, n) : json_null(), "label",
        json_text(row->label), "calls", calls, "noise",
        row->noise_threshold ? counts_of(d, row->noise_threshold) : json_null(), "orders",
        d->orders ? bands_of(d, row) : NULL, "lines", v->lines ? lines_of(v, row) : NULL, NULL);
}

/*--- Own code ---*/

static const bool both[DIFF_SIDES] = {true, true};

static json_t *own_function_of(const struct diff_view *v, const struct own_change *c)
{
    const struct diff *d = v->diff;
    json_t *by = json_array(), *lines = json_array();
    json_t *function = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "label", json_text(c->name),
                                 "status", status_of(c->in), "file", json_text(c->file), "line",
                                 json_number(c->line), "object", json_text(c->object), "charged",
                                 change_of(d, c->in, c->counts, 0), "certain", c->certain);

    json_set_crate(function, c->crate, c->crate->owner);
    for (size_t i = 0; i < c->lines.n; i++)
        json_array_append_new(lines, line_of(d, &c->lines.items[i]));
    for (size_t i = 0; i < c->n_charges; i++) {
        const struct charge_change *charge = &c->charges[i];

        json_array_append_new(by, json_members(change_of(d, both, charge->counts, 0), "label",
                                               json_text(charge->name), "object",
                                               json_text(charge->object), NULL));
    }
    return json_members(function, "lines", lines, "by", by, NULL);
}

/* All that is charged to own code, and all that is not: it adds up to the totals. */
static json_t *own_of(const struct diff_view *v)
{
    const struct own_diff *o = v->own;
    uint32_t n = v->diff->common.n;
    json_t *functions = json_array();
    const int64_t *const *cut = (const int64_t *const *)o->outside[BLAME_CUT];

    for (size_t i = 0; i < o->n_matching; i++)
        json_array_append_new(functions, own_function_of(v, &o->items[i]));
    return json_members(json_object(), "paths", json_boolean(o->paths), "functions", functions,
                        "charged", change_of(v->diff, both, o->charged, 0), "before_main",
                        change_of(v->diff, both, o->outside[BLAME_FIRST_THREAD], 0), "not_charged",
                        change_of(v->diff, both, o->outside[BLAME_ELSEWHERE], 0), "stack_cut_off",
                        counts_any(cut[DIFF_OLD], n) || counts_any(cut[DIFF_NEW], n)
                            ? change_of(v->diff, both, o->outside[BLAME_CUT], 0)
                            : NULL,
                        NULL);
}

/*--- Why ---*/

static json_t *reason_of(const struct why *w, const struct why_reason *r)
{
    char *text = why_reason_text(w, r);
    json_t *reason =
        json_members(json_object(), "cause", json_text(why_cause_word(r->cause)), "change",
                     json_integer(r->change), "function", json_text(why_name(w, r->what)), "by",
                     r->by == CPROF_NONE ? NULL : json_text(why_name(w, r->by)), "inlined",
                     r->inlined == CPROF_NONE ? NULL : json_text(why_name(w, r->inlined)), "per",
                     r->per == CPROF_NONE ? NULL : json_text(why_name(w, r->per)), "text",
                     json_text(text), NULL);

    free(text);
    if (!r->callers[DIFF_OLD] || !r->callers[DIFF_NEW])
        return reason;
    return json_members(reason, "old_calls", json_count(calls_count(r->calls[DIFF_OLD])),
                        "old_callers", json_count(calls_count(r->callers[DIFF_OLD])), "new_calls",
                        json_count(calls_count(r->calls[DIFF_NEW])), "new_callers",
                        json_count(calls_count(r->callers[DIFF_NEW])), NULL);
}

static json_t *misses_of(const struct why_misses *m)
{
    json_t *misses = json_pack("{s:I}", "first_uses", (json_int_t)m->first);

    if (m->state != WHY_MISSES_DIVIDED)
        return misses;
    return json_members(misses, "capacity", json_integer(m->capacity), "conflict",
                        json_integer(m->conflict), NULL);
}

json_t *json_why(const struct why *w)
{
    json_t *groups = json_array();
    char *sentence = why_sentence(w);
    json_t *why =
        json_members(json_object(), "event", json_text(w->measure->name), "old",
                     json_integer(w->total[DIFF_OLD]), "new", json_integer(w->total[DIFF_NEW]),
                     "sentence", json_text(sentence), "functions", groups, NULL);

    free(sentence);
    if (w->builds)
        json_object_set_new(why, "builds", json_text(w->builds));
    if (w->misses.state >= WHY_MISSES_FIRST)
        json_object_set_new(why, "misses", misses_of(&w->misses));
    for (size_t i = 0; i < w->n; i++) {
        const struct why_group *g = &w->groups[i];
        json_t *reasons = json_array();

        for (size_t k = 0; k < g->n; k++)
            json_array_append_new(reasons, reason_of(w, &g->reasons[k]));
        json_array_append_new(
            groups, json_members(json_object(), "label", json_text(why_name(w, g->id)), "change",
                                 json_integer(g->change), "reasons", reasons, NULL));
    }
    return why;
}

static json_t *whys_of(const struct diff_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->n_why; i++)
        json_array_append_new(list, json_why(&v->why[i]));
    return list;
}

/*--- The document ---*/

static json_t *input_of(const struct cprof_profile *p)
{
    json_t *input = json_pack("{s:o}", "source", json_text(p->source));

    json_set_header(input, p, "program");
    json_set_header(input, p, "creator");
    json_set_missing(input, p);
    return input;
}

static json_t *range_of(int64_t least, int64_t most)
{
    return json_pack("{s:I, s:I}", "least", (json_int_t)least, "most", (json_int_t)most);
}

static json_t *offender_of(const struct gate_offender *o)
{
    const struct gate_count *old = &o->count[DIFF_OLD], *new = &o->count[DIFF_NEW];
    bool has = gate_has_band(old, new);

    return json_members(json_object(), "gate", json_text(o->gate->text), "function",
                        json_text(o->name), "count", json_text(o->column->name), "old",
                        json_integer(old->value), "new", json_integer(new->value), "old_orders",
                        has ? range_of(old->least, old->most) : NULL, "new_orders",
                        has ? range_of(new->least, new->most) : NULL, NULL);
}

/* The counts that fail the gates, or may. */
static json_t *offenders_of(const struct gate_offenders *list)
{
    json_t *array = json_array();

    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(array, offender_of(&list->items[i]));
    return array;
}

/* With six digits behind the point. */
static json_t *rounded(double number)
{
    return json_real(round(1e6 * number) / 1e6);
}

static json_t *pace_of(const struct pace *pace)
{
    json_t *item = json_pack("{s:s, s:i}", "answer", pace_word(pace), "pairs", (int)pace->n_pairs);

    if (pace->reason)
        json_object_set_new(item, "reason", json_text(pace->reason));
    if (pace->n_pairs)
        json_members(item, "old_seconds", rounded(pace->old_seconds), "new_seconds",
                     rounded(pace->new_seconds), NULL);
    if (pace->n_pairs && !pace->reason)
        json_members(item, "least_ratio", rounded(pace->least), "most_ratio", rounded(pace->most),
                     NULL);
    return item;
}

static json_t *sections_of(const struct diff *d)
{
    struct section_pairs pairs;
    json_t *list = json_array();

    section_pairs_load(&pairs, d);
    for (size_t i = 0; i < pairs.n; i++) {
        const struct section_pair *pair = &pairs.items[i];
        const struct diff_row row = section_pair_row(pair);
        json_t *section = json_pack("{s:o, s:o, s:o}", "name", json_text(pair->name), "status",
                                    status_of(row.in), "cost", change_of(d, row.in, row.counts, 0));

        for (int side = DIFF_OLD; side < DIFF_SIDES; side++) {
            uint64_t entries =
                row.in[side] ? d->profile[side]->sections[pair->index[side]].began : 0;

            json_object_set_new(section, side == DIFF_OLD ? "old_entries" : "new_entries",
                                json_integer((json_int_t)entries));
        }
        json_array_append_new(list, section);
    }
    section_pairs_free(&pairs);
    return list;
}

json_t *json_environment(const struct environment_diff *d)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->n; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "fact", json_text(d->items[i].what), "old",
                            json_text(d->items[i].old), "new", json_text(d->items[i].new)));
    return list;
}

int json_write_diff(const struct diff_view *view, const struct gate_result *gates, FILE *out)
{
    const struct diff *d = view->diff;
    json_t *functions = json_array(), *events = json_array(), *document;

    for (uint32_t e = 0; e < d->common.n; e++)
        json_array_append_new(events, json_text(d->common.items[e].name));
    for (size_t i = 0; i < view->n_shown; i++)
        json_array_append_new(functions, function_of(view, &d->rows[i]));
    document =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:o}", "schema", "cprof-diff/1", "old",
                  input_of(d->profile[DIFF_OLD]), "new", input_of(d->profile[DIFF_NEW]), "events",
                  events, "totals", change_of(d, d->total.in, d->total.counts, 0), "runs",
                  (int)d->runs, "failed", offenders_of(&gates->failed), "functions", functions);
    if (d->orders) {
        json_object_set_new(document, "orders", bands_of(d, &d->total));
        json_object_set_new(document, "undecided", offenders_of(&gates->undecided));
    }
    if (view->environment->n)
        json_object_set_new(document, "environment", json_environment(view->environment));
    if (gates->pace.answer != PACE_NOT_ASKED)
        json_object_set_new(document, "time", pace_of(&gates->pace));
    if (view->own)
        json_object_set_new(document, "own", own_of(view));
    if (view->n_why)
        json_object_set_new(document, "why", whys_of(view));
    if (d->profile[DIFF_OLD]->n_sections || d->profile[DIFF_NEW]->n_sections)
        json_object_set_new(document, "sections", sections_of(d));
    return json_finish(document, out);
}
