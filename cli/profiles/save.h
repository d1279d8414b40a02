/*
 * save.h - profiles with their names in files, and what they are known to vary by.
 */
#ifndef PROFILES_SAVE_H
#define PROFILES_SAVE_H

#include "cprof.h"
#include "diff/noise.h"
#include "names/packages.h"

#include <stdbool.h>

/* Writes a profile as doc/named.md says, whole or not at all. 0, or STATUS_ERROR after having said
 * what is wrong. */
int save_profile(const struct cprof_profile *profile, const char *path);

/* Keeps a profile as a baseline below `target` (cargo's folder, or NULL), with its noise and the
 * packages of its program or, where that is NULL or there are none, without. Returns as
 * save_profile(). */
int save_baseline(const struct cprof_profile *profile, const struct noise *noise,
                  const struct packages *packages, const char *target, const char *name);

/* Reads what is kept beside the baseline at `path`; `*has` says whether there is any. Returns as
 * save_profile(). noise_free() where there is. */
int load_noise(struct noise *noise, const char *path, bool *has);

#endif
