/*
 * header.h - plain fields of a profile's header, one row each: HEADER_FIELDS. Raw profiles and
 * profiles with names have them as "key: value", copies have them as they are, and of several
 * profiles made one the greatest number or word holds.
 */
#ifndef PARSER_HEADER_H
#define PARSER_HEADER_H

#include "reader.h"

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
