#include <config.h>

#include "diff/diff_lines.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"
#include "names/normalise.h"

#include <stdlib.h>
#include <string.h>

/* The longest common sequence of two lists needs memory of their product. Beyond this, lines are
 * compared in their order. */
enum { PRODUCT_MAX = 1 << 22 };

/* The cost of one line on one side. */
struct matched_line {
    char *name;       /* the file's name for matching; "": not known */
    const char *file; /* the profile's name of the file; NULL: not known */
    uint32_t line;
    int64_t *counts; /* of each common event */
};

struct matched_lines {
    size_t n, room;
    struct matched_line *items; /* never NULL */
    uint32_t n_events;
};

static int compare_places(const void *a, const void *b)
{
    const struct matched_line *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Adds up the costs of one place; places are sorted. */
static void add_up(struct matched_lines *p)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (kept && compare_places(&p->items[kept - 1], &p->items[i]) == 0) {
            counts_add(p->items[kept - 1].counts, p->items[i].counts, p->n_events);
            free(p->items[i].counts);
            free(p->items[i].name);
        } else {
            p->items[kept++] = p->items[i];
        }
    }
    p->n = kept;
}

static void load_places(struct matched_lines *to, const struct diff *d, enum diff_side side,
                        const struct line_costs *costs)
{
    char *root = profile_root(d->profile[side]);

    *to = (struct matched_lines){.n_events = d->common.n};
    GROW(to->items, to->n, to->room); /* so that an empty list has an array, too */
    for (size_t i = 0; i < costs->n; i++) {
        const struct line_cost *cost = &costs->items[i];
        struct matched_line place = {.line = cost->line, .file = cost->file};

        place.name = place.file ? normalise_file(place.file, root) : NULL;
        if (!place.name)
            place.name = xstrdup("");
        place.counts = xcalloc(to->n_events + 1, sizeof *place.counts);
        memcpy(place.counts, cost->counts, to->n_events * sizeof *place.counts);
        APPEND(to->items, to->n, to->room) = place;
    }
    free(root);
    sort_items(to->items, to->n, sizeof *to->items, compare_places);
    add_up(to);
}

static void free_places(struct matched_lines *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free(p->items[i].name);
        free(p->items[i].counts);
    }
    free(p->items);
}

/* Neighbouring places. */
struct span {
    const struct matched_line *items;
    size_t n;
};

/* Lines while they are aligned. */
struct aligner {
    struct diff_lines *lines;
    const struct column *column; /* lines of about one cost are taken to be the same */
    uint32_t n_events;
};

static struct span part_of(const struct span *span, size_t from, size_t to)
{
    return (struct span){span->items + from, to - from};
}

/* Adds a line; one of its places may be NULL. */
static void add_line(struct aligner *a, const struct matched_line *old_place,
                     const struct matched_line *new_place)
{
    struct diff_lines *lines = a->lines;
    struct diff_line *line = &lines->items[lines->n++];
    const struct matched_line *sides[DIFF_SIDES] = {old_place, new_place};

    *line = (struct diff_line){.file = new_place ? new_place->file : old_place->file};
    for (int side = 0; side < DIFF_SIDES; side++) {
        /* The block has room for all lines. */
        line->counts[side] = lines->counts + (2 * (lines->n - 1) + (size_t)side) * a->n_events;
        if (!sides[side])
            continue;
        line->in[side] = true;
        line->line[side] = sides[side]->line;
        memcpy(line->counts[side], sides[side]->counts, a->n_events * sizeof **line->counts);
    }
}

static int64_t size_of(int64_t number)
{
    return number == INT64_MIN ? INT64_MAX : number < 0 ? -number : number;
}

/* The change where the two are one line; or else where one of them, NULL, is not there. */
static int64_t change_of(const struct aligner *a, const struct matched_line *old_place,
                         const struct matched_line *new_place)
{
    int64_t before = old_place ? column_value(a->column, old_place->counts) : 0;
    int64_t change = new_place ? column_value(a->column, new_place->counts) : 0;
    const int64_t minus = before == INT64_MIN ? INT64_MAX : -before;

    counts_add(&change, &minus, 1);
    return size_of(change);
}

static int64_t add(int64_t a, int64_t b)
{
    counts_add(&a, &b, 1);
    return a;
}

/* Makes the table of the least changes: at (i, j) their sum from line i of OLD and line j of NEW
 * on; a row is one longer than NEW. */
