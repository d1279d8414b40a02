#include <config.h>

#include "../tap.h"
#include "scale/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* Sizes out of phase, and such as are doubled; small ones in equal and in other steps. */
static const int64_t plain[] = {1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000};
static const int64_t doubled[] = {500, 1000, 2000, 4000, 8000, 16000};
static const int64_t equal[] = {8, 10, 12, 14, 16, 18}, other[] = {9, 10, 12, 15, 17, 18};

static int64_t counts[MOST];

#define SIZES(array) (array), sizeof(array) / sizeof *(array)

static struct growth_points points_of(const int64_t *sizes, size_t n, int64_t count(int64_t))
{
    for (size_t i = 0; i < n; i++)
        counts[i] = count(sizes[i]);
    return (struct growth_points){.n = n, .sizes = sizes, .counts = counts};
}

static void check_fit(const char *what, const int64_t *sizes, size_t n, int64_t count(int64_t),
                      const char *growth, const char *formula, bool exact)
{
    struct growth_points points = points_of(sizes, n, count);
    char *is_growth, *is_formula;
    struct growth fit;

    growth_find(&fit, &points);
    is_growth = growth_text(&fit);
    is_formula = growth_formula(&fit);
    ok(!strcmp(is_growth, growth), "%s grows as %s (%s)", what, growth, is_growth);
    if (formula)
        ok(is_formula && !strcmp(is_formula, formula), "the formula of %s is %s (%s)", what,
           formula, is_formula ? is_formula : "none");
    ok(fit.exact == exact, "%s is %sexact", what, exact ? "" : "not ");
    free(is_growth);
    free(is_formula);
}

/* The count that is foretold lies within `most` of what comes, relative to it. */
static void check_foretold(const char *what, const int64_t *sizes, size_t n, int64_t count(int64_t),
                           int64_t size, double most)
{
    struct growth_points points = points_of(sizes, n, count);
    struct growth_range range;
    struct growth fit;
    double real = (double)count(size), error;

    growth_find(&fit, &points);
    error = (double)growth_at(&fit, (long double)size) / real - 1;
    range = growth_range_at(&fit, &points, (long double)size);
    ok(fabs(error) <= most, "%s is foretold at %lld: %+.5f", what, (long long)size, error);
    ok(range.low <= (long double)real * 1.0000001L && range.high >= (long double)real * 0.9999999L,
       "the range of %s at %lld holds: %.4f to %.4f", what, (long long)size,
       (double)range.low / real, (double)range.high / real);
}

/*--- Polynomials ---*/

static int64_t square(int64_t n)
{
    return 6 * n * n + 5 * n + 8;
}

static int64_t cubic(int64_t n)
{
    return (n * n * n + 8 * n * n - 16 * n + 704) / 64;
}

static int64_t linear(int64_t n)
{
    return 160 * n + 8;
}

static int64_t constant(int64_t n)
{
    (void)n;
    return 117237366;
}

static int64_t nothing(int64_t n)
{
    (void)n;
    return 0;
}

static int64_t falling(int64_t n)
{
    return 1000000000 - 3 * n;
}

static int64_t large(int64_t n)
{
    return 4000003 * n * n - 999999999989 * n + 7;
}

static int64_t fourth(int64_t n)
{
    return n * n * n * n / 1000;
}

static const int64_t eighths[] = {40, 80, 120, 160, 240, 320};

static void test_polynomials(void)
{
    check_fit("a square", SIZES(eighths), square, "n^2", "6n^2 + 5n + 8", true);
    check_fit("a cubic", SIZES(eighths), cubic, "n^3", "n^3/64 + n^2/8 - n/4 + 11", true);
    check_fit("a line", SIZES(plain), linear, "n", "160n + 8", true);
    check_fit("a constant", SIZES(plain), constant, "1", "117237366", true);
    check_fit("nothing", SIZES(plain), nothing, "1", "0", true);
    check_fit("a line that falls", SIZES(plain), falling, "n", "-3n + 1000000000", true);
    check_fit("a square of large counts", SIZES(plain), large, "n^2",
              "4000003n^2 - 999999999989n + 7", true);
    check_fit("a line by sizes that double", SIZES(doubled), linear, "n", "160n + 8", false);
    check_fit("a line by three sizes", plain, 3, linear, "n", "160n + 8", true);
    check_foretold("a square", SIZES(eighths), square, 3200, 0);
    check_foretold("a cubic", SIZES(eighths), cubic, 3200, 0);
    check_foretold("a fourth power", SIZES(plain), fourth, 24000, 0.001);
}

