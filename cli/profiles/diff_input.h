/*
 * diff_input.h - one of the two profiles that are compared, by the name that people give.
 */
#ifndef PROFILES_DIFF_INPUT_H
#define PROFILES_DIFF_INPUT_H

#include "cprof.h"
#include "diff/noise.h"
#include "names/packages.h"
#include "resolve/resolve.h"

#include <stdbool.h>

/* Zeroed before it is loaded, but for `told`; diff_input_free() whether it could be or not. */
struct diff_input {
    bool told; /* a command that has just made the profile has said its warnings */
    struct cprof_profile *profile;
    struct noise noise;
    bool has_noise;
    struct packages packages; /* that its program was built from, as far as they are known */
};

/* Reads the file, baseline or kept run that `name` means, with names as `names` say, and what it is
 * known to vary by. Returns 0, or STATUS_ERROR having said what is wrong; warns where names are
 * missing. */
int diff_input_load(struct diff_input *input, const char *name,
                    const struct resolve_settings *names);
/* NULL where nothing is known. */
const struct noise *diff_input_noise(const struct diff_input *input);
void diff_input_free(struct diff_input *input);

#endif
