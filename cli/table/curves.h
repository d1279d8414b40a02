/*
 * curves.h - miss curves: the misses of a last level by its size, of the program and of functions.
 *
 * The last level of a curve is fully associative and replaces the least recently used line. A
 * function has what it misses itself and what code that it calls misses for it, up to the next
 * caller (callers.h): the curves of functions add up to the program's.
 */
#ifndef TABLE_CURVES_H
#define TABLE_CURVES_H

#include "cprof.h"
#include "table/data_rows.h"

#include <stdbool.h>
#include <stddef.h>

struct curve {
    uint32_t function;          /* CPROF_NONE: the program's, or data's */
    const struct data_row *row; /* data; NULL: it is of code */
    int64_t simulated;          /* misses of the LL that was simulated */
    int64_t all;                /* misses of I1 and D1, which a cache without a line would have */
    int64_t first;              /* first uses of lines, which all sizes have */
    /* By kind, then by size: misses that the next smaller size has and this one has not. Behind the
     * last size: first uses. */
    int64_t *falls;
};

struct curves {
    const struct cprof_profile *profile;
    size_t n_sizes;
    size_t simulated_size; /* index of the size of the LL that was simulated; n_sizes: none */
    const struct cprof_cache *simulated_cache; /* NULL: none */
    bool has_simulated; /* its misses are known of all that the curves have */
    struct curve program;
    size_t n;
    struct curve *functions; /* those that fall most first */
    size_t n_data;           /* 0 where misses were not put to data */
    struct curve *data;      /* the same; they add up to misses of D1 */
    int64_t *falls, *data_falls;
    struct data_table rows;
};

/* The name of what it is of, for people. The caller frees it. */
char *curve_name(const struct curves *curves, const struct curve *curve);

/* Makes those of the callers' profile. curves_free() frees them. */
void curves_load(struct curves *curves, const struct callers *callers);
/* Keeps functions whose name matches, and data of which the name or the type does. */
void curves_filter(struct curves *curves, const regex_t *filter);
void curves_free(struct curves *curves);

/* The size of D1, or of I1. */
uint64_t curve_first_level_size(const struct cprof_profile *profile);

/* Misses of a kind at a size, by its index; of all kinds. */
int64_t curve_kind_misses(const struct curves *curves, const struct curve *curve, int kind,
                          size_t size);
int64_t curve_misses(const struct curves *curves, const struct curve *curve, size_t size);
/*
 * The working set: the index of the least size at which 99 % of the misses that some size has not
 * are gone; n_sizes where all are first uses.
 */
size_t curve_working_set(const struct curves *curves, const struct curve *curve);

/*
 * The sizes that say most of a curve: powers of two from that of the first level on, as long as
 * misses fall, its working set, and the size that was simulated; with `all`, all. Returns how many
 * they are; their indices are in `sizes`, which has room for n_sizes.
 */
size_t curve_sizes_of(const struct curves *curves, const struct curve *curve, bool all,
                      size_t *sizes);

/* True of a function with a hundredth of all misses that fall, or more. */
bool curve_is_large(const struct curves *curves, const struct curve *curve);

/* "1.5 MiB", exact. The caller frees it. */
char *curve_size_text(uint64_t bytes);

#endif
