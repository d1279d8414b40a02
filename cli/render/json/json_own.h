/*
 * json_own.h - own code, and other code that it is charged with, as values of JSON.
 */
#ifndef JSON_JSON_OWN_H
#define JSON_JSON_OWN_H

#include "render/json/json.h"

#include <jansson.h>

/* The member "own" of json.h. */
json_t *json_own_value(const struct own *own, const struct column_list *columns);
/* A function of other code with its cost: an item of "by". */
json_t *json_charge(const struct cprof_profile *profile, const struct blame_charge *charge,
                    const struct column_list *columns);

#endif
