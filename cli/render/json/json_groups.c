#include <config.h>

/* Rows other than functions as JSON: groups, and lines with what they are charged with. */
#include "render/json/json.h"

#include "calls/graph.h"
#include "render/json/json_document.h"
#include "render/json/json_value.h"

static json_t *group_of(const struct cprof_profile *p, const struct row *r, enum group_by by,
                        const struct column *const *columns, size_t n)
{
    bool known = graph_is_known(p), calls = known && (by == GROUP_CRATE || by == GROUP_OBJECT);
    json_t *group = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "file",
        json_text(r->file), "line", r->line ? json_integer(r->line) : json_null(), "object",
        json_text(r->object), "self", json_counts(columns, n, r->counts), "inclusive",
        known ? json_counts(columns, n, r->counts + p->n_events) : json_null(), "bound",
        known ? json_text(r->bound == BOUND_EXACT ? "exact" : "least") : json_null(), "calls",
        calls ? json_integer(r->counts[2 * p->n_events]) : json_null());

    json_set_crate(group, r->crate);
    return group;
}

int json_write_groups(const struct rows *rows, enum group_by by, size_t n_shown,
                      const struct column *const *columns, size_t n_columns, const char *title,
                      FILE *out)
{
    const struct cprof_profile *p = rows->profile;
    json_t *document = json_begin(p, "cprof-groups/1", title, columns, n_columns);
    json_t *list = json_array();

    for (size_t i = 0; i < n_shown; i++)
        json_array_append_new(list, group_of(p, &rows->items[i], by, columns, n_columns));
    json_object_set_new(document, "by", json_text(group_word(by, false)));
    json_object_set_new(document, "groups", list);
    return json_finish(document, NULL, columns, n_columns, out);
}

static json_t *charge_of(const struct cprof_profile *p, const struct blame_charge *charge,
                         const struct crates *crates, const struct column *const *columns, size_t n)
{
    const struct cprof_function *f = &p->functions[charge->function];
    const char *object = f->object == CPROF_NONE ? NULL : p->objects[f->object].path;
    json_t *by = json_pack("{s:o, s:o, s:o}", "name", json_text(f->name), "object",
                           json_text(object), "cost", json_counts(columns, n, charge->counts));

    json_set_crate(by, crates_of(crates, charge->function));
    return by;
}

static json_t *blame_of(const struct cprof_profile *p, const struct row *r,
                        const struct column *const *columns, size_t n)
{
    bool own = r->function != CPROF_NONE;
    json_t *blame = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "function", json_text(own ? r->name : NULL),
        "mangled", json_text(r->mangled), "file", json_text(r->file), "line",
        r->line ? json_integer(r->line) : json_null(), "total", json_counts(columns, n, r->counts),
        "foreign", json_counts(columns, n, r->counts + p->n_events), "self",
        json_counts(columns, n, r->counts + 2 * (size_t)p->n_events), "certain",
        r->bound == BOUND_EXACT);

    json_set_crate(blame, r->crate);
    return blame;
}

int json_write_blame(const struct rows *rows, const struct blame *blame,
                     const struct crates *crates, size_t n_shown,
                     const struct column *const *columns, size_t n_columns, const char *title,
                     FILE *out)
{
    const struct cprof_profile *p = rows->profile;
    json_t *document = json_begin(p, "cprof-blame/1", title, columns, n_columns);
    json_t *list = json_array();

    for (size_t i = 0; i < n_shown; i++) {
        json_t *row = blame_of(p, &rows->items[i], columns, n_columns), *by = json_array();
        size_t n;
        const struct blame_charge *charges = blame_charges(blame, rows, &rows->items[i], &n);

        for (size_t k = 0; k < n; k++)
            json_array_append_new(by, charge_of(p, &charges[k], crates, columns, n_columns));
        json_object_set_new(row, "by", by);
        json_array_append_new(list, row);
    }
    json_object_set_new(document, "blame", list);
    return json_finish(document, NULL, columns, n_columns, out);
}
