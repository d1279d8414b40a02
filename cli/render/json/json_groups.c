#include <config.h>

/* Groups of functions as JSON. */
#include "calls/graph.h"
#include "render/json/json.h"
#include "render/json/json_document.h"
#include "render/json/json_value.h"

static json_t *group_of(const struct cprof_profile *p, const struct row *r, enum group_by by,
                        const struct column_list *columns)
{
    bool known = graph_is_known(p),
         calls = graph_has_calls(p) && (by == GROUP_CRATE || by == GROUP_OBJECT);
    json_t *group = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "file",
        json_text(r->file), "line", r->line ? json_integer(r->line) : json_null(), "object",
        json_text(r->object), "self", json_counts(columns, r->counts), "inclusive",
        known ? json_counts(columns, r->counts + p->n_events) : json_null(), "bound",
        known ? json_text(r->bound == BOUND_EXACT ? "exact" : "least") : json_null(), "calls",
        calls ? json_integer(r->counts[2 * p->n_events]) : json_null());

    json_set_row_crate(group, r);
    return group;
}

int json_write_groups(const struct json_table *t, enum group_by by, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-groups/1", t->title, &t->columns);
    json_t *list = json_array();

    for (size_t i = 0; i < t->n_shown; i++)
        json_array_append_new(list, group_of(p, &t->rows->items[i], by, &t->columns));
    json_object_set_new(document, "by", json_text(group_word(by, false)));
    json_object_set_new(document, "groups", list);
    return json_finish(document, out);
}