/* Three sizes have a line and no more to hold it against. */
static void test_few(void)
{
    struct growth_points points = points_of(plain, 3, square);
    struct growth fit;

    growth_find(&fit, &points);
    ok(fit.kind != GROWTH_POLYNOMIAL, "three counts of a square are no proof of one");
    points = points_of(plain, 4, cubic);
    growth_find(&fit, &points);
    ok(fit.kind != GROWTH_POLYNOMIAL, "four counts of a cubic are no proof of one");
}

/*--- Exponentials ---*/

static int64_t subsets(int64_t n)
{
    return 9 * ((int64_t)1 << n) - 4;
}

static int64_t fibonacci(int64_t n)
{
    return n < 2 ? 11 : fibonacci(n - 1) + fibonacci(n - 2) + 7;
}

static void test_exponentials(void)
{
    check_fit("a power of 2", SIZES(equal), subsets, "2.0000^n", NULL, false);
    check_fit("a power of 2 in other steps", SIZES(other), subsets, "2.0000^n", NULL, false);
    check_fit("Fibonacci's numbers", SIZES(equal), fibonacci, "1.6180^n", NULL, false);
    check_fit("Fibonacci's numbers in other steps", SIZES(other), fibonacci, "1.6180^n", NULL,
              false);
    check_foretold("a power of 2", SIZES(equal), subsets, 24, 0.00001);
    check_foretold("Fibonacci's numbers", SIZES(equal), fibonacci, 30, 0.0005);
    check_foretold("Fibonacci's numbers in other steps", SIZES(other), fibonacci, 30, 0.0005);
}

/*--- Least squares ---*/

/* The cost of merging halves of any order. */
static int64_t sort(int64_t n)
{
    return n < 2 ? 5 : sort(n / 2) + sort(n - n / 2) + 14 * n + n / 7 + 30;
}

static int64_t hidden(int64_t n)
{
    int64_t sum = 0;

    for (int64_t line = 63; line < n; line += 64)
        sum += 3 * line / 4 + 21;
    return sum;
}

/* As a table that is twice as large, and filled anew, when it is full. */
static int64_t rehash(int64_t n)
{
    int64_t sum = 40;

    for (int64_t room = 4; room * 7 / 8 < n; room *= 2)
        sum += 31 * (room * 7 / 8);
    return sum;
}

static int64_t hashing(int64_t n)
{
    return 90 * n + 3 * rehash(n);
}

static int64_t unrolled(int64_t n)
{
    return 7 * (n / 8) * n + 3 * (n % 8) * n + 100;
}

static int64_t root(int64_t n)
{
    return (int64_t)(35 * (double)n * sqrt((double)n)) + 3 * n;
}

static int64_t squares_log(int64_t n)
{
    return (int64_t)(2.5 * (double)n * (double)n * log2((double)n));
}

static int64_t log_squared(int64_t n)
{
    double log = log2((double)n);

    return (int64_t)(20 * (double)n * log * log) + 100 * n;
}

/* Multiplication by Karatsuba's rule. */
static int64_t power(int64_t n)
{
    return (int64_t)(30 * pow((double)n, 1.585));
}

/* n^1.5, and up to a hundredth beside it, here and there. */
static int64_t uneven_root(int64_t n)
{
    return (int64_t)((double)root(n) * (1 + (double)(n * 7919 % 201 - 100) / 10000));
}

