/*
 * location.h - the place of a function, as short as possible.
 */
#ifndef NAMES_LOCATION_H
#define NAMES_LOCATION_H

#include <stdint.h>

/*
 * The path as shown, for the caller to free: relative to the folder `root` (absolute; NULL: none)
 * where it is below it; without what precedes the crate in the standard library
 * ("core/src/fmt/mod.rs"), a registry ("rand-0.8.5/src/lib.rs") and git checkouts.
 * "." and ".." segments are taken out.
 */
char *location_path(const char *path, const char *root);

/*
 * location_path() without versions and hashes of crates, for people: "rand/src/lib.rs",
 * "mycrate/out/tables.rs" of a build script. Two versions of a crate have equal paths.
 */
char *location_short(const char *path, const char *root);

/* The path without ".", ".." and empty segments, and nothing else changed. The caller frees it. */
char *location_normalise(const char *path);

/*
 * "PATH:LINE", with the path of location_short(), "PATH" where the line is 0; without a file the
 * object's last part ("libm.so.6"); "" where nothing is known. The caller frees it.
 */
char *location_text(const char *file, uint32_t line, const char *object, const char *root);
/* location_text() with location_path(): the versions of crates may be what differs between two
 * builds. */
char *location_text_of_version(const char *file, uint32_t line, const char *object,
                               const char *root);

#endif
