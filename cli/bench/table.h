/*
 * table.h - benches, or tests, as a table.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/document.h"
#include "bench/why.h"
#include "render/text/table_text.h"

#include <stdio.h>

/* --sort: the order of rows. */
enum bench_sort { SORT_LISTED, SORT_COST, SORT_NAME, SORT_CHANGE };

struct bench_table {
    const struct bench_rows *rows;
    const struct environment_diff *environment; /* the baseline's was another: Markdown says it */
    bool tests, cycles, markdown;
    const struct bench_whys *whys; /* the reasons of rows that fail a gate */
    enum bench_sort sort;
    size_t limit; /* rows shown; 0: all */
    const char *command_line;
    struct text_screen screen;
};

/* Writes what was run, the rows, the sums, and the command that looks further. */
void bench_table_write(const struct bench_table *table, FILE *out);

#endif
