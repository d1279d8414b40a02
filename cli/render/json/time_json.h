/*
 * time_json.h - exact counts beside samples, as JSON.
 */
#ifndef JSON_TIME_JSON_H
#define JSON_TIME_JSON_H

#include "diff/time_rows.h"

#include <stdio.h>

/* Writes a document of the schema cprof-time/1 of own code and all functions, either of which may
 * be NULL, with the first `limit` rows of each (0: all). Returns 0, or -1 with errno. */
int time_write_json(const struct time_table *own, const struct time_table *functions, bool by_line,
                    size_t limit, FILE *out);

#endif
