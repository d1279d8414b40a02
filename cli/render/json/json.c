#include <config.h>

#include "render/json/json.h"

#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "render/json/json_data.h"
#include "render/json/json_value.h"
#include "table/arguments.h"
#include "table/heap.h"
#include "table/own.h"
#include "table/share.h"
#include "table/view_kinds.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/*--- Own lines with what they led to ---*/

static json_t *json_charge(const struct cprof_profile *p, const struct blame_charge *charge,
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

/*--- Own code ---*/

static json_t *own_function_of(const struct own *own, const struct own_function *f,
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

/* The member "own" of json.h. */
static json_t *json_own_value(const struct own *o, const struct column_list *columns)
{
    json_t *functions = json_array(), *document;

    for (size_t i = 0; i < o->n; i++)
        json_array_append_new(functions, own_function_of(o, &o->items[i], columns));
    document = json_pack("{s:b, s:o, s:o, s:o, s:o}", "paths", o->paths, "functions", functions,
                         "charged", json_counts(columns, o->charged), "before_main",
                         json_counts(columns, o->outside[BLAME_FIRST_THREAD]), "not_charged",
                         json_counts(columns, o->outside[BLAME_ELSEWHERE]));
    if (counts_any(o->outside[BLAME_CUT], o->profile->n_events))
        json_object_set_new(document, "stack_cut_off", json_counts(columns, o->outside[BLAME_CUT]));
    return document;
}

/*--- The heap ---*/

static json_t *counts_of(const struct cprof_profile *p, const int64_t *counts)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < p->n_events; i++)
        if (heap_is_column(p->events[i].name))
            json_object_set_new(object, p->events[i].name, json_integer((json_int_t)counts[i]));
    return object;
}

static json_t *heap_function_of(const struct cprof_profile *p, const struct own_function *f)
{
    const struct row *r = &f->row;
    json_t *function = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "mangled",
        json_text(r->mangled), "object", json_text(r->object), "file", json_text(r->file), "line",
        r->line ? json_integer(r->line) : json_null(), "counts", counts_of(p, f->charged));

    json_set_row_crate(function, r);
    return function;
}

/* The functions that memory is put to, with the counts of the heap, and the counts of all else. */
static json_t *json_heap(const struct own *own)
{
    const struct cprof_profile *p = own->profile;
    json_t *functions = json_array(), *heap;
    struct heap_rows rows;

    heap_rows_load(&rows, own, own->n, 0, heap_has_counts);
    for (size_t i = 0; i < rows.n; i++)
        if (rows.items[i].function)
            json_array_append_new(functions, heap_function_of(p, rows.items[i].function));
    heap = json_pack("{s:o, s:o}", "functions", functions, "elsewhere", counts_of(p, rows.rest));
    heap_rows_free(&rows);
    return heap;
}

/*--- Sections ---*/

static void put_count(json_t *object, const char *name, uint64_t n)
{
    json_object_set_new(object, name, json_integer((json_int_t)n));
}

/* Ir of the entries that ended; null: none did. */
static json_t *entry_of(const struct cprof_section *s)
{
    json_t *entry;

    if (!s->n_spreads)
        return json_null();
    entry = json_object();
    put_count(entry, "least", s->least);
    put_count(entry, "median", s->median);
    put_count(entry, "greatest", s->greatest);
    json_object_set_new(entry, "rounded", json_boolean(s->rounded));
    return entry;
}

/* An array of the sections, in the order in which they first began. */
static json_t *json_sections(const struct cprof_profile *p, const struct column_list *columns)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = &p->sections[i];
        json_t *section = json_object();

        json_object_set_new(section, "name", json_text(s->name));
        put_count(section, "entries", s->began);
        put_count(section, "ended", s->ended);
        put_count(section, "lost", s->lost);
        put_count(section, "stray", s->stray);
        put_count(section, "foreign", s->foreign);
        put_count(section, "crossed", s->crossed);
        json_object_set_new(section, "cost", json_counts(columns, cprof_section_values(p, i)));
        json_object_set_new(section, "entry_ir", entry_of(s));
        json_array_append_new(list, section);
    }
    return list;
}

/*--- Arguments ---*/

static json_t *name_of(const struct cprof_profile *p, uint32_t function)
{
    return function == CPROF_NONE ? json_null() : json_text(p->functions[function].name);
}

/* Values are 64 bits without a sign, which readers' numbers do not hold: a text. */
static json_t *value_of(const struct argument_row *row, uint64_t value)
{
    char *text;
    json_t *result;

    if (row->other)
        return json_null();
    text = xasprintf("%" PRIu64, value);
    result = json_string(text);
    free(text);
    return result;
}

static json_t *row_of(const struct cprof_profile *p, const struct argument_table *t,
                      const struct argument_row *row)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o}", "value", value_of(row, row->value), "last",
                     value_of(row, argument_last(t, row)), "function", name_of(p, row->function),
                     "calls", (json_int_t)row->calls, "caller", name_of(p, row->caller), "own",
                     name_of(p, row->own));
}

static json_t *table_of(const struct cprof_profile *p, uint32_t index, const bool *own)
{
    struct argument_table t;
    json_t *rows = json_array(), *object;

    argument_table_load(&t, p, index, own);
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(rows, row_of(p, &t, &t.rows[i]));
    object = json_pack("{s:o, s:i, s:b, s:I, s:I, s:o}", "pattern", json_text(t.arg->pattern),
                       "argument", (int)t.arg->number, "log2", t.arg->log2, "functions",
                       (json_int_t)t.arg->n_functions, "calls", (json_int_t)t.calls, "rows", rows);
    argument_table_free(&t);
    return object;
}

/* A list of what each option counted. `own` says which functions are own code; NULL: none is. */
static json_t *json_arguments(const struct cprof_profile *p, const bool *own)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_counted_args; i++)
        json_array_append_new(list, table_of(p, i, own));
    return list;
}

/*--- Functions ---*/

/* A function of other code with its cost: an item of "by". */
static json_t *json_charge(const struct cprof_profile *profile, const struct blame_charge *charge,
                           const struct column_list *columns);

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

/*--- Groups ---*/

static json_t *group_of(const struct cprof_profile *p, const struct row *r, enum group_by by,
                        const struct column_list *columns)
{
    struct events events = groups_events(events_of(p), by);
    bool known = events.inclusive,
         calls = events_have_calls(&events) && (by == GROUP_CRATE || by == GROUP_OBJECT);
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
