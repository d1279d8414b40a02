/*
 * ownership.h - whose code each function, and each file, of a profile is. All that is shown asks
 * here: tables, trees, flame graphs, pages, the browser, JSON, comparisons.
 *
 * A function's owner is told by the first of these rules that holds:
 *   1. Start-up: the C runtime that is linked into each program (_start, frame_dummy), and the
 *      main() that rustc makes, which has no source.
 *   2. Where a file or a name tells the crate (crates.h), its owner. But a function of the user's
 *      is derived where its source has #[derive(...)] at its line: the compiler wrote it, nobody
 *      can make it faster where it stands, and its cost belongs to the lines that call it.
 *   3. Own: the object is the user's, and the function has a source.
 *   4. Own: the object is the user's, and the function has a name, though no source: nothing of the
 *      object has one, none of it is Rust, and the function is no stub of the linker's. Where the C
 *      library is linked into the object, main() alone is own.
 *   5. The C library, or another object. A program some of which has no name is that: it was
 *      stripped but for what it exports, and its code may be a library's.
 *
 * An object is the user's where the program's packages are not known, and it is the program. But
 * an installed program (in a folder of the system, or a hidden one) in which shared libraries ran
 * that are not installed, nor among modules of others, is an interpreter: these libraries are the
 * user's then. Where packages are known, code of the user's has a source or a crate's name.
 *
 * A file is own where its path tells that it is of the user's crates, or tells nothing. It is asked
 * about lines of own functions.
 */
#ifndef NAMES_OWNERSHIP_H
#define NAMES_OWNERSHIP_H

#include "cprof.h"
#include "source/source_file.h"

#include <stdbool.h>

struct crates;

/* Crates have owners, too, but for derived and start-up. */
enum owner {
    OWNER_OWN,        /* the user: the workspace, path dependencies, a program that is not Rust */
    OWNER_DERIVED,    /* the user, by #[derive(...)] */
    OWNER_DEPENDENCY, /* from a registry or a repository, or a library that is compiled in */
    OWNER_STD,        /* core, alloc, std, and what these are built from; of C++ its library */
    OWNER_LIBC,       /* the C library and its parts, the dynamic linker */
    OWNER_OBJECT,     /* any other code, by its object */
    OWNER_STARTUP,    /* what begins and ends each program */
    OWNER_NONE        /* nobody is known: several, or nothing that has one */
};

/* "own", "derived", "dependency", "std", "libc", "object", "startup"; NULL of OWNER_NONE. */
const char *owner_name(enum owner owner);

/* True for the user's crates, whoever wrote the function. */
static inline bool owner_is_user(enum owner owner)
{
    return owner <= OWNER_DERIVED;
}

/* Tells of each object of the profile whether it is the user's, where packages are not known. The
 * caller frees it. */
bool *ownership_objects(const struct cprof_profile *profile);

/*
 * Fills `owner`, `own` and `own_file` of the crates, which are otherwise made. `by_object` says of
 * each function that its object alone tells its crate; `users` is as ownership_objects() has it.
 * Source files are read by `finder`.
 */
void ownership_load(struct crates *crates, const struct cprof_profile *profile,
                    const bool *by_object, const bool *users, struct source_finder *finder);

/*--- Kinds of code ---*/

/*
 * By the four kinds of code functions are coloured everywhere: own code is warm and bright,
 * dependencies are blue, the standard library is a greyish teal, all else grey.
 *
 * A kind has several shades. A crate's shade depends on its name alone, so it is the same in each
 * picture.
 */

enum origin {
    ORIGIN_OWN, /* derived code, too */
    ORIGIN_DEPENDENCY,
    ORIGIN_STD,
    ORIGIN_SYSTEM, /* libc, other objects, start-up */
    ORIGINS
};
enum { ORIGIN_SHADES = 3 };

enum origin origin_of(enum owner owner);
/* A number below ORIGIN_SHADES. */
struct crate;
unsigned origin_shade(const struct crate *crate);
/* "your code", "dependencies", "standard library", "libc and others". */
const char *origin_title(enum origin kind);
/* The kind's letter in pages and pictures, one of "odsx". Classes of shades, "o0" to "x2", set the
 * colour of an area; of a name, the attribute data-k around it does. */
char origin_letter(enum origin kind);

#endif
