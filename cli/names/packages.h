/*
 * packages.h - the packages that a program was built from: the folder of each, its version, and
 * whether it is the user's own. Cargo's messages of the build tell them.
 *
 * `cargo metadata` would not do: the messages name all that was compiled, with path dependencies
 * outside the workspace, and need neither the network nor packages that this build does without.
 */
#ifndef NAMES_PACKAGES_H
#define NAMES_PACKAGES_H

#include <stdbool.h>
#include <stddef.h>

struct json_t;

/* A folder with sources of a package: that of its manifest, or the one its build script writes to;
 * then there is another entry for the former. Strings are the list's own. */
struct package {
    char *name;
    char *version; /* NULL: not known */
    char *folder;  /* absolute, without a '/' at the end */
    bool own;      /* from a path: in the workspace, or a path dependency; not from a registry or
                      a repository */
    size_t n_crates, crates_room;
    char **crates; /* what its crates are called in the names of functions: "my_app" */
};

/* Zero-initialised is empty. */
struct packages {
    size_t n, room;
    struct package *items;
};

/* Takes in one message of `cargo build --message-format=json`; others than those of artifacts and
 * build scripts are left alone. */
void packages_add(struct packages *packages, const struct json_t *message);
void packages_free(struct packages *packages);

/*
 * The file beside a kept profile that has its packages: "last.packages.json" for "last.cprof"; NULL
 * where the profile is not called so. The caller frees it.
 */
char *packages_path(const char *profile);
/* Writes the file beside `profile`; where `packages` is NULL or empty it is removed. Returns 0, or
 * -1 with errno. */
int packages_keep(const struct packages *packages, const char *profile);
/* Adds those of the file beside `profile`, if it has one. */
void packages_find(struct packages *packages, const char *profile);

#endif
