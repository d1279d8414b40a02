#include <config.h>

#include "../tap.h"
#include "diff/pace.h"

#include <stdlib.h>

/* The text of `n` pairs, where each run of the old build took 100 ms, and of the new one so many
 * milliseconds. */
static void says(const char *want, const double *milliseconds, size_t n)
{
    double old[PACE_PAIRS_MOST], new[PACE_PAIRS_MOST];
    struct pace pace;
    char *text;

    for (size_t i = 0; i < n; i++) {
        old[i] = 0.1;
        new[i] = milliseconds[i] / 1e3;
    }
    pace = pace_judge(old, new, n);
    text = pace_text(&pace);
    is_text(text, want, want);
    free(text);
    pace_free(&pace);
}

static void test_intervals(void)
{
    /* With 8 pairs one ratio on the other side is too many, with 12 it is not. */
    says("slower by 1.0 to 300.0 % (8 pairs of runs)",
         (double[]){110, 120, 101, 130, 400, 110, 105, 107}, 8);
    says("cannot tell: -1.0 to +300.0 % (8 pairs of runs)",
         (double[]){110, 120, 99, 130, 400, 110, 105, 107}, 8);
    says("slower by 5.0 to 30.0 % (12 pairs of runs)",
         (double[]){110, 120, 99, 130, 400, 110, 105, 107, 106, 108, 111, 112}, 12);
    says("faster by 10.0 to 50.0 % (8 pairs of runs)", (double[]){50, 60, 70, 80, 90, 85, 75, 65},
         8);
    says("cannot tell: +0.0 to +0.0 % (8 pairs of runs)",
         (double[]){100, 100, 100, 100, 100, 100, 100, 100}, 8);
    says("slower by 5.0 to 17.0 % (20 pairs of runs)",
         (double[]){120, 119, 118, 117, 116, 115, 114, 113, 112, 111,
                    110, 109, 108, 107, 106, 105, 10,  20,  30,  117},
         20);
}

static void test_short_runs(void)
{
    const double old[] = {.001, .001, .001, .001, .001, .001, .001, .001};
    const double new[] = {.002, .002, .002, .002, .002, .002, .002, .002};
    const double none[8] = {0}, some[] = {.02, .02, .02, .02, .02, .02, .02, .02};
    struct pace pace = pace_judge(old, new, 8);
    char *text = pace_text(&pace);

    is_text(text,
            "cannot tell: a run takes 2.0 ms of processor time, and less than 10 ms says nothing; "
            "give it more work",
            "runs of 1 and 2 ms");
    is_number((long long)pace.n_pairs, 8, "the pairs of short runs are told");
    free(text);
    pace_free(&pace);
    pace = pace_judge(old, some, 8);
    is_text(pace_word(&pace), "slower", "from 1 ms to 20 ms");
    pace_free(&pace);
    pace = pace_judge(none, some, 8);
    is_text(pace_word(&pace), "slower", "from runs whose time is 0");
    pace_free(&pace);
}

int main(void)
{
    struct pace pace = pace_unknown(strdup("the old build is gone"));
    char *text = pace_text(&pace);

    is_text(text, "cannot tell: the old build is gone", "a reason is the whole text");
    free(text);
    pace_free(&pace);
    test_intervals();
    test_short_runs();
    return tap_done();
}
