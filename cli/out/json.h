/*
 * json.h - a profile as one JSON document, schema "cprof-profile/1".
 *
 *     {
 *       "schema": "cprof-profile/1",
 *       "command": ["target/release/nnet", "3"],   one text where the file has the line only; null:
 * not known "program": "/home/me/nnet/target/release/nnet", "exit": 0, null: not known, or a signal
 *       "events": ["Ir", ...],
 *       "caches": [{"name": "I1", "size": 32768, "ways": 8, "line_size": 64}, ...],
 *       "totals": {"Ir": 412913042, ...},
 *       "functions": [
 *         {"name": ..., "mangled": ..., "file": ..., "line": ..., "object": ..., "self": {"Ir":
 * 117237366, ...}, "inclusive": {"Ir": 234000000, ...}, "calls": 1200}, ...
 *       ]
 *     }
 *
 * What is not known is null. Numbers are exact integers up to 2^63-1; a reader that keeps them in
 * doubles loses digits beyond 2^53. JSON is Unicode: each byte of a name that is not UTF-8 becomes
 * U+FFFD. Paths are as the profile has them.
 */
#ifndef OUT_JSON_H
#define OUT_JSON_H

#include "model/columns.h"
#include "model/rows.h"

#include <stdio.h>

/*
 * Writes the first `n_shown` rows in their order. "totals" and "self" hold the columns that are
 * counts: all events of the profile, or those of `columns`. Returns 0, or -1 with errno where
 * writing failed.
 */
int json_write(const struct rows *rows, size_t n_shown, const struct column *const *columns,
               size_t n_columns, const char *program, FILE *out);

#endif
