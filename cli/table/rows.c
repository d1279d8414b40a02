#include <config.h>

#include "table/rows.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "names/demangle.h"
#include "names/names.h"

#include <stdlib.h>
#include <string.h>

static int compare_function(const void *a, const void *b, void *context)
{
    const struct cprof_profile *p = context;
    const struct cprof_function *x = &p->functions[*(const uint32_t *)a];
    const struct cprof_function *y = &p->functions[*(const uint32_t *)b];
    int order = strcmp(x->name, y->name);

    if (!order)
        order = compare_texts(x->mangled, y->mangled);
    return order ? order : (x->object > y->object) - (x->object < y->object);
}

/* Gives every function the number of its row, in the order of the profile. Returns the number of
 * rows. */
static uint32_t number_rows(const struct cprof_profile *p, uint32_t *row_of)
{
    uint32_t *order, n = 0;

    if (p->format != CPROF_FORMAT_CACHEGRIND) {
        for (uint32_t i = 0; i < p->n_functions; i++)
            row_of[i] = i;
        return p->n_functions;
    }
    order = xreallocarray(NULL, p->n_functions, sizeof *order);
    for (uint32_t i = 0; i < p->n_functions; i++)
        order[i] = i;
    if (p->n_functions)
        qsort_r(order, p->n_functions, sizeof *order, compare_function, (void *)p);
    for (uint32_t i = 0, begin = 0; i < p->n_functions; i++) {
        if (compare_function(&order[begin], &order[i], (void *)p) != 0)
            begin = i;
        row_of[order[i]] = order[begin];
    }
    for (uint32_t i = 0; i < p->n_functions; i++)
        order[i] = CPROF_NONE; /* from here on: the number of each group's row */
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (order[row_of[i]] == CPROF_NONE)
            order[row_of[i]] = n++;
        row_of[i] = order[row_of[i]];
    }
    free(order);
    return n;
}

static void describe(struct rows *rows, struct row *row, uint32_t function)
{
    const struct cprof_profile *p = rows->profile;
    const struct cprof_function *f = &p->functions[function];

    row->name = f->name;
    row->mangled = f->mangled;
    row->file =
        f->file == CPROF_NONE || !strcmp(p->files[f->file], "???") ? NULL : p->files[f->file];
    row->line = f->line;
    row->address = f->address;
    row->inlined = f->inlined;
    row->instances = f->instances;
    if (row->instances > 1)
        snprintf(row->tag, sizeof row->tag, "[%s instances]", TEXT_COUNT(row->instances));
    row->function = function;
    row->object = f->object == CPROF_NONE ? NULL : p->objects[f->object].path;
}

/* Describes each row by its function; of several, by the one with most of the first event. */
static void describe_rows(struct rows *rows, const uint32_t *row_of)
{
    const struct cprof_profile *p = rows->profile;
    int64_t *own = xcalloc(p->n_functions, sizeof *own);
    uint32_t *costliest = new_indices(rows->n);

    for (uint32_t i = 0; i < p->n_costs && p->n_events; i++)
        counts_add(&own[p->costs[i].function], cprof_cost_values(p, i), 1);
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (costliest[row_of[i]] == CPROF_NONE || own[i] > own[costliest[row_of[i]]])
            costliest[row_of[i]] = i;
    for (size_t i = 0; i < rows->n; i++)
        describe(rows, &rows->items[i], costliest[i]);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        struct row *row = &rows->items[row_of[i]];

        row->entered += p->functions[i].entered;
        row->entered_least |= p->functions[i].entered_least;
    }
    free(own);
    free(costliest);
}

uint32_t *rows_of_functions(const struct rows *rows)
{
    const struct cprof_profile *p = rows->profile;
    uint32_t *row_of = xreallocarray(NULL, p->n_functions, sizeof *row_of);
    uint32_t n = number_rows(p, row_of), *places = new_indices(n);

    for (size_t i = 0; i < rows->n; i++)
        places[row_of[rows->items[i].function]] = (uint32_t)i;
    for (uint32_t i = 0; i < p->n_functions; i++)
        row_of[i] = places[row_of[i]];
    free(places);
    return row_of;
}

/* Keeps rows that have a cost, own or inclusive. */
static void drop_empty(struct rows *rows)
{
    uint32_t n_events = rows->profile->n_events, n_costs = n_events;
    size_t kept = 0;

    if (rows->width > n_events)
        n_costs *= 2;
    for (size_t i = 0; i < rows->n; i++)
        for (uint32_t e = 0; e < n_costs; e++)
            if (rows->items[i].counts[e]) {
                rows->items[kept++] = rows->items[i];
                break;
            }
    rows->n = rows->n_all = kept;
}

static int compare_looks(const struct row *x, const struct row *y)
{
    int order = strcmp(x->name, y->name);

    if (!order)
        order = compare_texts(x->file, y->file);
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : compare_texts(x->object, y->object);
}

