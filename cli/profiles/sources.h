/*
 * sources.h - where a command looks for source files, and what it says of those that it did not
 * find, or that are not what was built.
 */
#ifndef PROFILES_SOURCES_H
#define PROFILES_SOURCES_H

#include "annotate/annotation.h"
#include "cprof.h"
#include "resolve/resolve.h"
#include "source/source_file.h"
#include "table/columns.h"

/* Says, on standard error, which of the files that were asked for are missing and what to do about
 * it, and which are newer than what was built of them: each once. */
void sources_say(const struct source_finder *finder, const struct cprof_profile *profile);

/* Says why costs of the subject have no file, where there are such: what is missing of the object
 * that has most of them. `qualities` are those of the profile's objects, or NULL. */
void sources_say_unknown(const struct annotation *annotation,
                         const struct annotation_subject *subject, const struct column *measure,
                         const enum name_quality *qualities);

#endif