static void test_squares(void)
{
    check_fit("merge sort", SIZES(doubled), sort, "n log n", NULL, false);
    check_fit("merge sort out of phase", SIZES(plain), sort, "n log n", NULL, false);
    check_foretold("merge sort", SIZES(plain), sort, 120000, 0.01);
    check_fit("a hidden square", SIZES(plain), hidden, "n^2", NULL, false);
    check_foretold("a hidden square", SIZES(plain), hidden, 120000, 0.01);
    check_fit("unrolled loops", SIZES(plain), unrolled, "n^2", NULL, false);
    check_fit("n^1.5", SIZES(plain), root, "n^1.5", NULL, false);
    check_fit("n^2 log n", SIZES(plain), squares_log, "n^2 log n", NULL, false);
    check_foretold("n^2 log n", SIZES(plain), squares_log, 120000, 0.01);
    check_fit("n log^2 n", SIZES(plain), log_squared, "n log^2 n", NULL, false);
    check_foretold("n log^2 n", SIZES(plain), log_squared, 120000, 0.0001);
    check_fit("n^1.585", SIZES(plain), power, "about n^1.6", NULL, false);
    check_foretold("n^1.585", SIZES(plain), power, 120000, 0.0001);
    check_fit("an uneven n^1.5", SIZES(plain), uneven_root, "n^1.5", NULL, false);
    check_foretold("an uneven n^1.5", SIZES(plain), uneven_root, 120000, 0.02);
    check_fit("growth by doubling", SIZES(plain), rehash, "n with steps", NULL, false);
    check_fit("growth by doubling beside a line", SIZES(plain), hashing, "n with steps", NULL,
              false);
    for (int64_t n = 100000; n < 250000; n += 30000) {
        check_foretold("growth by doubling", SIZES(plain), rehash, n, 0.7);
        check_foretold("growth by doubling beside a line", SIZES(plain), hashing, n, 0.5);
    }
    check_fit("growth by doubling, at sizes that double", SIZES(doubled), rehash, "n", NULL, false);
}

/*--- Late beginnings ---*/

static int64_t late_square(int64_t n)
{
    return n <= 2500 ? 0 : 7 * (n - 2500) * (n - 2499) / 2 + 5 * (n - 2500);
}

static int64_t late_line(int64_t n)
{
    return n <= 2500 ? 0 : 13 * (n - 2500);
}

/* A square that begins between two sizes, and is not exact. */
static int64_t late_uneven(int64_t n)
{
    return n <= 1200 ? 0 : 7 * (n - 1200) * (n - 1199) / 2 + n % 8 * n;
}

/* Sorting that begins all at once. */
static int64_t late_sort(int64_t n)
{
    return n <= 1100 ? 0 : (int64_t)(11.3 * (double)n * log2((double)n)) - n % 7;
}

/* Linear work, and a square beside it beyond some size. */
static int64_t change(int64_t n)
{
    return 500 * n + late_square(n);
}

/* Two ways to do it, and one for each size. */
static int64_t other_way(int64_t n)
{
    return n <= 1800 ? 30 * n : 12 * n * n / 10;
}

static void check_slope(const char *what, int64_t count(int64_t), double least, double most)
{
    struct growth_points points = points_of(SIZES(plain), count);
    struct growth fit;

    growth_find(&fit, &points);
    ok(fit.slope >= least && fit.slope <= most, "the slope of %s is %g to %g: %g", what, least,
       most, fit.slope);
}

static void test_late(void)
{
    check_fit("a square that begins late", SIZES(plain), late_square, "n^2 from 3,000 on",
              "7n^2/2 - 34983n/2 + 21853750", true);
    check_fit("a line that begins late", SIZES(plain), late_line, "n from 3,000 on", "13n - 32500",
              true);
    check_fit("an uneven square that begins late", SIZES(plain), late_uneven, "n^2 from 1,500 on",
              NULL, false);
    check_fit("sorting that begins late", SIZES(plain), late_sort, "n log n from 1,500 on", NULL,
              false);
    check_fit("linear work with a square from some size on", SIZES(plain), change,
              "n^2 from 3,000 on", NULL, true);
    check_fit("another way from some size on", SIZES(plain), other_way, "n^2 from 2,000 on",
              "6n^2/5", true);
    check_fit("a late square seen at three sizes", plain, 6, late_square, "irregular from 3,000 on",
              NULL, false);
    check_foretold("a square that begins late", SIZES(plain), late_square, 120000, 0);
    check_foretold("an uneven square that begins late", SIZES(plain), late_uneven, 120000, 0.005);
    check_foretold("sorting that begins late", SIZES(plain), late_sort, 120000, 0.001);
    check_foretold("linear work with a square from some size on", SIZES(plain), change, 120000, 0);
    check_slope("a line that begins late", late_line, 0.95, 1.1);
    check_slope("a square that begins late", late_square, 1.95, 2.2);
}

/*--- Steps ---*/

/* Pairs of numbers that have as many digits as each other. */
static int64_t equal_digits(int64_t n)
{
    int64_t sum = 70 * n;

    for (int64_t most = 10; most / 10 < n; most *= 10) {
        int64_t some = (n < most ? n : most) - (most > 10 ? most / 10 : 0);

        sum += 31 * (some * some / 2);
    }
    return sum;
}