static int64_t *measure_changes(const struct aligner *a, const struct span *old_span,
                                const struct span *new_span)
{
    size_t width = new_span->n + 1;
    int64_t *least = xcalloc((old_span->n + 1) * width, sizeof *least);

    for (size_t i = old_span->n + 1; i-- > 0;)
        for (size_t j = width; j-- > 0;) {
            const struct matched_line *old_place = i < old_span->n ? &old_span->items[i] : NULL;
            const struct matched_line *new_place = j < new_span->n ? &new_span->items[j] : NULL;
            int64_t *at = &least[i * width + j];

            if (!old_place && !new_place)
                continue;
            *at = INT64_MAX;
            if (old_place)
                *at = add(at[width], change_of(a, old_place, NULL));
            if (new_place && add(at[1], change_of(a, NULL, new_place)) < *at)
                *at = add(at[1], change_of(a, NULL, new_place));
            if (old_place && new_place &&
                add(at[width + 1], change_of(a, old_place, new_place)) <= *at)
                *at = add(at[width + 1], change_of(a, old_place, new_place));
        }
    return least;
}

/* Compares lines in their order, so that they change least. */
static void pair_nearest(struct aligner *a, const struct span *old_span,
                         const struct span *new_span)
{
    size_t i = 0, j = 0, width = new_span->n + 1;
    int64_t *least = measure_changes(a, old_span, new_span);

    while (i < old_span->n || j < new_span->n) {
        const struct matched_line *old_place = i < old_span->n ? &old_span->items[i] : NULL;
        const struct matched_line *new_place = j < new_span->n ? &new_span->items[j] : NULL;
        const int64_t *at = &least[i * width + j];

        if (old_place && new_place &&
            *at == add(at[width + 1], change_of(a, old_place, new_place))) {
            add_line(a, old_place, new_place);
            i++;
            j++;
        } else if (old_place && *at == add(at[width], change_of(a, old_place, NULL))) {
            add_line(a, old_place, NULL);
            i++;
        } else {
            add_line(a, NULL, new_place);
            j++;
        }
    }
    free(least);
}

/* Compares lines in their order, as far as both sides have some. */
static void pair(struct aligner *a, struct span old_span, struct span new_span)
{
    if (old_span.n && new_span.n && old_span.n != new_span.n &&
        new_span.n <= PRODUCT_MAX / old_span.n) {
        pair_nearest(a, &old_span, &new_span);
        return;
    }
    for (size_t i = 0; i < old_span.n || i < new_span.n; i++)
        add_line(a, i < old_span.n ? &old_span.items[i] : NULL,
                 i < new_span.n ? &new_span.items[i] : NULL);
}

static bool same_costs(const struct aligner *a, const struct matched_line *old_place,
                       const struct matched_line *new_place)
{
    return memcmp(old_place->counts, new_place->counts, a->n_events * sizeof(int64_t)) == 0;
}

/* Makes the table of the longest common sequence: at (i, j) its length from line i of OLD and line
 * j of NEW on; a row is one longer than NEW. */
static uint32_t *measure_common(const struct aligner *a, const struct span *old_span,
                                const struct span *new_span)
{
    size_t width = new_span->n + 1;
    uint32_t *common = xcalloc((old_span->n + 1) * width, sizeof *common);

    for (size_t i = old_span->n; i-- > 0;)
        for (size_t j = new_span->n; j-- > 0;) {
            uint32_t down = common[(i + 1) * width + j], right = common[i * width + j + 1];

            if (same_costs(a, &old_span->items[i], &new_span->items[j]))
                common[i * width + j] = common[(i + 1) * width + j + 1] + 1;
            else
                common[i * width + j] = down > right ? down : right;
        }
    return common;
}

