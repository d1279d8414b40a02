#include <config.h>

#include "render/json/json.h"

#include "base/counts.h"
#include "base/memory.h"
#include "calls/graph.h"
#include "render/json/json_value.h"
#include "table/arguments.h"
#include "table/curves.h"
#include "table/data_rows.h"
#include "table/heap.h"
#include "table/share.h"
#include "table/type_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/*--- Own lines with what they led to ---*/

/* A function of other code with its cost: an item of "by". */
static json_t *charge_of(const struct cprof_profile *p, const struct blame_charge *charge,
                         const struct column_list *columns)
{
    const char *object = charge->object == CPROF_NONE ? NULL : p->objects[charge->object].path;
    json_t *by =
        json_members(json_object(), "name", json_text(blame_charge_name(p, charge)), "object",
                     json_text(object), "cost", json_counts(columns, charge->counts), NULL);

    json_set_crate(by, charge->crate, charge->owner);
    return by;
}

static json_t *blame_of(const struct cprof_profile *p, const struct row *r,
                        const struct column_list *columns)
{
    bool own = r->function != CPROF_NONE;
    json_t *blame = json_members(
        json_object(), "function", json_text(own ? r->name : NULL), "mangled",
        json_text(r->mangled), "file", json_text(r->file), "line", json_number(own ? r->line : 0),
        "total", json_counts(columns, r->counts), "foreign",
        json_counts(columns, r->counts + p->n_events), "self",
        json_counts(columns, r->counts + 2 * (size_t)p->n_events), "certain",
        json_boolean(r->bound == BOUND_EXACT), "outside", own ? NULL : json_text(r->name), NULL);

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
            json_array_append_new(by, charge_of(p, &charges[k], &t->columns));
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
    json_t *costliest =
        json_members(json_object(), "file", json_text(r->file), "line", json_number(r->line),
                     "charged", json_counts(columns, f->line_charged), NULL);
    json_t *function =
        json_members(json_object(), "name", json_text(r->name), "mangled", json_text(r->mangled),
                     "object", json_text(r->object), "charged", json_counts(columns, f->charged),
                     "self", json_counts(columns, f->self), "inclusive",
                     f->inclusive ? json_counts(columns, f->inclusive) : json_null(), "certain",
                     json_boolean(r->bound == BOUND_EXACT), "costliest", costliest, NULL);

    json_set_label(function, r);
    json_set_row_crate(function, r);
    for (size_t i = 0; i < f->n_charges; i++)
        json_array_append_new(by, charge_of(own->profile, &f->charges[i], columns));
    json_object_set_new(function, "by", by);
    return function;
}

/* The member "own". */
static json_t *own_of(const struct own *o, const struct column_list *columns)
{
    json_t *functions = json_array();
    const int64_t *cut = o->outside[BLAME_CUT];

    for (size_t i = 0; i < o->n; i++)
        json_array_append_new(functions, own_function_of(o, &o->items[i], columns));
    return json_members(json_object(), "paths", json_boolean(o->paths), "functions", functions,
                        "charged", json_counts(columns, o->charged), "before_main",
                        json_counts(columns, o->outside[BLAME_FIRST_THREAD]), "not_charged",
                        json_counts(columns, o->outside[BLAME_ELSEWHERE]), "stack_cut_off",
                        counts_any(cut, o->profile->n_events) ? json_counts(columns, cut) : NULL,
                        NULL);
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
    json_t *function =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "mangled",
                  json_text(r->mangled), "object", json_text(r->object), "file", json_text(r->file),
                  "line", json_number(r->line), "counts", counts_of(p, f->charged));

    json_set_row_crate(function, r);
    return function;
}

/* The functions that memory is put to, with the counts of the heap, and the counts of all else. */
static json_t *heap_of(const struct json_table *t)
{
    const struct own *own = t->heap;
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

/* Ir of the entries that ended; null: none did. */
static json_t *entry_of(const struct cprof_section *s)
{
    return s->n_spreads ? json_members(json_object(), "least", json_count(s->least), "median",
                                       json_count(s->median), "greatest", json_count(s->greatest),
                                       "rounded", json_boolean(s->rounded), NULL)
                        : json_null();
}

/* An array of the sections, in the order in which they first began. */
static json_t *sections_of(const struct json_table *t)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = &p->sections[i];

        json_array_append_new(
            list, json_members(json_object(), "name", json_text(s->name), "entries",
                               json_count(s->began), "ended", json_count(s->ended), "lost",
                               json_count(s->lost), "stray", json_count(s->stray), "foreign",
                               json_count(s->foreign), "crossed", json_count(s->crossed), "cost",
                               json_counts(&t->columns, cprof_section_values(p, i)), "entry_ir",
                               entry_of(s), NULL));
    }
    return list;
}

