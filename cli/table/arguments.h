/*
 * arguments.h - counted arguments of functions, as rows: which caller's calls had which value.
 *
 * The calls of a table's rows add up to the calls of the functions that the option names.
 */
#ifndef TABLE_ARGUMENTS_H
#define TABLE_ARGUMENTS_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>

struct argument_row {
    uint32_t function; /* that was called */
    uint32_t caller;   /* CPROF_NONE: nothing called it; what was inlined calls as any other */
    uint32_t own;      /* the nearest own code above; CPROF_NONE: there is none */
    bool other;        /* calls with values that are not told apart */
    uint64_t value;    /* of a class, the least */
    uint64_t calls;
    uint64_t group_calls; /* of all rows of the same functions */
};

/* The calls that one option counted. */
struct argument_table {
    const struct cprof_counted_arg *arg;
    size_t n;
    struct argument_row *rows; /* those of one caller together, the caller of most calls first */
    uint64_t calls;
    bool several;   /* functions were called */
    bool own;       /* own code above is not always the caller */
    bool recursive; /* calls by recursion may be among those of the caller that began it */
};

/* Finds the rows of counted argument `index`. `own` says which functions are own code; NULL: none
 * is. argument_table_free() frees the rows. */
void argument_table_load(struct argument_table *table, const struct cprof_profile *profile,
                         uint32_t index, const bool *own);
void argument_table_free(struct argument_table *table);

/* The greatest value of the row's class; of an exact value, that. */
uint64_t argument_last(const struct argument_table *table, const struct argument_row *row);

#endif
