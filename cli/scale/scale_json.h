/*
 * scale_json.h - growth as JSON: doc/scale.schema.json.
 */
#ifndef SCALE_SCALE_JSON_H
#define SCALE_SCALE_JSON_H

#include "scale/scale_gate.h"
#include "scale/scale_table.h"

#include <stdio.h>

/* Writes "cprof-scale/1", with gates that were checked. Returns 0, or -1 with errno. */
int scale_json_write(const struct scale_table *functions, const struct scale_table *own,
                     const struct slope_gates *gates, const char *command_line, const char *program,
                     FILE *out);

#endif
