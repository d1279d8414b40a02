/*
 * findings.h - what `doctor` found, a line each.
 */
#ifndef TEXT_FINDINGS_H
#define TEXT_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "run/finding.h"

/* Aligned; a line longer than `width` goes on below its text. 0: however long it is. */
void findings_write(const struct findings *findings, unsigned width, bool color, FILE *out);
/* "ok", "error", ... */
const char *findings_word(enum finding_state state);

#endif
