/*
 * setup.h - what a run is made with, besides its arguments, as its profile keeps it: how the
 * program was built, and its standard input. Runs that differ there are two jobs.
 */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "base/options.h"
#include "cprof.h"
#include "run/program.h"

/* The words that its texts begin with. */
#define SETUP_PROFILE  "profile"  /* of cargo */
#define SETUP_FEATURES "features" /* "a,b": what options for features say */
#define SETUP_INPUT    "input"    /* bytes, and a digest of these */
#define SETUP_ENGINE   "engine"   /* that executed the program: "copies", or "VEX: " and why */

/* The value of a fact that a profile has; NULL: it does not have it. */
const char *setup_value(const struct cprof_profile *profile, const char *word);

/* Adds the texts of a run that is about to begin, in memory of their own. */
void setup_texts(const struct program *program, struct string_list *texts);

/* "a,b" of options for features, for the caller to free; NULL: there are none. */
char *setup_features(const struct build_request *request);

#endif
