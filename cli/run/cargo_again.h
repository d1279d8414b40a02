/*
 * cargo_again.h - crates that cargo builds once more, since debug information or frame pointers are
 * switched on for the profile: how many, told before that takes its time.
 *
 * The file cprof/built in cargo's target folder has a line for each kind of build that there was: a
 * profile, a level, and "fp" with frame pointers.
 */
#ifndef RUN_CARGO_AGAIN_H
#define RUN_CARGO_AGAIN_H

#include "run/cargo.h"

#define CARGO_AGAIN_FILE "built"

struct cargo_again {
    char *file; /* cprof/built; NULL: nothing is to be kept */
    char *kind; /* the line of the build that is about to begin */
};

/* Says how many crates that are not the user's own are about to be built apart from those of `cargo
 * build`, where this is the first build of its kind. `debug_on`: debug information is switched on
 * for these; `target_folder` is cargo's. */
void cargo_again_begin(struct cargo_again *again, const struct build_request *request,
                       const struct cargo_target *target, const char *target_folder, bool debug_on);
/* Keeps that there was such a build, unless it failed. */
void cargo_again_end(struct cargo_again *again, bool failed);

#endif
