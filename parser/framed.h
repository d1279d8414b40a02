/*
 * framed.h - the common part of cprof's own two formats: a first line of a magic word and a
 * version, plain fields of their headers, texts with escapes, and a last line with the number of
 * those before it, so that no loss goes unnoticed.
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

/*--- Fields of headers ---*/

/*
 * Plain fields of a profile's header, one row each: HEADER_FIELDS. Raw profiles and profiles with
 * names have them as "key: value", copies have them as they are, and of several profiles made one
 * the greatest number or word holds.
 */

enum header_kind {
    HEADER_TEXT,   /* a const char *; NULL is not written */
    HEADER_NUMBER, /* a long, of `least` or more; a lower one is not written */
    HEADER_WORD    /* an int or an enum: the number of one of its words, from 1; 0 is not written */
};

/* X(field of struct cprof_profile, key, kind, least number, words...) */
#define HEADER_FIELDS(X)                                       \
    X(creator, "creator", HEADER_TEXT, 0, NULL)                \
    X(program, "program", HEADER_TEXT, 0, NULL)                \
    X(command, "command", HEADER_TEXT, 0, NULL)                \
    X(pid, "pid", HEADER_NUMBER, 0, NULL)                      \
    X(threads, "threads", HEADER_NUMBER, 2, NULL)              \
    X(sections_cold, "section-caches", HEADER_WORD, 0, "cold") \
    X(sampled, "sampled", HEADER_WORD, 0, "yes")               \
    X(random, "random", HEADER_WORD, 0, "no", "fixed", "yes")  \
    X(subject, "subject", HEADER_WORD, 0, "heap", "data")

struct header_field {
    const char *key;
    enum header_kind kind;
    long least;
    size_t at;            /* of the field in struct cprof_profile */
    const char *words[4]; /* for the values 1, 2, ...; NULL behind the last */
};

/* The field with this key. */
const struct header_field *header_field(const char *key);
/* Reads its value, the rest of the line from `at`, into the builder's header. 0 or -1. */
int header_read(struct reader *r, const struct header_field *f, const char *at);
/* The value as a text; a number is written to `room`. NULL: there is none to write. */
const char *header_text(const struct header_field *f, const struct cprof_profile *p, char room[24]);

#endif
