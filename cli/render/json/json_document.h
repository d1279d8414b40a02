/*
 * json_document.h - how the JSON documents of json.h begin and end.
 */
#ifndef JSON_JSON_DOCUMENT_H
#define JSON_JSON_DOCUMENT_H

#include "cprof.h"
#include "table/columns.h"
#include "paths/tree.h"

#include <jansson.h>
#include <stdio.h>

/* "schema", "program", "events" and "totals": what every document begins with; and "title" where
 * that is not NULL. */
json_t *json_begin(const struct cprof_profile *profile, const char *schema, const char *title,
                   const struct column *const *columns, size_t n_columns);
/* Writes the document, which is freed, with the call paths of `tree` where that is not NULL. 0, or
 * -1 with errno. */
int json_finish(json_t *document, const struct tree *tree, const struct column *const *columns,
                size_t n_columns, FILE *out);

#endif
