/*
 * load.h - a profile from a file, with names.
 */
#ifndef REPORT_LOAD_H
#define REPORT_LOAD_H

#include "base/options.h"
#include "cprof.h"
#include "resolve/resolve.h"

/* Reads the profile at `path` and gives it names where it is a raw one, as `settings` say (NULL: as
 * usual); `*qualities` are those of its objects then, else NULL. NULL after having said what is
 * wrong. The caller frees both. */
struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities);

/* resolve_profile(), after which no library of this process asks a server for debug information:
 * the variable that names servers is the profiled program's until then. */
struct cprof_profile *load_resolve(const struct cprof_profile *raw,
                                   const struct resolve_settings *settings,
                                   enum name_quality *qualities, struct cprof_error *error);

/* True for a raw profile whose program was built anew since, or cannot be read: it has lost
 * its names. `qualities` as load_named_profile() gives them. */
bool load_lost_names(const struct cprof_profile *profile, const enum name_quality *qualities);
/* Warns of that, for what has no line below a table to say so. */
void load_warn_names(const struct cprof_profile *profile, const enum name_quality *qualities);

/* Where the profile is that a command is of: at `path`, or that of the last run where it is NULL.
 * NULL after having said that there is none, with `example`, the command with a file: it is a usage
 * error. The caller frees it. */
char *load_path(const char *path, const char *example);

/* The settings of what shows paths and their lines, but no addresses of theirs: see
 * `brief_contexts`. */
struct resolve_settings load_brief(const struct resolve_settings *settings);

/* Names in full, for what is compared, and as the linker has them, for what is kept. */
extern const struct resolve_settings load_full_names, load_raw_names;

/* 0; STATUS_ERROR after having said that the profile may be cut short: what is compared or kept
 * must be whole. */
int load_check_whole(const struct cprof_profile *profile);

/* The sum of several files, at least one; one alone is what it is. Each must be whole with `whole`.
 * `qualities` may be NULL, and are known of one file alone. Returns as load_named_profile(). */
struct cprof_profile *load_merged_profile(const struct string_list *files,
                                          const struct resolve_settings *settings, bool whole,
                                          enum name_quality **qualities);

/* Names what has the call paths, or the calls, that this profile lacks, for the end of a message: a
 * run of our own has them by another command. */
const char *load_paths_hint(const struct cprof_profile *profile);
const char *load_calls_hint(const struct cprof_profile *profile);

#endif