static int compare_same_looks(const struct row *x, const struct row *y)
{
    int order = compare_texts(x->mangled, y->mangled);

    return order ? order : (x->address > y->address) - (x->address < y->address);
}

static const char *row_name(const void *rows, size_t i)
{
    return ((const struct rows *)rows)->items[i].name;
}

static int compare_rows(const void *rows, size_t a, size_t b)
{
    const struct row *items = ((const struct rows *)rows)->items;

    return compare_looks(&items[a], &items[b]);
}

static int compare_same_rows(const void *rows, size_t a, size_t b)
{
    const struct row *items = ((const struct rows *)rows)->items;

    return compare_same_looks(&items[a], &items[b]);
}

/* Numbers `n` rows that look the same, in the order of their linkage names. */
static void tag_group(void *rows, const size_t *group, size_t n)
{
    struct row *items = ((struct rows *)rows)->items;

    for (size_t i = 0; i < n; i++)
        snprintf(items[group[i]].tag, sizeof items->tag, "#%zu", i + 1);
}

/* Gives tags to rows that look the same: instances of a generic function may share name and
 * place. Nothing that is counted has a part in it: each run that executes these functions numbers
 * them alike. */
static void tell_apart(struct rows *rows)
{
    static const struct repeated same_looks = {
        .text = row_name, .compare = compare_rows, .order = compare_same_rows, .use = tag_group};

    repeated_each(&same_looks, rows, rows->n);
}

size_t rows_width(const struct cprof_profile *p)
{
    return graph_is_known(p) ? 2 * (size_t)p->n_events + 1 : p->n_events;
}

/* Adds inclusive costs and calls. Only cachegrind files have rows of several functions, and they
 * have no calls. */
static void load_calls(struct rows *rows, const uint32_t *row_of)
{
    const struct cprof_profile *p = rows->profile;
    size_t n_events = p->n_events;
    struct graph graph;

    graph_load(&graph, p);
    for (uint32_t i = 0; graph.known && i < p->n_functions; i++) {
        int64_t *counts = rows->counts + row_of[i] * rows->width;

        counts_add(counts + n_events, graph.inclusive + i * n_events, p->n_events);
        counts_add(counts + 2 * n_events, &graph.calls[i], 1);
        counts_add(rows->totals + 2 * n_events, &graph.calls[i], 1);
        rows->items[row_of[i]].bound = graph.bounds[i];
    }
    graph_free(&graph);
}

/* Returns true where context `i` is the outermost one of its function in its path. */
static bool is_outermost(const struct paths *p, uint32_t i)
{
    for (uint32_t k = p->contexts[i].parent; k != CPROF_NONE; k = p->contexts[k].parent)
        if (p->contexts[k].function == p->contexts[i].function)
            return false;
    return true;
}

/* Adds the costs of what was inlined where. */
static void load_inlined(struct rows *rows, const struct paths *inlined, const uint32_t *row_of)
{
    uint32_t n_events = rows->profile->n_events;
    int64_t *sums = path_sums(inlined);

    for (uint32_t i = 0; i < inlined->n; i++)
        if (is_outermost(inlined, i))
            counts_add(rows->counts + row_of[inlined->contexts[i].function] * rows->width +
                           n_events,
                       sums + (size_t)i * n_events, n_events);
    free(sums);
}

static void load_counts(struct rows *rows, const uint32_t *row_of)
{
    const struct cprof_profile *p = rows->profile;

    rows->counts = xcalloc(rows->n * rows->width, sizeof *rows->counts);
    rows->totals = xcalloc(rows->width, sizeof *rows->totals);
    for (size_t i = 0; i < rows->n; i++)
        rows->items[i].counts = rows->counts + i * rows->width;
    for (uint32_t i = 0; i < p->n_costs; i++)
        counts_add(rows->counts + row_of[p->costs[i].function] * rows->width,
                   cprof_cost_values(p, i), p->n_events);
    memcpy(rows->totals, p->totals, p->n_events * sizeof *p->totals);
    if (rows->width > p->n_events)
        memcpy(rows->totals + p->n_events, p->totals, p->n_events * sizeof *p->totals);
}

/* Makes the rows; `inlined`, where not NULL, tells in place of the calls. */
static void load(struct rows *rows, const struct cprof_profile *p, const struct paths *inlined)
{
    uint32_t *row_of = xreallocarray(NULL, p->n_functions, sizeof *row_of);

    *rows = (struct rows){.profile = p,
                          .n = number_rows(p, row_of),
                          .width = inlined ? 2 * (size_t)p->n_events + 1 : rows_width(p)};
    rows->items = xcalloc(rows->n, sizeof *rows->items);
    load_counts(rows, row_of);
    if (inlined)
        load_inlined(rows, inlined, row_of);
    else
        load_calls(rows, row_of);
    describe_rows(rows, row_of);
    free(row_of);
    tell_apart(rows); /* those without a cost too, which may have one in another run */
    drop_empty(rows);
}

