#include <config.h>

#include "out/json.h"

#include "base/memory.h"
#include "model/graph.h"
#include "out/text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

/* A JSON text, or null. */
static json_t *text(const char *s)
{
    char *valid;
    json_t *value;

    if (!s)
        return json_null();
    valid = text_utf8(s);
    value = json_string(valid);
    free(valid);
    return value;
}

static json_t *command_of(const struct cprof_profile *p)
{
    json_t *list;

    if (!p->n_arguments && !p->command)
        return json_null();
    list = json_array();
    for (uint32_t i = 0; i < p->n_arguments; i++)
        json_array_append_new(list, text(p->arguments[i]));
    if (!p->n_arguments)
        json_array_append_new(list, text(p->command));
    return list;
}

static json_t *caches_of(const struct cprof_profile *p)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_caches; i++) {
        const struct cprof_cache *c = &p->caches[i];

        if (c->size)
            json_array_append_new(list,
                                  json_pack("{s:o, s:I, s:I, s:I}", "name", text(c->name), "size",
                                            (json_int_t)c->size, "ways", (json_int_t)c->ways,
                                            "line_size", (json_int_t)c->line_size));
    }
    return list;
}

static json_t *counts_of(const struct column *const *columns, size_t n, const int64_t *counts)
{
    json_t *object = json_object();

    for (size_t i = 0; i < n; i++) {
        char *name = text_utf8(columns[i]->name);

        if (columns[i]->kind == COLUMN_COUNT)
            json_object_set_new(object, name, json_integer(column_value(columns[i], counts)));
        free(name);
    }
    return object;
}

static json_t *function_of(const struct cprof_profile *p, const struct row *r,
                           const struct column *const *columns, size_t n)
{
    json_t *line = r->line ? json_integer(r->line) : json_null();
    bool known = graph_is_known(p);
    json_t *inclusive = known ? counts_of(columns, n, r->counts + p->n_events) : json_null();
    json_t *calls = known ? json_integer(r->counts[2 * p->n_events]) : json_null();

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", text(r->name), "mangled",
                     text(r->mangled), "file", text(r->file), "line", line, "object",
                     text(r->object), "self", counts_of(columns, n, r->counts), "inclusive",
                     inclusive, "calls", calls);
}

int json_write(const struct rows *rows, size_t n_shown, const struct column *const *columns,
               size_t n_columns, const char *program, FILE *out)
{
    const struct cprof_profile *p = rows->profile;
    json_t *functions = json_array(), *events = json_array(), *document;
    int status;

    for (uint32_t i = 0; i < p->n_events; i++)
        json_array_append_new(events, text(p->events[i].name));
    for (size_t i = 0; i < n_shown; i++)
        json_array_append_new(functions, function_of(p, &rows->items[i], columns, n_columns));
    document =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "cprof-profile/1",
                  "command", command_of(p), "program", text(p->program ? p->program : program),
                  "exit", p->exit == CPROF_EXIT_CODE ? json_integer(p->exit_code) : json_null(),
                  "events", events, "caches", caches_of(p), "totals",
                  counts_of(columns, n_columns, p->totals), "functions", functions);
    if (!document) {
        errno = ENOMEM;
        return -1;
    }
    status = json_dumpf(document, out, JSON_INDENT(2));
    json_decref(document);
    if (status == 0 && fputc('\n', out) == EOF)
        status = -1;
    return status == 0 && !ferror(out) ? 0 : -1;
}
