#include <config.h>

#include "render/json/json_data.h"

#include "render/json/json_value.h"
#include "table/curves.h"
#include "table/data_rows.h"
#include "table/type_rows.h"

#include <stdlib.h>

static json_t *name_of(const struct cprof_profile *p, uint32_t function)
{
    return function == CPROF_NONE ? json_null() : json_text(p->functions[function].name);
}

static json_t *file_of(const struct cprof_profile *p, uint32_t file)
{
    return file == CPROF_NONE ? json_null() : json_text(p->files[file]);
}

static json_t *line_of(uint32_t line)
{
    return line ? json_integer(line) : json_null();
}

static json_t *misses_of(const int64_t *misses)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "D1mr", (json_int_t)misses[CPROF_D1MR], "DLmr",
                     (json_int_t)misses[CPROF_DLMR], "D1mw", (json_int_t)misses[CPROF_D1MW], "DLmw",
                     (json_int_t)misses[CPROF_DLMW]);
}

/* Adds the use of lines, where it is known. */
static void put_use(json_t *object, const struct cprof_profile *p, const struct line_use *use)
{
    if (!p->has_line_use)
        return;
    json_object_set_new(object, "lines", json_integer(use->lines));
    json_object_set_new(object, "bytes_used", json_integer(use->used));
}

static json_t *field_name(const struct touched_field *at)
{
    char *name = fields_name(at->of, at->first, at->last);
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
                       name_of(p, t->spot.function), "within", name_of(p, t->within), "functions",
                       (json_int_t)t->n_within, "file", file_of(p, t->spot.file), "line",
                       line_of(t->spot.line), "misses", misses_of(t->misses), "offsets", offsets,
                       "more_offsets", t->n_offsets > DATA_OFFSETS, "stride", (json_int_t)t->stride,
                       "fields", fields, "more_fields",
                       t->n_fields > DATA_OFFSETS || (t->n_fields && t->beside_fields));
    put_use(object, p, &t->use);
    return object;
}

static json_t *row_of(const struct cprof_profile *p, const struct data_row *row)
{
    const struct cprof_datum *d = row->datum;
    const struct cprof_type *type = row->type == CPROF_NONE ? NULL : &p->types[row->type];
    char *name = data_row_name(p, row);
    json_t *touches = json_array(), *object;

    for (size_t i = 0; i < row->n; i++)
        json_array_append_new(touches, touch_of(p, &row->touches[i]));
    object =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "kind",
                  cprof_data_kind_name(d->kind), "name", json_text(name), "function",
                  name_of(p, row->spot.function), "file", file_of(p, row->spot.file), "line",
                  line_of(row->spot.line), "object", d->path ? json_text(d->path) : json_null(),
                  "size", (json_int_t)d->size, "misses", misses_of(row->misses), "touches", touches,
                  "type", type ? json_text(type->name) : json_null(), "type_size",
                  type && type->size ? json_integer((json_int_t)type->size) : json_null());
    put_use(object, p, &row->use);
    free(name);
    return object;
}

json_t *json_data(const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct data_table t;
    json_t *list = json_array();

    data_table_load(&t, callers, DATA_D1);
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(list, row_of(p, &t.rows[i]));
    data_table_free(&t);
    return list;
}

/* Accesses that never miss, or miss elsewhere, too, are not known. */
static json_t *executed(int64_t count)
{
    return count ? json_integer((json_int_t)count) : json_null();
}

static json_t *type_row_of(const struct type_row *row)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "offset", (json_int_t)row->offset,
                     "size", (json_int_t)row->size, "member", json_text(row->name), "type",
                     json_text(row->type), "reads", executed(row->reads), "writes",
                     executed(row->writes), "misses", misses_of(row->misses));
}

static json_t *advice_of(const struct type_rows *t)
{
    const struct type_advice *a = &t->advice;
    json_t *hot = json_array(), *object;
    char *order = type_rows_order(t);

    for (size_t i = 0; i < t->fields.n; i++)
        if (t->hot[i])
            json_array_append_new(hot, json_text(t->fields.items[i].name));
    object = json_pack("{s:o, s:o, s:f, s:f, s:o}", "function", name_of(t->profile, a->function),
                       "members", hot, "lines", a->now, "lines_in_order", a->then, "order",
                       json_text(order));
    free(order);
    return object;
}

json_t *json_layout(uint32_t type, const struct callers *callers)
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

json_t *json_line_use(const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    json_t *functions = json_array(), *object = json_object();
    struct line_table t;

    line_table_load(&t, callers);
    for (size_t i = 0; i < t.n; i++) {
        const struct line_row *row = &t.rows[i];
        json_t *function =
            json_pack("{s:o, s:o, s:o}", "function", name_of(p, row->spot.function), "file",
                      file_of(p, row->spot.file), "line", line_of(row->spot.line));

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

static void set_place(json_t *object, const struct cprof_profile *p, uint32_t file, uint32_t line)
{
    json_object_set_new(object, "file",
                        file == CPROF_NONE ? json_null() : json_text(p->files[file]));
    json_object_set_new(object, "line", line ? json_integer(line) : json_null());
}

static json_t *function_of(const struct curves *t, const struct curve *c)
{
    const struct cprof_profile *p = t->profile;
    const struct cprof_function *f = &p->functions[c->function];
    json_t *object = curve_of(t, c);

    json_object_set_new(object, "name", json_text(f->name));
    set_place(object, p, f->file, f->line);
    return object;
}

static json_t *datum_of(const struct curves *t, const struct curve *c)
{
    const struct cprof_datum *d = c->row->datum;
    char *name = curve_name(t, c);
    json_t *object = curve_of(t, c);

    json_object_set_new(object, "kind", json_text(cprof_data_kind_name(d->kind)));
    json_object_set_new(object, "name", json_text(name));
    set_place(object, t->profile, c->row->spot.file, c->row->spot.line);
    json_object_set_new(object, "object", json_text(d->path));
    free(name);
    return object;
}

json_t *json_curves(const struct callers *callers)
{
    const struct cprof_profile *p = callers->profile;
    struct curves t;
    json_t *sizes = json_array(), *functions = json_array(), *object;

    curves_load(&t, callers);
    for (size_t i = 0; i < t.n_sizes; i++)
        json_array_append_new(sizes, json_integer((json_int_t)p->curve_sizes[i]));
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(functions, function_of(&t, &t.functions[i]));
    object = json_pack("{s:o, s:o, s:o, s:o}", "sizes", sizes, "simulated_size",
                       size_of(&t, t.simulated_size), "program", curve_of(&t, &t.program),
                       "functions", functions);
    if (t.n_data) {
        json_t *data = json_array();

        for (size_t i = 0; i < t.n_data; i++)
            json_array_append_new(data, datum_of(&t, &t.data[i]));
        json_object_set_new(object, "data", data);
    }
    curves_free(&t);
    return object;
}
