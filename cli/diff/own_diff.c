#include <config.h>

#include "diff/own_diff.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "diff/diff.h"
#include "diff/matching.h"
#include "table/own.h"

#include <stdlib.h>
#include <string.h>

/* A comparison while it is made. */
struct maker {
    struct own_diff *result;
    const struct diff *diff;
    struct paths paths[DIFF_SIDES];
    bool *own[DIFF_SIDES]; /* of each function */
    struct own found[DIFF_SIDES];
    uint32_t *item_of; /* by the diff's rows: the index of the item; CPROF_NONE: none */
};

/* Finds what each function is charged with. */
static void find_charges(struct maker *m, const struct crates *const crates[DIFF_SIDES])
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        struct columns columns;

        columns_load(&columns, events_of(m->paths[side].profile));
        own_load(&m->found[side], m->paths[side], crates[side], m->own[side],
                 columns_find(&columns, m->result->measure->name), false);
        columns_free(&columns);
    }
}

/*--- Functions ---*/

static void describe(struct maker *m, struct own_change *item, const struct diff_row *row,
                     const struct crates *const crates[DIFF_SIDES])
{
    item->name = m->result->names[row->index];
    item->file = row->file;
    item->line = row->line;
    item->object = row->object;
    item->crate = crates_of(crates[row->side], row->function);
    item->row = row->index;
    item->certain = true;
}

/* Makes an item of each row with a charge, and the sums. */
static void make_items(struct maker *m, const struct crates *const crates[DIFF_SIDES])
{
    struct own_diff *o = m->result;
    const struct diff *d = m->diff;
    size_t width = d->common.n, room = m->found[DIFF_OLD].n + m->found[DIFF_NEW].n;
    int64_t *next;

    o->items = xcalloc(room, sizeof *o->items);
    o->counts = next = xcalloc((room + 1 + BLAME_OUTSIDES) * 2 * width, sizeof *o->counts);
    for (int side = 0; side < DIFF_SIDES; side++) {
        const struct own *found = &m->found[side];

        for (size_t i = 0; i < found->n; i++) {
            uint32_t row = d->row_of[side][found->items[i].row.function];
            struct own_change *item;

            if (row == CPROF_NONE)
                continue;
            if (m->item_of[row] == CPROF_NONE) {
                m->item_of[row] = (uint32_t)o->n;
                item = &o->items[o->n++];
                describe(m, item, &d->rows[row], crates);
                for (int k = 0; k < DIFF_SIDES; k++, next += width)
                    item->counts[k] = next;
            }
            item = &o->items[m->item_of[row]];
            item->in[side] = true;
            item->certain &= found->items[i].row.bound == BOUND_EXACT;
            diff_add_common(d, (enum diff_side)side, item->counts[side], found->items[i].charged);
        }
        for (int k = 0; k < BLAME_OUTSIDES; k++, next += width) {
            o->outside[k][side] = next;
            diff_add_common(d, (enum diff_side)side, next, found->outside[k]);
        }
        o->charged[side] = next;
        diff_add_common(d, (enum diff_side)side, next, found->charged);
        next += width;
    }
}

/* The thresholds of a charge, which is between the own and the inclusive cost, by those of its row.
 */
static void take_thresholds(const struct diff *d, const int64_t *row, int64_t *thresholds)
{
    for (uint32_t e = 0; e < d->common.n; e++) {
        int64_t self = row[e], inclusive = 0;

        if (d->width > d->common.n)
            inclusive = row[d->common.n + e];
        thresholds[e] = self > inclusive ? self : inclusive;
    }
}

/* Finds the thresholds of all charges. Chance acts on the samples of the charge itself. */
static void find_noise(struct own_diff *o)
{
    const struct diff *d = o->diff;

    for (size_t i = 0; i < o->n; i++) {
        struct own_change *item = &o->items[i];
        int64_t *thresholds = o->noise + item->row * d->common.n;
        const int64_t *of_row = d->rows[item->row].noise_threshold;

        if (!of_row)
            continue;
        if (d->sampled)
            sample_noise_raise_counts(d, item->counts, thresholds);
        else
            take_thresholds(d, of_row, thresholds);
        item->noise = thresholds;
    }
}

/*--- Lines ---*/

/* The item that a line of own code belongs to, or CPROF_NONE. */
static uint32_t item_of_line(const struct maker *m, enum diff_side side, const struct row *line)
{
    uint32_t row =
        line->function == CPROF_NONE ? CPROF_NONE : m->diff->row_of[side][line->function];

    return row == CPROF_NONE ? CPROF_NONE : m->item_of[row];
}

/* The lines of one side by their items: those of item i begin at `starts[i]`. */
struct sorted_lines {
    size_t *starts;
    struct line_cost *items;
    int64_t *counts;
};

