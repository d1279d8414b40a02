#include <config.h>

#include "scale/growth.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool growth_is_in_phase(const int64_t *sizes, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        int64_t ratio = sizes[i] ? sizes[i + 1] / sizes[i] : 0;

        if (ratio < 2 || ratio * sizes[i] != sizes[i + 1] || (ratio & (ratio - 1)))
            return false;
    }
    return n > 1;
}

/*--- Fractions ---*/

/* Products of counts and sizes are wider than 64 bits. */
__extension__ typedef __int128 wide;

struct wide_fraction {
    wide numerator, denominator;
};

static wide divisor_of(wide a, wide b)
{
    while (b) {
        wide rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* a/b in its lowest terms. */
static struct wide_fraction reduced(wide a, wide b)
{
    wide divisor = divisor_of(a, b);

    if (b < 0)
        divisor = -divisor;
    return (struct wide_fraction){a / divisor, b / divisor};
}

/* a + factor * b; false where that is too wide. */
static bool add_times(struct wide_fraction *a, int64_t factor, struct wide_fraction b)
{
    struct wide_fraction product = reduced(b.numerator, b.denominator);
    wide left, right, sum, denominator;
    wide common = divisor_of(a->denominator, product.denominator);

    if (__builtin_mul_overflow(product.numerator, factor, &product.numerator) ||
        __builtin_mul_overflow(a->numerator, product.denominator / common, &left) ||
        __builtin_mul_overflow(product.numerator, a->denominator / common, &right) ||
        __builtin_add_overflow(left, right, &sum) ||
        __builtin_mul_overflow(a->denominator, product.denominator / common, &denominator))
        return false;
    *a = reduced(sum, denominator);
    return true;
}

static bool divide(struct wide_fraction *a, int64_t by)
{
    if (__builtin_mul_overflow(a->denominator, by, &a->denominator))
        return false;
    *a = reduced(a->numerator, a->denominator);
    return true;
}

/*--- Polynomials ---*/

/* Newton's coefficients up to GROWTH_TERMS, by divided differences. Returns how many there are:
 * with these the polynomial goes through all counts, one more than it needs at least. 0: no
 * polynomial of so few terms does. */
static size_t find_differences(const struct growth_points *p, struct wide_fraction *newton)
{
    struct wide_fraction column[GROWTH_SIZES_MOST];
    bool is_zero = true;

    for (size_t i = 0; i < p->n; i++)
        column[i] = (struct wide_fraction){p->counts[i], 1};
    for (size_t k = 0; k < p->n && k <= GROWTH_TERMS; k++) {
        is_zero = true;
        for (size_t i = 0; i + k < p->n; i++)
            is_zero &= !column[i].numerator;
        if (is_zero)
            return k ? k : 1;
        if (k == GROWTH_TERMS || k + 1 == p->n)
            return 0;
        newton[k] = column[0];
        for (size_t i = 0; i + k + 1 < p->n; i++) {
            struct wide_fraction difference = column[i + 1];

            if (!add_times(&difference, -1, column[i]) ||
                !divide(&difference, p->sizes[i + k + 1] - p->sizes[i]))
                return 0;
            column[i] = difference;
        }
    }
    return 0;
}

static bool narrow(struct growth_fraction *to, struct wide_fraction from)
{
    to->numerator = (int64_t)from.numerator;
    to->denominator = (int64_t)from.denominator;
    return to->numerator == from.numerator && to->denominator == from.denominator;
}

/* Horner's scheme: each step multiplies what there is by (n - size) and adds a coefficient. */
static bool find_polynomial(struct growth *fit, const struct growth_points *p)
{
    struct wide_fraction newton[GROWTH_TERMS] = {{0, 1}}, powers[GROWTH_TERMS + 1];
    size_t terms = find_differences(p, newton);

    for (size_t i = 0; i <= GROWTH_TERMS; i++)
        powers[i] = (struct wide_fraction){0, 1};
    for (size_t k = terms; k-- > 0;) {
        for (size_t i = GROWTH_TERMS; i > 0; i--) {
            struct wide_fraction sum = powers[i - 1];

            if (!add_times(&sum, -p->sizes[k], powers[i]))
                return false;
            powers[i] = sum;
        }
        if (__builtin_mul_overflow(powers[0].numerator, -p->sizes[k], &powers[0].numerator) ||
            !add_times(&powers[0], 1, newton[k]))
            return false;
    }
    for (size_t i = 0; i < terms; i++)
        if (!narrow(&fit->polynomial[i], powers[i]))
            return false;
    fit->kind = GROWTH_POLYNOMIAL;
    fit->terms = terms;
    fit->exact = !growth_is_in_phase(p->sizes, p->n);
    return terms > 0;
}

static long double polynomial_at(const struct growth *fit, long double size)
{
    long double value = 0;

    for (size_t i = fit->terms; i-- > 0;)
        value = value * size + (long double)fit->polynomial[i].numerator /
                                   (long double)fit->polynomial[i].denominator;
    return value;
}

/*--- Exponentials ---*/

enum { BISECTIONS = 200 };

/* The base b of three counts: (y3 - y2) / (y2 - y1) = (b^x3 - b^x2) / (b^x2 - b^x1), whose right
 * side grows with b. 0: there is none above 1. */
static long double base_of(const struct growth_points *p, size_t at)
{
    long double before = (long double)(p->sizes[at + 1] - p->sizes[at]);
    long double after = (long double)(p->sizes[at + 2] - p->sizes[at + 1]);
    long double first = (long double)p->counts[at + 1] - (long double)p->counts[at];
    long double second = (long double)p->counts[at + 2] - (long double)p->counts[at + 1];
    long double low = 0, high = 700 / after; /* logarithms */

    if (first <= 0 || second <= 0 || second / first <= after / before)
        return 0;
    for (int i = 0; i < BISECTIONS; i++) {
        long double middle = (low + high) / 2;

        if (expm1l(middle * after) / -expm1l(-middle * before) < second / first)
            low = middle;
        else
            high = middle;
    }
    return expl(low);
}

/* Bases that differ by less than 2 % from one size to the next, where a step makes at least a fifth
 * more. */
static bool find_exponential(struct growth *fit, const struct growth_points *p)
{
    long double step = (long double)(p->sizes[p->n - 1] - p->sizes[0]) / (long double)(p->n - 1);
    long double base = 0, spread, last;

    if (p->n < 4)
        return false;
    for (size_t i = 0; i + 2 < p->n; i++) {
        base = base_of(p, i);
        if (base <= 0)
            return false;
        fit->base_low = i ? fminl(fit->base_low, base) : base;
        fit->base_high = i ? fmaxl(fit->base_high, base) : base;
    }
    if (powl(fit->base_low, step) <= 1.2L || powl(fit->base_low / fit->base_high, step) < 0.98L)
        return false;
    spread = fit->base_high - fit->base_low;
    fit->base_low = fmaxl(1, base - spread);
    fit->base_high = base + spread;
    last = (long double)p->counts[p->n - 1];
    fit->kind = GROWTH_EXPONENTIAL;
    fit->base = base;
    fit->coefficients[1] =
        (last - (long double)p->counts[p->n - 2]) /
        -expm1l(-logl(base) * (long double)(p->sizes[p->n - 1] - p->sizes[p->n - 2]));
    fit->coefficients[0] = last - fit->coefficients[1];
    return true;
}

static long double exponential_at(const struct growth *fit, long double base, long double size)
{
    return fit->coefficients[0] + fit->coefficients[1] * powl(base, size - fit->origin);
}

/*--- Models ---*/

enum term {
    TERM_1,
    TERM_LOG_N,
    TERM_N,
    TERM_N_LOG_N,
    TERM_N_LOG_2_N,
    TERM_N_1_5,
    TERM_N_2,
    TERM_N_2_LOG_N,
    TERM_N_3,
    N_TERMS
};

static const char *const term_names[N_TERMS] = {
    "1", "log n", "n", "n log n", "n log^2 n", "n^1.5", "n^2", "n^2 log n", "n^3"};

/* Counts that leave their model by more than this do not follow it closely, and by more than that
 * not at all. */
#define STEPS_LEAST     0.05
#define IRREGULAR_LEAST 0.5
#define IRREGULAR_SLOPE 0.1 /* the same, of a slope alone */
#define STEPS_POWER     0.3 /* with steps the power may be so far from the slope */

/* The slopes of counts that a model may have. */
static const struct model {
    size_t n;
    enum term terms[GROWTH_TERMS];
    double least, most, power; /* 0: with steps it is another one */
    bool sums;                 /* of several kinds of work, so that no term but 1 is negative */
} models[] = {{1, {TERM_1}, -0.1, 0.1, 0, false},
              {2, {TERM_1, TERM_LOG_N}, 0.02, 0.3, 0, false},
              {2, {TERM_1, TERM_N}, 0.02, 1.25, 1, false},
              {3, {TERM_1, TERM_N, TERM_N_LOG_N}, 0.9, 1.45, 0, false},
              {3, {TERM_1, TERM_N, TERM_N_LOG_2_N}, 1.0, 1.6, 0, false},
              {3, {TERM_1, TERM_N, TERM_N_1_5}, 1.2, 1.75, 1.5, false},
              {3, {TERM_1, TERM_N, TERM_N_2}, 1.25, 2.15, 2, false},
              {4, {TERM_1, TERM_N, TERM_N_LOG_N, TERM_N_2}, 1.25, 2.15, 0, true},
              {3, {TERM_1, TERM_N, TERM_N_2_LOG_N}, 1.9, 2.45, 0, false},
              {4, {TERM_1, TERM_N, TERM_N_2, TERM_N_3}, 2.2, 3.3, 3, false}};

static long double term_at(enum term term, long double n)
{
    switch (term) {
    case TERM_1:
        return 1;
    case TERM_LOG_N:
        return log2l(n);
    case TERM_N:
        return n;
    case TERM_N_LOG_N:
        return n * log2l(n);
    case TERM_N_LOG_2_N:
        return n * log2l(n) * log2l(n);
    case TERM_N_1_5:
        return n * sqrtl(n);
    case TERM_N_2:
        return n * n;
    case TERM_N_2_LOG_N:
        return n * n * log2l(n);
    default:
        return n * n * n;
    }
}

static long double model_at(const struct growth *fit, long double size)
{
    const struct model *m = &models[fit->model];
    long double value = 0;

    for (size_t i = 0; i < m->n; i++)
        value += fit->coefficients[i] * term_at(m->terms[i], size);
    return value;
}

/* Gauss's elimination with pivots; false where the equations do not say enough. */
static bool solve(size_t n, long double a[GROWTH_TERMS][GROWTH_TERMS + 1], long double *x)
{
    for (size_t i = 0; i < n; i++) {
        size_t pivot = i;

        for (size_t r = i + 1; r < n; r++)
            if (fabsl(a[r][i]) > fabsl(a[pivot][i]))
                pivot = r;
        if (a[pivot][i] == 0)
            return false;
        for (size_t k = 0; k <= n; k++) {
            long double kept = a[i][k];

            a[i][k] = a[pivot][k];
            a[pivot][k] = kept;
        }
        for (size_t r = i + 1; r < n; r++)
            for (size_t k = n + 1; k-- > i;)
                a[r][k] -= a[r][i] / a[i][i] * a[i][k];
    }
    for (size_t i = n; i-- > 0;) {
        x[i] = a[i][n];
        for (size_t k = i + 1; k < n; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    return true;
}

/* The weight of a count's error: relative ones are made small. */
static long double weight_of(int64_t count)
{
    return 1 / fmaxl(1, (long double)count);
}

static bool are_positive(const struct growth *fit)
{
    bool all = true;

    for (size_t i = 1; i < fit->terms; i++)
        all &= fit->coefficients[i] >= 0;
    return all;
}

/* Fits a model to all points but `without` (n: to all). Terms are of the size of 1 in the
 * equations, which keeps their digits. */
static bool fit_model(struct growth *fit, int model, const struct growth_points *p, size_t without)
{
    const struct model *m = &models[model];
    long double a[GROWTH_TERMS][GROWTH_TERMS + 1] = {{0}}, scale[GROWTH_TERMS] = {0};

    for (size_t i = 0; i < m->n; i++)
        scale[i] = term_at(m->terms[i], (long double)p->sizes[p->n - 1]);
    for (size_t point = 0; point < p->n; point++) {
        long double w = weight_of(p->counts[point]), v[GROWTH_TERMS + 1];

        for (size_t i = 0; i < m->n; i++)
            v[i] = w * term_at(m->terms[i], (long double)p->sizes[point]) / scale[i];
        v[m->n] = w * (long double)p->counts[point];
        for (size_t i = 0; i < m->n && point != without; i++)
            for (size_t k = 0; k <= m->n; k++)
                a[i][k] += v[i] * v[k];
    }
    fit->kind = GROWTH_SQUARES;
    fit->model = model;
    fit->terms = m->n;
    if (!solve(m->n, a, fit->coefficients))
        return false;
    for (size_t i = 0; i < m->n; i++)
        fit->coefficients[i] /= scale[i];
    return !m->sums || are_positive(fit);
}

static double residual_of(const struct growth *fit, const struct growth_points *p)
{
    long double most = 0;

    for (size_t i = 0; i < p->n; i++) {
        long double error = model_at(fit, (long double)p->sizes[i]) - (long double)p->counts[i];

        most = fmaxl(most, fabsl(error) * weight_of(p->counts[i]));
    }
    return (double)most;
}

/* The part of a residual that a greater model may leave: a fifth, or a half of a large one, where
 * counts do not follow the model closely, but have no steps either. */
static double residual_part(double residual)
{
    return residual > 0.01 && residual < STEPS_LEAST ? 0.5 : 0.2;
}

/* True where the slope is less than the model's: its greatest term may be beside much that is
 * linear, and has to be seen the better, with two sizes more than it takes. */
#define STEEP_PART  0.05
#define STEEP_LEAST 0.8

static bool is_steep(int model, const struct growth *fit)
{
    return fit->slope < models[model].least - fit->slack;
}

/* At sizes that are not far apart, n log^2 n is told from n log n and n^1.5 only by counts that
 * follow it as closely as this. */
#define CLOSE_RESIDUAL 0.001

/* A greater model has to say much more than one that is there already, by its greatest term. */
static bool is_better(const struct growth *fit, const struct growth *best,
                      const struct growth_points *p)
{
    enum term greatest = models[fit->model].terms[fit->terms - 1];
    long double worth = fit->coefficients[fit->terms - 1] *
                        term_at(greatest, (long double)p->sizes[p->n - 1]) *
                        weight_of(p->counts[p->n - 1]);

    if (worth <= 0 || (greatest == TERM_N_LOG_2_N && fit->residual > CLOSE_RESIDUAL))
        return false;
    if (best->kind == GROWTH_NONE)
        return !is_steep(fit->model, fit);
    return fit->residual <
               best->residual *
                   (is_steep(fit->model, fit) ? STEEP_PART : residual_part(best->residual)) &&
           worth > fmaxl(0.02L, 5 * fit->residual);
}

/*--- Slopes ---*/

static double slope_between(const struct growth_points *p, size_t from, size_t to)
{
    double low = (double)(p->counts[from] > 1 ? p->counts[from] : 1);
    double high = (double)(p->counts[to] > 1 ? p->counts[to] : 1);

    return log(high / low) /
           log((double)(p->sizes[to] - p->begin) / (double)(p->sizes[from] - p->begin));
}

/* Slopes that go up and down by less are as one, and by more are those of steps. */
#define SLOPES_LEAST    0.2
#define SLOPES_OF_STEPS 0.7

/* The slope of the line through all logarithms which leaves the least squares. */
static double slope_of_all(const struct growth_points *p)
{
    double n = (double)p->n, x = 0, y = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < p->n; i++) {
        double a = log((double)(p->sizes[i] - p->begin));
        double b = log((double)(p->counts[i] > 1 ? p->counts[i] : 1));

        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* The slope at the largest sizes of what begins late, anywhere between two sizes, or there all at
 * once. `*slack` is by how much it may be wrong for that. */
static double slope_of_late(const struct growth_points *p, double *slack)
{
    struct growth_points at_once = *p, after = *p;
    double slope = slope_between(p, p->n - 2, p->n - 1);

    at_once.begin = 0;
    after.begin = p->sizes[0];
    *slack = slope_between(&at_once, p->n - 2, p->n - 1) - slope;
    if (p->n > 2)
        *slack = fmax(*slack, slope - slope_between(&after, p->n - 2, p->n - 1));
    return slope;
}

/* The slope between the largest sizes, where slopes grow or hardly differ; of steps that of all.
 * `*slack` is by how much it may be wrong, where steps of a factor of two begin and end anywhere.
 */
static double slope_of(const struct growth_points *p, double *slack)
{
    double least = INFINITY, most = -INFINITY, before = -INFINITY;
    bool grows = true;

    if (p->begin)
        return slope_of_late(p, slack);
    for (size_t i = 0; i + 1 < p->n; i++) {
        double slope = slope_between(p, i, i + 1);

        grows &= slope >= before;
        least = fmin(least, slope);
        most = fmax(most, slope);
        before = slope;
    }
    *slack = !grows && most - least > SLOPES_OF_STEPS
                 ? log(2) / log((double)p->sizes[p->n - 1] / (double)p->sizes[0])
                 : 0;
    return !grows && most - least > SLOPES_LEAST ? slope_of_all(p) : before;
}

static struct growth begin(const struct growth_points *p)
{
    double slack, slope = slope_of(p, &slack);

    return (struct growth){.kind = GROWTH_NONE,
                           .origin = (long double)p->sizes[p->n - 1],
                           .last = (long double)p->counts[p->n - 1],
                           .slope = slope,
                           .slack = slack};
}

/* The slopes between neighbours, for its bounds. */
static void fit_slope(struct growth *fit, const struct growth_points *p)
{
    fit->kind = GROWTH_SLOPE;
    fit->base = fit->base_low = fit->base_high = fit->slope;
    for (size_t i = 0; i + 1 < p->n; i++) {
        fit->base_low = fminl(fit->base_low, slope_between(p, i, i + 1));
        fit->base_high = fmaxl(fit->base_high, slope_between(p, i, i + 1));
    }
    for (size_t i = 0; i < p->n; i++) {
        long double at = growth_at(fit, (long double)p->sizes[i]);
        long double error = fabsl(at - (long double)p->counts[i]) * weight_of(p->counts[i]);

        fit->residual = fmax(fit->residual, (double)error);
    }
}

/* Takes the slope alone where no model fits, or where all do badly beside it: "n^1.58". */
static void take_slope(struct growth *fit, const struct growth_points *p)
{
    struct growth slope = begin(p);

    if (p->counts[p->n - 1] <= 0)
        return;
    fit_slope(&slope, p);
    if (fit->kind == GROWTH_NONE || slope.residual < residual_part(fit->residual) * fit->residual)
        *fit = slope;
}

/*--- All of it ---*/

static bool falls(const struct growth_points *p)
{
    for (size_t i = 0; i + 1 < p->n; i++)
        if (p->counts[i + 1] < p->counts[i])
            return true;
    return false;
}

/* Steps have no say in what hardly grows. */
static double slack_of(int model, const struct growth *fit)
{
    return models[model].most < 1 ? 0 : fit->slack;
}

static bool is_allowed(int model, const struct growth *fit, const struct growth_points *p)
{
    return models[model].n < p->n && !is_steep(model, fit) &&
           fit->slope <= models[model].most + slack_of(model, fit);
}

static bool may_be_steep(int model, const struct growth *fit, const struct growth_points *p)
{
    return models[model].n + 2 <= p->n && is_steep(model, fit) && fit->slope > STEEP_LEAST;
}

static void find_model(struct growth *best, const struct growth_points *p)
{
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        struct growth fit = begin(p);

        if (!(is_allowed(i, &fit, p) || may_be_steep(i, &fit, p)) || !fit_model(&fit, i, p, p->n))
            continue;
        fit.residual = residual_of(&fit, p);
        if (is_better(&fit, best, p))
            *best = fit;
    }
}

static bool is_near(int model, double slope)
{
    return models[model].power > 0 && fabs(models[model].power - slope) < STEPS_POWER;
}

/* Steps hide small terms: a power that is near the slope says more than a residual does. */
static void find_steps(struct growth *fit, const struct growth_points *p)
{
    double slope = slope_of_all(p);

    if (is_near(fit->model, slope))
        return;
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        struct growth other = begin(p);

        if (!is_near(i, slope) || models[i].n >= p->n || !fit_model(&other, i, p, p->n) ||
            other.coefficients[other.terms - 1] <= 0)
            continue;
        other.residual = residual_of(&other, p);
        if (other.residual < IRREGULAR_LEAST)
            *fit = other;
    }
}

static bool is_irregular(const struct growth *fit)
{
    return fit->residual > (fit->kind == GROWTH_SLOPE ? IRREGULAR_SLOPE : IRREGULAR_LEAST);
}

/* Says how counts leave a model that they do not follow closely. */
static void settle(struct growth *fit, const struct growth_points *p)
{
    if (is_irregular(fit)) {
        *fit = begin(p);
        fit->irregular = true;
    }
    if (fit->kind != GROWTH_SQUARES || fit->residual <= STEPS_LEAST)
        return;
    find_steps(fit, p);
    fit->uneven = fit->terms == 1 || falls(p);
    fit->steps = !fit->uneven;
}

static void find_whole(struct growth *fit, const struct growth_points *p)
{
    *fit = begin(p);
    if (find_polynomial(fit, p))
        return;
    *fit = begin(p);
    if (find_exponential(fit, p))
        return;
    *fit = begin(p);
    find_model(fit, p);
    take_slope(fit, p);
    settle(fit, p);
}

/*--- Late beginnings ---*/

/* A count that begins at some size, or changes its ways there, is fitted on the sizes behind it.
 * Those have to be many, and the fit close, as anything goes through two or three counts. */
#define LATE_RESIDUAL 0.01
#define LATE_SLOPE    0.3 /* by which it grows faster behind it */
enum { LATE_SIZES = 4, LATE_FIRST = 2 /* sizes before it, which have a slope */ };

static struct growth_points points_from(const struct growth_points *p, size_t first)
{
    return (struct growth_points){.n = p->n - first,
                                  .sizes = p->sizes + first,
                                  .counts = p->counts + first,
                                  .begin = p->begin};
}

static bool is_close(const struct growth *fit)
{
    return fit->kind == GROWTH_POLYNOMIAL || fit->kind == GROWTH_EXPONENTIAL ||
           (fit->kind == GROWTH_SQUARES && fit->residual < LATE_RESIDUAL);
}

static void set_first(struct growth *fit, const struct growth_points *p, size_t first)
{
    fit->first = first;
    fit->from = p->sizes[first];
}

/* Fits what costs nothing at the first sizes; slopes are counted from the last of these. */
static void find_late(struct growth *fit, const struct growth_points *p, size_t first)
{
    struct growth_points late = points_from(p, first);

    late.begin = p->sizes[first - 1];
    if (late.n >= GROWTH_SIZES_LEAST)
        find_whole(fit, &late);
    if (late.n < GROWTH_SIZES_LEAST || !is_close(fit)) {
        *fit = begin(late.n > 1 ? &late : p);
        fit->irregular = true;
    }
    set_first(fit, p, first);
}

/* Looks for a size from which on counts follow a model closely, and grow faster than before. Steps
 * come with each doubling, so a model has to go on for longer than that. */
static void find_change(struct growth *fit, const struct growth_points *p)
{
    for (size_t first = LATE_FIRST; first + LATE_SIZES <= p->n; first++) {
        struct growth_points before = *p, late = points_from(p, first);
        struct growth other;

        before.n = first;
        if (late.sizes[late.n - 1] < 2 * late.sizes[0] ||
            slope_of_all(&late) < slope_of_all(&before) + LATE_SLOPE)
            continue;
        find_whole(&other, &late);
        if (!is_close(&other) || (fit->first && other.residual >= fit->residual))
            continue;
        *fit = other;
        set_first(fit, p, first);
    }
}

void growth_find(struct growth *fit, const struct growth_points *p)
{
    size_t first = 0;

    while (first < p->n && !p->counts[first])
        first++;
    if (first && first < p->n) {
        find_late(fit, p, first);
        return;
    }
    find_whole(fit, p);
    if (fit->irregular || fit->kind == GROWTH_SLOPE || fit->residual > STEPS_LEAST)
        find_change(fit, p);
}

long double growth_at(const struct growth *fit, long double size)
{
    switch (fit->kind) {
    case GROWTH_POLYNOMIAL:
        return polynomial_at(fit, size);
    case GROWTH_EXPONENTIAL:
        return exponential_at(fit, fit->base, size);
    case GROWTH_SQUARES:
        return model_at(fit, size);
    case GROWTH_SLOPE:
        return fit->last * powl(size / fit->origin, fit->base);
    default:
        return NAN;
    }
}

/*--- Ranges ---*/

static void widen(struct growth_range *range, long double value)
{
    range->low = fminl(range->low, value);
    range->high = fmaxl(range->high, value);
}

/* A count that doubles is, for each n, between a factor and twice that. Of the ratios that were
 * seen the least is no more than twice the factor, and the greatest no less than the factor. */
static void widen_by_steps(struct growth_range *range, const struct growth *fit,
                           const struct growth_points *p, long double at)
{
    long double least = INFINITY, most = 0;

    for (size_t i = 0; i < p->n; i++) {
        long double ratio = (long double)p->counts[i] / model_at(fit, (long double)p->sizes[i]);

        least = fminl(least, ratio);
        most = fmaxl(most, ratio);
    }
    widen(range, at * fminl(least, most / 2));
    widen(range, at * fmaxl(most, least * 2));
}

static bool is_rough(const struct growth *fit)
{
    return fit->steps || fit->uneven;
}

/* Models that nothing but their being greater, or smaller, speaks against, or little else: they
 * leave no more than so many times the residual. */
#define LIKELY_TIMES 3

static void widen_by_models(struct growth_range *range, const struct growth *fit,
                            const struct growth_points *p, long double size)
{
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++) {
        struct growth other = begin(p);

        if (!is_allowed(i, &other, p) || !fit_model(&other, i, p, p->n) ||
            other.coefficients[other.terms - 1] <= 0 ||
            residual_of(&other, p) > (is_rough(fit) ? 1 : LIKELY_TIMES) * fit->residual)
            continue;
        widen(range, model_at(&other, size));
    }
}

/* A fit that is no polynomial is not known to follow counts more closely than this. */
#define MARGIN_LEAST 1e-4L
#define MARGIN_ROUGH 0.5L /* the most that is added to a factor of two, of steps */

/* Counts that leave their model a little may grow as they do now rather than as it does. */
static void widen_by_slope(struct growth_range *range, const struct growth *fit,
                           const struct growth_points *p, long double size)
{
    if (fit->residual > (double)MARGIN_LEAST && !is_rough(fit) && !p->begin)
        widen(range, fit->last * powl(size / fit->origin, fit->slope));
}

/* A polynomial is known at multiples of what all sizes have in common. Counts that go by ten look
 * exact at sizes that end in 0, and are at any other one between those of the multiples beside it.
 */
static struct growth_range range_of_polynomial(const struct growth *fit,
                                               const struct growth_points *p, long double size)
{
    long double at = polynomial_at(fit, size), unit;
    struct growth_range range = {at, at};
    wide common = 0;

    if (growth_is_in_phase(p->sizes, p->n) && fit->terms > 1)
        return (struct growth_range){at / 2, at * 2};
    for (size_t i = 0; i < p->n; i++)
        common = divisor_of(common, p->sizes[i]);
    unit = fmaxl(1, (long double)common);
    widen(&range, polynomial_at(fit, unit * floorl(size / unit)));
    widen(&range, polynomial_at(fit, unit * ceill(size / unit)));
    return range;
}

static struct growth_range range_of_slope(const struct growth *fit, long double size)
{
    long double low = powl(size / fit->origin, fit->base_low);
    long double high = powl(size / fit->origin, fit->base_high);

    return (struct growth_range){(1 - MARGIN_LEAST) * fit->last * low,
                                 (1 + MARGIN_LEAST) * fit->last * high};
}

static struct growth_range range_of_model(const struct growth *fit, const struct growth_points *p,
                                          long double size)
{
    long double at = model_at(fit, size);
    struct growth_range range = {at, at};
    long double margin;

    for (size_t i = 0; i < p->n && fit->terms + 1 < p->n; i++) {
        struct growth other = *fit;

        if (fit_model(&other, fit->model, p, i))
            widen(&range, model_at(&other, size));
    }
    widen_by_models(&range, fit, p, size);
    widen_by_slope(&range, fit, p, size);
    margin = (is_rough(fit) ? 2 : 4) * (long double)fit->residual *
             (1 + fabsl(logl(size / fit->origin)));
    margin = fmaxl(MARGIN_LEAST, is_rough(fit) ? fminl(MARGIN_ROUGH, margin) : margin);
    range.low *= 1 - margin;
    range.high *= 1 + margin;
    if (is_rough(fit) || growth_is_in_phase(p->sizes, p->n))
        widen_by_steps(&range, fit, p, at);
    return (struct growth_range){fmaxl(0, range.low), range.high};
}

struct growth_range growth_range_at(const struct growth *fit, const struct growth_points *points,
                                    long double size)
{
    const struct growth_points late = points_from(points, fit->first), *p = &late;

    switch (fit->kind) {
    case GROWTH_POLYNOMIAL:
        return range_of_polynomial(fit, p, size);
    case GROWTH_EXPONENTIAL:
        return (struct growth_range){exponential_at(fit, fit->base_low, size),
                                     exponential_at(fit, fit->base_high, size)};
    case GROWTH_SQUARES:
        return range_of_model(fit, p, size);
    case GROWTH_SLOPE:
        return range_of_slope(fit, size);
    default:
        return (struct growth_range){NAN, NAN};
    }
}

/*--- Texts ---*/

static const char *power_of(size_t power)
{
    static const char *const names[GROWTH_TERMS] = {"1", "n", "n^2", "n^3"};

    return names[power];
}

static char *kind_text(const struct growth *fit)
{
    switch (fit->kind) {
    case GROWTH_POLYNOMIAL:
        return xstrdup(power_of(fit->terms - 1));
    case GROWTH_EXPONENTIAL:
        return xasprintf("%.4Lf^n", fit->base);
    case GROWTH_SQUARES:
        return xasprintf("%s%s%s", fit->uneven ? "about " : "",
                         term_names[models[fit->model].terms[fit->terms - 1]],
                         fit->steps ? " with steps" : "");
    case GROWTH_SLOPE:
        return xasprintf("about n^%.1Lf", fit->base);
    default:
        return xstrdup(fit->irregular ? "irregular" : "-");
    }
}

char *growth_text(const struct growth *fit)
{
    char *kind = kind_text(fit), *text;

    if (!fit->from)
        return kind;
    text = xasprintf("%s from %s on", kind, TEXT_COUNT(fit->from));
    free(kind);
    return text;
}

/* Adds "3n^2/4" with its sign. */
static void add_fraction(struct strbuf *text, struct growth_fraction f, size_t power)
{
    const char *name = power_of(power);
    int64_t size = f.numerator < 0 ? -f.numerator : f.numerator;

    if (!size)
        return;
    strbuf_add(text, f.numerator < 0 ? (text->size ? " - " : "-") : text->size ? " + " : "");
    if (size != 1 || !power)
        strbuf_addf(text, "%" PRId64, size);
    if (power)
        strbuf_add(text, name);
    if (f.denominator != 1)
        strbuf_addf(text, "/%" PRId64, f.denominator);
}

static void add_real(struct strbuf *text, long double value, const char *term)
{
    const char *sign = value < 0 ? (text->size ? " - " : "-") : text->size ? " + " : "";

    strbuf_addf(text, "%s%.5Lg%s%s", sign, fabsl(value), strcmp(term, "1") ? " " : "",
                strcmp(term, "1") ? term : "");
}

char *growth_formula(const struct growth *fit)
{
    struct strbuf text = {.text = NULL};

    if (fit->kind == GROWTH_NONE || fit->kind == GROWTH_SLOPE || fit->sum)
        return NULL;
    if (fit->kind == GROWTH_EXPONENTIAL)
        return xasprintf("%.5Lg * %.4Lf^n", fit->coefficients[1] * powl(fit->base, -fit->origin),
                         fit->base);
    for (size_t i = fit->terms; i-- > 0;)
        if (fit->kind == GROWTH_POLYNOMIAL)
            add_fraction(&text, fit->polynomial[i], i);
        else if (fabsl(fit->coefficients[i] * term_at(models[fit->model].terms[i], fit->origin)) >
                 1e-9L * fit->last)
            add_real(&text, fit->coefficients[i], term_names[models[fit->model].terms[i]]);
    if (!text.size)
        strbuf_add(&text, "0");
    return strbuf_take(&text);
}
