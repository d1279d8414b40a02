#include <config.h>

/* The regions of an annotation that are shown: lines that cost enough, with the lines around them.
 */
#include "annotate/annotation.h"
#include "base/array.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/sort.h"
#include "cprof_internal.h"

#include <stdlib.h>
#include <string.h>

void annotation_line_sum(const struct annotation *a, uint32_t line, int64_t *counts)
{
    uint32_t n_events = a->profile->n_events;

    if (a->blocks[a->lines[line].block].focus) {
        memcpy(counts, a->lines[line].counts + n_events, n_events * sizeof *counts);
        return;
    }
    memcpy(counts, a->lines[line].counts, n_events * sizeof *counts);
    for (uint32_t c = a->lines[line].first_call; c != CPROF_NONE; c = a->calls[c].next)
        counts_add(counts, a->calls[c].counts, n_events);
}

bool annotation_next_line(const struct annotation *a, const struct annotation_region *r,
                          uint32_t n_lines, uint32_t *number, uint32_t *at, uint32_t *line)
{
    uint32_t end = a->blocks[r->block].first + a->blocks[r->block].n;

    while (*at < end && a->lines[*at].line < *number)
        ++*at;
    if (!*number || *number > r->last) /* 0: behind the last that there can be */
        return false;
    if (*number > n_lines) {
        if (*at >= end || a->lines[*at].line > r->last)
            return false;
        *number = a->lines[*at].line;
    }
    *line = *at < end && a->lines[*at].line == *number ? (*at)++ : CPROF_NONE;
    return true;
}

struct finder {
    const struct annotation *a;
    const struct annotation_view *view;
    int64_t *scratch; /* n_events */
    double least;     /* least value of a line that is shown for its own sake */
    size_t n, room;
    struct annotation_region *items;
};

static int64_t line_value(const struct finder *f, uint32_t line)
{
    annotation_line_sum(f->a, line, f->scratch);
    return column_value(f->view->measure, f->scratch);
}

/* Returns true for the line that was asked for. */
static bool is_asked(const struct finder *f, uint32_t line)
{
    const struct annotation_line *l = &f->a->lines[line];
    uint32_t file = f->a->blocks[l->block].file;

    return f->view->files && file != CPROF_NONE && f->view->files[file] && l->line == f->view->line;
}

/* Returns true for a line from the threshold on. Negative values, which differences have, count by
 * their size. */
static bool is_worth(const struct finder *f, uint32_t line)
{
    double value = (double)line_value(f, line);

    if (is_asked(f, line))
        return true;
    if (f->view->threshold <= 0)
        return counts_any(f->scratch, f->a->profile->n_events);
    return value != 0 && (value < 0 ? -value : value) >= f->least;
}

static void add_region(struct finder *f, uint32_t block, uint32_t line)
{
    uint32_t context = f->view->context;
    uint32_t first = line > context ? line - context : 1;
    uint32_t last = line > UINT32_MAX - context ? UINT32_MAX : line + context;
    struct annotation_region *before = f->n ? &f->items[f->n - 1] : NULL;

    if (before && before->block == block && (first <= before->last || first - before->last == 1)) {
        before->last = last;
        return;
    }
    APPEND(f->items, f->n, f->room) = (struct annotation_region){block, first, last, 0, 0};
}

/* Adds a line to its region. Costs with callees overlap, so that the highest counts. */
static void add_value(struct annotation_region *r, bool focus, int64_t value, int64_t self)
{
    counts_add(&r->self, &self, 1);
    if (!focus)
        counts_add(&r->value, &value, 1);
    else if (value > r->value)
        r->value = value;
}

/* Values the regions from `from` on, all of one block. */
static void value_regions(struct finder *f, const struct annotation_block *block, size_t from)
{
    for (uint32_t i = block->first; i < block->first + block->n; i++) {
        int64_t value = line_value(f, i);

        while (from < f->n && f->items[from].last < f->a->lines[i].line)
            from++;
        if (from < f->n && f->items[from].first <= f->a->lines[i].line)
            add_value(&f->items[from], block->focus, value,
                      column_value(f->view->measure, f->a->lines[i].counts));
    }
}

