/*
 * json_file.h - profiles that are JSON documents: values of the document, as readers of them need
 * them. jansson reads the document.
 */
#ifndef PARSER_JSON_FILE_H
#define PARSER_JSON_FILE_H

#include "error.h"
#include "sampled.h"

#include <jansson.h>

struct json_file {
    struct sampled s;
    json_t *root;
    int has_rounded; /* times, which are whole nanoseconds here */
};

/* Readers of one kind of document each. 0 or -1. */
int json_read_speedscope(struct json_file *j);
int json_read_firefox(struct json_file *j);
int json_read_dhat(struct json_file *j);
int json_read_cpuprofile(struct json_file *j);

/* Fails with a syntax error: a format and its values say which value is wrong. Always -1. */
#define json_file_fail(j, ...) error_set((j)->s.r.error, CPROF_ERROR_SYNTAX, __VA_ARGS__)

/* `n` frames without a function: none of them was read yet. NULL with the error filled. */
struct stack_frame *json_file_frames(struct json_file *j, size_t n);
/* The value as an index below `n`; -1 where it is none. */
int json_file_index(const json_t *value, size_t n, size_t *index);
/* The value as a line; 0 where it is none. */
uint32_t json_file_line(const json_t *value);
/* The builder's copy of a string; `otherwise` where the value is none, or empty. NULL with the
 * error filled. */
const char *json_file_text(struct json_file *j, const json_t *value, const char *otherwise);
/* The function of these names; `file`, `path` may be NULL. */
uint32_t json_file_function(struct json_file *j, const char *name, const char *file, uint32_t line,
                            const char *path);
/* The builder's file; CPROF_NONE for NULL. */
uint32_t json_file_source(struct json_file *j, const char *file);

/* Sums of times that may have fractions; of one that has none, all digits count. */
struct json_sum {
    double whole;     /* of all with fractions */
    uint64_t rounded; /* of these, what was returned */
};

/* Gives in `*part` how much the value adds: a count with its fraction, or by how much the rounded
 * sum of times grows. Fails where it is no number from 0 up to 2^63. 0 or -1. */
int json_file_add(struct json_file *j, struct json_sum *sum, const json_t *value,
                  const struct sampled_unit *unit, struct fraction *part);
/* Does the same with nanoseconds. */
int json_file_add_time(struct json_file *j, struct json_sum *sum, double ns, uint64_t *part);

#endif
