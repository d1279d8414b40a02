/*
 * scale_json.h - growth as JSON: doc/scale.schema.json.
 */
#ifndef SCALE_SCALE_JSON_H
#define SCALE_SCALE_JSON_H

#include "scale/scale_table.h"

#include <stdio.h>

/* Writes "cprof-scale/1". Returns 0, or -1 with errno. */
int scale_json_write(const struct scale_table *functions, const struct scale_table *own,
                     const char *command_line, const char *program, FILE *out);

#endif
