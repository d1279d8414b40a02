/*
 * json_document.h - the beginning and the end of each JSON document.
 *
 * A document is made in memory, from json_begin() or json_pack() on. Its members are written at
 * once: only call paths, which may be too many for memory, are written during their walk.
 */
#ifndef JSON_JSON_DOCUMENT_H
#define JSON_JSON_DOCUMENT_H

#include "cprof.h"
#include "paths/tree.h"
#include "table/columns.h"

#include <jansson.h>
#include <stdio.h>

/* A document with the members that most begin with: "schema", "program", "events" and "totals";
 * "title" where that is not NULL, and "part" where the profile is of sections alone. */
json_t *json_begin(const struct cprof_profile *profile, const char *schema, const char *title,
                   const struct column_list *columns);
/* Adds "interrupted": true where a signal ended the program, and "lost_samples". */
void json_set_missing(json_t *document, const struct cprof_profile *profile);
/* Writes the document and frees it. Returns 0, or -1 with errno. */
int json_finish(json_t *document, FILE *out);
/* json_finish() for a document whose last member is "tree", the call paths of `tree`. */
int json_finish_with_tree(json_t *document, const struct tree *tree,
                          const struct column_list *columns, FILE *out);

#endif
