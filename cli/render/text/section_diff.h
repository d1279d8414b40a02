/*
 * section_diff.h - what the sections of two profiles cost, beside each other.
 */
#ifndef TEXT_SECTION_DIFF_H
#define TEXT_SECTION_DIFF_H

#include "diff/diff.h"
#include "render/text/grid.h"

#include <stdio.h>

/* Each writes the sections of a diff with the change of a column, the greatest first, and an empty
 * line; nothing where there are none. */
void section_diff_write(const struct diff *diff, const struct column *column,
                        const struct grid_screen *screen, FILE *out);
void section_diff_markdown(const struct diff *diff, const struct column *column, FILE *out);

#endif
