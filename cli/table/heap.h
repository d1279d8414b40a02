/*
 * heap.h - what a profile has of the heap: its events by name, and what follows from them.
 */
#ifndef TABLE_HEAP_H
#define TABLE_HEAP_H

#include "cprof.h"
#include "table/columns.h"
#include "table/own.h"

#include <stdbool.h>

/* The heap's events, for a run that is still to come. */
#define HEAP_EVENTS                                                                             \
    "Allocs Reallocs Bytes Freed Frees Temporary Life PeakBytes PeakBlocks EndBytes EndBlocks " \
    "Maps MapBytes UnmapBytes"

/* The allocations of one function, or of all. */
struct heap_sums {
    int64_t blocks; /* allocations and reallocations */
    int64_t bytes, temporary, life;
    int64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
    int64_t map_bytes;
};

/* True if the profile has the heap's events. */
bool heap_is_counted(const struct cprof_profile *profile);

/* True for the name of one of them, or of "Blocks", which is computed from them. */
bool heap_is_column(const char *name);

/* The sums of a row of counts. */
struct heap_sums heap_sums_of(const struct cprof_profile *profile, const int64_t *counts);

/* True where any block was allocated; where any event of the heap was counted, which frees and maps
 * are, too. */
bool heap_allocates(const struct cprof_profile *profile, const int64_t *counts);
bool heap_has_counts(const struct cprof_profile *profile, const int64_t *counts);

/* True where the profile has that event: others than ours do not have all of the heap's. */
bool heap_knows(const struct cprof_profile *profile, const char *event);

/* The column that a table of the heap is sorted by: the one called `name`, if that is an event of
 * the heap, else bytes. `name` may be NULL. */
const struct column *heap_measure(const struct columns *columns, const char *name);

/* A function that allocated, or all else. */
struct heap_row {
    const struct own_function *function; /* NULL: all else */
    const int64_t *counts;
    struct heap_sums sums;
};

/* The functions that memory is put to, and what is put to none of them. */
struct heap_rows {
    size_t n;
    struct heap_row *items;
    int64_t *rest; /* the counts of all else */
};

/* The first `limit` (0: all) of the first `n` functions of `own` whose counts `is_row` is true of,
 * and all else as the last row, if it is one. heap_rows_free() frees them. */
void heap_rows_load(struct heap_rows *rows, const struct own *own, size_t n, size_t limit,
                    bool (*is_row)(const struct cprof_profile *profile, const int64_t *counts));
void heap_rows_free(struct heap_rows *rows);

#endif
