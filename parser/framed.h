/*
 * framed.h - the common part of cprof's own two formats: a first line of a magic word and a
 * version, plain fields of their headers, texts with escapes, and a last line with the number of
 * those before it, so that no loss goes unnoticed.
 */
#ifndef PARSER_FRAMED_H
#define PARSER_FRAMED_H

#include "arena.h"
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

/*--- Fields of lines ---*/

/* Ends a field that was read with this result from `start` on. */
static inline int framed_end_field(struct reader *r, enum lex result, const char *start,
                                   const char **at, const char *what)
{
    if (result != LEX_OK || (*at < r->end && **at != ' ')) {
        reader_fail_number(r, result, result == LEX_RANGE ? start : *at, what);
        return -1;
    }
    *at += *at < r->end;
    return 0;
}

/* Each reads a field, which ends at a blank, skipped too, or at the end of the line. 0 or -1. */
static inline int framed_number(struct reader *r, const char **at, uint64_t *value)
{
    const char *start = *at;

    return framed_end_field(r, lex_decimal(at, r->end, value), start, at, "number");
}

/* A number up to 2^63-1. */
static inline int framed_count(struct reader *r, const char **at, uint64_t *count)
{
    const char *start = *at;
    enum lex result = lex_decimal(at, r->end, count);

    if (result == LEX_OK && *count > INT64_MAX)
        result = LEX_RANGE;
    return framed_end_field(r, result, start, at, "number");
}

static inline int framed_address(struct reader *r, const char **at, uint64_t *address)
{
    const char *start = *at;

    return framed_end_field(r, lex_hex(at, r->end, address), start, at, "address");
}

/* The number of something that is defined, `count` being defined so far; `what` names it. */
static inline int framed_id(struct reader *r, const char **at, size_t count, const char *what,
                            uint32_t *id)
{
    const char *start = *at;
    uint64_t n;

    *id = 0;
    if (framed_number(r, at, &n))
        return -1;
    if (n >= count)
        return reader_fail(r, CPROF_ERROR_SYNTAX, start, "%s %llu is not defined", what,
                           (unsigned long long)n);
    *id = (uint32_t)n;
    return 0;
}

/* The builder's index of something that is defined: `defined` has it of each number. */
static inline int framed_index(struct reader *r, const char **at, const struct vector *defined,
                               const char *what, uint32_t *index)
{
    if (framed_id(r, at, defined->count, what, index))
        return -1;
    *index = ((const uint32_t *)defined->data)[*index];
    return 0;
}

/* Tells if '-' is the field, for none, and then takes it. */
static inline int framed_none(struct reader *r, const char **at)
{
    if (*at == r->end || **at != '-' || (*at + 1 < r->end && (*at)[1] != ' '))
        return 0;
    *at += *at + 1 < r->end ? 2 : 1;
    return 1;
}

/* Notes the builder's index (CPROF_NONE: it failed) of the next definition. 0 or -1. */
int framed_define(struct reader *r, struct vector *defined, uint32_t index);
/* Reads the sizes of miss curves, which grow, up to the end of the line. 0 or -1. */
int framed_curve_sizes(struct reader *r, const char *at, struct vector *sizes);

/*--- Fields of headers ---*/

/*
 * Plain fields of a profile's header, one row each: HEADER_FIELDS. Raw profiles and profiles with
 * names have them as "key: value", copies have them as they are, and of several profiles made one
 * the greatest number or word holds.
 */

enum header_kind {
    HEADER_TEXT,   /* a const char *; NULL is not written */
    HEADER_LIST,   /* texts, a line for each; `least` is the enum builder_list */
    HEADER_NUMBER, /* a long, of `least` or more; a lower one is not written */
    HEADER_WORD    /* an int or an enum: the number of one of its words, from 1; 0 is not written */
};

/* X(field of struct cprof_profile, key, kind, least number, words...) */
#define HEADER_FIELDS(X)                                             \
    X(creator, "creator", HEADER_TEXT, 0, NULL)                      \
    X(program, "program", HEADER_TEXT, 0, NULL)                      \
    X(command, "command", HEADER_TEXT, 0, NULL)                      \
    X(arguments, "arg", HEADER_LIST, BUILDER_ARGUMENTS, NULL)        \
    X(setup, "setup", HEADER_LIST, BUILDER_SETUP, NULL)              \
    X(descriptions, "desc", HEADER_LIST, BUILDER_DESCRIPTIONS, NULL) \
    X(pid, "pid", HEADER_NUMBER, 0, NULL)                            \
    X(threads, "threads", HEADER_NUMBER, 2, NULL)                    \
    X(schedule, "schedule", HEADER_WORD, 0, "fixed", "free")         \
    X(decisions, "decisions", HEADER_NUMBER, 1, NULL)                \
    X(clock, "clock", HEADER_WORD, 0, "fixed", "real")               \
    X(rep_one, "rep", HEADER_WORD, 0, "one")                         \
    X(sections_cold, "section-caches", HEADER_WORD, 0, "cold")       \
    X(sampled, "sampled", HEADER_WORD, 0, "yes")                     \
    X(random, "random", HEADER_WORD, 0, "no", "fixed", "yes")        \
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
/* Value `i` as a text: lists have several. A number is written to `room`. NULL: there is none to
 * write. */
const char *header_text(const struct header_field *f, const struct cprof_profile *p, uint32_t i,
                        char room[24]);

#endif
