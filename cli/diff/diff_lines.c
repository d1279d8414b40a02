#include <config.h>

#include "base/array.h"
#include "diff/diff_lines.h"

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
    char *root = normal_profile_root(p);

    *to = (struct places){.n_events = d->common.n_events};
    GROW(to->items, to->n, to->room); /* so that an empty list has an array, too */
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        const int64_t *values = cprof_cost_values(p, i);
        struct place place = {.line = c->line};

        if (d->row_of[side][c->function] != row->index)
            continue;
        place.file = c->file == CPROF_NONE ? NULL : p->files[c->file];
        place.name = place.file ? normal_file(place.file, root) : NULL;
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

static void add_line(struct diff_lines *lines, uint32_t n_events, const struct place *old_places,
                     const struct place *new_places)
{
    struct diff_line *line = &lines->items[lines->n++];
    const struct place *sides[DIFF_SIDES] = {old_places, new_places};

    *line = (struct diff_line){.file = new_places ? new_places->file : old_places->file};
    for (int side = 0; side < DIFF_SIDES; side++) {
        /* The block has room for all lines. */
        line->counts[side] = lines->counts + (2 * (lines->n - 1) + (size_t)side) * n_events;
        if (!sides[side])
            continue;
        line->in[side] = true;
        line->line[side] = sides[side]->line;
        memcpy(line->counts[side], sides[side]->counts, n_events * sizeof **line->counts);
    }
}

/* Compares lines in their order, as far as both sides have some. */
static void pair(struct diff_lines *lines, uint32_t n_events, const struct place *old_places,
                 size_t n_old, const struct place *new_places, size_t n_new)
{
    for (size_t i = 0; i < n_old || i < n_new; i++)
        add_line(lines, n_events, i < n_old ? &old_places[i] : NULL,
                 i < n_new ? &new_places[i] : NULL);
}

static bool same_costs(const struct place *a, const struct place *b, uint32_t n_events)
{
    return memcmp(a->counts, b->counts, n_events * sizeof *a->counts) == 0;
}

/* Makes the table of the longest common sequence: at (i, j) its length from line i of OLD and line
 * j of NEW on, (n_old + 1) x (n_new + 1). */
static uint32_t *measure_common(const struct place *old_places, size_t n_old,
                                const struct place *new_places, size_t n_new, uint32_t n_events)
{
    size_t width = n_new + 1;
    uint32_t *common = xcalloc((n_old + 1) * width, sizeof *common);

    for (size_t i = n_old; i-- > 0;)
        for (size_t j = n_new; j-- > 0;) {
            uint32_t down = common[(i + 1) * width + j], right = common[i * width + j + 1];

            if (same_costs(&old_places[i], &new_places[j], n_events))
                common[i * width + j] = common[(i + 1) * width + j + 1] + 1;
            else
                common[i * width + j] = down > right ? down : right;
        }
    return common;
}

/* Aligns the lines of one file. */
static void align(struct diff_lines *lines, uint32_t n_events, const struct place *old_places,
                  size_t n_old, const struct place *new_places, size_t n_new)
{
    size_t i = 0, j = 0, i_done = 0, j_done = 0, width = n_new + 1;
    uint32_t *common;

    if (n_old && n_new > PRODUCT_MAX / n_old) {
        pair(lines, n_events, old_places, n_old, new_places, n_new);
        return;
    }
    common = measure_common(old_places, n_old, new_places, n_new, n_events);
    while (i < n_old && j < n_new) {
        if (same_costs(&old_places[i], &new_places[j], n_events)) {
            pair(lines, n_events, old_places + i_done, i - i_done, new_places + j_done, j - j_done);
            add_line(lines, n_events, &old_places[i], &new_places[j]);
            i_done = ++i;
            j_done = ++j;
        } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    pair(lines, n_events, old_places + i_done, n_old - i_done, new_places + j_done, n_new - j_done);
    free(common);
}

/* The number of places from `from` on that are in its file. */
static size_t of_file(const struct places *p, size_t from)
{
    size_t n = 0;

    while (from + n < p->n && !strcmp(p->items[from + n].name, p->items[from].name))
        n++;
    return n;
}

/* Aligns lines file by file. */
static void align_all(struct diff_lines *lines, const struct places *old_places,
                      const struct places *new_places)
{
    size_t i = 0, j = 0;

    while (i < old_places->n || j < new_places->n) {
        int order = i == old_places->n ? 1
                    : j == new_places->n
                        ? -1
                        : strcmp(old_places->items[i].name, new_places->items[j].name);
        size_t n_old = order <= 0 ? of_file(old_places, i) : 0,
               n_new = order >= 0 ? of_file(new_places, j) : 0;

        align(lines, old_places->n_events, old_places->items + i, n_old, new_places->items + j,
              n_new);
        i += n_old;
        j += n_new;
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
    struct places old_places, new_places;
    size_t kept = 0;

    load_places(&old_places, diff, DIFF_OLD, row);
    load_places(&new_places, diff, DIFF_NEW, row);
    *lines = (struct diff_lines){.n = 0};
    lines->items = xcalloc(old_places.n + new_places.n + 1, sizeof *lines->items);
    lines->counts =
        xcalloc((old_places.n + new_places.n + 1) * 2 * ((size_t)diff->common.n_events + 1),
                sizeof *lines->counts);
    align_all(lines, &old_places, &new_places);
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
