/*
 * json_curves.h - miss curves, as JSON.
 */
#ifndef JSON_CURVES_H
#define JSON_CURVES_H

#include "table/callers.h"

#include <jansson.h>

/* The curves of the program and of its functions. */
json_t *json_curves(const struct callers *callers);

#endif
