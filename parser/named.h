/*
 * named.h - inside of the format of profiles with names (doc/named.md), for its reader and its
 * writer. named_header.c has the one table of the header's keys, which both use; named.c has the
 * records of the body, and the fields of all lines.
 */
#ifndef PARSER_NAMED_H
#define PARSER_NAMED_H

#include "arena.h"
#include "cp_format.h"
#include "framed.h"
#include "sink.h"

/* The first line: NAMED_MAGIC, a blank, NAMED_VERSION. */
#define NAMED_MAGIC   "cprof-named"
#define NAMED_VERSION 1

/* Record letters of the body: the first character of a line, followed by a blank. */
enum named_record {
    NAMED_OBJECT = 'o',
    NAMED_FILE = 'l',
    NAMED_FUNCTION = 'f',
    NAMED_COST = 'c',
    NAMED_CONTEXT = 'n',
    NAMED_CALL = 'e',
    NAMED_INCLUSIVE = 'i',
    NAMED_SECTION = 'x',
    NAMED_SECTION_COST = 'w',
    NAMED_SPREAD = 'z',
    NAMED_EXTREMES = 'q',
    NAMED_ARGUMENT = 'a',
    NAMED_DATUM = 'd',
    NAMED_TOUCH = 'j',
    NAMED_TYPE = 't',
    NAMED_REUSE = 'r',
    NAMED_CODE = 'h'
};

/* Flags of a function, in this order; NAMED_NONE where it has none. */
enum named_flag { NAMED_INLINED = 'i', NAMED_LEAST = 'l' };

/* An index, a word or flags that there are not. */
#define NAMED_NONE '-'

/* Things that are defined, and then referred to by their numbers. */
enum named_list {
    NAMED_OBJECTS,
    NAMED_FILES,
    NAMED_FUNCTIONS,
    NAMED_CONTEXTS,
    NAMED_SECTIONS,
    NAMED_COUNTED_ARGS,
    NAMED_DATA,
    NAMED_TYPES,
    NAMED_LISTS
};

struct named {
    struct reader r; /* first: framed_lines() knows no other */
    struct vector
        lists[NAMED_LISTS];    /* uint32_t: of each number in the file, the builder's index */
    struct vector curve_sizes; /* uint64_t */
    uint32_t context;          /* that costs belong to; CPROF_NONE: to none */
    int have_end, in_body, have_costs;
};

/* Reads a line of the header. */
int named_read_key(struct named *w);
/* Writes the lines of the header but the first. */
void named_write_keys(struct sink *out, const struct cprof_profile *p);

/*--- Fields ---*/

/*
 * A line that is read, or written. One function says what fields a record or a key has, in their
 * order, for both: each function below reads a field to where its pointer leads, or writes the
 * field that is there. They return 0; nothing but 0 where it cannot be read.
 */
struct named_line {
    struct named *w;  /* the reader; NULL: the line is written */
    const char *at;   /* the rest of the line that is read */
    struct sink *out; /* of the line that is written */
};

/* The letter of a record, which has been read. */
int field_letter(struct named_line *f, enum named_record letter);
/* A number, one up to 2^63-1, one that may be below 0, and one of 32 bits. */
int field_number(struct named_line *f, uint64_t *number);
int field_count(struct named_line *f, uint64_t *count);
int field_long(struct named_line *f, long *number);
int field_short(struct named_line *f, uint32_t *number);
/* 0 or 1. */
int field_flag(struct named_line *f, unsigned char *flag);
int field_address(struct named_line *f, uint64_t *address);
/* The number of something that is defined: read as the builder's index. field_maybe() has
 * CPROF_NONE, too. */
int field_index(struct named_line *f, enum named_list list, uint32_t *index);
int field_maybe(struct named_line *f, enum named_list list, uint32_t *index);
/* A text that is one field: a word. field_maybe_word() has NULL, too. */
int field_word(struct named_line *f, const char **word);
int field_maybe_word(struct named_line *f, const char **word);
/* A text that is the rest of the line. */
int field_text(struct named_line *f, const char **text);
/* Ends a line that is written. */
int field_end(struct named_line *f);

/*--- Writing ---*/

/* "KEY:", which begins a line of a header; and such a line of one text. */
void named_put_key(struct sink *out, const char *key);
void named_write_text(struct sink *out, const char *key, const char *text);

/* Fields, each with a blank before it. */
void named_put_unsigned(struct sink *out, uint64_t number);
void named_put_signed(struct sink *out, int64_t number);
void named_put_address(struct sink *out, uint64_t address);
/* An index, or NAMED_NONE for CPROF_NONE. */
void named_put_index(struct sink *out, uint32_t index);
/* A text that is the rest of the line. */
void named_put_text(struct sink *out, const char *text);
/* A word, or NAMED_NONE for NULL. */
void named_put_word(struct sink *out, const char *text);
/* The counts that end a line, without zeros at the end, but the first. */
void named_put_counts(struct sink *out, const int64_t *values, uint32_t n);

#endif
