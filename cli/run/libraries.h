/*
 * libraries.h - where a program built by cargo finds its dynamic libraries, and cargo.
 */
#ifndef RUN_LIBRARIES_H
#define RUN_LIBRARIES_H

#include "base/options.h"

/* Adds the folders of rustc's own libraries: for `target`, the --target of the build or NULL, and
 * where cargo is rustup's, which adds it, the toolchain's. The caller frees the texts. */
void libraries_of_rust(const char *target, struct string_list *folders);

/* "LD_LIBRARY_PATH=...", as `cargo run` sets it. `linked` are folders that build scripts named,
 * `rust` those of rustc. The caller frees it. */
char *libraries_setting(const char *executable, const struct string_list *linked,
                        const struct string_list *rust);

/* The path that `cargo run` puts into CARGO; NULL: not known, or it is there already. The caller
 * frees it. */
char *libraries_cargo(void);

#endif
