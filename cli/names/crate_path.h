/*
 * crate_path.h - the crate that a path of a source file or a name of a Rust function belongs to, as
 * far as the text tells. crates.h says when it is asked.
 */
#ifndef NAMES_CRATE_PATH_H
#define NAMES_CRATE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* A part of another text. */
struct slice {
    const char *text; /* NULL: not known */
    size_t size;
};

enum path_kind {
    PATH_UNKNOWN,  /* any folder: nothing is known */
    PATH_STD,      /* the standard library, and what it is built from */
    PATH_PACKAGE,  /* a registry's copy of a package */
    PATH_CHECKOUT, /* a repository's: which of its packages it is the path does not say */
    PATH_OUTPUT    /* what the package's build script wrote; no version */
};

/* The crate that a path names: by its package, with PATH_STD by the crate's own name. */
struct path_crate {
    enum path_kind kind;
    struct slice name, version;
};

/*
 * Knows /rustc/<commit>/library/<crate>, the same below a toolchain's lib/rustlib/src/rust and in
 * Debian's /usr/src/rustc-<version>, /rust/deps/<name>-<version>,
 * registry/src/<index>/<name>-<version>, git/checkouts/<name>-<hash>, Debian's
 * /usr/share/cargo/registry/<name>-<version>, and build/<package>-<hash>/out. The path should be
 * normalised. The slices are parts of it, or constants.
 */
struct path_crate crate_of_path(const char *path);

/* The path below the root of rustc's sources, or NULL. */
const char *path_in_rustc(const char *path);
/* Tells whether it is a file of the standard library that declares what thread_local! makes in
 * other crates. */
bool path_is_thread_local(const char *path);

/* The crate that a readable name begins with: "alloc" of "<alloc::vec::Vec<T> as Drop>::drop". */
struct slice crate_of_name(const char *name);

/* Tells whether a crate of that name belongs to the standard library. */
bool crate_is_std(struct slice name);

#endif
