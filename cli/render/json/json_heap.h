/*
 * json_heap.h - who allocates, as JSON.
 */
#ifndef JSON_HEAP_H
#define JSON_HEAP_H

#include "table/own.h"

#include <jansson.h>

/* The functions that memory is put to, with the counts of the heap, and the counts of all else. */
json_t *json_heap(const struct own *own);

#endif
