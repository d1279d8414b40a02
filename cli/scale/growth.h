/*
 * growth.h - how a count grows with the size n of the input: found from its values at several
 * sizes.
 *
 * A polynomial that goes through all counts is found by divided differences, in fractions: its
 * coefficients are exact. Exponential growth is found by the ratios of differences. Else the
 * simplest of a few models is taken by least squares of relative errors: a greater one is taken
 * only where it leaves a fifth of the residual, where its greatest term is worth more than noise,
 * and where the slope of the counts allows it. Where none fits, or all do badly beside it, the
 * slope alone goes on.
 *
 * Counts that are 0 at the first sizes are fitted at the others; and those that grow faster from
 * some size on, and follow a model closely then, from there on.
 *
 * Growth by doubling (of the table of a hash map) has steps, which sizes that are doubled
 * themselves do not show: sizes have to be out of phase.
 */
#ifndef SCALE_GROWTH_H
#define SCALE_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GROWTH_SIZES_LEAST = 3, GROWTH_SIZES_GOOD = 5, GROWTH_SIZES_MOST = 64, GROWTH_TERMS = 4 };

enum growth_kind {
    GROWTH_NONE,        /* nothing is known: the last count is 0, or all is irregular */
    GROWTH_POLYNOMIAL,  /* through all counts */
    GROWTH_EXPONENTIAL, /* a base to the power of n */
    GROWTH_SQUARES,     /* a model, by least squares */
    GROWTH_SLOPE        /* n to the power of the slope */
};

/* A fraction in its lowest terms, with a denominator above 0. */
struct growth_fraction {
    int64_t numerator, denominator;
};

struct growth {
    enum growth_kind kind;
    bool irregular; /* of GROWTH_NONE: counts follow nothing that is known */
    bool exact;     /* the polynomial's counts have been seen at sizes out of phase */
    bool steps;     /* of least squares: counts leave the model by much, and never fall */
    bool sum;       /* of an inclusive count: growth and residual of its greatest part */
    bool uneven;    /* the same, but they fall somewhere, or hardly grow */
    int model;      /* of least squares */
    size_t terms;   /* of the polynomial, or of the model */
    struct growth_fraction polynomial[GROWTH_TERMS]; /* by powers of n, from 0 on */
    long double coefficients[GROWTH_TERMS]; /* of the model; of an exponential what is added, and
                                            what grows, at the size `origin` */
    long double base, base_low, base_high;  /* of an exponential; or powers of n, of a slope */
    long double origin, last;               /* the largest size, and its count */
    double residual;                        /* the greatest relative error; 0: none */
    size_t first; /* it is of the counts from this one on; those before are 0, or grow otherwise */
    int64_t from; /* the size of the first of them; 0: it is of all counts */
    double slack; /* by how much the slope may be wrong, of steps */
    double slope; /* of the counts' logarithms, at the largest sizes */
};

/* Counts at growing sizes. */
struct growth_points {
    size_t n; /* GROWTH_SIZES_LEAST to GROWTH_SIZES_MOST */
    const int64_t *sizes, *counts;
    int64_t begin; /* slopes are counted from this size: 0, or where something begins late */
};

/* True where each size is the one before it, doubled, once or several times. */
bool growth_is_in_phase(const int64_t *sizes, size_t n);

void growth_find(struct growth *fit, const struct growth_points *points);

/* The count that is foretold at a size; infinite beyond all numbers, NaN where nothing is known. */
long double growth_at(const struct growth *fit, long double size);

/* The bounds that are foretold: what fits say that leave out a size each, other models that leave
 * no greater residual, and the slope, wider by the residual; with steps, or where sizes double and
 * would hide them, at least a factor of two. Of a polynomial its values at the next multiples of
 * what all sizes have in common, since work for each ten looks exact at sizes that end in 0. */
struct growth_range {
    long double low, high;
};
struct growth_range growth_range_at(const struct growth *fit, const struct growth_points *points,
                                    long double size);

/* "n log n", "n with steps", "2.0000^n", "about n^3.9", "n^2 from 3,000 on", "irregular", "-". The
 * caller frees it. */
char *growth_text(const struct growth *fit);
/* "n^3/64 + n^2/8 - n/4 + 11", "23.12 n log n - 40.2 n + 12"; NULL: there is none. The caller frees
 * it. */
char *growth_formula(const struct growth *fit);

#endif
