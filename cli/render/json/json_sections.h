/*
 * json_sections.h - the sections that the program named, as a member of a document.
 */
#ifndef JSON_JSON_SECTIONS_H
#define JSON_JSON_SECTIONS_H

#include "cprof.h"
#include "table/columns.h"

#include <jansson.h>

/* An array of the sections, in the order in which they first began. */
json_t *json_sections(const struct cprof_profile *profile, const struct column_list *columns);

#endif
