/*
 * json_curves.h - miss curves, as JSON.
 */
#ifndef JSON_CURVES_H
#define JSON_CURVES_H

#include "cprof.h"

#include <jansson.h>
#include <stdbool.h>

/* The curves of the program and of its functions. `callers` as curves_load() takes it. */
json_t *json_curves(const struct cprof_profile *profile, const bool *callers);

#endif
