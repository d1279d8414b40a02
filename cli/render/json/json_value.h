/*
 * json_value.h - the values that the JSON documents have in common, and the texts of those that are
 * written as they are gone through, without a document in memory.
 */
#ifndef JSON_JSON_VALUE_H
#define JSON_JSON_VALUE_H

#include "table/columns.h"
#include "names/crates.h"

#include <jansson.h>

/* A text, by the rule of text.h for data; null for NULL. */
json_t *json_text(const char *text);
/* How JSON is written to `out`: on a terminal all beyond ASCII is escaped, which is the same data
 * and moves nothing there. */
size_t json_flags(FILE *out);
/* A text with its quotes, for the caller to free, by json_flags(). */
char *json_quote(const char *text, size_t flags);
/* {"Ir": 1234, ...}: those of the columns that are own costs. */
json_t *json_counts(const struct column *const *columns, size_t n, const int64_t *counts);
/* Adds "crate", "version" and "source" to an object; null for NULL. */
void json_set_crate(json_t *object, const struct crate *crate);

#endif
