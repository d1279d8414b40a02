/*
 * fit.h - how a count grows with the size n of the input: found from its values at several sizes.
 *
 * A polynomial that goes through all counts is found by divided differences, in fractions: its
 * coefficients are exact. Exponential growth is found by the ratios of differences. Else the
 * simplest of a few models is taken by least squares of relative errors: a greater one is taken
 * only where it leaves a fifth of the residual, where its greatest term is worth more than noise,
 * and where the slope of the counts allows it. Where none fits, the slope alone goes on.
 *
 * What grows by doubling (the table of a hash map) has steps, which sizes that are doubled
 * themselves do not show: sizes have to be out of phase.
 */
#ifndef SCALE_FIT_H
#define SCALE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIT_SIZES_LEAST = 3, FIT_SIZES_GOOD = 5, FIT_SIZES_MOST = 64, FIT_TERMS = 4 };

enum fit_kind {
    FIT_NONE,        /* nothing is known: the last count is 0 */
    FIT_POLYNOMIAL,  /* through all counts */
    FIT_EXPONENTIAL, /* a base to the power of n */
    FIT_SQUARES,     /* a model, by least squares */
    FIT_SLOPE        /* n to the power of the slope */
};

/* A fraction in its lowest terms, with a denominator above 0. */
struct fraction {
    int64_t numerator, denominator;
};

struct fit {
    enum fit_kind kind;
    bool exact;   /* the polynomial's counts have been seen at sizes out of phase */
    bool steps;   /* of least squares: counts leave the model by much, and never fall */
    bool uneven;  /* the same, but they fall somewhere */
    int model;    /* of least squares */
    size_t terms; /* of the polynomial, or of the model */
    struct fraction polynomial[FIT_TERMS]; /* by powers of n, from 0 on */
    long double coefficients[FIT_TERMS];   /* of the model; of an exponential what is added, and
                                              what grows, at the size `origin` */
    long double base, base_low, base_high; /* of an exponential; or powers of n, of a slope */
    long double origin, last;              /* the largest size, and its count */
    double residual;                       /* the greatest relative error; 0: none */
    double slope;                          /* of the counts' logarithms, at the largest sizes */
};

/* Counts at growing sizes. */
struct fit_points {
    size_t n; /* FIT_SIZES_LEAST to FIT_SIZES_MOST */
    const int64_t *sizes, *counts;
};

/* True where each size is the one before it, doubled, once or several times. */
bool fit_is_in_phase(const int64_t *sizes, size_t n);

void fit_find(struct fit *fit, const struct fit_points *points);

/* The count that is foretold at a size; infinite beyond all numbers, NaN where nothing is known. */
long double fit_at(const struct fit *fit, long double size);

/* The bounds that are foretold: what fits say that leave out a size each, wider by the residual;
 * with steps at least a factor of two. */
struct fit_range {
    long double low, high;
};
struct fit_range fit_range_at(const struct fit *fit, const struct fit_points *points,
                              long double size);

/* "n log n", "n with steps", "2.0000^n", "about n^3.9", "-". The caller frees it. */
char *fit_growth(const struct fit *fit);
/* "n^3/64 + n^2/8 - n/4 + 11", "23.12 n log n - 40.2 n + 12"; NULL: there is none. The caller frees
 * it. */
char *fit_formula(const struct fit *fit);

#endif
