/*
 * load.h - a profile from a file, with names.
 */
#ifndef PROFILES_LOAD_H
#define PROFILES_LOAD_H

#include "base/options.h"
#include "cprof.h"
#include "resolve/resolve.h"
#include "table/columns.h"

#include <stdbool.h>

/* Reads the profile at `path` and gives it names where it is a raw one, as `settings` say (NULL: as
 * usual); `*qualities` are those of its objects then, else NULL; `qualities` may be NULL. NULL
 * after having said what is wrong. The caller frees both. */
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

/* Where the profile is that a command is of: the file, baseline or kept run that `name` means, or
 * where that is NULL the last run of this place. Returns 0; else a status after having said that
 * there is none, with `example`, the command with a file. The caller frees `*path`. */
int load_path(const char *name, const char *example, char **path);
/* The paths of several profiles, as load_path() has one; the last run where there are no names.
 * string_list_free_texts() in either case. */
int load_paths(const struct string_list *names, const char *example, struct string_list *paths);
/* Says that no profile is called so. Returns STATUS_ERROR. */
int load_unknown(const char *name);

/*
 * Where the profile at `*path`, the last run, has no call paths: puts the newest kept run of the
 * same program that has them in its place, and says so; else leaves all as it is. False after
 * having said what is wrong: then there is no profile.
 */
bool load_run_with_paths(struct cprof_profile **profile, enum name_quality **qualities, char **path,
                         const struct resolve_settings *settings);

/* Says it where a signal ended the program, for what does not show it in itself. */
void load_note_end(const struct cprof_profile *profile);

/* The settings of what shows paths and their lines, but no addresses of theirs: see
 * `brief_contexts`. */
struct resolve_settings load_brief(const struct resolve_settings *settings);

/* Names in full, with what was inlined where, for what is compared; and as the linker has them, for
 * what is kept. */
extern const struct resolve_settings load_compared_names, load_raw_names;

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
/* True for a profile with counts below 0, which pictures and other formats cannot have. */
bool load_has_negative(const struct cprof_profile *profile);

/*--- Warnings ---*/

/* Messages about what the library found odd in a profile, and what its call paths do not show. */

/* Says what the library found odd in a profile, on standard error. 0; STATUS_ERROR where that is an
 * error: with `strict`. */
int profile_warnings(const struct cprof_profile *profile, bool strict);
/* As profile_warnings(), for what shows no call paths: the run has said which of its stacks were
 * cut off. */
int profile_warnings_again(const struct cprof_profile *profile, bool strict);

/* Says which functions' recursion is folded in the call paths of a profile that was counted, which
 * are given to other tools, where it costs enough of `measure` to be seen. Samples have their
 * stacks as they were. */
void recursion_note(const struct cprof_profile *profile, const struct column *measure);

#endif
