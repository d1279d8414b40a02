/*
 * browse_profile.h - the browser, on a profile with names.
 */
#ifndef VIEWS_BROWSE_PROFILE_H
#define VIEWS_BROWSE_PROFILE_H

#include "base/options.h"
#include "cprof.h"
#include "resolve/resolve.h"

struct noise;
struct packages;

struct browse_settings {
    const char *path; /* of the file that the profile was read from; NULL: there is none now */
    const char *root; /* folder that locations are relative to; NULL: the current one */
    const struct cprof_profile *old; /* what it is compared with; NULL: nothing */
    const struct noise
        *noise[2]; /* what counts of `old` and of the profile vary by; NULL: nothing */
    const struct string_list *maps;  /* see source/source_file.h; NULL: none */
    const struct packages *packages; /* that the program was built from; NULL: not known */
    struct resolve_settings names;   /* that the profile was named by */
    const char *sort;                /* the column that is shown first; NULL: the first event */
    bool threads, full_paths;        /* of the tree: as browser.h has them */
};

/* Checks that there is a terminal to browse on. Returns 0, or a status after having said what is
 * wrong, for an option that another form of output stands for. */
int browse_check(void);
/* Browses a profile with names until the user quits. Returns an exit status, having said where
 * there is no terminal. */
int browse_profile(const struct cprof_profile *profile, const struct browse_settings *settings);

#endif
