/*
 * cargo_profile.h - debug information for a build, by cargo's variables for profiles.
 */
#ifndef RUN_CARGO_PROFILE_H
#define RUN_CARGO_PROFILE_H

#include "run/cargo.h"

/* Adds variables, in memory of their own, that switch debug information on for the names, without a
 * change to Cargo.toml, unless the user has set them, there or in variables. Returns whether it was
 * switched on. `root`: the workspace's folder, or NULL. Types are for the user's own packages
 * alone: `settings` gets what leaves others as they are built without types, for --config, in
 * memory of its own. */
bool cargo_debug_info(const struct build_request *request, const struct cargo_target *target,
                      const char *root, struct string_list *environment,
                      struct string_list *settings);

/* True where packages that are not the user's own are built without debug information by the
 * manifest in `root`, so that it has to be switched on for these, too. */
bool cargo_debug_is_missing(const struct build_request *request, const struct cargo_target *target,
                            const char *root);

/* The name of the profile that decides how the target and what it depends on are built. */
const char *cargo_profile_name(const struct build_request *request,
                               const struct cargo_target *target);

/* Has rustc make frame pointers, beside the user's own flags: a variable where these are in one,
 * which is added in memory of its own; else a setting for --config, which is returned and constant.
 * Cargo takes no such setting where a file has flags for a target. */
const char *cargo_frame_pointers(struct string_list *environment);

#endif
