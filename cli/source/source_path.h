/*
 * source_path.h - the places where a source file may be: the rules of source_file.h, as lists of
 * paths to try. They read no file but the folders of cargo's registries, and the manifest of a
 * vendored crate for its version.
 */
#ifndef SOURCE_SOURCE_PATH_H
#define SOURCE_SOURCE_PATH_H

#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>

/* Paths of its own. Zero-initialised is empty. */
struct path_list {
    size_t n, room;
    char **items;
};
/* Takes over `path`. */
void path_list_add(struct path_list *list, char *path);
/* Empties it. */
void path_list_free(struct path_list *list);

/* Adds the path that each fitting "OLD=NEW" makes: OLD is the path, or a folder above it. */
void source_mapped_paths(struct path_list *list, const char *recorded,
                         const struct string_list *maps);

/* Tells whether a file belongs to the standard library or to a crate that this is made of:
 * /rustc/<commit>/..., /rust/deps/..., .../lib/rustlib/src/rust/..., Debian's
 * /usr/src/rustc-<version>/.... */
bool source_is_std(const char *recorded);
/* The commit in /rustc/<commit>/..., for the caller to free, or NULL. */
char *source_std_commit(const char *recorded);
/* Adds the paths in the toolchain with that sysroot. */
void source_std_paths(struct path_list *list, const char *recorded, const char *sysroot);
/* Asks $RUSTC, or else rustc, for its sysroot and commit, each for the caller to free, or NULL. */
void source_ask_rustc(char **sysroot, char **commit);

/* Tells whether a file is in a place that projects share and nobody edits: the standard library's,
 * a registry's, a checkout of cargo's. */
bool source_is_shared(const char *recorded);
/* Adds the paths of a file of a crate from a registry or repository: in cargo's folder, in the
 * project's vendor/, in Debian's registry. */
void source_crate_paths(struct path_list *list, const char *recorded, const char *root);
/* Adds the paths of a file of the project, which `program`'s path says was built elsewhere and is
 * now in `root`; either may be NULL. */
void source_project_paths(struct path_list *list, const char *recorded, const char *root,
                          const char *program);

#endif
