/*
 * fraction.h - counts that have fractions, kept as whole numbers of a power of ten.
 */
#ifndef PARSER_FRACTION_H
#define PARSER_FRACTION_H

#include "reader.h"
#include "stacks.h"

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

/* The scale of a column of counts, which begins as zeros: they are those of the file times
 * 10^decimals. */
struct fraction_scale {
    unsigned decimals;
    int is_rounded;
};

/* Adds to a count of a node's own samples, with the column multiplied where it has too few
 * decimals. 0 or -1. */
int fraction_add(struct stacks *s, uint32_t node, uint32_t column, struct fraction_scale *scale,
                 const struct fraction *f);
/* The builder's name of the column's event: with its scale behind it ("Samples/100") where it has
 * one, of which there is a warning then. NULL: failed. */
const char *fraction_event(struct reader *r, const struct stacks *s, uint32_t column,
                           const struct fraction_scale *scale, const char *name);

#endif
