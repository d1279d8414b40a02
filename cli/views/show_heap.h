/*
 * show_heap.h - the heap by functions, and what to do where nothing was seen of it.
 */
#ifndef VIEWS_SHOW_HEAP_H
#define VIEWS_SHOW_HEAP_H

#include "render/text/heap_table.h"
#include "table/columns.h"
#include "table/own.h"
#include "views/view_form.h"

/* The functions that memory is put to, in the order of what they are sorted by; bytes, where that
 * is no count of the heap. */
struct show_heap {
    struct columns columns;
    struct own own;
    struct heap_table table;
};

/* Finds them. show_heap_free() frees them. */
void show_heap_load(struct show_heap *part, const struct view_input *input);
void show_heap_free(struct show_heap *part);

/* Says what the counts of the heap lack. */
void heap_notes(const struct cprof_profile *profile);

#endif
