/*
 * sampled.h - the common part of readers of samples: a tree of stacks with a root for each thread,
 * and columns of counts.
 */
#ifndef PARSER_SAMPLED_H
#define PARSER_SAMPLED_H

#include "reader.h"
#include "stacks.h"

/*--- Counts with fractions ---*/

/* Counts with fractions are kept as whole numbers of a power of ten. */

/* A number of FRACTION_DECIMALS decimals at most, those that it needs: digits / 10^decimals. */
struct fraction {
    uint64_t digits;
    unsigned decimals;
    int is_rounded; /* it has more decimals than are kept */
};
enum { FRACTION_DECIMALS = 6 };

/* Takes a number from 0 up to 2^63. 0; -1: it is no such number. */
int fraction_of_number(double number, struct fraction *f);
/* Takes digits, or digits with a point, which all of [at, end) has to be. 0; -1: it is not, or is
 * too large. */
int fraction_of_text(const char *at, const char *end, struct fraction *f);

/*--- Stacks and columns ---*/

/* Deeper stacks are damaged files: perf's own bound is 127, unless it is raised. */
enum { SAMPLED_MAX_FRAMES = 1 << 16 };

/* Zeros are ready for sampled_begin(). */
struct sampled {
    struct reader r;
    struct stacks stacks;
    struct set threads;           /* struct sampled_thread */
    struct vector columns;        /* struct sampled_column, of sampled_column() */
    size_t n_pushed, most_pushed; /* frames; most: 0: no limit */
};

struct sampled_thread {
    const char *name;
    int is_first;
    uint32_t root;
};

struct sampled_column {
    const char *name, *meaning; /* meaning: NULL: the name says it */
    /* The scale of its counts: they are those of the file times 10^decimals. */
    unsigned decimals;
    int is_rounded;
};

/* A unit that counts are given in, and what profiles here have: times in nanoseconds. */
struct sampled_unit {
    uint64_t factor;
    const char *meaning; /* NULL: a number of something */
    int is_time;
};

/*
 * Begins to read a file of `size` bytes; 0: not known. Of a known size, frames on stacks are
 * limited to some for each byte: in formats where few stacks can stand for many, a small file could
 * fill the memory. Always 0.
 */
int sampled_begin(struct sampled *s, size_t size);
/* Frees it, and so what begins with it. */
void sampled_free(struct sampled *s);

/* The root of the thread of this name, which is the builder's; made if new. */
uint32_t sampled_thread(struct sampled *s, const char *name);
/* The root of the first thread of a process of this name, which is another one. */
uint32_t sampled_first_thread(struct sampled *s, const char *name);
/* Where samples are of several threads, gives their roots a function each. 0 or -1. */
int sampled_name_threads(struct sampled *s);

/* The stack `node` with this frame on top; CPROF_NONE with the error filled. */
uint32_t sampled_push(struct sampled *s, uint32_t node, const struct stack_frame *frame);
/* The stack `node` with the function on top that stands for no stack at all. */
uint32_t sampled_push_none(struct sampled *s, uint32_t node);
/* The function of code at an address in the object that nothing names: "0x12ab". */
uint32_t sampled_unnamed(struct sampled *s, uint32_t object, uint64_t address);

/* "nanoseconds", "ms", "bytes", "count", ...; others count something, with factor 1. */
struct sampled_unit sampled_unit(const char *name);
/*
 * A column of counts more, and its event: its name is `name` as one word, the builder's own
 * "Samples" for samples; where another column has that, the unit stands behind it. `meaning` is the
 * builder's, or NULL. Returns the number of the column.
 */
uint32_t sampled_column(struct sampled *s, const char *name, const char *unit, const char *meaning);
/* Adds `value * factor` to a column of the node's own samples. 0 or -1. */
int sampled_add(struct sampled *s, uint32_t node, uint32_t column, uint64_t value, uint64_t factor);
/* Does the same with a number that may have a fraction. */
int sampled_add_fraction(struct sampled *s, uint32_t node, uint32_t column,
                         const struct fraction *f);
/* Names threads and gives all to the builder; column `first` is the first event. 0 or -1. */
int sampled_finish(struct sampled *s, uint32_t first);

/*--- Frames of Valgrind ---*/

/* A frame of a stack as Valgrind's tools write it into their files: "0x10F2: name (file.c:12)",
 * "0x10F2: name (in /lib/libx.so)". */
struct valgrind_frame {
    struct stack_frame frame; /* without its address: that is none of an object */
    uint64_t address;         /* as it was in memory; 0: not given */
};

/* Reads the text [at, end). 0 or -1. */
int valgrind_frame_read(struct sampled *s, const char *at, const char *end,
                        struct valgrind_frame *frame);
/* Tells whether `inner`, which `outer` calls, is inlined there: both have one address, but for a
 * function that calls itself. */
int valgrind_frame_is_inlined(const struct valgrind_frame *inner,
                              const struct valgrind_frame *outer);

#endif
