/*
 * diff_json.h - two profiles side by side, as JSON.
 */
#ifndef JSON_DIFF_JSON_H
#define JSON_DIFF_JSON_H

#include "diff/gate.h"
#include "render/text/diff.h"

#include <stdio.h>

/*
 * "cprof-diff/1", as doc/diff.schema.json describes it: the first n_shown rows, and what fails the
 * gates. Returns 0, or -1 with errno where writing failed.
 */
int diff_write_json(const struct diff_view *view, const struct gate_result *gates, FILE *out);

#endif
