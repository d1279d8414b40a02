/*
 * compared.h - profiles that are compared: kept with their names and what they vary by, loaded
 * again, and whether anything can be told from a comparison at all.
 */
#ifndef PROFILES_COMPARED_H
#define PROFILES_COMPARED_H

#include "cprof.h"
#include "diff/gate.h"
#include "diff/noise.h"
#include "names/packages.h"
#include "resolve/resolve.h"
#include "run/program.h"

#include <stdbool.h>

/* Writes a profile as doc/named.md says, whole or not at all. 0, or STATUS_ERROR after having said
 * what is wrong. */
int save_profile(const struct cprof_profile *profile, const char *path);

/* Writes a profile packed with gzip, as all commands read it, and the packages of its program
 * beside it. Returns as save_profile(). */
int save_packed(const struct cprof_profile *profile, const struct packages *packages,
                const char *path);

/* Writes what the profile at `profile` varies by beside it; NULL: removes what is there. An older
 * profile's must not stay with a new one. Returns as save_profile(). */
int save_noise(const struct noise *noise, const char *profile);

/* Keeps the profile of a program as a baseline, where those of its package are, with its noise or,
 * where that is NULL, without, and with a copy of the program. A note says where that cannot be
 * copied. Returns as save_profile(). */
int save_baseline(const struct cprof_profile *profile, const struct noise *noise,
                  const struct program *program, const char *name);

/* Reads what is kept beside the baseline at `path`; `*has` says whether there is any. Returns as
 * save_profile(). noise_free() where there is. */
int load_noise(struct noise *noise, const char *path, bool *has);

/*--- Loading ---*/

/* One of the two profiles that are compared, by the name that people give. */

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

/*--- Spread ---*/

/*
 * How far repeated runs may differ: further than chance, they did not do the same work,
 * and nothing can be told from a comparison with them.
 */

/*
 * "total Ir of 3 runs varied by 99.98 %, and over 20 % is no noise": why runs cannot be held
 * against others, for the caller to free; NULL: they can. `noise` is of runs of `profile`, or NULL.
 * That is asked of the first event and of `gate`'s, which may be NULL.
 */
char *spread_problem(const struct noise *noise, const struct cprof_profile *profile,
                     const struct gate *gate);

/* Why old counts of so many orders of threads (0: there was one thread) cannot be held against new
 * ones: one side has others, or one alone; for the caller to free. NULL: they can. */
char *orders_problem(unsigned old_orders, unsigned new_orders);

#define SPREAD_ADVICE                                                                 \
    "the runs did not do the same work: give each the same input and files, and see " \
    "what varies by --repeat"

#endif