/*--- Arguments ---*/

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
                     value_of(row, argument_last(t, row)), "function",
                     json_function(p, row->function), "calls", (json_int_t)row->calls, "caller",
                     json_function(p, row->caller), "own", json_function(p, row->own));
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

/* A list of what each option counted. */
static json_t *arguments_of(const struct json_table *t)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_counted_args; i++)
        json_array_append_new(list, table_of(p, i, t->own_code));
    return list;
}

/*--- Data ---*/

static json_t *misses_of(const int64_t *misses)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "D1mr", (json_int_t)misses[CPROF_D1MR], "DLmr",
                     (json_int_t)misses[CPROF_DLMR], "D1mw", (json_int_t)misses[CPROF_D1MW], "DLmw",
                     (json_int_t)misses[CPROF_DLMW]);
}

/* Adds the use of lines, where it is known. Returns the object. */
static json_t *put_use(json_t *object, const struct cprof_profile *p, const struct line_use *use)
{
    return p->has_line_use ? json_members(object, "lines", json_count(use->lines), "bytes_used",
                                          json_count(use->used), NULL)
                           : object;
}

static json_t *field_name(const struct touched_field *at)
{
    char *name = fields_name(at->layout, at->first, at->last);
    json_t *text = json_text(name);

    free(name);
    return text;
}

static json_t *touch_of(const struct cprof_profile *p, const struct data_touch *t)
{
    json_t *offsets = json_array(), *fields = json_array(), *object;

    for (unsigned i = 0; i < t->n_offsets && i < DATA_OFFSETS; i++)
        json_array_append_new(offsets, json_integer((json_int_t)t->offsets[i]));
    for (unsigned i = 0; i < t->n_fields && i < DATA_OFFSETS; i++)
        json_array_append_new(fields, field_name(&t->fields[i]));
    object = json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:b, s:I, s:o, s:b}", "function",
                       json_function(p, t->spot.function), "within", json_function(p, t->within),
                       "functions", (json_int_t)t->n_within, "file", json_file(p, t->spot.file),
                       "line", json_number(t->spot.line), "misses", misses_of(t->misses), "offsets",
                       offsets, "more_offsets", t->n_offsets > DATA_OFFSETS, "stride",
                       (json_int_t)t->stride, "fields", fields, "more_fields",
                       t->n_fields > DATA_OFFSETS || (t->n_fields && t->beside_fields));
    put_use(object, p, &t->use);
    return object;
}

static json_t *data_row_of(const struct cprof_profile *p, const struct data_row *row)
{
    const struct cprof_datum *d = row->datum;
    const struct cprof_type *type = row->type == CPROF_NONE ? NULL : &p->types[row->type];
    char *name = data_row_name(p, row);
    json_t *touches = json_array(), *object;

    for (size_t i = 0; i < row->n; i++)
        json_array_append_new(touches, touch_of(p, &row->touches[i]));
    object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "kind",
                       cprof_data_kind_name(d->kind), "name", json_text(name), "function",
                       json_function(p, row->spot.function), "file", json_file(p, row->spot.file),
                       "line", json_number(row->spot.line), "object", json_text(d->path), "size",
                       (json_int_t)d->size, "misses", misses_of(row->misses), "touches", touches,
                       "type", json_text(type ? type->name : NULL), "type_size",
                       json_number(type ? type->size : 0));
    put_use(object, p, &row->use);
    free(name);
    return object;
}

static json_t *data_of(const struct json_table *table)
{
    const struct callers *callers = table->callers;
    const struct cprof_profile *p = callers->profile;
    struct data_table t;
    json_t *list = json_array();

    data_table_load(&t, callers, DATA_D1);
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(list, data_row_of(p, &t.rows[i]));
    data_table_free(&t);
    return list;
}

/* Accesses that never miss, or miss elsewhere, too, are not known. */
static json_t *type_row_of(const struct type_row *row)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "offset", (json_int_t)row->offset,
                     "size", (json_int_t)row->size, "member", json_text(row->name), "type",
                     json_text(row->type), "reads", json_number(row->reads), "writes",
                     json_number(row->writes), "misses", misses_of(row->misses));
}

static json_t *advice_of(const struct type_rows *t)
{
    const struct type_advice *a = &t->advice;
    json_t *hot = json_array(), *object;
    char *order = type_rows_order(t);

    for (size_t i = 0; i < t->fields.n; i++)
        if (t->hot[i])
            json_array_append_new(hot, json_text(t->fields.items[i].name));
    object = json_pack("{s:o, s:o, s:f, s:f, s:o}", "function",
                       json_function(t->profile, a->function), "members", hot, "lines", a->now,
                       "lines_in_order", a->then, "order", json_text(order));
    free(order);
    return object;
}

