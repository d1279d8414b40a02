/*
 * json_data.h - which data misses, as JSON.
 */
#ifndef JSON_DATA_H
#define JSON_DATA_H

#include "cprof.h"

#include <jansson.h>
#include <stdbool.h>

/* A list of data, with the code that misses in each. `callers` as data_table_load() takes it. */
json_t *json_data(const struct cprof_profile *profile, const bool *callers);

/* A type as it lies in memory, with the misses of its members. */
json_t *json_layout(const struct cprof_profile *profile, uint32_t type, const bool *callers);
/* The use of lines, in all and by function. `callers` as line_table_load() takes it. */
json_t *json_line_use(const struct cprof_profile *profile, const bool *callers);

#endif
