#include <config.h>

#include "render/json/json_heap.h"

#include "render/json/json_value.h"
#include "table/heap.h"

static json_t *counts_of(const struct cprof_profile *p, const int64_t *counts)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < p->n_events; i++)
        if (heap_is_column(p->events[i].name))
            json_object_set_new(object, p->events[i].name, json_integer((json_int_t)counts[i]));
    return object;
}

static json_t *function_of(const struct cprof_profile *p, const struct own_function *f)
{
    const struct row *r = &f->row;
    json_t *function = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(r->name), "mangled",
        json_text(r->mangled), "object", json_text(r->object), "file", json_text(r->file), "line",
        r->line ? json_integer(r->line) : json_null(), "counts", counts_of(p, f->charged));

    json_set_row_crate(function, r);
    return function;
}

json_t *json_heap(const struct own *own)
{
    const struct cprof_profile *p = own->profile;
    json_t *functions = json_array(), *heap;
    struct heap_rows rows;

    heap_rows_load(&rows, own, own->n, 0, heap_has_counts);
    for (size_t i = 0; i < rows.n; i++)
        if (rows.items[i].function)
            json_array_append_new(functions, function_of(p, rows.items[i].function));
    heap = json_pack("{s:o, s:o}", "functions", functions, "elsewhere", counts_of(p, rows.rest));
    heap_rows_free(&rows);
    return heap;
}
