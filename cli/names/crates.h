/*
 * crates.h - the crate that each function of a profile belongs to.
 *
 * The rule, in this order:
 *   1. the package whose folder (or build script's output) holds the file that the function is
 *      defined in, the longest match: packages.h, cargo's own word of this build;
 *   2. what the file's path says: the standard library, registries, checkouts (crate_path.h),
 *      libraries of C and C++ (library_path.h);
 *   3. without such a file, or where it is a macro's (thread_local!), the crate that the name of a
 *      Rust function begins with, as the package that has a crate of that name;
 *   4. the object: "libc" for libc itself, others by their file's name.
 *
 * The file is where the function is defined, or else that of its first instruction's line. The
 * first part of a name is the last resort because it is wrong in one frame of twelve, and names of
 * packages, libraries and folders differ.
 *
 * The user's own crates are the packages that came from a path. Without packages they are the Rust
 * code that lies in no shared place. A program that is not Rust is its own code,
 * but for libraries that are compiled into it.
 */
#ifndef NAMES_CRATES_H
#define NAMES_CRATES_H

#include "cprof.h"
#include "names/packages.h"

#include <stdbool.h>
#include <stddef.h>

enum crate_kind {
    CRATE_OWN,        /* the user's: the workspace's, and path dependencies */
    CRATE_DEPENDENCY, /* from a registry or a repository */
    CRATE_STD,        /* core, alloc, std, and what these are built from */
    CRATE_LIBC,       /* the C library and its parts, the dynamic linker */
    CRATE_OBJECT      /* any other code, by its file */
};

/* A crate is its name, version and kind: there may be two versions of one. */
struct crate {
    const char *name;    /* the package's */
    const char *version; /* NULL: not known, or there is none */
    enum crate_kind kind;
    bool ambiguous; /* its kind is to be named too: another crate's label would be the same, or
                       nearly */
};

struct crates {
    size_t n, room;
    struct crate *items;
    uint32_t *of_function; /* of each function of the profile: index in `items` */
    uint32_t *of_file;     /* of each file, by its path alone; CPROF_NONE: it does not say */
    uint32_t *of_object;   /* of each object, for code that nothing else tells of; the last is for
                            * no object */
    bool guessed;          /* packages are not known, and some function's crate depends on them */
    size_t n_owned, owned_room;
    char **owned; /* texts */
};

/* `packages` may be NULL or empty: not known. The profile must outlive the crates. */
void crates_load(struct crates *crates, const struct cprof_profile *profile,
                 const struct packages *packages);
void crates_free(struct crates *crates);

static inline const struct crate *crates_of(const struct crates *crates, uint32_t function)
{
    return &crates->items[crates->of_function[function]];
}

/* "nnet 0.1.0", "std", "libm.so.6"; with " [object]" and the like where another crate is called the
 * same. The caller frees it. */
char *crate_label(const struct crate *crate);
/* "own", "dependency", "std", "libc", "object". */
const char *crate_kind_name(enum crate_kind kind);
/* Tells whether `text` means the crate: its name, or NAME@VERSION. */
bool crate_matches(const struct crate *crate, const char *text);

/* Tells whether an object is a part of libc: libc itself, the dynamic loader, libm and the like. */
bool crates_is_libc(const char *path);

/* Distributions strip libc and ship its debug information in these packages. */
#define CRATES_LIBC_PACKAGES "libc6-dbg (Debian, Ubuntu) or glibc-debuginfo (Fedora)"

#endif
