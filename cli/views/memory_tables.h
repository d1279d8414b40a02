/*
 * memory_tables.h - what the tables of memory have in common: the heap, data, use of lines, miss
 * curves.
 */
#ifndef VIEWS_MEMORY_TABLES_H
#define VIEWS_MEMORY_TABLES_H

#include "names/crates.h"
#include "options/show_options.h"
#include "render/text/link.h"
#include "table/callers.h"
#include "views/screen.h"

#include <regex.h>
#include <stdbool.h>

struct memory_tables {
    const struct callers *callers; /* of the profile that is shown */
    const struct crates *crates;
    const struct show_settings *settings;
    const regex_t *filter; /* names that are shown; NULL: all */
    const char *root;      /* places are shown relative to this folder */
    struct links *links;   /* NULL: places are no links */
};

/* Rows of a table, 0 for all: as -n says, else `alone` where --view asks for this table only, and
 * `beside` where it stands among others. */
size_t memory_tables_limit(const struct memory_tables *tables, enum show_parts part, size_t alone,
                           size_t beside);

/* True where tables are without what is less than a hundredth: nobody asks for all, or for some. */
bool memory_tables_are_brief(const struct memory_tables *tables);

#endif
