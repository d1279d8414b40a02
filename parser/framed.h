/*
 * framed.h - the common part of cprof's own two formats: a first line of a magic word and a
 * version, texts with escapes, and a last line with the number of those before it, so that no loss
 * goes unnoticed.
 */
#ifndef PARSER_FRAMED_H
#define PARSER_FRAMED_H

#include "reader.h"

struct framed {
    const char *magic;
    unsigned version; /* that is read */
    const char *what; /* for messages: "the raw format" */
};

/* Fails with a syntax error at the place `at` of the line at hand. Always -1. */
int framed_bad(struct reader *r, const char *at, const char *text);

/* Fails where the line at hand has no newline. 0 or -1. */
int framed_whole_line(struct reader *r);
/* Reads the line at hand as a first line of this kind. 0 or -1. */
int framed_first_line(struct reader *r, const struct framed *kind);
/* Reads the line at hand as a last line; `before` is the number of lines before it. 0 or -1. */
int framed_last_line(struct reader *r, unsigned long before);

/* Goes through a file: checks its first line and calls `line` for each of the others, which are
 * whole. Fails where `*ended` is not set by then. 0 or -1. */
int framed_lines(struct reader *r, const struct framed *kind, int (*line)(struct reader *r),
                 const int *ended);

/* The interned text of [at, end) with its escapes undone. NULL with the error filled. */
const char *framed_text(struct reader *r, const char *at, const char *end);

#endif
