#include <config.h>

#include "scale/series.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "scale/inclusive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int series_times[SERIES_AHEAD] = {10, 100};

/* A function that costs less than this at each size is among the others, unless it is known well.
 */
#define SMALL_SHARE 0.0005

bool series_takes(const struct column *column)
{
    return column_adds_up(column) || column_is_calls(column);
}

/*--- Results ---*/

static void read_counts(int64_t *to, const json_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        count_add(&to[i], json_integer_value(json_array_get(list, i)));
}

static void read_events(struct series *s, const json_t *result)
{
    const json_t *list = json_object_get(result, "events");
    struct cprof_event *events = xcalloc(json_array_size(list) + 1, sizeof *events);

    s->events.items = events;
    s->events.n = (uint32_t)json_array_size(list);
    s->events.inclusive = json_is_true(json_object_get(result, "inclusive"));
    for (uint32_t i = 0; i < s->events.n; i++)
        events[i].name = (char *)(uintptr_t)json_string_value(json_array_get(list, i));
    columns_load(&s->columns, s->events);
    s->width = json_array_size(json_object_get(result, "totals"));
}

/* The number of each key, as a JSON object. */
static struct series_item *item_of(struct series *s, json_t *numbers, const json_t *row)
{
    const char *key = json_text_in(row, "key");
    const json_t *number = json_object_get(numbers, key);

    if (number) {
        struct series_item *item = &s->items[json_integer_value(number)];

        /* The costliest line is that of the largest size. */
        item->file = json_text_in(row, "file");
        item->line = (uint32_t)json_integer_value(json_object_get(row, "line"));
        item->jumps |= json_is_true(json_object_get(row, "jumps"));
        return item;
    }
    json_object_set_new(numbers, key, json_integer((json_int_t)s->n));
    s->items[s->n] =
        (struct series_item){.name = json_text_in(row, "name"),
                             .key = key,
                             .file = json_text_in(row, "file"),
                             .object = json_text_in(row, "object"),
                             .line = (uint32_t)json_integer_value(json_object_get(row, "line")),
                             .jumps = json_is_true(json_object_get(row, "jumps")),
                             .counts = xcalloc(s->sizes.n * s->width + 1, sizeof(int64_t))};
    return &s->items[s->n++];
}

/* Marks what differs between two runs of the first size. */
static void find_varying(struct series *s, json_t *numbers, const json_t *again)
{
    int64_t *counts = xcalloc(s->n * s->width + 1, sizeof *counts);
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(again, s->list), i, row)
    {
        const json_t *number = json_object_get(numbers, json_text_in(row, "key"));

        if (number)
            read_counts(&counts[(size_t)json_integer_value(number) * s->width],
                        json_object_get(row, "counts"), s->width);
    }
    for (i = 0; i < s->n; i++) {
        s->items[i].varies =
            memcmp(&counts[i * s->width], s->items[i].counts, s->width * sizeof *counts) != 0;
        s->n_varying += s->items[i].varies;
    }
    free(counts);
}

/* Calls of all functions are those of rows, with copies that were entered. */
static void sum_calls(struct series *s)
{
    size_t calls = 2 * (size_t)s->events.n;

    for (size_t size = 0; size < s->sizes.n && calls < s->width; size++) {
        int64_t *total = &s->totals[size * s->width + calls];

        *total = 0;
        for (size_t i = 0; i < s->n; i++)
            count_add(total, series_counts(s, &s->items[i], size)[calls]);
    }
}

static void read_results(struct series *s, const struct series_source *source)
{
    json_t *const *results = source->results;
    json_t *numbers = json_object();
    size_t most = 0;

    for (size_t size = 0; size < s->sizes.n; size++)
        most += json_array_size(json_object_get(results[size], s->list));
    s->items = xcalloc(most + 1, sizeof *s->items);
    s->totals = xcalloc(s->sizes.n * s->width + 1, sizeof *s->totals);
    for (size_t size = 0; size < s->sizes.n; size++) {
        const json_t *row;
        size_t i;

        s->statuses[size] = (int)json_integer_value(json_object_get(results[size], "status"));
        read_counts(s->totals + size * s->width, json_object_get(results[size], "totals"),
                    s->width);
        json_array_foreach(json_object_get(results[size], s->list), i, row)
        {
            read_counts(item_of(s, numbers, row)->counts + size * s->width,
                        json_object_get(row, "counts"), s->width);
        }
    }
    sum_calls(s);
    find_varying(s, numbers, source->again);
    json_decref(numbers);
}

/* Calls that cost as much at all sizes copy as many bytes at all sizes, and pass no threshold. */
static void settle_jumps(struct series *s, bool may_jump)
{
    const struct column *calls = columns_find(&s->columns, "Calls");
    bool are_own = !strcmp(s->list, "own");

    for (size_t i = 0; i < s->n; i++) {
        struct series_item *item = &s->items[i];
        int64_t first = calls ? series_value(s, item, calls, 0) : 0;
        int64_t last = calls ? series_value(s, item, calls, s->sizes.n - 1) : 0;

        item->jumps &= may_jump;
        if (!are_own && first > 0 && last > 0)
            item->jumps &= (double)series_counts(s, item, s->sizes.n - 1)[0] / (double)last >
                           1.1 * (double)series_counts(s, item, 0)[0] / (double)first;
        s->jumps |= item->jumps;
    }
}