static int64_t logarithm(int64_t n)
{
    return (int64_t)(1000 * log2((double)n));
}

/* Work for each ten, which sizes that end in 0 do not show. */
static int64_t tens(int64_t n)
{
    return 30 * (n / 10) * (n / 10) + 900 * (n / 10) + 40 * n;
}

static void check_width(const char *what, int64_t count(int64_t), int64_t size, double most)
{
    struct growth_points points = points_of(SIZES(plain), count);
    struct growth_range range;
    struct growth fit;

    growth_find(&fit, &points);
    range = growth_range_at(&fit, &points, (long double)size);
    ok(range.low > 0 && range.high / range.low < (long double)most,
       "the range of %s is no wider than a factor of %g: %.2Lf to %.2Lf of the count", what, most,
       range.low / count(size), range.high / count(size));
}

static void test_steps(void)
{
    static const int64_t found[] = {512, 769, 1024, 1537, 2048, 3073, 4096};

    check_fit("a square with a step", SIZES(found), equal_digits, "n^2 with steps", NULL, false);
    check_foretold("a square with a step", SIZES(found), equal_digits, 40960, 0.3);
    check_width("growth by doubling", rehash, 120000, 5);
    check_width("a square with a step", equal_digits, 120000, 5);
    check_fit("work for each ten", SIZES(plain), tens, "n^2", NULL, true);
    check_foretold("work for each ten, at a size that ends in 0", SIZES(plain), tens, 26500, 0);
    check_width("work for each ten, at a size that ends in 0", tens, 26500, 1.0001);
    for (int64_t n = 26501; n < 27000; n += 83)
        check_foretold("work for each ten", SIZES(plain), tens, n, 0.001);
    check_width("work for each ten", tens, 120001, 1.01);
    check_fit("a logarithm", SIZES(plain), logarithm, "log n", NULL, false);
    check_foretold("a logarithm", SIZES(plain), logarithm, 120000, 0.0001);
}

/* A square beside much linear work in one function, whose slope is little above 1. */
static int64_t beside(int64_t n)
{
    return 900 * n + n * n / 7;
}

static int64_t sort_beside(int64_t n)
{
    return sort(n) + n * n / 20;
}

static void test_beside(void)
{
    check_fit("a square beside sorting", plain, 6, sort_beside, "n^2", NULL, false);
    check_foretold("a square beside sorting", plain, 6, sort_beside, 60000, 0.06);
    check_foretold("a square beside sorting", plain, 6, sort_beside, 600000, 0.08);
    check_fit("a square beside linear work", SIZES(plain), beside, "n^2", NULL, false);
    check_foretold("a square beside linear work", SIZES(plain), beside, 1200000, 0.01);
}

/* An input that is thrown dice for has no polynomial. */
static void test_random(void)
{
    static const int64_t thrown[] = {100331, 149870, 200411, 299117,
                                     400093, 600871, 798803, 1200377};
    struct growth_points points = {.n = 8, .sizes = plain, .counts = thrown};
    char *growth;
    struct growth fit;

    growth_find(&fit, &points);
    growth = growth_text(&fit);
    ok(!strcmp(growth, "n") && !fit.exact, "random counts near a line are n, not exact (%s)",
       growth);
    ok(fit.residual > 0.0001 && fit.residual < 0.02, "their residual is known: %g", fit.residual);
    free(growth);
}

static void test_ends(void)
{
    static const int64_t gone[] = {100, 50, 20, 0, 0, 0, 0, 0};
    struct growth_points points = {.n = 8, .sizes = plain, .counts = gone};
    char *growth;
    struct growth fit;

    growth_find(&fit, &points);
    growth = growth_text(&fit);
    ok(isnan(growth_at(&fit, 1e6L)) && !strcmp(growth, "-"),
       "nothing is foretold of counts that end (%s)", growth);
    free(growth);
    ok(growth_is_in_phase(SIZES(doubled)) && !growth_is_in_phase(SIZES(plain)),
       "sizes that double are told from others");
}

int main(void)
{
    test_polynomials();
    test_few();
    test_exponentials();
    test_squares();
    test_late();
    test_steps();
    test_beside();
    test_random();
    test_ends();
    return tap_done();
}
