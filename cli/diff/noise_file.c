#include <config.h>

/*
 * The file of noise.h, JSON:
 *     {"schema": "cprof-noise/1", "runs": 5, "events": ["Ir"],
 *      "total": {"least": [100], "most": [102]},
 *      "functions": [{"name": "a::b", "least": [10, 50], "most": [12, 52]}, ...]}
 * Counts of a function are its own ones, then the inclusive ones.
 */
#include "base/json_file.h"
#include "base/memory.h"
#include "base/sort.h"
#include "diff/noise.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "cprof-noise/1"

static json_t *numbers(const int64_t *values, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer(values[i]));
    return list;
}

static bool varies(const struct noise_item *item, size_t width)
{
    return memcmp(item->least, item->most, width * sizeof *item->least) != 0;
}

static json_t *document_of(const struct noise *noise)
{
    json_t *functions = json_array(), *events = json_array();
    size_t n = noise->n_events;

    for (size_t e = 0; e < n; e++)
        json_array_append_new(events, json_string(noise->events[e]));
    for (size_t i = 0; i < noise->n; i++) {
        const struct noise_item *item = &noise->items[i];

        if (varies(item, 2 * n))
            json_array_append_new(functions, json_pack("{s:s, s:o, s:o}", "name", item->key,
                                                       "least", numbers(item->least, 2 * n), "most",
                                                       numbers(item->most, 2 * n)));
    }
    return json_pack("{s:s, s:i, s:o, s:{s:o, s:o}, s:o}", "schema", SCHEMA, "runs",
                     (int)noise->runs, "events", events, "total", "least",
                     numbers(noise->total.least, n), "most", numbers(noise->total.most, n),
                     "functions", functions);
}

int noise_write(const struct noise *noise, const char *path, char *why, size_t why_size)
{
    json_t *document = document_of(noise);
    int failed = document ? json_file_write(document, path) : -1;

    if (failed)
        snprintf(why, why_size, "%s", strerror(document ? errno : ENOMEM));
    json_decref(document);
    return failed;
}

static bool read_numbers(const json_t *list, int64_t *to, size_t n)
{
    if (!json_is_array(list) || json_array_size(list) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, i);

        if (!json_is_integer(value))
            return false;
        to[i] = json_integer_value(value);
    }
    return true;
}

static bool read_item(const json_t *from, struct noise_item *item, size_t room, size_t n)
{
    item->least = xcalloc(room + 1, sizeof *item->least);
    item->most = xcalloc(room + 1, sizeof *item->most);
    return read_numbers(json_object_get(from, "least"), item->least, n) &&
           read_numbers(json_object_get(from, "most"), item->most, n);
}

static int compare_items(const void *a, const void *b)
{
    return strcmp(((const struct noise_item *)a)->key, ((const struct noise_item *)b)->key);
}

static bool read_functions(struct noise *noise, const json_t *list)
{
    if (!json_is_array(list))
        return false;
    noise->items = xcalloc(json_array_size(list) + 1, sizeof *noise->items);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *function = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(function, "name"));
        struct noise_item *item = &noise->items[noise->n];

        if (!name)
            return false;
        item->key = xstrdup(name);
        noise->n++;
        if (!read_item(function, item, 2 * noise->n_events, 2 * noise->n_events))
            return false;
    }
    sort_items(noise->items, noise->n, sizeof *noise->items, compare_items);
    return true;
}

static bool read_document(struct noise *noise, const json_t *document)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    const json_t *events = json_object_get(document, "events");
    json_int_t runs = json_integer_value(json_object_get(document, "runs"));

    if (!schema || strcmp(schema, SCHEMA) != 0 || !json_is_array(events) || runs < 1 ||
        runs > UINT32_MAX)
        return false;
    noise->runs = (unsigned)runs;
    noise->events = xcalloc(json_array_size(events) + 1, sizeof *noise->events);
    for (size_t e = 0; e < json_array_size(events); e++) {
        const char *name = json_string_value(json_array_get(events, e));

        if (!name)
            return false;
        noise->events[noise->n_events++] = xstrdup(name);
    }
    return read_item(json_object_get(document, "total"), &noise->total, 2 * noise->n_events,
                     noise->n_events) &&
           read_functions(noise, json_object_get(document, "functions"));
}

int noise_read(struct noise *noise, const char *path, char *why, size_t why_size)
{
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);

    *noise = (struct noise){.n = 0};
    if (!document) {
        snprintf(why, why_size, "%s", error.text);
        return -1;
    }
    if (!read_document(noise, document)) {
        noise_free(noise);
        snprintf(why, why_size, "it is no " SCHEMA);
        json_decref(document);
        return -1;
    }
    json_decref(document);
    return 0;
}
