/*
 * input.h - the lines of a file, of standard input or of memory, unpacked if they are packed,
 * and in UTF-8 if they are UTF-16 or have a mark of UTF-8.
 *
 * One buffer holds the line at hand and the bytes that were read beyond it; it grows only for a
 * line that does not fit. Memory that is not packed is read in place.
 */
#ifndef PARSER_INPUT_H
#define PARSER_INPUT_H

#include "cprof.h"

#include <stddef.h>
#include <string.h>

struct input;

/* Opens `path` ("-": standard input), or returns NULL with `error` filled. Later failures go to
 * `error`, too. */
struct input *input_open(const char *path, struct cprof_error *error);
/* Reads `size` bytes at `data`, which must stay until input_close(). */
struct input *input_memory(const void *data, size_t size, struct cprof_error *error);
void input_close(struct input *in);

/*
 * The next line without its newline; it is valid until the next call.
 * Returns 1; 0 at the end; -1 with the error filled.
 */
static inline int input_line(struct input *in, const char **text, size_t *size);

/* The bytes at hand that are not taken yet, up to *end, which may be anywhere in a line. */
static inline const char *input_rest(const struct input *in, const char **end);
/* Takes `n` lines of those; `to` is behind the newline of the last. */
static inline void input_take(struct input *in, const char *to, unsigned long n);

/* The bytes at hand before any line is taken: all of a short file, at least INPUT_PEEK bytes of a
 * longer one. NULL with the error filled. */
const char *input_peek(struct input *in, size_t *size);
#define INPUT_PEEK ((size_t)64 << 10)

/* All bytes, before any line is taken: they are valid until input_close(). A packed file that is
 * unpacked to far more than its size is refused. NULL with the error filled. */
const char *input_whole(struct input *in, size_t *size);

/* Gives all bytes that are not taken to `write`. 0, or -1 with the error filled. */
int input_copy(struct input *in, cprof_writer *write, void *to);

/* The number of the line last taken, from 1. */
static inline unsigned long input_line_number(const struct input *in);
/* Tells if the line last taken ended with a newline; the last line of a cut file may not. */
static inline int input_line_is_whole(const struct input *in);

/* Fails if bytes of a file begin another one that is packed: in a manner that is not taken off, or
 * for a second time. 0 or -1. */
int input_fail_packed(struct cprof_error *error, const char *at, size_t size);

/* For the inline functions only. */
struct input_lines {
    const char *next, *end; /* bytes that were read and not yet handed out */
    unsigned long number;
    int whole;
};

int input_more(struct input *in, const char **text, size_t *size);

static inline int input_line(struct input *in, const char **text, size_t *size)
{
    struct input_lines *lines = (struct input_lines *)in;
    const char *newline = lines->next == lines->end
                              ? NULL
                              : memchr(lines->next, '\n', (size_t)(lines->end - lines->next));

    if (!newline)
        return input_more(in, text, size);
    *text = lines->next;
    *size = (size_t)(newline - lines->next);
    lines->next = newline + 1;
    lines->number++;
    return 1;
}

static inline const char *input_rest(const struct input *in, const char **end)
{
    const struct input_lines *lines = (const struct input_lines *)in;

    *end = lines->end;
    return lines->next;
}

static inline void input_take(struct input *in, const char *to, unsigned long n)
{
    struct input_lines *lines = (struct input_lines *)in;

    lines->next = to;
    lines->number += n;
}

static inline unsigned long input_line_number(const struct input *in)
{
    return ((const struct input_lines *)in)->number;
}

static inline int input_line_is_whole(const struct input *in)
{
    return ((const struct input_lines *)in)->whole;
}

#endif
