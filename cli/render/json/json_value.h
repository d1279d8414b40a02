/*
 * json_value.h - what JSON documents have in common: values, beginning and end; and texts for JSON
 * that is written without a document in memory.
 */
#ifndef JSON_JSON_VALUE_H
#define JSON_JSON_VALUE_H

#include "cprof.h"
#include "names/crates.h"
#include "paths/tree.h"
#include "table/columns.h"
#include "table/rows.h"
#include "table/table.h"

#include <jansson.h>
#include <stdio.h>

/* A text as data (clean.h); null for NULL. */
json_t *json_text(const char *text);
/* The flags for JSON in `out`: on a terminal all beyond ASCII is escaped, which is the same data
 * and moves nothing there. */
size_t json_flags(FILE *out);
/* Adds members to an object, names and values up to NULL, which takes over the values; none for a
 * value that is NULL. Returns the object. */
json_t *json_members(json_t *object, ...) __attribute__((sentinel));
/* A count; a list of `n`. */
json_t *json_count(int64_t count);
json_t *json_count_list(const int64_t *counts, size_t n);
/* A line, or another number of which 0 is none; null for 0. */
json_t *json_number(int64_t number);
/* The name of a file or a function of the profile; null for CPROF_NONE. */
json_t *json_file(const struct cprof_profile *profile, uint32_t file);
json_t *json_function(const struct cprof_profile *profile, uint32_t function);
/* Writes a text with its quotes, by json_flags(). */
void json_put(FILE *out, const char *text, size_t flags);
/* A text with its quotes, written by json_flags(); the caller frees it. */
char *json_quote(const char *text, size_t flags);
/* A count; a number with a fraction, with three digits after the point; a text; null where there is
 * none, or it is not known. */
json_t *json_cell(const struct cell *cell);
/* {"Ir": 1234, ...}: the own costs among the columns. */
json_t *json_counts(const struct column_list *columns, const int64_t *counts);
/* Adds "label", the name with what tells the row from those that look the same. */
void json_set_label(json_t *object, const struct row *row);
/* Adds "crate", "version" and, by its owner, "source" to an object; null for NULL and OWNER_NONE.
 */
void json_set_crate(json_t *object, const struct crate *crate, enum owner owner);
/* Adds the row's, of which it may have none. */
void json_set_row_crate(json_t *object, const struct row *row);
/* Adds the "heading" of a table, its "notes", "columns" and "rows" (doc/table.schema.json). Returns
 * the object. */
json_t *json_put_table(json_t *object, const struct table *table);

/*--- Documents ---*/

/*
 * A document is made in memory, from json_begin() or json_pack() on. Its members are written at
 * once: only call paths, which may be too many for memory, are written during their walk.
 */

/* A document with the members that most begin with: "schema", "program", "events" and "totals";
 * "title" where that is not NULL, and "part" where the profile is of sections alone. */
json_t *json_begin(const struct cprof_profile *profile, const char *schema, const char *title,
                   const struct column_list *columns);
/* Adds a text of the profile's header as the member of that name; null where it has none. */
void json_set_header(json_t *document, const struct cprof_profile *profile, const char *key);
/* Adds "interrupted": true where a signal ended the program, "rep", and "lost_samples". */
void json_set_missing(json_t *document, const struct cprof_profile *profile);
/* Writes the document and frees it. Returns 0, or -1 with errno. */
int json_finish(json_t *document, FILE *out);
/* json_finish() for a document whose last member is "tree", the call paths of `tree`. */
int json_finish_with_tree(json_t *document, const struct tree *tree,
                          const struct column_list *columns, FILE *out);

#endif
