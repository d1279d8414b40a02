/*
 * cargo.h - asking cargo: what there is, and where it was built.
 */
#ifndef RUN_CARGO_H
#define RUN_CARGO_H

#include "run/program.h"

#include <jansson.h>

/* A target of a package: cargo's kind ("bin", "example", "test", "bench", or "lib" for any library)
 * and name. Borrowed from the metadata. */
struct cargo_target {
    const json_t *package;
    const char *kind;
    const char *name;
    bool harness; /* its unit tests, not itself */
};

/* The kind of library that a target is, in cargo's words, or not. */
bool cargo_is_library(const char *kind);

/* The cargo that called us, so that `cargo +nightly cprof` builds with nightly; else the one on
 * PATH. */
const char *cargo_path(void);

/* The workspace as `cargo metadata` tells it, for the caller to decref; or NULL after having said
 * what is wrong. */
json_t *cargo_metadata(const struct build_request *request);

/* The manifest of the package that the current folder (or --manifest-path) is in, or NULL. The
 * caller frees it. */
char *cargo_locate_project(const struct build_request *request);

/* Builds `target`. Sets program->path, ->debug_on and ->packages. Returns 0, or a status after
 * having said what is wrong. */
int cargo_build(const struct build_request *request, const struct cargo_target *target,
                struct program *program);

#endif
