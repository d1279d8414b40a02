/*
 * findings_json.h - what `doctor` found, as JSON.
 */
#ifndef JSON_FINDINGS_JSON_H
#define JSON_FINDINGS_JSON_H

#include <stdio.h>

#include "run/finding.h"

/* "cprof-doctor/1", as doc/doctor.schema.json describes it. 0, or -1 with errno. */
int findings_write_json(const struct findings *findings, FILE *out);

#endif
