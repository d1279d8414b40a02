/*
 * setup.h - the setup: what a run is made with, besides its arguments, as its profile keeps it.
 *
 * Some facts are of the job: how the program was built, and its standard input. Runs that differ
 * there are two jobs. The others are of the environment: machine, compiler, libraries, options and
 * variables; they may change the counts of one job.
 */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "cprof.h"
#include "run/measure.h"
#include "run/program.h"

/* The words that its texts begin with. */
#define SETUP_PROFILE   "profile"   /* of cargo */
#define SETUP_FEATURES  "features"  /* "a,b": what options for features say */
#define SETUP_INPUT     "input"     /* bytes, and a digest of these */
#define SETUP_ENGINE    "engine"    /* that executed the program: "copies", or "VEX: " and why */
#define SETUP_MACHINE   "machine"   /* that the program saw: "fixed" or "host", and its class */
#define SETUP_KERNEL    "kernel"    /* its release */
#define SETUP_COMPILER  "compiler"  /* all that made the program's file, as it says itself */
#define SETUP_CFLAGS    "cflags"    /* that may change code, of compilers of C: compiler_flags.h */
#define SETUP_FLAGS     "flags"     /* that cargo gives rustc; "none" */
#define SETUP_SETTINGS  "settings"  /* of the build profile; "none" */
#define SETUP_LOCK      "lock"      /* a digest of Cargo.lock */
#define SETUP_OPTIONS   "options"   /* that may change counts; "none" */
#define SETUP_VARIABLES "variables" /* "NUMBER BYTES DIGEST" of the program's variables */

/* The value of a fact that a profile has; NULL: it does not have it. */
const char *setup_value(const struct cprof_profile *profile, const char *word);

/* Why Valgrind translated the program's code, which takes longer than copies; NULL: copies ran, or
 * it is not known what did. */
const char *setup_vex_reason(const struct cprof_profile *profile);

/* Adds the texts of a run that is about to begin, in memory of their own. */
void setup_texts(const struct program *program, struct string_list *texts);

/* Adds those of a run of the tool. `environment` and `only` are as in struct process_spec; NULL:
 * not all variables are known. */
void setup_run_texts(const struct measure *measure, const struct string_list *environment,
                     bool only, struct string_list *texts);

/* "a,b" of options for features, for the caller to free; NULL: there are none. */
char *setup_features(const struct build_request *request);

#endif
