#include <config.h>

#include "diff/diff_lines.h"

#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "names/normalise.h"

#include <stdlib.h>
#include <string.h>

/* The longest common sequence of two lists needs memory of their product. Beyond this, lines are
 * compared in their order. */
enum { PRODUCT_MAX = 1 << 22 };

/* The cost of one line on one side. */
struct place {
    char *name;       /* the file's name for matching; "": not known */
    const char *file; /* the profile's name of the file; NULL: not known */
    uint32_t line;
    int64_t *counts; /* of each common event */
};

struct places {
    size_t n, room;
    struct place *items; /* never NULL */
    uint32_t n_events;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Adds up the costs of one place; places are sorted. */
static void add_up(struct places *p)
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

static void load_places(struct places *to, const struct diff *d, enum diff_side side,
                        const struct diff_row *row)
{
    const struct cprof_profile *p = d->profile[side];
    char *root = profile_root(p);

    *to = (struct places){.n_events = d->common.n_events};
    GROW(to->items, to->n, to->room); /* so that an empty list has an array, too */
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        const int64_t *values = cprof_cost_values(p, i);
        struct place place = {.line = c->line};

        if (d->row_of[side][c->function] != row->index)
            continue;
        place.file = c->file == CPROF_NONE ? NULL : p->files[c->file];
        place.name = place.file ? normalise_file(place.file, root) : NULL;
        if (!place.name)
            place.name = xstrdup("");
        place.counts = xcalloc(to->n_events + 1, sizeof *place.counts);
        for (uint32_t e = 0; e < to->n_events; e++)
            counts_add(&place.counts[e], &values[d->events[side][e]], 1);
        GROW(to->items, to->n, to->room);
        to->items[to->n++] = place;
    }
    free(root);
    if (to->n)
        qsort(to->items, to->n, sizeof *to->items, compare_places);
    add_up(to);
}

static void free_places(struct places *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free(p->items[i].name);
        free(p->items[i].counts);
    }
    free(p->items);
}

/* Neighbouring places. */
struct span {
    const struct place *items;
    size_t n;
};

/* Lines while they are aligned. */
struct aligner {
    struct diff_lines *lines;
    uint32_t n_events;
};

static struct span part_of(const struct span *span, size_t from, size_t to)
{
    return (struct span){span->items + from, to - from};
}

/* Adds a line; one of its places may be NULL. */
static void add_line(struct aligner *a, const struct place *old_place,
                     const struct place *new_place)
{
    struct diff_lines *lines = a->lines;
    struct diff_line *line = &lines->items[lines->n++];
    const struct place *sides[DIFF_SIDES] = {old_place, new_place};

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

/* Compares lines in their order, as far as both sides have some. */
static void pair(struct aligner *a, struct span old_span, struct span new_span)
{
    for (size_t i = 0; i < old_span.n || i < new_span.n; i++)
        add_line(a, i < old_span.n ? &old_span.items[i] : NULL,
                 i < new_span.n ? &new_span.items[i] : NULL);
}

static bool same_costs(const struct aligner *a, const struct place *old_place,
                       const struct place *new_place)
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
static struct span file_span(const struct places *p, size_t from)
{
    struct span span = {p->items + from, 0};

    while (from + span.n < p->n && !strcmp(span.items[span.n].name, span.items[0].name))
        span.n++;
    return span;
}

/* Aligns lines file by file. */
static void align_all(struct aligner *a, const struct places *old_places,
                      const struct places *new_places)
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
    uint64_t x_size = (uint64_t)(dx < 0 ? -dx : dx), y_size = (uint64_t)(dy < 0 ? -dy : dy);

    if (x_size != y_size)
        return x_size > y_size ? -1 : 1;
    if (x->line[DIFF_NEW] != y->line[DIFF_NEW])
        return x->line[DIFF_NEW] < y->line[DIFF_NEW] ? -1 : 1;
    return (x->line[DIFF_OLD] > y->line[DIFF_OLD]) - (x->line[DIFF_OLD] < y->line[DIFF_OLD]);
}

void diff_lines_load(struct diff_lines *lines, const struct diff *diff, const struct diff_row *row,
                     const struct column *column)
{
    struct aligner aligner = {.lines = lines, .n_events = diff->common.n_events};
    struct places old_places, new_places;
    size_t kept = 0;

    load_places(&old_places, diff, DIFF_OLD, row);
    load_places(&new_places, diff, DIFF_NEW, row);
    *lines = (struct diff_lines){.n = 0};
    lines->items = xcalloc(old_places.n + new_places.n + 1, sizeof *lines->items);
    lines->counts =
        xcalloc((old_places.n + new_places.n + 1) * 2 * ((size_t)diff->common.n_events + 1),
                sizeof *lines->counts);
    align_all(&aligner, &old_places, &new_places);
    for (size_t i = 0; i < lines->n; i++)
        if (line_delta(column, &lines->items[i]) != 0)
            lines->items[kept++] = lines->items[i];
    lines->n = kept;
    if (kept)
        qsort_r(lines->items, kept, sizeof *lines->items, compare_lines, (void *)column);
    free_places(&old_places);
    free_places(&new_places);
}

void diff_lines_free(struct diff_lines *lines)
{
    free(lines->items);
    free(lines->counts);
    *lines = (struct diff_lines){.n = 0};
}
