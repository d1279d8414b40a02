#include <config.h>

/* Lines of own code with the foreign code that they are charged with, as JSON. */
#include "calls/graph.h"
#include "render/json/json.h"
#include "render/json/json_document.h"
#include "render/json/json_own.h"
#include "render/json/json_value.h"

json_t *json_charge(const struct cprof_profile *p, const struct blame_charge *charge,
                    const struct column_list *columns)
{
    const char *object = charge->object == CPROF_NONE ? NULL : p->objects[charge->object].path;
    json_t *by =
        json_pack("{s:o, s:o, s:o}", "name", json_text(blame_charge_name(p, charge)), "object",
                  json_text(object), "cost", json_counts(columns, charge->counts));

    json_set_crate(by, charge->crate, charge->owner);
    return by;
}

static json_t *blame_of(const struct cprof_profile *p, const struct row *r,
                        const struct column_list *columns)
{
    bool own = r->function != CPROF_NONE;
    json_t *blame = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "function", json_text(own ? r->name : NULL),
        "mangled", json_text(r->mangled), "file", json_text(r->file), "line",
        own && r->line ? json_integer(r->line) : json_null(), "total",
        json_counts(columns, r->counts), "foreign", json_counts(columns, r->counts + p->n_events),
        "self", json_counts(columns, r->counts + 2 * (size_t)p->n_events), "certain",
        r->bound == BOUND_EXACT);

    if (!own)
        json_object_set_new(blame, "outside", json_text(r->name));
    json_set_row_crate(blame, r);
    return blame;
}

int json_write_blame(const struct json_table *t, const struct blame *blame, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-blame/1", t->title, &t->columns);
    json_t *list = json_array();

    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *r = &t->rows->items[i];
        json_t *line = blame_of(p, r, &t->columns), *by = json_array();
        size_t n;
        const struct blame_charge *charges = blame_charges(blame, t->rows, r, &n);

        for (size_t k = 0; k < n; k++)
            json_array_append_new(by, json_charge(p, &charges[k], &t->columns));
        json_object_set_new(line, "by", by);
        json_array_append_new(list, line);
    }
    json_object_set_new(document, "blame", list);
    return json_finish(document, out);
}