static int by_place(const void *a, const void *b)
{
    const struct annotation_region *x = a, *y = b;

    COMPARE(x->block, y->block);
    return (x->first > y->first) - (x->first < y->first);
}

static int by_value(const void *a, const void *b)
{
    const struct annotation_region *x = a, *y = b;

    COMPARE(y->value, x->value);
    return by_place(a, b);
}

int64_t *annotation_whole(const struct annotation *a)
{
    uint32_t n = a->profile->n_events;
    int64_t *whole = xcalloc(2 * (size_t)n, sizeof *whole);

    counts_add(whole, a->wants_callees ? a->profile->totals : a->own, n);
    if (!a->wants_callees && a->n_calls)
        counts_add(whole, a->inlined, n);
    memcpy(whole + n, whole, n * sizeof *whole);
    return whole;
}

/* The value that shares are relative to; never negative. */
static double whole_of(const struct annotation *a, const struct column *measure)
{
    int64_t *counts = annotation_whole(a);
    double whole = (double)column_value(measure, counts);

    free(counts);
    return whole < 0 ? -whole : whole;
}

size_t annotation_costliest(const struct annotation *a, uint32_t *lines, size_t max)
{
    size_t n = 0;

    for (uint32_t i = 0; i < a->n_lines && a->charged; i++) {
        size_t place = n;

        if (!a->lines[i].line || a->charged[i] <= 0)
            continue;
        while (place > 0 && a->charged[i] > a->charged[lines[place - 1]])
            place--;
        if (place == max)
            continue;
        n += n < max;
        memmove(lines + place + 1, lines + place, (n - 1 - place) * sizeof *lines);
        lines[place] = i;
    }
    return n;
}

bool annotation_lower_threshold(const struct annotation *a, struct annotation_view *view)
{
    enum { SHOWN = 10 };
    double top[SHOWN] = {0}, whole = whole_of(a, view->measure);
    struct finder f = {.a = a, .view = view};
    uint32_t n = 0;

    f.scratch = xcalloc(a->profile->n_events, sizeof *f.scratch);
    for (uint32_t b = 0; b < a->n_blocks; b++)
        for (uint32_t i = a->blocks[b].first; i < a->blocks[b].first + a->blocks[b].n; i++) {
            double value = a->lines[i].line ? (double)line_value(&f, i) : 0;
            unsigned place = SHOWN;

            value = value < 0 ? -value : value;
            while (place > 0 && value > top[place - 1])
                place--;
            if (place == SHOWN)
                continue;
            memmove(top + place + 1, top + place, (SHOWN - 1 - place) * sizeof *top);
            top[place] = value;
            n += n < SHOWN;
        }
    free(f.scratch);
    if (n == 0 || whole <= 0 || top[0] >= whole * view->threshold / 100)
        return false;
    /* a little less, since division and multiplication are not exact */
    view->threshold = top[n - 1] / whole * 100 * (1 - 1e-9);
    return true;
}

size_t annotation_regions(const struct annotation *a, const struct annotation_view *view,
                          struct annotation_region **regions, size_t *n_all)
{
    struct finder f = {.a = a, .view = view};

    f.scratch = xcalloc(a->profile->n_events, sizeof *f.scratch);
    f.least = whole_of(a, view->measure) * view->threshold / 100;
    for (uint32_t b = 0; b < a->n_blocks; b++) {
        const struct annotation_block *block = &a->blocks[b];
        size_t from = f.n;

        for (uint32_t i = block->first; i < block->first + block->n; i++)
            if (a->lines[i].line && is_worth(&f, i))
                add_region(&f, b, a->lines[i].line);
        value_regions(&f, block, from);
    }
    *n_all = f.n;
    if (view->limit && f.n > view->limit) {
        sort_items(f.items, f.n, sizeof *f.items, by_value);
        f.n = view->limit;
        sort_items(f.items, f.n, sizeof *f.items, by_place);
    }
    free(f.scratch);
    *regions = f.items;
    return f.n;
}
