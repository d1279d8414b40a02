#include <config.h>

#include "render/json/json_own.h"

#include "base/counts.h"
#include "calls/graph.h"
#include "render/json/json_value.h"

static json_t *function_of(const struct own *own, const struct own_function *f,
                           const struct column_list *columns)
{
    const struct row *r = &f->row;
    json_t *by = json_array();
    json_t *costliest = json_pack("{s:o, s:o, s:o}", "file", json_text(r->file), "line",
                                  r->line ? json_integer(r->line) : json_null(), "charged",
                                  json_counts(columns, f->line_charged));
    json_t *function =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "name", json_text(r->name), "mangled",
                  json_text(r->mangled), "object", json_text(r->object), "charged",
                  json_counts(columns, f->charged), "self", json_counts(columns, f->self),
                  "inclusive", f->inclusive ? json_counts(columns, f->inclusive) : json_null(),
                  "certain", r->bound == BOUND_EXACT, "costliest", costliest);

    json_set_label(function, r);
    json_set_row_crate(function, r);
    for (size_t i = 0; i < f->n_charges; i++)
        json_array_append_new(by, json_charge(own->profile, &f->charges[i], columns));
    json_object_set_new(function, "by", by);
    return function;
}

json_t *json_own_value(const struct own *o, const struct column_list *columns)
{
    json_t *functions = json_array(), *document;

    for (size_t i = 0; i < o->n; i++)
        json_array_append_new(functions, function_of(o, &o->items[i], columns));
    document = json_pack("{s:b, s:o, s:o, s:o, s:o}", "paths", o->paths, "functions", functions,
                         "charged", json_counts(columns, o->charged), "before_main",
                         json_counts(columns, o->outside[BLAME_FIRST_THREAD]), "not_charged",
                         json_counts(columns, o->outside[BLAME_ELSEWHERE]));
    if (counts_any(o->outside[BLAME_CUT], o->profile->n_events))
        json_object_set_new(document, "stack_cut_off", json_counts(columns, o->outside[BLAME_CUT]));
    return document;
}
