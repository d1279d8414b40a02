#include <config.h>

#include "diff/pace.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shortest = 0.01;  /* seconds: a program's start is some tenths of that */
static const double certainty = 0.99; /* that the interval has the median of all ratios */

struct pace pace_unknown(char *reason)
{
    return (struct pace){.answer = PACE_UNKNOWN, .reason = reason};
}

/*--- Intervals ---*/

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The numbers are sorted. */
static double median_of(const double *numbers, size_t n)
{
    return (numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
}

static double median_of_runs(const double *seconds, size_t n)
{
    double sorted[PACE_PAIRS_MOST];

    memcpy(sorted, seconds, n * sizeof *sorted);
    sort_items(sorted, n, sizeof *sorted, compare_numbers);
    return median_of(sorted, n);
}

/* How many of `n` sorted ratios may be left out at each end. A ratio is below the median with a
 * chance of one half, so as many are below it as a coin that is thrown `n` times shows heads. */
static size_t left_out(size_t n)
{
    double chance = pow(0.5, (double)n), sum = chance;

    for (size_t k = 0;; k++) {
        chance *= (double)(n - k) / (double)(k + 1);
        sum += chance;
        if (2 * sum > 1 - certainty)
            return k;
    }
}

struct pace pace_judge(const double *old_seconds, const double *new_seconds, size_t n)
{
    struct pace p = {.answer = PACE_UNKNOWN,
                     .n_pairs = n,
                     .old_seconds = median_of_runs(old_seconds, n),
                     .new_seconds = median_of_runs(new_seconds, n)};
    double ratios[PACE_PAIRS_MOST], longer = fmax(p.old_seconds, p.new_seconds);
    size_t k = left_out(n);

    if (longer < shortest) {
        p.reason = xasprintf("a run takes %.1f ms of processor time, and less than %.0f ms says "
                             "nothing; give it more work",
                             1e3 * longer, 1e3 * shortest);
        return p;
    }
    for (size_t i = 0; i < n; i++)
        ratios[i] = new_seconds[i] / fmax(old_seconds[i], 1e-6);
    sort_items(ratios, n, sizeof *ratios, compare_numbers);
    p.least = ratios[k];
    p.most = ratios[n - 1 - k];
    if (p.least > 1)
        p.answer = PACE_SLOWER;
    else if (p.most < 1)
        p.answer = PACE_FASTER;
    return p;
}

void pace_free(struct pace *pace)
{
    free(pace->reason);
    *pace = (struct pace){.answer = PACE_NOT_ASKED};
}

/*--- Texts ---*/

const char *pace_word(const struct pace *pace)
{
    return pace->answer == PACE_SLOWER   ? "slower"
           : pace->answer == PACE_FASTER ? "faster"
                                         : "cannot tell";
}

char *pace_text(const struct pace *p)
{
    double least = 100 * (p->least - 1), most = 100 * (p->most - 1);

    if (p->reason)
        return xasprintf("cannot tell: %s", p->reason);
    if (p->answer == PACE_SLOWER)
        return xasprintf("slower by %.1f to %.1f %% (%zu pairs of runs)", least, most, p->n_pairs);
    if (p->answer == PACE_FASTER)
        return xasprintf("faster by %.1f to %.1f %% (%zu pairs of runs)", -most, -least,
                         p->n_pairs);
    return xasprintf("cannot tell: %+.1f to %+.1f %% (%zu pairs of runs)", least, most, p->n_pairs);
}