static json_t *layout_of(uint32_t type, const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct type_rows t;
    json_t *members = json_array(), *object;

    type_rows_load(&t, type, callers);
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(members, type_row_of(&t.rows[i]));
    object =
        json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "type", json_text(p->types[type].name),
                  "size", (json_int_t)t.fields.size, "line", (json_int_t)CPROF_LINE_SIZE, "misses",
                  misses_of(t.misses), "unknown", misses_of(t.nowhere), "members", members,
                  "advice", t.advice.function == CPROF_NONE ? json_null() : advice_of(&t));
    type_rows_free(&t);
    return object;
}

static json_t *line_use_of(const struct json_table *table)
{
    const struct callers *callers = table->callers;
    const struct cprof_profile *p = callers->profile;
    json_t *functions = json_array(), *object = json_object();
    struct line_table t;

    line_table_load(&t, callers);
    for (size_t i = 0; i < t.n; i++) {
        const struct line_row *row = &t.rows[i];
        json_t *function =
            json_pack("{s:o, s:o, s:o}", "function", json_function(p, row->spot.function), "file",
                      json_file(p, row->spot.file), "line", json_number(row->spot.line));

        put_use(function, p, &row->use);
        json_array_append_new(functions, function);
    }
    json_object_set_new(object, "line_size", json_integer(CPROF_LINE_SIZE));
    put_use(object, p, &t.use);
    json_object_set_new(object, "functions", functions);
    line_table_free(&t);
    return object;
}

/*--- Miss curves ---*/

static json_t *size_of(const struct curves *t, size_t size)
{
    return size == t->n_sizes ? json_null()
                              : json_integer((json_int_t)t->profile->curve_sizes[size]);
}

static json_t *curve_misses_of(const struct curves *t, const struct curve *c, int kind)
{
    const int64_t *falls = c->falls + (size_t)kind * (t->n_sizes + 1);
    int64_t left = curve_kind_misses(t, c, kind, 0);
    json_t *misses = json_array();

    for (size_t i = 0; i < t->n_sizes; i++) {
        left -= i ? falls[i] : 0;
        json_array_append_new(misses, json_integer((json_int_t)left));
    }
    return misses;
}

static json_t *curve_of(const struct curves *t, const struct curve *c)
{
    return json_pack(
        "{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "l1_misses", (json_int_t)c->all, "first_uses",
        (json_int_t)c->first, "working_set", size_of(t, curve_working_set(t, c)), "simulated",
        t->has_simulated ? json_integer((json_int_t)c->simulated) : json_null(), "ILmr",
        curve_misses_of(t, c, CPROF_REUSE_FETCH), "DLmr", curve_misses_of(t, c, CPROF_REUSE_READ),
        "DLmw", curve_misses_of(t, c, CPROF_REUSE_WRITE));
}

static json_t *curve_function_of(const struct curves *t, const struct curve *c)
{
    const struct cprof_function *f = &t->profile->functions[c->function];

    return json_members(curve_of(t, c), "name", json_text(f->name), "file",
                        json_file(t->profile, f->file), "line", json_number(f->line), NULL);
}

static json_t *datum_of(const struct curves *t, const struct curve *c)
{
    const struct cprof_datum *d = c->row->datum;
    char *name = curve_name(t, c);
    json_t *object =
        json_members(curve_of(t, c), "kind", json_text(cprof_data_kind_name(d->kind)), "name",
                     json_text(name), "file", json_file(t->profile, c->row->spot.file), "line",
                     json_number(c->row->spot.line), "object", json_text(d->path), NULL);

    free(name);
    return object;
}

static json_t *curves_of(const struct json_table *table)
{
    const struct cprof_profile *p = table->callers->profile;
    struct curves t;
    json_t *sizes = json_array(), *functions = json_array(), *data = NULL, *object;

    curves_load(&t, table->callers);
    for (size_t i = 0; i < t.n_sizes; i++)
        json_array_append_new(sizes, json_count(p->curve_sizes[i]));
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(functions, curve_function_of(&t, &t.functions[i]));
    for (size_t i = 0; i < t.n_data; i++) {
        data = data ? data : json_array();
        json_array_append_new(data, datum_of(&t, &t.data[i]));
    }
    object = json_members(json_object(), "sizes", sizes, "simulated_size",
                          size_of(&t, t.simulated_size), "program", curve_of(&t, &t.program),
                          "functions", functions, "data", data, NULL);
    curves_free(&t);
    return object;
}

/*--- Functions ---*/

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

/* The ratios among the columns, null where one is not known; NULL: there are none. */
static json_t *ratios_of(const struct row *r, const struct column_list *columns)
{
    json_t *ratios = NULL;

    for (size_t i = 0; i < columns->n; i++) {
        const struct column *c = columns->items[i];
        struct cell cell = cell_ratio(r, c);

        if (column_is_ratio(c))
            ratios = json_members(ratios ? ratios : json_object(), c->name, json_cell(&cell), NULL);
    }
    return ratios;
}

