#include <config.h>

/* The document cprof-time/1. */

#include "render/json/json.h"
#include "render/json/json_value.h"

static json_t *misses_of(const struct time_table *t, const struct time_row *row)
{
    json_t *misses = json_object();

    for (enum time_event e = 0; e < TIME_EVENTS; e++)
        if (t->event[e])
            json_object_set_new(misses, time_event_name(e),
                                json_integer((json_int_t)row->misses[e]));
    return misses;
}

static json_t *row_of(const struct time_table *t, const struct time_row *row)
{
    const struct cprof_profile *p = t->profile[row->side];
    const struct code_spot *spot = &row->spot;
    struct share_interval share = share_interval(row->samples, t->total.samples, t->total.samples);
    bool is_counted = row->instructions > 0;

    return json_pack("{s:o, s:o, s:o, s:I, s:[f, f], s:o, s:o, s:f, s:b, s:o}", "function",
                     json_text(p->functions[spot->function].name), "file", json_file(p, spot->file),
                     "line", json_number(spot->line), "samples", (json_int_t)row->samples,
                     "share_interval", share.low, share.high, "Ir",
                     is_counted ? json_integer((json_int_t)row->instructions) : json_null(),
                     "relative", is_counted ? json_real(time_slowness(t, row)) : json_null(),
                     "extra_samples", time_extra(t, row), "noise", time_is_noise(t, row), "misses",
                     is_counted ? misses_of(t, row) : json_null());
}

static json_t *rows_of(const struct time_table *t, size_t limit)
{
    size_t n = limit && limit < t->n_shown ? limit : t->n_shown;
    json_t *rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *row = row_of(t, &t->rows[i]);

        if (t->is_own)
            json_object_set_new(row, "kernel_samples", json_integer((json_int_t)t->rows[i].kernel));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *own_of(const struct time_table *t, size_t limit)
{
    json_t *outside = json_array();

    for (int which = 0; which < BLAME_OUTSIDES; which++)
        json_array_append_new(
            outside, json_pack("{s:I, s:I, s:I}", "samples", (json_int_t)t->outside[which].samples,
                               "kernel_samples", (json_int_t)t->outside[which].kernel, "Ir",
                               (json_int_t)t->outside[which].instructions));
    return json_pack("{s:b, s:I, s:o, s:o}", "calls", t->paths, "counted_samples",
                     (json_int_t)t->counted_samples, "outside", outside, "rows", rows_of(t, limit));
}

int json_write_time(const struct time_table *own, const struct time_table *functions, bool by_line,
                    size_t limit, FILE *out)
{
    const struct time_table *t = functions ? functions : own;
    json_t *document =
        json_pack("{s:s, s:o, s:s, s:I, s:I, s:I, s:I, s:o}", "schema", "cprof-time/1", "program",
                  json_text(t->profile[DIFF_OLD]->program), "by", by_line ? "line" : "function",
                  "samples", (json_int_t)t->total.samples, "counted_samples",
                  (json_int_t)t->counted_samples, "kernel_samples", (json_int_t)t->kernel_samples,
                  "Ir", (json_int_t)t->total.instructions, "misses", misses_of(t, &t->total));

    if (t->differences)
        json_object_set_new(document, "differences", json_text(t->differences));
    if (own)
        json_object_set_new(document, "own", own_of(own, limit));
    if (functions)
        json_object_set_new(document, "rows", rows_of(functions, limit));
    return json_finish(document, out);
}
