/*
 * heap_part.h - the heap by functions, and what to do where nothing was seen of it.
 */
#ifndef VIEWS_HEAP_PART_H
#define VIEWS_HEAP_PART_H

#include "render/text/heap_table.h"
#include "table/columns.h"
#include "table/own.h"
#include "views/view_form.h"

/* The functions that memory is put to, in the order of what they are sorted by; bytes, where that
 * is no count of the heap. */
struct heap_part {
    struct cprof_profile view;
    struct columns columns;
    struct own own;
    struct heap_table table;
};

/* Finds them. heap_part_free() frees them. */
void heap_part_load(struct heap_part *part, const struct view_input *input);
void heap_part_free(struct heap_part *part);

/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

#endif