void rows_load(struct rows *rows, const struct cprof_profile *profile)
{
    load(rows, profile, NULL);
}

void rows_load_inlined(struct rows *rows, const struct cprof_profile *profile)
{
    const struct paths paths = profile_paths(profile);

    load(rows, profile, graph_is_known(profile) || paths.known || !paths.n ? NULL : &paths);
}

struct events rows_events(const struct rows *rows)
{
    struct events events = events_of(rows->profile);

    events.inclusive = rows->width > events.n;
    return events;
}

bool rows_name_matches(const char *name, const char *mangled, const regex_t *function)
{
    char *full;
    bool matches;

    if (regexec(function, name, 0, NULL, 0) == 0)
        return true;
    full = mangled ? demangle(mangled) : NULL;
    matches = full && regexec(function, full, 0, NULL, 0) == 0;
    free(full);
    return matches;
}

void rows_filter(struct rows *rows, const regex_t *function, const regex_t *file)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->items[i];
        const char *path = r->file ? r->file : r->object ? r->object : "";

        if ((!function || rows_name_matches(r->name, r->mangled, function)) &&
            (!file || regexec(file, path, 0, NULL, 0) == 0))
            rows->items[kept++] = *r;
    }
    rows->n = kept;
}

void rows_set_crates(struct rows *rows, const struct crates *crates)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *row = &rows->items[i];

        row->crate = crates_of(crates, row->function);
        row->owner = crates->owner[row->function];
    }
}

void rows_filter_crate(struct rows *rows, const char *text)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].crate && crate_matches(rows->items[i].crate, text))
            rows->items[kept++] = rows->items[i];
    rows->n = kept;
}

static int compare_equal_names(const void *a, const void *b, void *rows)
{
    const struct sorted *x = a, *y = b;
    const struct row *r = (const struct row *)rows + x->index;
    const struct row *s = (const struct row *)rows + y->index;
    int order = compare_looks(r, s);

    if (!order)
        order = compare_same_looks(r, s);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* The value of a row by which a column sorts; of ratios in thousandths, INT64_MIN: not known. */
static int64_t sort_value(const struct row *row, const struct column *column)
{
    int64_t value = column_value(column, row->counts), whole;
    __int128 thousandths;

    if (column_is_calls(column))
        return row_calls(row, value);
    if (!column_is_ratio(column))
        return value;
    if (!row_ratio(row, column, &value, &whole))
        return INT64_MIN;
    thousandths = (__int128)value * 1000 / whole;
    return thousandths > INT64_MAX ? INT64_MAX : (int64_t)thousandths;
}

/* Orders rows of `items`: by the column, those of one value by `then`; without a column by name. */
static void sort_by(struct sorted *order, size_t n, struct row *items, const struct column *column,
                    const struct column *then)
{
    size_t begin = 0;

    if (!column) {
        sort_texts(order, n, compare_equal_names, items);
        return;
    }
    for (size_t i = 0; i < n; i++)
        order[i].key = sort_key_falling(sort_value(&items[order[i].index], column));
    sort_keys(order, n);
    for (size_t i = 1; i <= n; i++) {
        if (i < n && order[i].key == order[begin].key)
            continue;
        if (i - begin > 1)
            sort_by(order + begin, i - begin, items, then, NULL);
        begin = i;
    }
}

void rows_sort(struct rows *rows, const struct column *column, const struct column *then)
{
    struct sorted *order = xreallocarray(NULL, rows->n, sizeof *order);
    struct row *items = xreallocarray(NULL, rows->n, sizeof *items);

    for (size_t i = 0; i < rows->n; i++)
        order[i] = (struct sorted){0, rows->items[i].name, i};
    sort_by(order, rows->n, rows->items, column, then);
    for (size_t i = 0; i < rows->n; i++)
        items[i] = rows->items[order[i].index];
    free(order);
    free(rows->items);
    rows->items = items;
}

/* Where copies were inlined, and nobody knows how often they were entered, calls are too few. */
bool row_ratio(const struct row *row, const struct column *column, int64_t *part, int64_t *whole)
{
    *part = column_value(column, row->counts);
    *whole = row->counts[column->per];
    if (!column->per_calls)
        return *whole > 0;
    *whole = row_calls(row, *whole);
    return *whole > 0 && !row->entered_least && (!row->inlined || row->entered);
}

int64_t rows_sum(const struct rows *rows, const struct column *column, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n && i < rows->n; i++) {
        int64_t value = column_value(column, rows->items[i].counts);

        counts_add(&sum, &value, 1);
    }
    return sum;
}

void rows_free(struct rows *rows)
{
    free(rows->items);
    free(rows->counts);
    free(rows->totals);
    for (size_t i = 0; i < rows->n_owned; i++)
        free(rows->owned[i]);
    free(rows->owned);
    *rows = (struct rows){.n = 0};
}