/*--- Growth ---*/

int64_t series_value(const struct series *s, const struct series_item *item,
                     const struct column *column, size_t size)
{
    return column_value(column, series_counts(s, item, size));
}

static struct growth_points points_of(const struct series *s, const struct series_item *item,
                                      const struct column *column,
                                      int64_t counts[GROWTH_SIZES_MOST])
{
    for (size_t i = 0; i < s->sizes.n; i++)
        counts[i] = series_value(s, item, column, i);
    return (struct growth_points){.n = s->sizes.n, .sizes = s->sizes.items, .counts = counts};
}

void series_grow(const struct series *s, const struct series_item *item,
                 const struct column *column, struct growth *fit)
{
    int64_t counts[GROWTH_SIZES_MOST];
    struct growth_points points = points_of(s, item, column, counts);

    growth_find(fit, &points);
    fit->exact &= !item->varies;
}

/* How many times as much what jumps may cost: a byte for each instruction, and not a vector. */
#define JUMP_TIMES 32

struct foretold series_foretell(const struct series *s, const struct series_item *item,
                                const struct column *column, const struct growth *fit, int64_t size)
{
    int64_t counts[GROWTH_SIZES_MOST];
    struct growth_points points = points_of(s, item, column, counts);
    struct foretold foretold = {.count = growth_at(fit, (long double)size),
                                .range = growth_range_at(fit, &points, (long double)size),
                                .share = NAN};

    if (column == s->measure && item->sum)
        return inclusive_foretell(item->sum, size);
    if (foretold.count < 0)
        foretold.count = 0;
    if (item->jumps && fit->slope > 0)
        foretold.range.high *= JUMP_TIMES;
    return foretold;
}

static void foretell(const struct series *s, struct series_item *item)
{
    if (!item->sum)
        series_grow(s, item, s->measure, &item->fit);
    for (int i = 0; i < SERIES_AHEAD; i++) {
        item->ahead[i] = series_foretell(s, item, s->measure, &item->fit,
                                         s->sizes.items[s->sizes.n - 1] * series_times[i]);
    }
}

/*--- Others ---*/

/* A polynomial of as few terms as it takes, which more than one count confirms. */
static bool is_known_well(const struct series *s, const struct series_item *item)
{
    return item->fit.kind == GROWTH_POLYNOMIAL &&
           item->fit.terms + 2 + item->fit.first <= s->sizes.n;
}

static bool is_small(const struct series *s, const struct series_item *item)
{
    for (size_t i = 0; i < s->sizes.n; i++) {
        double total = (double)column_value(s->measure, s->totals + i * s->width);

        if ((double)series_value(s, item, s->measure, i) >= SMALL_SHARE * total && total > 0)
            return false;
    }
    return !is_known_well(s, item);
}

/* Inclusive counts cannot be added up: there each function stands for itself. */
static void put_together(struct series *s)
{
    for (size_t i = 0; i < s->n && !column_is_inclusive(s->measure); i++) {
        struct series_item *item = &s->items[i];

        if (!is_small(s, item))
            continue;
        item->is_small = true;
        s->n_others++;
        if (!s->others.counts)
            s->others.counts = xcalloc(s->sizes.n * s->width + 1, sizeof(int64_t));
        s->others.varies |= item->varies;
        for (size_t k = 0; k < s->sizes.n * s->width; k++)
            count_add(&s->others.counts[k], item->counts[k]);
    }
    if (s->others.counts)
        foretell(s, &s->others);
}

/*--- Shares ---*/

static void add_foretold(struct foretold *sum, const struct foretold *more)
{
    if (isnan(more->count))
        return;
    sum->count += more->count;
    sum->range.low += more->range.low;
    sum->range.high += more->range.high;
}

/* The program's, of the own counts of the measure. */
static void sum_up(struct series *s)
{
    const struct column *own =
        column_is_inclusive(s->measure) ? &s->columns.items[s->measure->self] : s->measure;

    for (size_t i = 0; i < s->n; i++) {
        struct series_item item = s->items[i];

        if (own != s->measure)
            series_grow(s, &item, own, &item.fit);
        for (int k = 0; k < SERIES_AHEAD && own != s->measure; k++)
            item.ahead[k] = series_foretell(s, &item, own, &item.fit,
                                            s->sizes.items[s->sizes.n - 1] * series_times[k]);
        for (int k = 0; k < SERIES_AHEAD && !item.is_small && item.fit.kind != GROWTH_NONE; k++)
            add_foretold(&s->ahead[k], &item.ahead[k]);
    }
    for (int k = 0; k < SERIES_AHEAD && s->others.counts && s->others.fit.kind != GROWTH_NONE; k++)
        add_foretold(&s->ahead[k], &s->others.ahead[k]);
}

