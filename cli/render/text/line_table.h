/*
 * line_table.h - the use of lines: a table of the functions that fetched them.
 */
#ifndef TEXT_LINE_TABLE_H
#define TEXT_LINE_TABLE_H

#include "table/line_rows.h"
#include "table/table.h"

struct line_view {
    const struct line_table *table;
    size_t limit;     /* functions; 0: all */
    bool brief;       /* without functions that waste less than a hundredth */
    const char *root; /* places are shown relative to this folder */
};

/* "of 16.8M bytes that D1 fetched, 12.5 % were used". The caller frees it. */
char *line_use_text(const struct line_use *use);

/* Fills a table of the functions; the caller frees it. */
void line_view_fill(const struct line_view *view, struct table *filled);

#endif
