#include <config.h>

#include "table/own.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "names/object_name.h"
#include "table/search.h"

#include <stdlib.h>
#include <string.h>

/*--- Functions ---*/

static const int64_t *counts_of(const struct own *o, size_t function)
{
    return o->counts + function * 3 * o->profile->n_events;
}

/* Makes `of` the index of each function's item, and adds up its lines. */
static void add_lines(struct own *o, uint32_t *of)
{
    size_t n_events = o->profile->n_events, width = 3 * n_events;

    o->items = xcalloc(o->lines.n, sizeof *o->items);
    o->counts = xcalloc(o->lines.n * width, sizeof *o->counts);
    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];

        if (line->function == CPROF_NONE) {
            counts_add(o->outside[line->line], line->counts, n_events);
            continue;
        }
        if (of[line->function] == CPROF_NONE) {
            of[line->function] = (uint32_t)o->n;
            o->items[o->n++] = (struct own_function){.row = *line};
        }
        counts_add(o->counts + of[line->function] * width, line->counts, width);
        counts_add(o->charged, line->counts, n_events);
    }
    for (size_t i = 0; i < o->n; i++) {
        o->items[i].charged = counts_of(o, i);
        o->items[i].foreign = o->items[i].charged + n_events;
        o->items[i].self = o->items[i].foreign + n_events;
    }
}

/* True where `a` is the better place to show: a line that is known, then the costlier one, then the
 * first. */
static bool is_better_line(const struct row *a, const struct row *b, const struct column *measure)
{
    int64_t x = column_value(measure, a->counts), y = column_value(measure, b->counts);

    if ((a->line != 0) != (b->line != 0))
        return a->line != 0;
    if (x != y)
        return x > y;
    return a->line != b->line ? a->line < b->line
                              : strcmp(a->file ? a->file : "", b->file ? b->file : "") < 0;
}

static void find_places(struct own *o, const uint32_t *of, const struct column *measure)
{
    const struct row **best = xcalloc(o->n, sizeof *best);

    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];
        uint32_t function = line->function == CPROF_NONE ? CPROF_NONE : of[line->function];

        if (function == CPROF_NONE)
            continue;
        if (!best[function] || is_better_line(line, best[function], measure))
            best[function] = line;
        if (line->bound != BOUND_EXACT)
            o->items[function].row.bound = line->bound;
    }
    for (size_t i = 0; i < o->n; i++) {
        o->items[i].row.file = best[i]->file;
        o->items[i].row.line = best[i]->line;
        o->items[i].line_charged = best[i]->counts;
    }
    free(best);
}

/* Finds who ran in other threads without own code. */
static void find_elsewhere(struct own *o, const struct column *measure)
{
    blame_sort(&o->blame, measure);
    for (size_t i = 0; i < o->lines.n; i++) {
        const struct row *line = &o->lines.items[i];

        if (line->function == CPROF_NONE && line->line == BLAME_ELSEWHERE)
            o->elsewhere = blame_charges(&o->blame, &o->lines, line, &o->n_elsewhere);
    }
}

static void find_inclusive(struct own *o, const uint32_t *of)
{
    bool known = graph_is_known(o->profile);

    rows_load(&o->functions, o->profile);
    o->row_of = rows_of_functions(&o->functions);
    for (size_t i = 0; i < o->functions.n && known; i++) {
        const struct row *row = &o->functions.items[i];

        if (of[row->function] == CPROF_NONE)
            continue;
        o->items[of[row->function]].inclusive = row->counts + o->profile->n_events;
        o->items[of[row->function]].inclusive_bound = row->bound;
    }
}

/*--- Charges ---*/

static int compare_kept(const void *a, const void *b)
{
    const struct blame_charge *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return blame_compare_keys(x, y);
}

static int compare_costs(const void *a, const void *b, void *measure)
{
    const struct blame_charge *x = a, *y = b;
    int64_t x_value = column_value(measure, x->counts), y_value = column_value(measure, y->counts);

    if (x_value != y_value)
        return x_value > y_value ? -1 : 1;
    return blame_compare_keys(x, y);
}

/* The charges of all lines, by the item and the function or purpose; how many. */
static size_t collect_charges(struct own *o, const uint32_t *of)
{
    size_t n = 0;

    o->charges = xcalloc(o->blame.n_charges, sizeof *o->charges);
    for (size_t i = 0; i < o->blame.n_charges; i++) {
        struct blame_charge charge = o->blame.charges[i];
        uint32_t function = o->lines.items[charge.row].function;

        if (function == CPROF_NONE)
            continue;
        charge.row = of[function];
        o->charges[n++] = charge;
    }
    sort_items(o->charges, n, sizeof *o->charges, compare_kept);
    return n;
}

