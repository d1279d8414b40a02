/*
 * cargo.h - asking cargo: what there is, and where it was built.
 */
#ifndef RUN_CARGO_H
#define RUN_CARGO_H

#include "run/program.h"

#include <jansson.h>

/* The file in cprof/ of cargo's target folder with a line for each kind of build that there was. */
#define CARGO_BUILDS_FILE "built"

/* A target of a package: cargo's kind ("bin", "example", "test", "bench", or "lib" for any library)
 * and name. Borrowed from the metadata. */
struct cargo_target {
    const json_t *package;
    const char *kind;
    const char *name;
    bool harness; /* its unit tests, not itself */
};

/* True where cargo's metadata, or a message of its, has the target as one of this kind; "lib": of
 * any library. */
bool cargo_is_kind(const json_t *target, const char *kind);

/* The cargo that called us, so that `cargo +nightly cprof` builds with nightly; else the one on
 * PATH. */
const char *cargo_path(void);

/* The workspace as `cargo metadata` tells it, for the caller to decref; or NULL after having said
 * what is wrong. */
json_t *cargo_metadata(const struct build_request *request);

/* A folder that the metadata names, for the caller to free; NULL: it has none of that key. */
char *cargo_folder(const json_t *metadata, const char *key);

/* The manifest of the package that the current folder (or --manifest-path) is in, or NULL. The
 * caller frees it. */
char *cargo_locate_project(const struct build_request *request);

/* Builds `target`, of the workspace in program->root. Sets program->path, ->debug_on and
 * ->packages. Returns 0, or a status after having said what is wrong. */
int cargo_build(const struct build_request *request, const struct cargo_target *target,
                struct program *program);

/* An executable that has a harness of tests or benches. */
struct cargo_executable {
    struct program program; /* its packages are empty: struct cargo_built has those of all */
    char *kind;             /* cargo's: "lib" for unit tests of any library, "bin", "test", ... */
};

/* The executables of one build, in the order that cargo built them. Zero-initialised is empty. */
struct cargo_built {
    size_t n, room;
    struct cargo_executable *items;
    struct packages packages;
    char *root, *target; /* the folders of the workspace and of what is built; NULL: not known */
    bool debug_on;       /* debug information was switched on for this build */
};

/* Builds what `cargo bench`, or `cargo test` without its doc tests, would run. Returns 0, or a
 * status after having said what is wrong; then `built` holds nothing. */
int cargo_build_all(const struct build_request *request, bool benches, struct cargo_built *built);
void cargo_built_free(struct cargo_built *built);

/* Runs `cargo test --doc` of the package in `folder`, with each doc test's executable started by
 * `tool`, and `arguments` (NULL-terminated) for their harness; `line` gets what it prints. Returns
 * 0 with *status as waitpid() gives it, or STATUS_ERROR after having said what is wrong. */
int cargo_doc_tests(const struct build_request *request, const char *folder, const char *tool,
                    char *const *arguments, void (*line)(void *data, char *text), void *data,
                    int *status);
/* True where rustdoc takes such a tool: tried on a file with nothing in it. */
bool cargo_knows_runtool(const char *empty_file);

#endif
