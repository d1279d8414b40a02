/*
 * source_lines.h - the lines of source of a function with their costs, for a pane.
 *
 * One of zeros is empty; source_lines_free() ends it.
 */
#ifndef TUI_SOURCE_LINES_H
#define TUI_SOURCE_LINES_H

#include "annotate/annotation.h"
#include "tui/code_list.h"
#include "tui/data.h"

#include <stdbool.h>

struct source_lines {
    struct annotation annotation;
    struct code_list list; /* its counts are in the annotation */
};

/* Makes the lines anew, for the data's measure. `functions` has a flag for each function of the
 * profile. */
void source_lines_load(struct source_lines *lines, struct data *data, const bool *functions);
void source_lines_free(struct source_lines *lines);

#endif
