/*
 * findings.h - what `doctor` found, a line each, and as JSON.
 */
#ifndef OUT_FINDINGS_H
#define OUT_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "run/finding.h"

/* Aligned; a line longer than `width` goes on below its text. 0: however long it is. */
void findings_write(const struct findings *findings, unsigned width, bool color, FILE *out);
/* "cprof-doctor/1", as doc/doctor.schema.json describes it. 0, or -1 with errno. */
int findings_write_json(const struct findings *findings, FILE *out);

#endif
