/*
 * diff_input.h - one of the two profiles that are compared, by the name that people give.
 */
#ifndef REPORT_DIFF_INPUT_H
#define REPORT_DIFF_INPUT_H

#include "cprof.h"
#include "diff/noise.h"

#include <stdbool.h>

/* Zeroed before it is loaded; side_free() whether it could be or not. */
struct side {
    struct cprof_profile *profile; /* with names in full, which are what is compared */
    struct noise noise;
    bool has_noise;
};

/* Reads the file, baseline or kept run that `name` means, and what it is known to vary by. Returns
 * 0, or STATUS_ERROR having said what is wrong; warns where names are missing. */
int side_load(struct side *side, const char *name);
/* For diff_load(): NULL where nothing is known. */
const struct noise *side_noise(const struct side *side);
void side_free(struct side *side);

#endif
