/*
 * series.h - what each function costs at each size, how that grows, and what it foretells.
 */
#ifndef SCALE_SERIES_H
#define SCALE_SERIES_H

#include "scale/growth.h"
#include "scale/sizes.h"
#include "table/columns.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERIES_AHEAD = 2 };                   /* sizes beyond the largest that are foretold */
extern const int series_times[SERIES_AHEAD]; /* 10 and 100 times the largest */

/* A count that is foretold. */
struct foretold {
    long double count; /* NaN: nothing is known */
    struct growth_range range;
    double share; /* of the program's; NaN: not known */
};

/* A function, or all others together. Texts belong to the results. */
struct series_item {
    const char *name, *key, *file, *object; /* NULL: not known; the key NULL: of all others */
    uint32_t line;
    int64_t *counts;   /* by size, then by column's value: `width` of each */
    bool varies;       /* two runs of one size differ in it */
    bool jumps;        /* it copies bytes, by other instructions where they are many */
    bool is_small;     /* its counts are among those of all others */
    struct growth fit; /* of the measure */
    const struct inclusive_sum *sum; /* of an inclusive measure; NULL: it is foretold by its fit */
    struct foretold ahead[SERIES_AHEAD];
};

struct series {
    struct sizes sizes;
    int statuses[GROWTH_SIZES_MOST]; /* that the program ended with, by size */
    struct events events;
    struct columns columns;
    size_t width;
    const struct column *measure; /* what is foretold in tables */
    const char *list;             /* as the source has it */
    bool in_phase;                /* sizes double, which hides steps */
    size_t n;
    struct series_item *items; /* those that are foretold to cost most first */
    struct series_item others; /* functions that cost little at all sizes; counts NULL: none */
    size_t n_others;
    int64_t *totals; /* of the program, as the counts of an item */
    struct growth total_fit;
    struct foretold ahead[SERIES_AHEAD]; /* of the program: the sum of all that is foretold */
    size_t n_varying;
    bool jumps;                  /* some item does */
    struct inclusive_sums *sums; /* of functions, where the measure is inclusive */
};

/* The results of size_run() by size, and of another run of the first size. */
struct series_source {
    const struct sizes *sizes;
    json_t *const *results, *again;
    const char *list;               /* of the results' rows: "functions", "own" */
    const struct series *functions; /* of own code: the functions, which must outlive it, too */
    bool may_jump; /* copies of bytes change with their number; of own code: some function's do */
};

/* Makes it of a source, whose results must outlive it. `measure` names a column; NULL: the first.
 * Returns 0, or STATUS_USAGE having said that there is no such column. series_free() in either
 * case. */
int series_load(struct series *series, const struct series_source *source, const char *measure);
void series_free(struct series *series);

static inline const int64_t *series_counts(const struct series *series,
                                           const struct series_item *item, size_t size)
{
    return item->counts + size * series->width;
}

/* The count of a column at a size, by its index. */
int64_t series_value(const struct series *series, const struct series_item *item,
                     const struct column *column, size_t size);
/* How a column of it grows. */
void series_grow(const struct series *series, const struct series_item *item,
                 const struct column *column, struct growth *fit);
/* The count that a fit foretells of a column at a size; no share. */
struct foretold series_foretell(const struct series *series, const struct series_item *item,
                                const struct column *column, const struct growth *fit,
                                int64_t size);
/* True of a column whose growth is looked at: an event, a sum of events, or calls. */
bool series_takes(const struct column *column);

/* The item of a result's row; NULL: there is none. */
struct series_item *series_find(const struct series *series, const json_t *row);
/* The row's count of a column. */
int64_t series_row_value(const struct series *series, const json_t *row,
                         const struct column *column);

#endif
