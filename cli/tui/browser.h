/*
 * browser.h - looking at a profile on the terminal: the loop of drawing and keys.
 */
#ifndef TUI_BROWSER_H
#define TUI_BROWSER_H

#include "cprof.h"

#include <stdbool.h>

struct noise;
struct packages;
struct source_finder;

struct browser_input {
    const struct cprof_profile *profile;
    const struct cprof_profile *old;     /* what it is compared with; NULL: nothing */
    const struct noise *noise[2];        /* what counts of `old` and `profile` vary by, or NULL */
    const char *root;                    /* folder that locations are relative to */
    const struct source_finder *sources; /* where they are looked for: its `root` and `maps` */
    const struct packages *packages;     /* that the program was built from; NULL: not known */
    const char *name;                    /* of the program */
    bool inlines;                        /* inlined functions are apart in `profile` */
    /* The same profile with or without inlined functions, for as long as browser_run() lasts; NULL
     * where it cannot be had. NULL: there is only one. */
    const struct cprof_profile *(*reload)(void *data, bool inlines);
    void *reload_data;
};

/* Why browser_run() came back. */
enum browser_end { BROWSER_QUIT, BROWSER_NO_TERMINAL, BROWSER_SIGNAL };

/* Whether there is a terminal to browse on. */
bool browser_is_possible(void);

/* Browses until the user quits. With BROWSER_SIGNAL, `*signal` ended it: the terminal is as it was,
 * and the caller ends the program by it. */
enum browser_end browser_run(const struct browser_input *browse, int *signal);

#endif
