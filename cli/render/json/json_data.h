/*
 * json_data.h - which data misses, as JSON.
 */
#ifndef JSON_DATA_H
#define JSON_DATA_H

#include "table/callers.h"

#include <jansson.h>

/* A list of data, with the code that misses in each. */
json_t *json_data(const struct callers *callers);

/* A type as it lies in memory, with the misses of its members. */
json_t *json_layout(uint32_t type, const struct callers *callers);

/* The use of lines, in all and by function. */
json_t *json_line_use(const struct callers *callers);

/*--- Miss curves ---*/

/* Miss curves, as JSON. */

/* The curves of the program and of its functions. */
json_t *json_curves(const struct callers *callers);

#endif
