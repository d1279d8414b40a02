#include <config.h>

#include "render/json/json.h"

#include "calls/graph.h"
#include "render/json/json_arguments.h"
#include "render/json/json_curves.h"
#include "render/json/json_data.h"
#include "render/json/json_document.h"
#include "render/json/json_heap.h"
#include "render/json/json_own.h"
#include "render/json/json_sections.h"
#include "render/json/json_value.h"
#include "table/own.h"
#include "table/share.h"
#include "table/view_kinds.h"

#include <jansson.h>
#include <math.h>

static json_t *command_of(const struct cprof_profile *p)
{
    json_t *list;

    if (!p->n_arguments && !p->command)
        return json_null();
    list = json_array();
    for (uint32_t i = 0; i < p->n_arguments; i++)
        json_array_append_new(list, json_text(p->arguments[i]));
    if (!p->n_arguments)
        json_array_append_new(list, json_text(p->command));
    return list;
}

static json_t *caches_of(const struct cprof_profile *p)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_caches; i++) {
        const struct cprof_cache *c = &p->caches[i];

        if (c->size)
            json_array_append_new(list, json_pack("{s:o, s:I, s:I, s:I}", "name",
                                                  json_text(c->name), "size", (json_int_t)c->size,
                                                  "ways", (json_int_t)c->ways, "line_size",
                                                  (json_int_t)c->line_size));
    }
    return list;
}

/* [0.312007, 0.369001]: the interval of the share of the samples. */
static json_t *interval_json(const struct cprof_profile *p, int64_t value)
{
    struct share_interval i = share_interval(value, p->totals[0], p->totals[0]);

    return json_pack("[f, f]", round(i.low * 1e6) / 1e6, round(i.high * 1e6) / 1e6);
}

static json_t *shares_of(const struct cprof_profile *p, const struct row *r, bool known)
{
    return json_pack("{s:o, s:o}", "self", interval_json(p, r->counts[0]), "inclusive",
                     known ? interval_json(p, r->counts[p->n_events]) : json_null());
}

/* Adds the ratios among the columns, if there are some; null: not known. */
static void set_ratios(json_t *function, const struct row *r, const struct column_list *columns)
{
    json_t *ratios = NULL;

    for (size_t i = 0; i < columns->n; i++) {
        const struct column *c = columns->items[i];
        struct cell cell;

        if (!column_is_ratio(c))
            continue;
        cell = cell_ratio(r, c);
        ratios = ratios ? ratios : json_object();
        json_object_set_new(ratios, c->name, json_cell(&cell));
    }
    if (ratios)
        json_object_set_new(function, "ratios", ratios);
}

static json_t *function_of(const struct cprof_profile *p, const struct row *r,
                           const struct column_list *columns)
{
    json_t *line = r->line ? json_integer(r->line) : json_null();
    bool known = graph_is_known(p);
    json_t *inclusive = known ? json_counts(columns, r->counts + p->n_events) : json_null();
    int64_t called = graph_has_calls(p) ? r->counts[2 * p->n_events] : 0;
    json_t *calls =
        graph_has_calls(p) && (called || r->inlined) ? json_integer(called) : json_null();

    json_t *instances = json_integer(r->instances ? r->instances : 1);
    json_t *function = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "name",
                                 json_text(r->name), "mangled", json_text(r->mangled), "file",
                                 json_text(r->file), "line", line, "object", json_text(r->object),
                                 "self", json_counts(columns, r->counts), "inclusive", inclusive,
                                 "calls", calls, "inlined", r->inlined, "instances", instances);

    if (r->entered) {
        json_object_set_new(function, "entered", json_integer((json_int_t)r->entered));
        json_object_set_new(function, "entered_least", json_boolean(r->entered_least));
    }
    json_set_label(function, r);
    json_set_row_crate(function, r);
    set_ratios(function, r, columns);
    if (share_is_sampled(p))
        json_object_set_new(function, "share", shares_of(p, r, known));
    return function;
}

/*--- Views beside functions ---*/

static json_t *sections_of(const struct json_table *t)
{
    return json_sections(t->rows->profile, &t->columns);
}

static json_t *arguments_of(const struct json_table *t)
{
    return json_arguments(t->rows->profile, t->own_code);
}

static json_t *heap_of(const struct json_table *t)
{
    return json_heap(t->heap);
}

static json_t *data_of(const struct json_table *t)
{
    return json_data(t->callers);
}

static json_t *line_use_of(const struct json_table *t)
{
    return json_line_use(t->callers);
}

static json_t *curves_of(const struct json_table *t)
{
    return json_curves(t->callers);
}

static json_t *(*const members[N_VIEWS])(const struct json_table *t) = {
    [VIEW_SECTIONS] = sections_of, [VIEW_ARGS] = arguments_of, [VIEW_HEAP] = heap_of,
    [VIEW_DATA] = data_of,         [VIEW_LINES] = line_use_of, [VIEW_CURVES] = curves_of};

int json_write(const struct json_table *t, const struct tree *tree, const struct own *own,
               const char *program, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-profile/1", t->title, &t->columns);
    json_t *functions = json_array();

    for (size_t i = 0; i < t->n_shown; i++)
        json_array_append_new(functions, function_of(p, &t->rows->items[i], &t->columns));
    if (!p->program)
        json_object_set_new(document, "program", json_text(program));
    json_object_set_new(document, "command", command_of(p));
    json_object_set_new(document, "exit",
                        p->exit == CPROF_EXIT_CODE ? json_integer(p->exit_code) : json_null());
    json_object_set_new(document, "caches", caches_of(p));
    json_object_set_new(document, "functions", functions);
    if (own)
        json_object_set_new(document, view_kinds[VIEW_OWN].member,
                            json_own_value(own, &t->columns));
    for (enum view_id view = 0; view < N_VIEWS; view++) {
        if (members[view] && view_exists(view, p))
            json_object_set_new(document, view_kinds[view].member, members[view](t));
        if (view == VIEW_DATA && t->layout && p->has_data)
            json_object_set_new(document, "layout", json_layout(*t->layout, t->callers));
    }
    return tree ? json_finish_with_tree(document, tree, &t->columns, out)
                : json_finish(document, out);
}

int json_write_calls(const struct json_table *t, const struct rows *functions, const struct row *of,
                     const char *direction, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-calls/1", t->title, &t->columns);
    json_t *list = json_array();

    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *r = &t->rows->items[i];
        json_t *call = function_of(p, &functions->items[r->function], &t->columns);
        json_t *site = json_pack("{s:o, s:o}", "file", json_text(r->file), "line",
                                 r->line ? json_integer(r->line) : json_null());

        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:o, s:b}", "function", call, "site", site, "calls",
                      graph_has_calls(p) ? json_integer(r->counts[2 * p->n_events]) : json_null(),
                      "inclusive", json_counts(&t->columns, r->counts + p->n_events), "inlined",
                      r->inlined));
    }
    json_object_set_new(document, "function", function_of(p, of, &t->columns));
    json_object_set_new(document, direction, list);
    return json_finish(document, out);
}

int json_write_tree(const struct tree *tree, const struct column_list *columns, FILE *out)
{
    json_t *document = json_begin(tree->profile, "cprof-tree/1", NULL, columns);

    return json_finish_with_tree(document, tree, columns, out);
}
