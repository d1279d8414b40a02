/*
 * cargo_config.h - the files of cargo's configuration, line by line; the flags that they or the
 * environment give rustc; settings of build profiles.
 */
#ifndef RUN_CARGO_CONFIG_H
#define RUN_CARGO_CONFIG_H

#include <stdbool.h>

/* Bytes of a file that are looked at. */
enum { CARGO_CONFIG_MAX = 1 << 20 };

/* Calls `line` for each line of the files that cargo merges, without comments: those of the current
 * folder and of all above it, and its own. Stops where `line` returns true, and returns that. */
bool cargo_config_lines(bool (*line)(void *data, char *text), void *data);

/* The variable by which rustc gets flags: cargo takes the first that is set, and then no file.
 * NULL: none is set. Borrowed. */
const char *cargo_flags_variable(void);

/* The settings of a build profile, and of those that it inherits, as the manifest in `root`,
 * cargo's configuration and its variables have them, but for debug information: "opt-level=1
 * package.a.opt-level=3", for the caller to free; "none". */
char *cargo_profile_settings(const char *root, const char *profile);

/* The flags of rustc as they are written there, in one line, for the caller to free; "none". */
char *cargo_flags(void);

#endif
