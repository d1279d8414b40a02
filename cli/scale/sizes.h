/*
 * sizes.h - the sizes that a program is run with, and texts that have {n} where a size stands.
 */
#ifndef SCALE_SIZES_H
#define SCALE_SIZES_H

#include "base/options.h"
#include "scale/growth.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sizes {
    size_t n;
    int64_t items[GROWTH_SIZES_MOST];
};

/* Reads "64000", "1.5k", "2M" or "1_000": a whole number above 0, in the end. Returns false for all
 * else. */
bool size_read(const char *text, int64_t *size);

/* Reads "1k,1.5k,2k". Returns 0, or STATUS_USAGE after having said what is wrong: too few, too
 * many, or sizes that do not grow. */
int sizes_read(struct sizes *sizes, const char *text);

/*--- Templates ---*/

bool template_has_size(const char *text);
/* The text with the size in place of each {n}; the caller frees it. */
char *template_fill(const char *text, int64_t size);

#endif
