/*
 * baseline.h - profiles that are kept by name, for comparisons.
 *
 * A baseline is cprof/baselines/NAME.cprof in cargo's target folder; of a program that cargo did
 * not build in the user's folder for state (saved_profile.h). It is a profile with names
 * (doc/named.md), so it does not need the program that it is of. Beside it are NAME.noise, where it
 * was measured over several runs (diff/noise.h has what is in it), and NAME.packages.json, where
 * cargo built its program (names/packages.h). Counts of benches and of tests are in files of their
 * own there, NAME with these endings.
 */
#ifndef RUN_BASELINE_H
#define RUN_BASELINE_H

#define BASELINE_BENCHES ".benches.json"
#define BASELINE_TESTS   ".tests.json"

/* Why a text can name no baseline ("'last' is the last run"), or NULL where it can: it is part of a
 * file's name, and stands in lines and on terminals. */
const char *baseline_name_problem(const char *name);

/* Where a baseline is to be written: below `target`, cargo's folder, or NULL. Its folder is made.
 * NULL with errno where that cannot be. The caller frees it. */
char *baseline_path(const char *target, const char *name);

/* The baseline called `name`, below `target` where that is not NULL, else the nearest package's or
 * the user's. NULL: there is none. The caller frees it. */
char *baseline_find(const char *target, const char *name);

/* The profile that is meant by a name: a file of that name, else a baseline, else a kept run
 * ("last", or PROGRAM.COMMAND). NULL: there is none. The caller frees it. */
char *saved_profile_find(const char *name);

/* The file of a baseline's noise: the path of its profile with another ending; NULL where it
 * has another name than a baseline's. The caller frees it. */
char *baseline_noise_path(const char *profile);

/* The folders that baselines are in, for listing them: the nearest package's, the user's; NULL
 * where there is none. The caller frees them. */
void baseline_folders(char *folders[2]);

#endif
