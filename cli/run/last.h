/*
 * last.h - where the profile of the last run is kept, for the commands that look at it again.
 *
 * It is a raw profile (doc/format.md) called cprof/last.cprof in cargo's target folder. A run
 * writes it with file.h, whole or not at all, at last_profile_in() of the target folder that `cargo
 * metadata` names; a run outside of any package leaves none.
 */
#ifndef RUN_LAST_H
#define RUN_LAST_H

/* Its path in a target folder. The caller frees it. */
char *last_profile_in(const char *target_folder);

/*
 * The path of the one that is nearest: in $CARGO_TARGET_DIR where that is set, else in the folder
 * target/ beside the first Cargo.toml above the current folder that has one (a workspace's members
 * share its root's). NULL: there is none. The caller frees it.
 */
char *last_profile_path(void);

#endif
