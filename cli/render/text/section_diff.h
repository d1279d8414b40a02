/*
 * section_diff.h - what the sections of two profiles cost, beside each other.
 */
#ifndef TEXT_SECTION_DIFF_H
#define TEXT_SECTION_DIFF_H

#include "diff/diff.h"
#include "render/text/table_text.h"

#include <stdio.h>

/* Writes the sections of a diff with the change of a column, the greatest first, and an empty line;
 * nothing where there are none. As Markdown where `screen` is NULL. */
void section_diff_write(const struct diff *diff, const struct column *column,
                        const struct text_screen *screen, FILE *out);

#endif
