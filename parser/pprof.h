/*
 * pprof.h - what a file of pprof has its samples of: texts, functions and locations by number.
 */
#ifndef PARSER_PPROF_H
#define PARSER_PPROF_H

#include "sampled.h"
#include "wire.h"

/* Records by the ids that the file gives them; each begins with its uint64_t id. */
struct pprof_table {
    struct vector records;
    size_t size; /* of a record */
    struct map map;
};

/* An address of code, and the frames there. */
struct pprof_location {
    uint64_t id;
    size_t first, n; /* in `frames` of the file, the outermost first */
};

/* The fields of Profile, in profile.proto. */
enum {
    PPROF_TYPE = 1,
    PPROF_SAMPLE,
    PPROF_MAPPING,
    PPROF_LOCATION,
    PPROF_FUNCTION,
    PPROF_STRING,
    PPROF_DROP,
    PPROF_KEEP,
    PPROF_TIME,
    PPROF_DURATION,
    PPROF_PERIOD_TYPE,
    PPROF_PERIOD,
    PPROF_COMMENT,
    PPROF_DEFAULT_TYPE,
    PPROF_DOC_URL
};

struct pprof {
    struct sampled s;
    struct wire all;       /* the file */
    struct vector strings; /* struct wire */
    struct pprof_table mappings, functions, locations;
    struct vector frames;  /* struct stack_frame */
    struct vector factors; /* uint64_t: of the unit of each type */
    uint64_t default_type; /* its text */
    int has_default;       /* one of the types so far is it */
    uint32_t first;        /* the column of the default type */
    /* The sample at hand: uint64_t, uint64_t; the thread, NULL: not given, and what named it. */
    struct vector ids, values;
    const char *thread;
    size_t thread_rank;
};

/* Fails with a syntax error at a byte of the file. Always -1. */
int pprof_bad(struct pprof *p, const unsigned char *at, const char *text);
/* Calls `take` for each field of this number in the file. 0 or -1. */
int pprof_each(struct pprof *p, uint32_t number,
               int (*take)(struct pprof *p, const struct wire_field *field));
/* Reads the fields of a message that are numbers below `n`; 0 for those that it has not. */
int pprof_numbers(struct pprof *p, struct wire message, uint64_t *values, uint32_t n);
/* The builder's text of this number; NULL with the error filled. */
const char *pprof_string(struct pprof *p, const unsigned char *at, uint64_t number);

/* Reads texts, mappings, functions and locations. 0 or -1. */
int pprof_read_tables(struct pprof *p);
void pprof_free_tables(struct pprof *p);
/* The location of this id, or NULL. */
const struct pprof_location *pprof_location(const struct pprof *p, uint64_t id);

#endif
