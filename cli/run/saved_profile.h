/*
 * saved_profile.h - where the profile of the last run is kept, for the commands that look at it
 * again.
 *
 * It is a raw profile (doc/format.md) called cprof/last.cprof in cargo's target folder; of a
 * program that cargo did not build in the user's folder for state instead ($XDG_STATE_HOME, or
 * ~/.local/state). Beside it is the last one of each program and command,
 * cprof/PROGRAM.COMMAND.cprof.
 */
#ifndef RUN_SAVED_PROFILE_H
#define RUN_SAVED_PROFILE_H

#include "names/packages.h"

/*
 * Keeps the raw profile at `raw`, of a run of `program` by `command`, under `target` (cargo's
 * folder, or NULL), with the packages it was built from beside it. Where saved_profile_last() would
 * not find it there, it is kept in the user's folder too. A failure is a warning.
 */
void saved_profile_keep(const char *raw, const char *target, const char *program,
                        const char *command, const struct packages *packages);

/*
 * The path of the last run's: the newer one of that in the user's folder and of the nearest
 * package's. That is in $CARGO_TARGET_DIR where that is set, else in the folder target/ beside the
 * first Cargo.toml above the current folder that has one (a workspace's members share its root's).
 * NULL: there is none. The caller frees it.
 */
char *saved_profile_last(void);

/* The file or folder `name` that is kept beside it: below `target` where that is not NULL, else
 * that of the nearest package that has one; else the user's. NULL: there is none. The caller frees
 * it. */
char *saved_find(const char *target, const char *name);
/* Both that there are: the nearest package's, the user's; NULL for what there is not. The caller
 * frees them. */
void saved_folders(char *folders[2], const char *name);
/* The user's folder for kept runs, whether it is there or not; NULL: neither XDG_STATE_HOME nor
 * HOME names one. The caller frees it. */
char *saved_state_folder(void);
/* Makes the folder `name` there, below `target` or, where that is NULL, in the user's. Its path,
 * for the caller to free; NULL with errno. */
char *saved_folder_make(const char *target, const char *name);

#endif
