/*
 * error.h - filling a struct cprof_error. The first error wins: a later one does not overwrite it.
 */
#ifndef PARSER_ERROR_H
#define PARSER_ERROR_H

#include "cprof.h"

/* Clears `error` and names its source; a name that is too long gets "..." for its beginning. */
void error_init(struct cprof_error *error, const char *source);

/* Sets code and text, printf style, unless an error is set. Always returns -1, so that callers can
 * `return error_set(...)`. */
int error_set(struct cprof_error *error, enum cprof_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says that memory has run out. Always returns -1. */
int error_memory(struct cprof_error *error);

/*
 * error_set() with a place: line and column count from 1 (column 0: the whole line). `text` is the
 * line, `size` bytes without its newline; an excerpt around the column is kept, control characters
 * shown as '?'.
 */
int error_at(struct cprof_error *error, enum cprof_code code, unsigned long line, unsigned column,
             const char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

#endif
