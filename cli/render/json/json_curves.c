#include <config.h>

#include "render/json/json_curves.h"

#include "render/json/json_value.h"
#include "table/curves.h"

#include <stdlib.h>

static json_t *size_of(const struct curves *t, size_t size)
{
    return size == t->n_sizes ? json_null()
                              : json_integer((json_int_t)t->profile->curve_sizes[size]);
}

static json_t *misses_of(const struct curves *t, const struct curve *c, int kind)
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
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "l1_misses", (json_int_t)c->all,
                     "first_uses", (json_int_t)c->first, "working_set",
                     size_of(t, curve_working_set(t, c)), "simulated",
                     t->has_simulated ? json_integer((json_int_t)c->simulated) : json_null(),
                     "ILmr", misses_of(t, c, CPROF_REUSE_FETCH), "DLmr",
                     misses_of(t, c, CPROF_REUSE_READ), "DLmw", misses_of(t, c, CPROF_REUSE_WRITE));
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
