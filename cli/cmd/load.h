/*
 * load.h - a profile from a file, with names.
 */
#ifndef CMD_LOAD_H
#define CMD_LOAD_H

#include "base/options.h"
#include "cprof.h"
#include "model/resolve.h"

/* Reads the profile at `path` and gives it names where it is a raw one, as `settings` say (NULL: as
 * usual); `*qualities` are those of its objects then, else NULL. NULL after having said what is
 * wrong. The caller frees both. */
struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities);

/* The same, for what shows paths and their lines, but no addresses of theirs: see `brief_contexts`.
 */
struct resolve_settings load_brief(const struct resolve_settings *settings);

/* Names in full, for what is compared, and as the linker has them, for what is kept. */
extern const struct resolve_settings load_full_names, load_raw_names;

/* The sum of several files, at least one; one alone is what it is. `qualities` may be NULL, and are
 * known of one file alone. Returns as load_named_profile(). */
struct cprof_profile *load_merged_profile(const struct string_list *files,
                                          const struct resolve_settings *settings,
                                          enum name_quality **qualities);

#endif