/* Fits of inclusive counts and of own ones may differ, but no function is more than the program. */
static void include_all(struct series *s)
{
    for (size_t i = 0; i < s->n && column_is_inclusive(s->measure); i++)
        for (int k = 0; k < SERIES_AHEAD; k++)
            if (s->items[i].ahead[k].count > s->ahead[k].count)
                s->ahead[k] = s->items[i].ahead[k];
}

static void set_shares(const struct series *s, struct series_item *item)
{
    for (int k = 0; k < SERIES_AHEAD; k++)
        if (isfinite(item->ahead[k].count) && s->ahead[k].count > 0)
            item->ahead[k].share = (double)(item->ahead[k].count / s->ahead[k].count);
}

/* An item that nothing is foretold of stands where it would if it were linear, or as steep as it is
 * at the largest sizes, up to a square: what costs much now may come to dominate. */
static long double rank_of(const struct series *s, const struct series_item *item)
{
    if (!isnan(item->ahead[0].count))
        return item->ahead[0].count;
    return (long double)series_value(s, item, s->measure, s->sizes.n - 1) *
           powl(series_times[0], fmin(2, fmax(1, item->fit.slope)));
}

/* Items that cost most at 10 times the largest size first, then those that do now. */
static int compare_items(const void *a, const void *b, void *data)
{
    const struct series_item *x = a, *y = b;
    const struct series *s = data;
    long double i = rank_of(s, x), j = rank_of(s, y);
    int64_t now = series_value(s, x, s->measure, s->sizes.n - 1);
    int64_t other = series_value(s, y, s->measure, s->sizes.n - 1);

    if (x->is_small != y->is_small)
        return x->is_small - y->is_small;
    if (i != j)
        return i < j ? 1 : -1;
    return now != other ? (now < other) - (now > other) : strcmp(x->key, y->key);
}

/*--- Inclusive counts ---*/

/* A function of own code has the sum that it has among all functions. */
static void take_sums(struct series *s, const struct series *functions)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < functions->n; k++)
            if (functions->items[k].sum && !strcmp(functions->items[k].key, s->items[i].key)) {
                s->items[i].sum = functions->items[k].sum;
                s->items[i].fit = functions->items[k].fit;
            }
}

static void find_sums(struct series *s, const struct series_source *source)
{
    if (!column_is_inclusive(s->measure))
        return;
    if (source->functions) {
        take_sums(s, source->functions);
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        series_grow(s, &s->items[i], s->measure, &s->items[i].fit);
    inclusive_load(s, source->results[s->sizes.n - 1]);
}

/*--- All of it ---*/

static const struct column *find_measure(const struct series *s, const char *name)
{
    const struct column *column = name ? columns_find(&s->columns, name) : &s->columns.items[0];
    char *names;

    if (column && (series_takes(column) || column_is_inclusive(column)))
        return column;
    names = columns_names(&s->columns, true);
    message_error("no count '%s' to sort by; there are %s", name, names);
    free(names);
    return NULL;
}

int series_load(struct series *s, const struct series_source *source, const char *measure)
{
    const struct sizes *sizes = source->sizes;
    struct series_item program = {.key = ""};

    *s = (struct series){.sizes = *sizes,
                         .list = source->list,
                         .in_phase = growth_is_in_phase(sizes->items, sizes->n)};
    read_events(s, source->results[0]);
    s->measure = find_measure(s, measure);
    if (!s->measure)
        return STATUS_USAGE;
    read_results(s, source);
    settle_jumps(s, source->may_jump);
    find_sums(s, source);
    for (size_t i = 0; i < s->n; i++)
        foretell(s, &s->items[i]);
    put_together(s);
    sum_up(s);
    include_all(s);
    for (size_t i = 0; i < s->n; i++)
        set_shares(s, &s->items[i]);
    set_shares(s, &s->others);
    qsort_r(s->items, s->n, sizeof *s->items, compare_items, s);
    program.counts = s->totals;
    program.varies = s->n_varying > 0;
    series_grow(s, &program, s->measure, &s->total_fit);
    return 0;
}

void series_free(struct series *s)
{
    inclusive_free(s);
    for (size_t i = 0; i < s->n; i++)
        free(s->items[i].counts);
    free(s->others.counts);
    free(s->items);
    free(s->totals);
    columns_free(&s->columns);
    free((void *)(uintptr_t)s->events.items);
    *s = (struct series){.n = 0};
}

/*--- Other runs ---*/

struct series_item *series_find(const struct series *s, const json_t *row)
{
    const char *key = json_text_in(row, "key");

    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->items[i].key, key))
            return &s->items[i];
    return NULL;
}

int64_t series_row_value(const struct series *s, const json_t *row, const struct column *column)
{
    int64_t *counts = xcalloc(s->width + 1, sizeof *counts), value;

    read_counts(counts, json_object_get(row, "counts"), s->width);
    value = column_value(column, counts);
    free(counts);
    return value;
}
