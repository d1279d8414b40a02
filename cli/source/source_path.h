/*
 * source_path.h - where a source file may be: the rules of source_file.h, as lists of paths to try.
 * They look at no file but to list the folders of cargo's registries, and for a vendored crate's
 * version.
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

/* By "OLD=NEW", each that fits: OLD is the path, or a folder above it. */
void source_mapped_paths(struct path_list *list, const char *recorded,
                         const struct string_list *maps);

/* Of the standard library or of what that is made of: /rustc/<commit>/..., /rust/deps/...,
 * .../lib/rustlib/src/rust/..., Debian's /usr/src/rustc-<version>/.... */
bool source_is_std(const char *recorded);
/* The commit in /rustc/<commit>/..., for the caller to free, or NULL. */
char *source_std_commit(const char *recorded);
/* In the toolchain whose sysroot that is. */
void source_std_paths(struct path_list *list, const char *recorded, const char *sysroot);
/* Asks $RUSTC, or else rustc, for its sysroot and commit, each for the caller to free, or NULL. */
void source_ask_rustc(char **sysroot, char **commit);

/* In a place that projects share and nobody edits: of the standard library, a registry or a
 * checkout of cargo's. */
bool source_is_shared(const char *recorded);
/* Of a crate from a registry or repository: in cargo's folder, in the project's vendor/, or in
 * Debian's registry. */
void source_crate_paths(struct path_list *list, const char *recorded, const char *root);
/* Of the project, which was built by `program`'s path and is now in `root`; either may be NULL. */
void source_project_paths(struct path_list *list, const char *recorded, const char *root,
                          const char *program);

#endif
