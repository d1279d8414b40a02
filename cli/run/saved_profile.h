/*
 * saved_profile.h - where the profile of the last run is kept, for the commands that look at it
 * again.
 *
 * It is a raw profile (doc/format.md) called cprof/last.cprof in cargo's target folder; of a
 * program that cargo did not build in the user's folder for state instead ($XDG_STATE_HOME, or
 * ~/.local/state). Beside it is the last one of each program and command,
 * cprof/PROGRAM.COMMAND.cprof.
 *
 * The user's folder has runs of all places. What was started in one place (a package, or else a
 * folder) is in cprof/places/NAME-HASH there, too, where HASH is of the place's path: only that,
 * and what is in the package's own target folder, is a "last run" of the place.
 */
#ifndef RUN_SAVED_PROFILE_H
#define RUN_SAVED_PROFILE_H

#include "base/options.h"
#include "names/packages.h"

/*
 * Keeps the raw profile at `raw`, of a run of `program` by `command`, under `target` (cargo's
 * folder, or NULL), with the packages it was built from beside it. Where several packages share
 * that folder, or saved_profile_last() would not look there, it is kept in the user's folder too. A
 * failure is a warning. Returns the path of the kept profile, for the caller to free, or NULL.
 */
char *saved_profile_keep(const char *raw, const char *target, const char *program,
                         const char *command, const struct packages *packages);

/* The folder of the package that the current one is in, or of its workspace; NULL outside of
 * packages. The caller frees it. */
char *saved_project(void);

/*
 * The path of the last run of this place: of the package that the current folder is in, else of the
 * folder. It is the newer one of that in cargo's target folder ($CARGO_TARGET_DIR, or target/
 * beside the manifest of the package or its workspace) and of what the user's folder has of this
 * place. NULL: there is none. The caller frees it.
 */
char *saved_profile_last(void);

/* A name for messages of the profile at `path`: that of a kept run ("last", "nnet.callgrind"), else
 * the path. The caller frees it. */
char *saved_profile_name(const char *path);

/* The folders that runs of this place are kept in, there or not: in cargo's target folder, and in
 * the user's; NULL where there is none. The caller frees them. */
void saved_place_folders(char *folders[2]);

/* In the folder of this place that is the user's: what bisect keeps. */
#define SAVED_BISECT "bisect"

/* Where a page of this place goes that was given no name: `name` beside its kept runs. The folder
 * is made. NULL with errno. The caller frees it. */
char *saved_page(const char *name);

/* The paths of all kept runs of this place, the newest first. The texts are the
 * list's. */
void saved_runs(struct string_list *runs);

/* The file or folder `name` that is kept beside it: below `target` where that is not NULL, else
 * that of the package here; else the user's. NULL: there is none. The caller frees
 * it. */
char *saved_find(const char *target, const char *name);
/* The files or folders `name` that are kept: the package's here, the user's; NULL for one that is
 * not there. The caller frees them. */
void saved_folders(char *folders[2], const char *name);
/* The user's folder for kept runs, whether it is there or not; NULL: neither XDG_STATE_HOME nor
 * HOME names one. The caller frees it. */
char *saved_state_folder(void);
/* Makes the folder `name` there, below `target` or, where that is NULL, in the user's. Its path,
 * for the caller to free; NULL with errno. */
char *saved_folder_make(const char *target, const char *name);

/*--- Baselines ---*/

/*
 * Profiles that are kept by name, for comparisons.
 *
 * A baseline is cprof/baselines/NAME.cprof in cargo's target folder; of a program that cargo did
 * not build in the user's folder for state (saved_profile.h). It is a profile with names
 * (doc/named.md), so it does not need the program that it is of. Beside it are NAME.noise, where it
 * was measured over several runs (diff/noise.h has what is in it), NAME.packages.json, where cargo
 * built its program (names/packages.h), and NAME.program, a copy of that program, which the next
 * build replaces where it was. Counts of benches and of tests are in files of their
 * own there, NAME with these endings.
 */

#define BASELINE_BENCHES    ".benches.json"
#define BASELINE_TESTS      ".tests.json"
/* The profiles of their runs are in folders there, NAME with these endings. */
#define BASELINE_BENCH_RUNS ".benches"
#define BASELINE_TEST_RUNS  ".tests"

/* Checks two names that a command was given, or NULL. Returns 0 or STATUS_USAGE. */
int baseline_names_check(const char *one, const char *other);

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

/* The file with the program of the baseline whose profile is at `profile`, as
 * baseline_noise_path(). */
char *baseline_program_path(const char *profile);
/* Copies the program at `program` to that file, or, where it is NULL, removes an older one. Returns
 * 0, or -1 with errno; then there is none. */
int baseline_keep_program(const char *program, const char *profile);

/* The folders that baselines are in, for listing them: the nearest package's, the user's; NULL
 * where there is none. The caller frees them. */
void baseline_folders(char *folders[2]);

#endif
