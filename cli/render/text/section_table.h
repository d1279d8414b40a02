/*
 * section_table.h - the sections that the program named: entries, what all of them cost, and what
 * one costs.
 */
#ifndef TEXT_SECTION_TABLE_H
#define TEXT_SECTION_TABLE_H

#include "diff/diff.h"
#include "render/text/table_text.h"
#include "table/columns.h"
#include "table/table.h"

#include <stdio.h>

/* Columns, of which struct section_table is the subject, and rows are struct section_line. */
enum section_column {
    SECTION_COST,
    SECTION_SHARE,
    SECTION_MISSES, /* of an event, which the column is of */
    SECTION_ENTRIES,
    SECTION_MEAN,
    SECTION_LEAST,
    SECTION_MEDIAN,
    SECTION_GREATEST,
    SECTION_NAME,
    SECTION_COLUMNS
};
extern const struct table_column section_columns[SECTION_COLUMNS];
struct section_table {
    const struct cprof_profile *profile;
    const struct column *measure;
};
/* A section, with what it cost. */
struct section_line {
    const struct cprof_section *section;
    int64_t cost;
    const int64_t *counts; /* the profile's, of all its events */
};
struct section_line section_line(const struct section_table *sections, uint32_t section);
/* Fills the table, those that cost most first; with the misses of both levels, where `columns`, the
 * profile's, have them (NULL: without). The caller frees it. */
void section_table_fill(const struct section_table *sections, const struct columns *columns,
                        struct table *filled);

/* True where a table by `measure` has the least, median and greatest cost of an entry: they are of
 * Ir. */
bool section_table_has_entries(const struct column *measure);

/*--- Of two profiles ---*/

/* Writes the sections of a diff with the change of a column, the greatest first, and an empty line;
 * nothing where there are none. As Markdown where `screen` is NULL. */
void section_diff_write(const struct diff *diff, const struct column *column,
                        const struct text_screen *screen, FILE *out);

#endif
