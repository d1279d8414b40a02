/*
 * section_table.h - the sections that the program named: entries, what all of them cost, and what
 * one costs.
 */
#ifndef TEXT_SECTION_TABLE_H
#define TEXT_SECTION_TABLE_H

#include "render/text/grid.h"
#include "table/columns.h"

#include <stdio.h>

/* Writes a heading and the table, those that cost most of `measure` first; with the misses of both
 * levels, where `columns`, the profile's, have them. */
void section_table_write(const struct cprof_profile *profile, const struct columns *columns,
                         const struct column *measure, const struct grid_screen *screen, FILE *out);
/* Writes the table as Markdown. */
void section_table_markdown(const struct cprof_profile *profile, const struct columns *columns,
                            const struct column *measure, FILE *out);

/* A section, with what it cost. */
struct section_line {
    const struct cprof_section *section;
    int64_t cost;
    const int64_t *counts; /* the profile's, of all its events */
};
/* All sections, those that cost most of `measure` first, for the caller to free. */
struct section_line *section_lines(const struct cprof_profile *profile,
                                   const struct column *measure);
/* True where a table by `measure` has the least, median and greatest cost of an entry: they are of
 * Ir. */
bool section_table_has_entries(const struct column *measure);

/* The mean of the counts of one entry, rounded; 0 where there was none. */
int64_t section_mean(const struct cprof_section *section, int64_t cost);

#endif
