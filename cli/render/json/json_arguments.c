#include <config.h>

#include "render/json/json_arguments.h"

#include "base/memory.h"
#include "render/json/json_value.h"
#include "table/arguments.h"

#include <inttypes.h>
#include <stdlib.h>

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

json_t *json_arguments(const struct cprof_profile *p, const bool *own)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_counted_args; i++)
        json_array_append_new(list, table_of(p, i, own));
    return list;
}
