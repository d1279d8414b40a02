/*
 * framed.h - what our own two formats share: a first line of a magic word and a version, texts with
 * escapes, and a last line that says how many stand before it, so that nothing is lost unnoticed.
 */
#ifndef PARSER_FRAMED_H
#define PARSER_FRAMED_H

#include "reader.h"

struct framed {
    const char *magic;
    unsigned oldest, version; /* that are read */
    const char *what;         /* for messages: "the raw format" */
};

/* Fails with a syntax error at the place `at` of the line at hand. Always -1. */
int framed_bad(struct reader *r, const char *at, const char *text);

/* The line at hand must have its newline. 0 or -1. */
int framed_whole_line(struct reader *r);
/* The line at hand is a first line: of this kind and version. 0 or -1. */
int framed_first_line(struct reader *r, const struct framed *kind);
/* The line at hand is a last line, and so many stand before it, in what it is about. 0 or -1. */
int framed_last_line(struct reader *r, unsigned long before);

/* Goes through a file: its first line, and `line` for each of the others, which are whole; `*ended`
 * has to be set by then. 0 or -1. */
int framed_lines(struct reader *r, const struct framed *kind, int (*line)(struct reader *r),
                 const int *ended);

/* [at, end) as an interned text, its escapes undone. NULL with the error filled. */
const char *framed_text(struct reader *r, const char *at, const char *end);

#endif