static void sort_lines(const struct maker *m, enum diff_side side, struct sorted_lines *to)
{
    const struct rows *lines = &m->found[side].lines;
    size_t n_items = m->result->n, width = m->diff->common.n;
    size_t *next = xcalloc(n_items + 2, sizeof *next);

    to->starts = xcalloc(n_items + 2, sizeof *to->starts);
    to->items = xcalloc(lines->n, sizeof *to->items);
    to->counts = xcalloc(lines->n * width, sizeof *to->counts);
    for (size_t i = 0; i < lines->n; i++) {
        uint32_t item = item_of_line(m, side, &lines->items[i]);

        if (item != CPROF_NONE)
            to->starts[item + 1]++;
    }
    for (size_t i = 0; i < n_items; i++)
        next[i + 1] = to->starts[i + 1] += to->starts[i];
    for (size_t i = 0; i < lines->n; i++) {
        const struct row *line = &lines->items[i];
        uint32_t item = item_of_line(m, side, line);
        size_t at;

        if (item == CPROF_NONE)
            continue;
        at = next[item]++;
        diff_add_common(m->diff, side, to->counts + at * width, line->counts);
        to->items[at] = (struct line_cost){line->file, line->line, to->counts + at * width};
    }
    free(next);
}

static void find_lines(struct maker *m)
{
    struct sorted_lines sorted[DIFF_SIDES];

    for (int side = 0; side < DIFF_SIDES; side++)
        sort_lines(m, (enum diff_side)side, &sorted[side]);
    for (size_t i = 0; i < m->result->n; i++) {
        struct line_costs costs[DIFF_SIDES];

        for (int side = 0; side < DIFF_SIDES; side++)
            costs[side] = (struct line_costs){sorted[side].starts[i + 1] - sorted[side].starts[i],
                                              sorted[side].items + sorted[side].starts[i]};
        diff_lines_align(&m->result->items[i].lines, m->diff, costs, m->result->measure);
    }
    for (int side = 0; side < DIFF_SIDES; side++) {
        free(sorted[side].starts);
        free(sorted[side].items);
        free(sorted[side].counts);
    }
}

/*--- Other code ---*/

/* A charge of one side. */
struct side_charge {
    uint32_t item;
    uint32_t row; /* of other code; CPROF_NONE: of several functions that serve one purpose */
    enum purpose purpose;
    enum diff_side side;
    const int64_t *counts;
};

static int compare_charges(const void *a, const void *b)
{
    const struct side_charge *x = a, *y = b;

    COMPARE(x->item, y->item);
    COMPARE(x->purpose, y->purpose);
    return x->purpose ? 0 : (x->row > y->row) - (x->row < y->row);
}

static struct side_charge *collect_charges(const struct maker *m, size_t *n)
{
    struct side_charge *charges =
        xcalloc(m->found[0].blame.n_charges + m->found[1].blame.n_charges, sizeof *charges);

    *n = 0;
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; i < m->found[side].n; i++) {
            const struct own_function *f = &m->found[side].items[i];
            uint32_t own = m->diff->row_of[side][f->row.function];

            for (size_t k = 0; own != CPROF_NONE && k < f->n_charges; k++) {
                const struct blame_charge *charge = &f->charges[k];
                bool one = charge->function != CPROF_NONE;
                uint32_t row = one ? m->diff->row_of[side][charge->function] : CPROF_NONE;

                if (!one || row != CPROF_NONE)
                    charges[(*n)++] = (struct side_charge){m->item_of[own], row, charge->purpose,
                                                           (enum diff_side)side, charge->counts};
            }
        }
    sort_items(charges, *n, sizeof *charges, compare_charges);
    return charges;
}

static int by_change(const struct own_diff *o, int64_t *const a[DIFF_SIDES],
                     int64_t *const b[DIFF_SIDES])
{
    uint64_t x = count_size(own_diff_delta(o, a)), y = count_size(own_diff_delta(o, b));

    COMPARE(y, x);
    return 0;
}

static int compare_charge_changes(const void *a, const void *b, void *own)
{
    const struct charge_change *x = a, *y = b;
    int order = by_change(own, x->counts, y->counts);

    return order ? order : strcmp(x->name, y->name);
}

static void name_change(const struct maker *m, struct charge_change *change, uint32_t row,
                        enum purpose purpose)
{
    change->name = row == CPROF_NONE ? purpose_name(purpose) : m->result->names[row];
    change->object = row == CPROF_NONE ? NULL : m->diff->rows[row].object;
}

