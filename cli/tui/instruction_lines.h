/*
 * instruction_lines.h - the instructions of a function with their costs, for a pane.
 *
 * One of zeros is not loaded; instruction_lines_free() ends it.
 */
#ifndef TUI_INSTRUCTION_LINES_H
#define TUI_INSTRUCTION_LINES_H

#include "annotate/disassembly.h"
#include "tui/code_list.h"
#include "tui/data.h"

#include <stdbool.h>

struct instruction_lines {
    bool loaded;
    struct disassembly disassembly;
    int64_t *sums;         /* by instruction, own and others' costs: rows of n_events */
    struct code_list list; /* its counts are in the sums and the disassembly */
};

/* Decodes the instructions of `functions`, a flag for each function of the profile. */
void instruction_lines_load(struct instruction_lines *lines, struct data *data,
                            const bool *functions);
void instruction_lines_free(struct instruction_lines *lines);

#endif