/* Aligns the lines of one file. */
static void align(struct aligner *a, const struct span *old_span, const struct span *new_span)
{
    size_t i = 0, j = 0, i_done = 0, j_done = 0, width = new_span->n + 1;
    uint32_t *common;

    if (old_span->n && new_span->n > PRODUCT_MAX / old_span->n) {
        pair(a, *old_span, *new_span);
        return;
    }
    common = measure_common(a, old_span, new_span);
    while (i < old_span->n && j < new_span->n) {
        if (same_costs(a, &old_span->items[i], &new_span->items[j])) {
            pair(a, part_of(old_span, i_done, i), part_of(new_span, j_done, j));
            add_line(a, &old_span->items[i], &new_span->items[j]);
            i_done = ++i;
            j_done = ++j;
        } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    pair(a, part_of(old_span, i_done, old_span->n), part_of(new_span, j_done, new_span->n));
    free(common);
}

/* The places from `from` on that are in its file. */
static struct span file_span(const struct matched_lines *p, size_t from)
{
    struct span span = {p->items + from, 0};

    while (from + span.n < p->n && !strcmp(span.items[span.n].name, span.items[0].name))
        span.n++;
    return span;
}

/* Aligns lines file by file. */
static void align_all(struct aligner *a, const struct matched_lines *old_places,
                      const struct matched_lines *new_places)
{
    size_t i = 0, j = 0;

    while (i < old_places->n || j < new_places->n) {
        struct span old_span = file_span(old_places, i), new_span = file_span(new_places, j);

        if (old_span.n && new_span.n) {
            int order = strcmp(old_span.items[0].name, new_span.items[0].name);

            if (order < 0)
                new_span.n = 0;
            else if (order > 0)
                old_span.n = 0;
        }
        align(a, &old_span, &new_span);
        i += old_span.n;
        j += new_span.n;
    }
}

static int64_t line_delta(const struct column *column, const struct diff_line *line)
{
    return column_value(column, line->counts[DIFF_NEW]) -
           column_value(column, line->counts[DIFF_OLD]);
}

static int compare_lines(const void *a, const void *b, void *context)
{
    const struct diff_line *x = a, *y = b;
    int64_t dx = line_delta(context, x), dy = line_delta(context, y);
    uint64_t x_size = count_size(dx), y_size = count_size(dy);

    COMPARE(y_size, x_size);
    COMPARE(x->line[DIFF_NEW], y->line[DIFF_NEW]);
    return (x->line[DIFF_OLD] > y->line[DIFF_OLD]) - (x->line[DIFF_OLD] < y->line[DIFF_OLD]);
}

void diff_lines_align(struct diff_lines *lines, const struct diff *diff,
                      const struct line_costs costs[DIFF_SIDES], const struct column *column)
{
    struct aligner aligner = {.lines = lines, .column = column, .n_events = diff->common.n};
    struct matched_lines places[DIFF_SIDES];
    size_t kept = 0, n = 1;

    for (int side = 0; side < DIFF_SIDES; side++) {
        load_places(&places[side], diff, (enum diff_side)side, &costs[side]);
        n += places[side].n;
    }
    *lines = (struct diff_lines){.n = 0};
    lines->items = xcalloc(n, sizeof *lines->items);
    lines->counts = xcalloc(n * 2 * ((size_t)diff->common.n + 1), sizeof *lines->counts);
    align_all(&aligner, &places[DIFF_OLD], &places[DIFF_NEW]);
    for (size_t i = 0; i < lines->n; i++)
        if (line_delta(column, &lines->items[i]) != 0)
            lines->items[kept++] = lines->items[i];
    lines->n = kept;
    if (kept)
        qsort_r(lines->items, kept, sizeof *lines->items, compare_lines, (void *)column);
    for (int side = 0; side < DIFF_SIDES; side++)
        free_places(&places[side]);
}

/* The own costs of a row's functions. `*counts` is the memory of their counts. */
static struct line_costs own_costs(const struct diff *d, enum diff_side side,
                                   const struct diff_row *row, int64_t **counts)
{
    const struct cprof_profile *p = d->profile[side];
    uint32_t n_events = d->common.n;
    struct line_cost *items;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_costs; i++)
        n += d->row_of[side][p->costs[i].function] == row->index;
    items = xcalloc(n, sizeof *items);
    *counts = xcalloc(n * n_events, sizeof **counts);
    n = 0;
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        int64_t *to = *counts + n * n_events;

        if (d->row_of[side][c->function] != row->index)
            continue;
        diff_add_common(d, side, to, cprof_cost_values(p, i));
        items[n++] =
            (struct line_cost){c->file == CPROF_NONE ? NULL : p->files[c->file], c->line, to};
    }
    return (struct line_costs){n, items};
}

void diff_lines_load(struct diff_lines *lines, const struct diff *diff, const struct diff_row *row,
                     const struct column *column)
{
    struct line_costs costs[DIFF_SIDES];
    int64_t *counts[DIFF_SIDES];

    for (int side = 0; side < DIFF_SIDES; side++)
        costs[side] = own_costs(diff, (enum diff_side)side, row, &counts[side]);
    diff_lines_align(lines, diff, costs, column);
    for (int side = 0; side < DIFF_SIDES; side++) {
        free((void *)costs[side].items);
        free(counts[side]);
    }
}

void diff_lines_free(struct diff_lines *lines)
{
    free(lines->items);
    free(lines->counts);
    *lines = (struct diff_lines){.n = 0};
}