static void find_other_code(struct maker *m)
{
    struct own_diff *o = m->result;
    size_t n, kept = 0, width = m->diff->common.n;
    struct side_charge *charges = collect_charges(m, &n);

    o->charges = xcalloc(n, sizeof *o->charges);
    o->charge_counts = xcalloc(2 * n * width, sizeof *o->charge_counts);
    for (size_t i = 0; i < n; i++) {
        const struct side_charge *c = &charges[i];
        struct own_change *item = &o->items[c->item];

        if (!i || compare_charges(c, c - 1) != 0) {
            if (!item->n_charges)
                item->charges = &o->charges[kept];
            item->n_charges++;
            o->charges[kept] =
                (struct charge_change){.counts = {o->charge_counts + 2 * kept * width,
                                                  o->charge_counts + (2 * kept + 1) * width}};
            kept++;
            name_change(m, &o->charges[kept - 1], c->row, c->purpose);
        } else if (c->row != charges[i - 1].row) {
            name_change(m, &o->charges[kept - 1], CPROF_NONE, c->purpose);
        }
        diff_add_common(m->diff, c->side, o->charges[kept - 1].counts[c->side], c->counts);
    }
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].n_charges)
            qsort_r(o->items[i].charges, o->items[i].n_charges, sizeof *o->charges,
                    compare_charge_changes, o);
    free(charges);
}

/*--- The whole ---*/

int64_t own_diff_delta(const struct own_diff *o, int64_t *const counts[DIFF_SIDES])
{
    struct diff_row row = {.counts = {counts[DIFF_OLD], counts[DIFF_NEW]}};

    return diff_delta(o->measure, &row);
}

/* True where a function changed by more than noise. */
static bool own_diff_is_changed(const struct own_diff *o, const struct own_change *c)
{
    int64_t noise = c->noise ? column_value(o->measure, c->noise) : 0;

    return count_size(own_diff_delta(o, c->counts)) > count_size(noise);
}

size_t own_diff_changed(const struct own_diff *o)
{
    size_t n = 0;

    while (n < o->n_matching && own_diff_is_changed(o, &o->items[n]))
        n++;
    return n;
}

static int compare_items(const void *a, const void *b, void *own)
{
    const struct own_change *x = a, *y = b;
    bool x_changed = own_diff_is_changed(own, x), y_changed = own_diff_is_changed(own, y);
    int order;

    if (x_changed != y_changed)
        return x_changed ? -1 : 1;
    order = by_change(own, x->counts, y->counts);
    return order ? order : strcmp(x->name, y->name);
}

void own_diff_load(struct own_diff *o, const struct diff *d,
                   const struct crates *const crates[DIFF_SIDES], const struct column *measure)
{
    struct maker m = {.result = o, .diff = d};

    *o = (struct own_diff){.diff = d, .measure = measure};
    o->names = xcalloc(d->n_all, sizeof *o->names);
    o->noise = xcalloc(d->n_all * d->common.n, sizeof *o->noise);
    m.item_of = xreallocarray(NULL, d->n_all, sizeof *m.item_of);
    for (size_t i = 0; i < d->n_all; i++) {
        o->names[i] = xstrdup(d->rows[i].label);
        m.item_of[i] = CPROF_NONE;
    }
    own_common_functions(m.own, d->profile, d->row_of, d->n_all, crates, DIFF_NEW);
    o->paths = own_common_paths(d->profile, m.paths);
    find_charges(&m, crates);
    make_items(&m, crates);
    find_noise(o);
    find_lines(&m);
    find_other_code(&m);
    o->n_matching = o->n;
    if (o->n)
        qsort_r(o->items, o->n, sizeof *o->items, compare_items, o);
    for (int side = 0; side < DIFF_SIDES; side++) {
        own_free(&m.found[side]);
        free(m.own[side]);
    }
    free(m.item_of);
}

void own_diff_filter(struct own_diff *o, const regex_t *function, const regex_t *file)
{
    struct own_change *others = xcalloc(o->n, sizeof *others);
    size_t n_others = 0;

    o->n_matching = 0;
    for (size_t i = 0; i < o->n; i++) {
        const struct own_change *c = &o->items[i];
        const char *path = c->file ? c->file : c->object ? c->object : "";

        if ((!function || regexec(function, c->name, 0, NULL, 0) == 0) &&
            (!file || regexec(file, path, 0, NULL, 0) == 0))
            o->items[o->n_matching++] = *c;
        else
            others[n_others++] = *c;
    }
    if (n_others)
        memcpy(o->items + o->n_matching, others, n_others * sizeof *others);
    free(others);
}

void own_diff_free(struct own_diff *o)
{
    for (size_t i = 0; i < o->n; i++)
        diff_lines_free(&o->items[i].lines);
    for (size_t i = 0; o->names && i < o->diff->n_all; i++)
        free(o->names[i]);
    free(o->names);
    free(o->items);
    free(o->counts);
    free(o->noise);
    free(o->charges);
    free(o->charge_counts);
    *o = (struct own_diff){.n = 0};
}
