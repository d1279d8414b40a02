/* findings_json.h - the findings of `doctor`, as JSON. */
#ifndef JSON_FINDINGS_JSON_H
#define JSON_FINDINGS_JSON_H

#include "run/finding.h"

#include <stdio.h>

/* Writes "cprof-doctor/1" (doc/doctor.schema.json). Returns 0, or -1 with errno. */
int findings_write_json(const struct findings *findings, FILE *out);

#endif
