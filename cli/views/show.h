/*
 * show.h - the one way from a resolved profile to what is printed.
 */
#ifndef VIEWS_SHOW_H
#define VIEWS_SHOW_H

#include "cprof.h"
#include "names/packages.h"
#include "options/show_options.h"
#include "table/table.h"

#include <time.h>

/*
 * Checks what can be checked before there is a profile (regular expressions, contradictions, a sort
 * key or column that no event has, a file that cannot be written), so that a long run does not end
 * in an error. Returns 0, STATUS_USAGE or STATUS_ERROR, having said what is wrong.
 */
int show_check(const struct show_settings *settings);
/* show_check() where --json has no value: the document has no call paths. */
int show_check_plain(const struct show_settings *settings);

/* The facts that a table states besides its rows. */
struct show_context {
    enum show_view view;
    const char *program; /* name for the heading; NULL: the profile's own */
    const char *title;   /* what of the program it is, where processes and the like are apart */
    const char *root;    /* folder that locations are shown relative to; NULL: the current one */
    const enum name_quality *qualities; /* per object, or NULL */
    const struct packages *packages;    /* that the program was built from; NULL: not known */
    bool quiet;                         /* warnings and notes were given before */
    const char *command;                /* that ran it, with options; NULL: not known */
    time_t when;                        /* the profile was written; 0: just now, or not known */
    const char *file;                   /* the profile that the user named; NULL: the last run's */
    size_t files;                       /* that were added up; 0: a run has just ended */
    const struct table *time;           /* tables that a page begins with (html_output.h); NULL */
};

/* Writes the profile as the settings say (table or JSON) into what output_begin() gave. Returns an
 * exit status. */
int show_write(const struct cprof_profile *profile, const struct show_settings *settings,
               const struct show_context *context, FILE *out);

#endif
