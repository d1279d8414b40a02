/*
 * diff_json.h - two profiles side by side, as JSON.
 */
#ifndef JSON_DIFF_JSON_H
#define JSON_DIFF_JSON_H

#include "diff/gate.h"
#include "render/text/diff.h"

#include <stdio.h>

/* Writes "cprof-diff/1" (doc/diff.schema.json): the first n_shown rows, and the functions that fail
 * the gates. Returns 0, or -1 with errno where writing failed. */
int diff_write_json(const struct diff_view *view, const struct gate_result *gates, FILE *out);

#endif