/* Makes the charges of one function, or purpose, to one item a single one. Each item's begin at
 * `charges`. */
static void add_charges(struct own *o, const uint32_t *of, const struct column *measure)
{
    size_t n = collect_charges(o, of), n_events = o->profile->n_events, kept = 0;

    o->charge_counts = xcalloc(n * n_events, sizeof *o->charge_counts);
    for (size_t i = 0; i < n; i++) {
        struct blame_charge charge = o->charges[i];
        struct own_function *f = &o->items[charge.row];

        if (!f->n_charges)
            f->charges = &o->charges[kept];
        if (!f->n_charges || blame_compare_keys(&o->charges[kept - 1], &charge) != 0) {
            o->charges[kept] = charge;
            o->charges[kept].counts = o->charge_counts + kept * n_events;
            f->n_charges++;
            kept++;
        }
        blame_join_charge(&o->charges[kept - 1], &charge);
        counts_add(o->charge_counts + (kept - 1) * n_events, charge.counts, n_events);
    }
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].n_charges)
            qsort_r((struct blame_charge *)o->items[i].charges, o->items[i].n_charges,
                    sizeof *o->charges, compare_costs, (void *)measure);
}

/*--- Order ---*/

struct order {
    const struct column *measure;
    bool inclusive;
};

static int compare_items(const void *a, const void *b, void *data)
{
    const struct own_function *x = a, *y = b;
    const struct order *order = data;
    bool inclusive = order->inclusive && x->inclusive && y->inclusive;
    int64_t x_value = column_value(order->measure, inclusive ? x->inclusive : x->charged);
    int64_t y_value = column_value(order->measure, inclusive ? y->inclusive : y->charged);
    int by_name;

    if (x_value != y_value)
        return x_value > y_value ? -1 : 1;
    by_name = strcmp(x->row.name, y->row.name);
    return by_name ? by_name
                   : (x->row.function > y->row.function) - (x->row.function < y->row.function);
}

void own_load(struct own *o, struct paths paths, const struct crates *crates, const bool *own,
              const struct column *measure, bool inclusive)
{
    const struct cprof_profile *p = paths.profile;
    uint32_t *of = xreallocarray(NULL, p->n_functions, sizeof *of);
    struct order order = {measure, inclusive};

    *o = (struct own){.profile = p, .paths = paths.known};
    o->charged = xcalloc((1 + BLAME_OUTSIDES) * (size_t)p->n_events, sizeof *o->charged);
    for (size_t which = 0; which < BLAME_OUTSIDES; which++)
        o->outside[which] = o->charged + (1 + which) * p->n_events;
    for (uint32_t i = 0; i < p->n_functions; i++)
        of[i] = CPROF_NONE;
    blame_load(&o->blame, &o->lines, paths, crates, own);
    add_lines(o, of);
    find_places(o, of, measure);
    find_inclusive(o, of);
    find_elsewhere(o, measure);
    add_charges(o, of, measure);
    if (o->n)
        qsort_r(o->items, o->n, sizeof *o->items, compare_items, &order);
    free(of);
}

const char *own_tag(const struct own *o, uint32_t function)
{
    uint32_t row = o->row_of[function];

    return row == CPROF_NONE ? "" : o->functions.items[row].tag;
}

char *own_charge_name(const struct own *o, const struct blame_charge *charge)
{
    const char *name = blame_charge_name(o->profile, charge), *tag;
    const struct cprof_function *f;
    char *plain, *label;

    if (charge->function == CPROF_NONE)
        return xstrdup(name);
    f = &o->profile->functions[charge->function];
    tag = own_tag(o, charge->function);
    plain = f->object != CPROF_NONE && crates_is_libc(o->profile->objects[f->object].path)
                ? libc_plain_name(name)
                : xstrdup(name);
    label = xasprintf("%s%s%s", plain, *tag ? " " : "", tag);
    free(plain);
    return label;
}

char *own_search_text(const struct own *o, const struct row *row, size_t width)
{
    uint32_t index = o->row_of[row->function];

    return index == CPROF_NONE ? row_label(row, false, NULL)
                               : search_text(&o->functions, &o->functions.items[index], width);
}

static bool name_matches(const void *item, const void *filter)
{
    const struct row *row = &((const struct own_function *)item)->row;

    return rows_name_matches(row->name, row->mangled, filter);
}

size_t own_filter(struct own *own, const regex_t *filter)
{
    return array_partition(own->items, own->n, sizeof *own->items, name_matches, filter);
}

void own_free(struct own *o)
{
    free(o->row_of);
    rows_free(&o->lines);
    rows_free(&o->functions);
    blame_free(&o->blame);
    free(o->items);
    free(o->charged);
    free(o->charges);
    free(o->counts);
    free(o->charge_counts);
    *o = (struct own){.n = 0};
}
