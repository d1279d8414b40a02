#include <config.h>

#include "diff/noise.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "names/normalise.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A function, or a section, of one run: its key and its counts, those of an item. */
struct run_function {
    char *key;
    int64_t *counts;
};

struct run_functions {
    size_t n;
    struct run_function *items;
    int64_t *counts;
};

static int compare_functions(const void *a, const void *b)
{
    return strcmp(((const struct run_function *)a)->key, ((const struct run_function *)b)->key);
}

static int compare_items(const void *a, const void *b)
{
    return strcmp(((const struct noise_item *)a)->key, ((const struct noise_item *)b)->key);
}

/* Adds a profile's counts of the noise's events. */
static void add_counts(const struct noise *noise, const struct cprof_profile *p, int64_t *to,
                       const int64_t *from)
{
    for (size_t e = 0; e < noise->n_events; e++) {
        uint32_t event = cprof_find_event(p, noise->events[e]);

        if (event != CPROF_NONE)
            counts_add(&to[e], &from[event], 1);
    }
}

size_t noise_calls(const struct noise *noise)
{
    return 2 * noise->n_events;
}

size_t noise_width(const struct noise *noise)
{
    return noise_calls(noise) + 1;
}

/* The function's key, as the file can hold it. The caller frees it. */
static char *key_of(const struct cprof_function *f)
{
    char *name = normalise_name(f->name, f->mangled), *key = text_utf8(name);

    free(name);
    return key;
}

/* No function is called so. */
static const char section[] = "section ";

char *noise_section_key(const char *name)
{
    char *key = xasprintf("%s%s", section, name), *text = text_utf8(key);

    free(key);
    return text;
}

bool noise_is_section(const struct noise_item *item)
{
    return item->key && !strncmp(item->key, section, strlen(section));
}

static void add_functions(struct run_functions *list, const struct noise *noise,
                          const struct cprof_profile *p)
{
    struct graph graph;

    graph_load(&graph, p);
    for (uint32_t f = 0; f < p->n_functions; f++) {
        list->items[f].key = key_of(&p->functions[f]);
        if (!graph.known)
            continue;
        add_counts(noise, p, list->items[f].counts + noise->n_events,
                   graph.inclusive + (size_t)f * p->n_events);
        count_add(&list->items[f].counts[noise_calls(noise)], graph.calls[f]);
    }
    for (uint32_t i = 0; i < p->n_costs; i++)
        add_counts(noise, p, list->items[p->costs[i].function].counts, cprof_cost_values(p, i));
    graph_free(&graph);
}

static void add_sections(struct run_function *items, const struct noise *noise,
                         const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_sections; i++) {
        items[i].key = noise_section_key(p->sections[i].name);
        add_counts(noise, p, items[i].counts, cprof_section_values(p, i));
        items[i].counts[noise_calls(noise)] = calls_count(p->sections[i].began);
    }
}

