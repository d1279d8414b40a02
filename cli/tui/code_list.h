/*
 * code_list.h - lines of code in a pane: of source, or of instructions, each with its counts.
 *
 * One of zeros is empty.
 */
#ifndef TUI_CODE_LIST_H
#define TUI_CODE_LIST_H

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

/* Adds a line that belongs to nothing, has no mark and no counts. Takes over `text`. The line stays
 * where it is until the next one is added. */
struct code_line *code_list_add(struct code_list *list, enum code_kind kind, char *text);
void code_list_free(struct code_list *list);

#endif
