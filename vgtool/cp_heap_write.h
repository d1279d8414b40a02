/*
 * cp_heap_write.h - the lines of the raw profile that have the heap's counts. Without --heap=yes
 * there are none.
 */
#ifndef CP_HEAP_WRITE_H
#define CP_HEAP_WRITE_H

#include "cp_context.h"

/* Writes lines of the header, and begins the records. `is_end`: as for cp_heap_begin_sums(). */
void cp_heap_write_begin(Bool is_end);

/* Writes the record of a context. */
void cp_heap_write_node(const Node *node);

/* Writes inclusive counts, and ends. */
void cp_heap_write_end(void);

#endif
