/*
 * crates.h - the crate that each function of a profile belongs to.
 *
 * The rule, in this order:
 *   1. the package whose folder (or build script's output) holds the file that the function is
 *      defined in, the longest match: packages.h, cargo's own word of this build;
 *   2. what the file's path says: the standard library, registries, checkouts (crate_path.h),
 *      libraries of C and C++ (object_name.h);
 *   3. without such a file, or where it is a macro's (thread_local!), the crate that the name of a
 *      Rust function begins with, as the package that has a crate of that name; or, of an object of
 *      the user's, C++'s standard library, whose templates it has;
 *   4. the object: "libc" for libc itself, others by their file's name.
 *
 * The file is where the function is defined, or else that of its first instruction's line. The
 * first part of a name is the last resort because it is wrong in one frame of twelve, and names of
 * packages, libraries and folders differ.
 *
 * The user's own crates are the packages that came from a path. Without packages they are the Rust
 * code that lies in no shared place, and objects as ownership.h has them, but for libraries that
 * are compiled into them.
 */
#ifndef NAMES_CRATES_H
#define NAMES_CRATES_H

#include "cprof.h"
#include "names/ownership.h"
#include "names/packages.h"

#include <stdbool.h>
#include <stddef.h>

/* A crate is its name, version and owner: there may be two versions of one. */
struct crate {
    const char *name;    /* the package's */
    const char *version; /* NULL: not known, or there is none */
    enum owner owner;
    bool ambiguous; /* its owner is to be named too: another crate's label would be the same, or
                       nearly */
};

struct crates {
    size_t n, room;
    struct crate *items;
    uint32_t *of_function; /* of each function of the profile: index in `items` */
    uint32_t *of_file;     /* of each file, by its path alone; CPROF_NONE: it does not say */
    uint32_t *of_object;   /* of each object, for code that nothing else tells of; the last is for
                            * no object */
    unsigned char *owner;  /* of each function: enum owner */
    bool *own;             /* of each function: its owner is OWNER_OWN */
    bool *own_file;        /* of each file */
    bool guessed;          /* packages are not known, and some function's crate depends on them */
    size_t n_owned, owned_room;
    char **owned; /* texts */
};

/* `packages` may be NULL or empty: not known. Sources are read by `finder`; NULL: by one for the
 * current folder's project. The profile must outlive the crates. */
void crates_load(struct crates *crates, const struct cprof_profile *profile,
                 const struct packages *packages, struct source_finder *finder);
void crates_free(struct crates *crates);

static inline const struct crate *crates_of(const struct crates *crates, uint32_t function)
{
    return &crates->items[crates->of_function[function]];
}

static inline enum owner crates_owner(const struct crates *crates, uint32_t function)
{
    return (enum owner)crates->owner[function];
}

/* "nnet 0.1.0", "std", "libm.so.6"; with " [object]" and the like where another crate is called the
 * same. The caller frees it. */
char *crate_label(const struct crate *crate);
/* Tells whether `text` means the crate: its name, or NAME@VERSION. */
bool crate_matches(const struct crate *crate, const char *text);

/* Tells whether an object is a part of libc: libc itself, the dynamic loader, libm and the like. */
bool crates_is_libc(const char *path);

/* Distributions strip libc and ship its debug information in these packages. */
#define CRATES_LIBC_PACKAGES "libc6-dbg (Debian, Ubuntu) or glibc-debuginfo (Fedora)"

/*--- Roots ---*/

/* Roots of call paths are no code: "[thread 1]", "[thread 2: worker]", "[stack cut off]". */

/* True for the function that a thread's paths begin with. */
bool root_is_thread(const struct cprof_function *function);
/* True for that of the first thread: "[thread 1]", "[thread 1: main]". */
bool root_is_first_thread(const struct cprof_function *function);
/* True for the function that stacks begin with whose beginning nobody knows. */
bool root_is_cut(const struct cprof_function *function);
/* True where paths that leave start-up out may begin at a function: at own code, of which `own` has
 * a flag, or where a stack was cut off. */
static inline bool root_may_be(const struct cprof_profile *profile, const bool *own,
                               uint32_t function)
{
    return own[function] || root_is_cut(&profile->functions[function]);
}

#endif
