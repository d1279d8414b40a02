/*
 * flame_output.h - a flame graph of one profile, or of what changed from another one.
 */
#ifndef VIEWS_FLAME_OUTPUT_H
#define VIEWS_FLAME_OUTPUT_H

#include "names/crates.h"

#include <stdio.h>

/* The help of --full-paths, behind "draw". */
#define FLAME_FULL_PATHS_HELP \
    "all that starts the program and the threads, and each inlined function"

struct flame_settings {
    const char *measure; /* a column that is a count; NULL: the first event */
    const char *output;  /* the file to write; NULL: standard output */
    bool inverted;
    bool full_paths, threads; /* without start-up folded (startup.h); with each thread apart */
    const char *threshold;    /* percent; NULL: the usual one */
    long width;               /* pixels; 0: the usual width */
    bool in_page;             /* as a part of an HTML page */
};

/* The profile, or the two, that a graph is drawn of. */
struct flame_subject {
    const struct cprof_profile *profile;
    const struct cprof_profile *old; /* what it is compared with; NULL: nothing */
    const struct crates *crates;     /* of `profile`: the colours; NULL where it is compared */
    const char *title;               /* the program's name; NULL: the profile's own */
};

/* True where there are call paths with costs of `measure` (a name of a column), none below 0, so
 * that flame_write() has something to draw. */
bool flame_is_known(const struct cprof_profile *profile, const char *measure);

/* Checks what can be checked before there is a profile. Returns 0 or STATUS_USAGE. */
int flame_check(const struct flame_settings *settings);
/* Writes the picture. Returns an exit status, having said what is wrong. */
int flame_write(const struct flame_subject *subject, const struct flame_settings *settings,
                FILE *out);
/* flame_write() to the settings' output, whole or not at all. */
int flame_write_file(const struct flame_subject *subject, const struct flame_settings *settings);

#endif
