/* findings.h - the findings of `doctor`, a line each. */
#ifndef TEXT_FINDINGS_H
#define TEXT_FINDINGS_H

#include "run/finding.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes aligned findings. A line longer than `width` goes on below its text; 0: lines have no
 * limit. */
void findings_write(const struct findings *findings, unsigned width, bool color, FILE *out);
/* The word of a state: "ok", "error", ... */
const char *findings_word(enum finding_state state);

#endif