static json_t *function_of(const struct cprof_profile *p, const struct row *r,
                           const struct column_list *columns)
{
    bool known = graph_is_known(p);
    int64_t called = graph_has_calls(p) ? r->counts[2 * p->n_events] : 0;
    json_t *function = json_members(
        json_object(), "name", json_text(r->name), "mangled", json_text(r->mangled), "file",
        json_text(r->file), "line", json_number(r->line), "object", json_text(r->object), "self",
        json_counts(columns, r->counts), "inclusive",
        known ? json_counts(columns, r->counts + p->n_events) : json_null(), "calls",
        graph_has_calls(p) && (called || r->inlined) ? json_count(called) : json_null(), "inlined",
        json_boolean(r->inlined), "instances", json_count(r->instances ? r->instances : 1),
        "entered", r->entered ? json_count(r->entered) : NULL, "entered_least",
        r->entered ? json_boolean(r->entered_least) : NULL, NULL);

    json_set_label(function, r);
    json_set_row_crate(function, r);
    return json_members(function, "ratios", ratios_of(r, columns), "share",
                        share_is_sampled(p) ? shares_of(p, r, known) : NULL, NULL);
}

/* Functions of the members that have more than a table. */
static json_t *(*const members[N_VIEWS])(const struct json_table *t) = {
    [VIEW_SECTIONS] = sections_of, [VIEW_ARGS] = arguments_of, [VIEW_HEAP] = heap_of,
    [VIEW_DATA] = data_of,         [VIEW_LINES] = line_use_of, [VIEW_CURVES] = curves_of};

bool json_has_member(enum view_id view)
{
    return members[view] != NULL;
}

static void set_view(json_t *document, const struct json_table *t, enum view_id view)
{
    const char *name = view_kinds[view].member;

    if (members[view] && view_exists(view, t->rows->profile))
        json_object_set_new(document, name, members[view](t));
    else if (t->tables && t->tables[view].n_columns)
        json_object_set_new(document, name, json_put_table(json_object(), &t->tables[view]));
}

int json_write(const struct json_table *t, const struct tree *tree, const struct own *own,
               const char *program, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-profile/1", t->title, &t->columns);
    json_t *functions = json_array();

    for (size_t i = 0; i < t->n_shown; i++)
        json_array_append_new(functions, function_of(p, &t->rows->items[i], &t->columns));
    if (!p->program)
        json_members(document, "program", json_text(program), NULL);
    json_members(document, "command", command_of(p), "exit",
                 p->exit == CPROF_EXIT_CODE ? json_integer(p->exit_code) : json_null(), "caches",
                 caches_of(p), "functions", functions, view_kinds[VIEW_OWN].member,
                 own ? own_of(own, &t->columns) : NULL, NULL);
    for (enum view_id view = 0; view < N_VIEWS; view++) {
        set_view(document, t, view);
        if (view == VIEW_DATA && t->layout && p->has_data)
            json_object_set_new(document, "layout", layout_of(*t->layout, t->callers));
    }
    return tree ? json_finish_with_tree(document, tree, &t->columns, out)
                : json_finish(document, out);
}

int json_write_table(const struct json_table *d, enum view_id view, const struct table *table,
                     FILE *out)
{
    json_t *document = json_begin(d->rows->profile, "cprof-table/1", d->title, &d->columns);

    json_object_set_new(document, "view", json_text(view_words[view]));
    return json_finish(json_put_table(document, table), out);
}

int json_write_calls(const struct json_table *t, const struct rows *functions,
                     const struct row *function_row, const char *direction, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    json_t *document = json_begin(p, "cprof-calls/1", t->title, &t->columns);
    json_t *list = json_array();

    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *r = &t->rows->items[i];
        json_t *call = function_of(p, &functions->items[r->function], &t->columns);
        json_t *site =
            json_pack("{s:o, s:o}", "file", json_text(r->file), "line", json_number(r->line));

        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:o, s:b}", "function", call, "site", site, "calls",
                      graph_has_calls(p) ? json_integer(r->counts[2 * p->n_events]) : json_null(),
                      "inclusive", json_counts(&t->columns, r->counts + p->n_events), "inlined",
                      r->inlined));
    }
    json_object_set_new(document, "function", function_of(p, function_row, &t->columns));
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
    json_t *group =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "file",
                  json_text(r->file), "line", json_number(r->line), "object", json_text(r->object),
                  "self", json_counts(columns, r->counts), "inclusive",
                  known ? json_counts(columns, r->counts + p->n_events) : json_null(), "bound",
                  known ? json_text(r->bound == BOUND_EXACT ? "exact" : "least") : json_null(),
                  "calls", calls ? json_integer(r->counts[2 * p->n_events]) : json_null());

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
