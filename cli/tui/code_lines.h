/*
 * code_lines.h - lines of code in a pane, each with its counts: the source of a function, or its
 * instructions.
 *
 * Each struct of zeros is empty.
 */
#ifndef TUI_CODE_LINES_H
#define TUI_CODE_LINES_H

#include "annotate/annotation.h"
#include "annotate/disassembly.h"
#include "tui/browsed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_kind {
    CODE_HEAD,   /* a file or an object */
    CODE_SOURCE, /* a line of a file */
    CODE_CALL,   /* a function that was inlined at the line above */
    CODE_GAP,    /* lines that are left out */
    CODE_PLACE,  /* the line of source that the instructions below are of */
    CODE_INSTRUCTION
};

struct code_line {
    enum code_kind kind;
    uint32_t file, line;   /* the place that it belongs to; CPROF_NONE, 0: none */
    uint32_t function;     /* a call's function; CPROF_NONE: the view's */
    char *mark, *text;     /* clean; NULL: none */
    unsigned char *tokens; /* of each byte of the text: enum token_kind; NULL: all are plain */
    const int64_t *counts; /* n_events, and of source as many with callees; NULL: no cost */
};

struct code_list {
    size_t n, room;
    struct code_line *items;
};

struct source_lines {
    struct annotation annotation;
    struct code_list list; /* its counts are in the annotation */
};

/* Makes the lines anew, for the measure that is chosen. `functions` has a flag for each function of
 * the profile. */
void source_lines_load(struct source_lines *lines, struct browsed *browsed, const bool *functions);
void source_lines_free(struct source_lines *lines);

struct instruction_lines {
    bool loaded;
    struct disassembly disassembly;
    int64_t *sums;         /* by instruction, own and others' costs: rows of n_events */
    struct code_list list; /* its counts are in the sums and the disassembly */
};

/* Decodes the instructions of `functions`, a flag for each function of the profile. */
void instruction_lines_load(struct instruction_lines *lines, struct browsed *browsed,
                            const bool *functions);
void instruction_lines_free(struct instruction_lines *lines);

#endif