static void list_functions(struct run_functions *list, const struct noise *noise,
                           const struct cprof_profile *p)
{
    size_t width = noise_width(noise), kept = 0;

    list->n = (size_t)p->n_functions + p->n_sections;
    list->items = xcalloc(list->n + 1, sizeof *list->items);
    list->counts = xcalloc((list->n + 1) * width, sizeof *list->counts);
    for (size_t i = 0; i < list->n; i++)
        list->items[i].counts = list->counts + i * width;
    add_functions(list, noise, p);
    add_sections(list->items + p->n_functions, noise, p);
    sort_items(list->items, list->n, sizeof *list->items, compare_functions);
    for (size_t i = 0; i < list->n; i++) {
        if (kept && compare_functions(&list->items[kept - 1], &list->items[i]) == 0) {
            counts_add(list->items[kept - 1].counts, list->items[i].counts, (uint32_t)width);
            free(list->items[i].key);
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->n = kept;
}

/* Widens an item by one run's counts. */
static void widen(struct noise_item *item, const int64_t *counts, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        if (counts[i] < item->least[i])
            item->least[i] = counts[i];
        if (counts[i] > item->most[i])
            item->most[i] = counts[i];
    }
}

static struct noise_item new_item(char *key, size_t width)
{
    return (struct noise_item){.key = key,
                               .least = xcalloc(width + 1, sizeof(int64_t)),
                               .most = xcalloc(width + 1, sizeof(int64_t))};
}

/* Keeps the counts of one more order. */
static void keep_order(const struct noise *noise, struct noise_item *item, const int64_t *counts)
{
    size_t width = noise_width(noise), size = width * sizeof *counts;
    bool begins = !item->each;

    if (!noise->orders)
        return;
    item->each = xreallocarray(item->each, noise->runs + 1, size);
    if (begins)
        memset(item->each, 0, noise->runs * size);
    memcpy(item->each + noise->runs * width, counts, size);
}

/* Adds one run's functions. A function that earlier runs lack had 0 there; one that this run lacks
 * has 0 now. Both lists are in order. */
static void take_run(struct noise *noise, struct run_functions *list)
{
    size_t width = noise_width(noise), i = 0, j = 0, n = 0;
    struct noise_item *merged = xcalloc(noise->n + list->n + 1, sizeof *merged);
    int64_t *zeros = xcalloc(width + 1, sizeof *zeros);

    while (i < noise->n || j < list->n) {
        int order = i == noise->n  ? 1
                    : j == list->n ? -1
                                   : strcmp(noise->items[i].key, list->items[j].key);

        const int64_t *counts = order >= 0 ? list->items[j].counts : zeros;

        if (order <= 0) {
            merged[n] = noise->items[i++];
            widen(&merged[n], counts, width);
        } else {
            merged[n] = new_item(xstrdup(list->items[j].key), width);
            memcpy(merged[n].most, counts, width * sizeof *counts);
            if (noise->runs == 0)
                memcpy(merged[n].least, counts, width * sizeof *counts);
        }
        keep_order(noise, &merged[n], counts);
        j += order >= 0;
        n++;
    }
    free(zeros);
    free(noise->items);
    noise->items = merged;
    noise->n = n;
}

static void take_total(struct noise *noise, const struct cprof_profile *p)
{
    int64_t *totals = xcalloc(noise_width(noise), sizeof *totals);

    add_counts(noise, p, totals, p->totals);
    if (noise->runs == 0) {
        noise->total = new_item(NULL, noise_width(noise));
        memcpy(noise->total.least, totals, noise->n_events * sizeof *totals);
        memcpy(noise->total.most, totals, noise->n_events * sizeof *totals);
    }
    widen(&noise->total, totals, noise->n_events);
    keep_order(noise, &noise->total, totals);
    free(totals);
}

void noise_measure(struct noise *noise, const struct cprof_profile *const *profiles, size_t n,
                   bool orders)
{
    *noise = (struct noise){.orders = orders, .n_events = profiles[0]->n_events};
    noise->events = xcalloc(noise->n_events + 1, sizeof *noise->events);
    for (size_t e = 0; e < noise->n_events; e++)
        noise->events[e] = xstrdup(profiles[0]->events[e].name);
    for (size_t i = 0; i < n; i++) {
        struct run_functions list = {.n = 0};

        list_functions(&list, noise, profiles[i]);
        take_run(noise, &list);
        take_total(noise, profiles[i]);
        noise->runs++;
        for (size_t k = 0; k < list.n; k++)
            free(list.items[k].key);
        free(list.items);
        free(list.counts);
    }
}

const struct noise_item *noise_find(const struct noise *noise, const char *key)
{
    struct noise_item wanted = {.key = text_utf8(key)}, *found;

    found =
        noise->n ? bsearch(&wanted, noise->items, noise->n, sizeof wanted, compare_items) : NULL;
    free(wanted.key);
    return found;
}

int64_t noise_spread(const struct noise_item *item, size_t value)
{
    int64_t spread;

    if (__builtin_sub_overflow(item->most[value], item->least[value], &spread))
        return INT64_MAX;
    return spread;
}

size_t noise_event(const struct noise *noise, const char *event)
{
    for (size_t e = 0; e < noise->n_events; e++)
        if (!strcasecmp(noise->events[e], event))
            return e;
    return SIZE_MAX;
}

static void free_item(struct noise_item *item)
{
    free(item->key);
    free(item->least);
    free(item->most);
    free(item->each);
}

void noise_free(struct noise *noise)
{
    for (size_t i = 0; i < noise->n; i++)
        free_item(&noise->items[i]);
    free(noise->items);
    free_item(&noise->total);
    for (size_t e = 0; noise->events && e < noise->n_events; e++)
        free(noise->events[e]);
    free(noise->events);
    *noise = (struct noise){.n = 0};
}

/*--- The file ---*/

/*
 * The file of noise.h, JSON:
 *     {"schema": "cprof-noise/1", "runs": 5, "events": ["Ir"],
 *      "total": {"least": [100], "most": [102]},
 *      "functions": [{"name": "a::b", "least": [10, 50, 1], "most": [12, 52, 1]}, ...]}
 * Counts of a function are its own ones, then the inclusive ones, then its calls, which older files
 * lack. With "orders": true the total and each function have "each", too: a list for each run.
 */

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

/* An item without its name; `n` of its counts. */
static json_t *item_json(const struct noise *noise, const struct noise_item *item, size_t n)
{
    json_t *object =
        json_pack("{s:o, s:o}", "least", numbers(item->least, n), "most", numbers(item->most, n));
    json_t *each = noise->orders ? json_array() : NULL;

    for (size_t i = 0; each && i < noise->runs; i++)
        json_array_append_new(each, numbers(item->each + i * noise_width(noise), n));
    if (each)
        json_object_set_new(object, "each", each);
    return object;
}

static json_t *document_of(const struct noise *noise)
{
    json_t *functions = json_array(), *events = json_array();
    size_t n = noise->n_events, width = noise_width(noise);

    for (size_t e = 0; e < n; e++)
        json_array_append_new(events, json_string(noise->events[e]));
    for (size_t i = 0; i < noise->n; i++) {
        json_t *function;

        if (!varies(&noise->items[i], width))
            continue;
        function = item_json(noise, &noise->items[i], width);
        json_object_set_new(function, "name", json_string(noise->items[i].key));
        json_array_append_new(functions, function);
    }
    return json_pack("{s:s, s:i, s:b, s:o, s:o, s:o}", "schema", SCHEMA, "runs", (int)noise->runs,
                     "orders", noise->orders, "events", events, "total",
                     item_json(noise, &noise->total, n), "functions", functions);
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

/* Reads the counts of each order, `n` of an item's. */
static bool read_orders(const struct noise *noise, const json_t *from, struct noise_item *item,
                        size_t n)
{
    const json_t *each = json_object_get(from, "each");
    size_t width = noise_width(noise);

    if (!json_is_array(each) || json_array_size(each) != noise->runs)
        return false;
    item->each = xcalloc(noise->runs, width * sizeof *item->each);
    for (size_t i = 0; i < noise->runs; i++)
        if (!read_numbers(json_array_get(each, i), item->each + i * width, n))
            return false;
    return true;
}

/* Reads `n` counts of an item of this noise. */
static bool read_item(const struct noise *noise, const json_t *from, struct noise_item *item,
                      size_t n)
{
    item->least = xcalloc(noise_width(noise), sizeof *item->least);
    item->most = xcalloc(noise_width(noise), sizeof *item->most);
    return read_numbers(json_object_get(from, "least"), item->least, n) &&
           read_numbers(json_object_get(from, "most"), item->most, n) &&
           (!noise->orders || read_orders(noise, from, item, n));
}

static bool read_functions(struct noise *noise, const json_t *list)
{
    if (!json_is_array(list))
        return false;
    noise->items = xcalloc(json_array_size(list) + 1, sizeof *noise->items);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *function = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(function, "name"));
        size_t n = json_array_size(json_object_get(function, "least"));
        struct noise_item *item = &noise->items[noise->n];

        if (!name)
            return false;
        item->key = xstrdup(name);
        noise->n++;
        if (!read_item(noise, function, item, n == noise_width(noise) ? n : noise_calls(noise)))
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
    noise->orders = json_is_true(json_object_get(document, "orders"));
    noise->events = xcalloc(json_array_size(events) + 1, sizeof *noise->events);
    for (size_t e = 0; e < json_array_size(events); e++) {
        const char *name = json_string_value(json_array_get(events, e));

        if (!name)
            return false;
        noise->events[noise->n_events++] = xstrdup(name);
    }
    return read_item(noise, json_object_get(document, "total"), &noise->total, noise->n_events) &&
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
