/*
 * source_file.h - source files: their places now, and their lines.
 *
 * A profile has the path that a file had when the program was built. The file is looked for, in
 * this order: 1. where --source-map says: OLD=NEW replaces a path's beginning; 2. as recorded; 3.
 * the standard library's (/rustc/<commit>/library/..., and such paths of another machine) in this
 * machine's toolchain: $(rustc --print sysroot)/lib/rustlib/src/rust, if rustc is of that commit;
 * 4. crates from a registry or a git repository in cargo's folder ($CARGO_HOME), and in the
 * project's vendor/; 5. files of the project, where the folder that the program was built in (what
 * precedes target/ in its path) has moved; relative paths in the project's folder and the current
 * one.
 *
 * A file is read once, and as long as the finder lives.
 */
#ifndef SOURCE_SOURCE_FILE_H
#define SOURCE_SOURCE_FILE_H

#include "base/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum source_state {
    SOURCE_FOUND,
    SOURCE_MISSING,     /* nowhere */
    SOURCE_MISSING_STD, /* of the standard library, whose source is not installed */
    SOURCE_OTHER_STD,   /* of the standard library of another rustc than this machine's */
    SOURCE_UNREADABLE,  /* it is there and cannot be read: `error` */
    SOURCE_TOO_LARGE    /* larger than SOURCE_MAX */
};

enum { SOURCE_MAX = 256 << 20 }; /* bytes */

/* A source file. All but `state`, `recorded` and `error` is of SOURCE_FOUND only. */
struct source {
    enum source_state state;
    int error;      /* errno */
    char *recorded; /* the path that the profile has */
    char *path;     /* where it is */
    bool fixed; /* of a toolchain, registry or repository: never edited, so its age says nothing */
    struct timespec modified;
    uint32_t n_lines;
    char *bytes; /* as the file has them */
    size_t size;
    uint32_t n_marks;
    size_t *marks; /* where every 64th line begins */
};

/* Zero-initialised with `maps`, `root` and `program` set, all borrowed. */
struct source_finder {
    const struct string_list *maps; /* "OLD=NEW"; NULL: none */
    const char *root;               /* folder of the project; NULL: not known */
    const char *program;            /* path of the program, as recorded; NULL: not known */
    size_t n, room;
    struct source **sources; /* those asked for */
    bool asked;              /* rustc was */
    char *sysroot, *commit;  /* what it said; NULL: nothing */
};

/* The file of that path in the profile: never NULL, valid until source_finder_free(). */
const struct source *source_find(struct source_finder *finder, const char *recorded);
void source_finder_free(struct source_finder *finder);

/*
 * Line `line` (from 1) without its end (LF, CR LF): `*size` bytes at `*text`, as the file has them,
 * which may be any bytes. False: there is no such line.
 */
bool source_line(const struct source *source, uint32_t line, const char **text, size_t *size);

/* Tells whether "OLD=NEW" can be one: OLD is not empty. */
bool source_map_is_valid(const char *map);

/* The project's folder: the nearest one, from the current on upwards, with a Cargo.lock, else with
 * a Cargo.toml, else the current one. The caller frees it. */
char *source_root(void);

/*--- Places ---*/

/*
 * The places where a source file may be, as lists of paths to try, which own them. These functions
 * read no file but the folders of cargo's registries, and the manifest of a vendored crate for its
 * version.
 */

/* Adds the path that each fitting "OLD=NEW" makes: OLD is the path, or a folder above it. */
void source_mapped_paths(struct string_list *list, const char *recorded,
                         const struct string_list *maps);

/* Tells whether a file belongs to the standard library or to a crate that this is made of:
 * /rustc/<commit>/..., /rust/deps/..., .../lib/rustlib/src/rust/..., Debian's
 * /usr/src/rustc-<version>/.... */
bool source_is_std(const char *recorded);
/* The commit in /rustc/<commit>/..., for the caller to free, or NULL. */
char *source_std_commit(const char *recorded);
/* Adds the paths in the toolchain with that sysroot. */
void source_std_paths(struct string_list *list, const char *recorded, const char *sysroot);
/* The folder that cargo keeps crates and its configuration in, for the caller to free, or NULL. */
char *source_cargo_home(void);
/* Asks $RUSTC, or else rustc, for its sysroot and commit, each for the caller to free, or NULL. */
void source_ask_rustc(char **sysroot, char **commit);

/* Adds the paths of a file of a crate from a registry or repository: in cargo's folder, in the
 * project's vendor/, in Debian's registry. */
void source_crate_paths(struct string_list *list, const char *recorded, const char *root);
/* Adds the paths of a file of the project, which `program`'s path says was built elsewhere and is
 * now in `root`; either may be NULL. */
void source_project_paths(struct string_list *list, const char *recorded, const char *root,
                          const char *program);

#endif
