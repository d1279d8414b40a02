/*
 * check.h - a run at another size, held against what was foretold of it.
 */
#ifndef SCALE_CHECK_H
#define SCALE_CHECK_H

#include "scale/series.h"

struct scale_check_row {
    const struct series_item *item; /* NULL: the program */
    struct foretold foretold;
    int64_t real;
};

struct scale_check {
    int64_t size;
    struct scale_check_row program;
    size_t n;
    struct scale_check_row *rows; /* what really costs most first */
    int64_t elsewhere;            /* in functions that cost little, or nothing, at other sizes */
};

/* Makes it of the result of size_run() at that size. scale_check_free() frees it. */
void scale_check_load(struct scale_check *check, const struct series *series, int64_t size,
                      const json_t *result);
void scale_check_free(struct scale_check *check);

/* By how much what was foretold is wrong, in percent of what is real; NaN: not known. */
double scale_check_error(const struct scale_check_row *row);
/* True where the real count lies within what was foretold. */
bool scale_check_holds(const struct scale_check_row *row);

#endif
