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
    NAMED_REUSE = 'r'
};

/* Flags of a function, in this order; NAMED_NONE where it has none. */
enum named_flag { NAMED_INLINED = 'i', NAMED_LEAST = 'l' };

/* An index, a word or flags that there are not. */
#define NAMED_NONE '-'

/*--- Reading ---*/

struct named {
    struct reader r; /* first: framed_lines() knows no other */
    /* uint32_t: for each number of the file the index in the builder. */
    struct vector objects, files, functions, contexts, sections, counted_args, data, types;
    struct vector curve_sizes; /* uint64_t */
    uint32_t context;          /* that costs belong to; CPROF_NONE: to none */
    int have_end, in_body, have_costs;
};

/* Fields: each ends at a blank, which is skipped, or at the end of the line. 0 or -1. */
int named_number(struct named *w, const char **at, uint64_t *value);
/* A number that may be below 0. */
int named_long(struct named *w, const char **at, long *value);
/* A text that is one field: a word. NULL on failure. */
const char *named_word(struct named *w, const char **at);
/* A word, or NAMED_NONE: NULL. 0 or -1. */
int named_maybe_word(struct named *w, const char **at, const char **word);
/* Notes the builder's index (CPROF_NONE: it failed) of the next definition. 0 or -1. */
int named_add_index(struct named *w, struct vector *to, uint32_t index);

/* Reads, and writes, the key of miss curves. */
int named_curve_sizes(struct named *w, const char *at);
void named_write_curve_sizes(struct sink *out, const char *key, const struct cprof_profile *p);

/* Reads a line of the header. */
int named_read_key(struct named *w);

/*--- Writing ---*/

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

/* Writes the lines of the header but the first. */
void named_write_keys(struct sink *out, const struct cprof_profile *p);

#endif
