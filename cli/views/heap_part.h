/*
 * heap_part.h - the heap on the first screen, and what to do where nothing was seen of it.
 */
#ifndef VIEWS_HEAP_PART_H
#define VIEWS_HEAP_PART_H

#include "render/text/heap_table.h"
#include "table/columns.h"
#include "table/own.h"
#include "views/memory_tables.h"
#include "views/other_views.h"

/* The functions that memory is put to, in the order of what they are sorted by; bytes, where that
 * is no count of the heap. */
struct heap_part {
    struct cprof_profile view;
    struct columns columns;
    struct own own;
    struct heap_table table;
};

/* Finds them. heap_part_free() frees them. */
void heap_part_load(struct heap_part *part, const struct memory_tables *tables);
void heap_part_free(struct heap_part *part);

/* Fills the table of who allocates; the caller frees it. */
void heap_part_fill(const struct memory_tables *tables, struct table *filled);

/* Writes it; as Markdown where `screen` is NULL. `next` gets what looks further. */
void heap_part_write(const struct memory_tables *tables, struct next_views *next,
                     const struct show_screen *screen, FILE *out);

/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

#endif
