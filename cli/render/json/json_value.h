/*
 * json_value.h - the values that JSON documents have in common, and texts for JSON that is written
 * without a document in memory.
 */
#ifndef JSON_JSON_VALUE_H
#define JSON_JSON_VALUE_H

#include "names/crates.h"
#include "table/rows.h"
#include "table/table.h"

#include <jansson.h>

/* A text as data (clean.h); null for NULL. */
json_t *json_text(const char *text);
/* The flags for JSON in `out`: on a terminal all beyond ASCII is escaped, which is the same data
 * and moves nothing there. */
size_t json_flags(FILE *out);
/* A text with its quotes, written by json_flags(); the caller frees it. */
char *json_quote(const char *text, size_t flags);
/* A count; a ratio with three digits after the point, null where it is not known; a text. */
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

#endif
