#include <config.h>

#include "render/json/json_data.h"

#include "render/json/json_value.h"
#include "table/line_rows.h"

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

static json_t *touch_of(const struct cprof_profile *p, const struct data_touch *t)
{
    json_t *offsets = json_array(), *object;

    for (unsigned i = 0; i < t->n_offsets && i < DATA_OFFSETS; i++)
        json_array_append_new(offsets, json_integer((json_int_t)t->offsets[i]));
    object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:I}", "function", name_of(p, t->function),
                  "within", name_of(p, t->within), "file", file_of(p, t->file), "line",
                  line_of(t->line), "misses", misses_of(t->misses), "offsets", offsets,
                  "more_offsets", t->n_offsets > DATA_OFFSETS, "stride", (json_int_t)t->stride);
    put_use(object, p, &t->use);
    return object;
}

static json_t *row_of(const struct cprof_profile *p, const struct data_row *row)
{
    const struct cprof_datum *d = row->datum;
    char *name = data_row_name(p, row);
    json_t *touches = json_array(), *object;

    for (size_t i = 0; i < row->n; i++)
        json_array_append_new(touches, touch_of(p, &row->touches[i]));
    object =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "kind",
                  cprof_data_kind_name(d->kind), "name", json_text(name), "function",
                  name_of(p, row->function), "file", file_of(p, row->file), "line",
                  line_of(row->line), "object", d->path ? json_text(d->path) : json_null(), "size",
                  (json_int_t)d->size, "misses", misses_of(row->misses), "touches", touches);
    put_use(object, p, &row->use);
    free(name);
    return object;
}

json_t *json_data(const struct cprof_profile *p, const bool *callers)
{
    struct data_table t;
    json_t *list = json_array();

    data_table_load(&t, p, callers, DATA_D1);
    for (size_t i = 0; i < t.n; i++)
        json_array_append_new(list, row_of(p, &t.rows[i]));
    data_table_free(&t);
    return list;
}

json_t *json_line_use(const struct cprof_profile *p, const bool *callers)
{
    json_t *functions = json_array(), *object = json_object();
    struct line_table t;

    line_table_load(&t, p, callers);
    for (size_t i = 0; i < t.n; i++) {
        const struct line_row *row = &t.rows[i];
        json_t *function = json_pack("{s:o, s:o, s:o}", "function", name_of(p, row->function),
                                     "file", file_of(p, row->file), "line", line_of(row->line));

        put_use(function, p, &row->use);
        json_array_append_new(functions, function);
    }
    json_object_set_new(object, "line_size", json_integer(CPROF_LINE_SIZE));
    put_use(object, p, &t.use);
    json_object_set_new(object, "functions", functions);
    line_table_free(&t);
    return object;
}
