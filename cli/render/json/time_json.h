/*
 * time_json.h - exact counts beside samples, as JSON.
 */
#ifndef JSON_TIME_JSON_H
#define JSON_TIME_JSON_H

#include "diff/time_rows.h"

#include <stdio.h>

/* Writes a document of the schema cprof-time/1, with the first `limit` rows (0: all). Returns 0, or
 * -1 with errno. */
int time_write_json(const struct time_table *table, bool by_line, size_t limit, FILE *out);

#endif
