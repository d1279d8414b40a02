/*
 * json_arguments.h - counted arguments of functions, as a member of a document.
 */
#ifndef JSON_JSON_ARGUMENTS_H
#define JSON_JSON_ARGUMENTS_H

#include "cprof.h"

#include <jansson.h>
#include <stdbool.h>

/* A list of what each option counted. `own` says which functions are own code; NULL: none is. */
json_t *json_arguments(const struct cprof_profile *profile, const bool *own);

#endif
