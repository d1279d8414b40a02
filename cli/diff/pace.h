/*
 * pace.h - the pace of two builds: which of them takes more time, as far as runs can tell.
 *
 * Runs come in pairs, one of each build, so that what slows the machine for a while slows both.
 * Each pair gives a ratio, new / old. The median of all ratios that there could be lies between two
 * of the sorted ones, with a chance of at least 99 % (the interval of a sign test): that asks
 * nothing of how times are spread, and one run that took far too long moves nothing. The new build
 * is slower where all of that interval is above 1.
 */
#ifndef DIFF_PACE_H
#define DIFF_PACE_H

#include <stddef.h>

enum {
    PACE_PAIRS_LEAST = 8, /* with fewer no interval of 99 % would be narrower than all ratios */
    PACE_PAIRS_MOST = 20
};

enum pace_answer { PACE_NOT_ASKED, PACE_UNKNOWN, PACE_SLOWER, PACE_FASTER };

/* Zeros are one that nobody asked for. */
struct pace {
    enum pace_answer answer;
    size_t n_pairs;                  /* 0: there were no runs to judge by */
    double old_seconds, new_seconds; /* medians of all runs */
    double least, most;              /* the interval of new / old */
    char *reason; /* why it is PACE_UNKNOWN, where the interval is not why; else NULL */
};

/* Where an answer comes from: ask() is called once at most, and only where it decides something. */
struct pace_source {
    struct pace (*ask)(void *data);
    void *data;
};

/* One that is not known, for a reason; takes it over. */
struct pace pace_unknown(char *reason);
/* Judges `n` pairs of runs, PACE_PAIRS_LEAST to PACE_PAIRS_MOST, by the processor time of each, in
 * seconds. Runs that are hardly longer than a program's start are PACE_UNKNOWN. */
struct pace pace_judge(const double *old_seconds, const double *new_seconds, size_t n);
void pace_free(struct pace *pace);

/* "slower", "faster" or "cannot tell". */
const char *pace_word(const struct pace *pace);
/* "slower by 8.1 to 12.0 % (8 pairs of runs)", "cannot tell: the old build is gone". The caller
 * frees it. */
char *pace_text(const struct pace *pace);

#endif
