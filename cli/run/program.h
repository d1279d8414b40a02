/*
 * program.h - what is to be profiled: asked for by options, found (and built) by cargo or given as
 * a path.
 */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "base/options.h"
#include "names/packages.h"

#include <stdbool.h>

/* How rustc's messages are shown. */
enum message_format { MESSAGES_HUMAN, MESSAGES_SHORT };

/* The user's request. Strings are borrowed; NULL: not given. */
struct build_request {
    const char *bin, *example, *test, *bench; /* at most one of these and the next */
    bool lib, bins, examples, tests, benches; /* none: what `cargo run` would run */
    bool test_harness;                        /* the unit tests of a binary or an example */
    const char *package;
    bool workspace; /* all packages */
    bool doc;       /* doc tests alone */
    bool release;
    const char *profile;
    struct string_list features;
    bool all_features, no_default_features;
    const char *target, *target_dir, *manifest_path;
    bool locked, offline, frozen;
    int verbose;                 /* how often -v is given */
    const char *jobs;            /* -j */
    struct string_list config;   /* --config, each "KEY=VALUE" or a path */
    struct string_list unstable; /* -Z */
    int message_format;          /* enum message_format */
    bool no_debuginfo;
    bool frame_pointers; /* Rust's code is to have them */
    bool types;          /* debug information is to have types, too */
};
/* How many targets it names by kind or name. */
int build_request_targets(const struct build_request *request);
/* Empties its lists. */
void build_request_free(struct build_request *request);
extern const struct option_def program_options[]; /* --bin ...: which program */
extern const struct option_def build_options[];   /* --release ...: how it is built */

/* An executable, ready to run. All strings are its own. */
struct program {
    char *path;                     /* has a '/'; absolute where `folder` is set */
    char *name;                     /* for people */
    char *folder;                   /* to run in; NULL: the current one */
    char *root;                     /* the workspace's folder; NULL: not built by cargo */
    char *target;                   /* cargo's target folder; NULL: not built by cargo */
    char *libraries;                /* "LD_LIBRARY_PATH=..." for the run; NULL: as it is */
    struct string_list environment; /* further variables that cargo sets for the run */
    struct packages packages;       /* it was built from; none: not by cargo */
    char *profile;  /* of cargo's that it was built with; NULL: not built by cargo */
    char *features; /* that were asked for (setup.h); NULL: none */
    bool is_bench;  /* gets --bench, as from cargo bench */
    bool debug_on;  /* debug information was switched on for this build */
};

/* Checks for contradictions before anything is done. Returns 0 or STATUS_USAGE. */
int build_request_check(const struct build_request *request);

/* True where cargo would find a package for the current folder. */
bool program_in_package(void);

/* Finds the program and builds it. Returns 0, or a status after having said what is wrong; then
 * `program` holds nothing. */
int program_find(const struct build_request *request, struct program *program);
void program_free(struct program *program);

/*--- Libraries ---*/

/* Where a program built by cargo finds its dynamic libraries, and cargo. */

/* Adds the folders of rustc's own libraries: for `target`, the --target of the build or NULL, and
 * where cargo is rustup's, which adds it, the toolchain's. The caller frees the texts. */
void libraries_of_rust(const char *target, struct string_list *folders);

/* "LD_LIBRARY_PATH=...", as `cargo run` sets it. `linked` are folders that build scripts named,
 * `rust` those of rustc. The caller frees it. */
char *libraries_setting(const char *executable, const struct string_list *linked,
                        const struct string_list *rust);

#endif
