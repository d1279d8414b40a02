/*
 * load.h - a profile from a file, with names.
 */
#ifndef CMD_LOAD_H
#define CMD_LOAD_H

#include "cprof.h"
#include "model/resolve.h"

/* Reads the profile at `path` and gives it names where it is a raw one, as `settings` say (NULL: as
 * usual); `*qualities` are those of its objects then, else NULL. NULL after having said what is
 * wrong. The caller frees both. */
struct cprof_profile *load_named_profile(const char *path, const struct resolve_settings *settings,
                                         enum name_quality **qualities);

#endif
