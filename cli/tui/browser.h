/*
 * browser.h - the browser of a profile on the terminal: the loop of drawing and keys.
 */
#ifndef TUI_BROWSER_H
#define TUI_BROWSER_H

#include "cprof.h"
#include "table/view_kinds.h"

#include <stdbool.h>

struct browsed;
struct noise;
struct packages;
struct source_finder;
struct table;

struct browser_input {
    const struct cprof_profile *profile;
    const struct cprof_profile *old;     /* it is compared with this one; NULL: it is not */
    const struct noise *noise[2];        /* the noise of `old` and of `profile`, or NULL */
    int name_style;                      /* enum name_style, of `profile` */
    const char *root;                    /* locations are relative to this folder */
    const struct source_finder *sources; /* its `root` and `maps` say where sources are */
    const struct packages *packages;     /* packages of the program; NULL: not known */
    const char *name;                    /* the program's */
    const char *measure;                 /* the column that is shown first; NULL: the first event */
    bool inlines;                        /* inlined functions are apart in `profile` */
    bool threads;                        /* threads that run the same code are apart in the tree */
    bool full_paths;                     /* the tree begins with paths in full */
    /* Loads the same profile with or without inlined functions, for as long as browser_run() lasts;
     * NULL where it cannot. NULL: there is only one. */
    const struct cprof_profile *(*reload)(void *data, bool inlines);
    void *reload_data;
    /* Fills the table of a view with all of its rows, for the caller to free. */
    void (*fill)(enum view_id view, struct browsed *browsed, struct table *table);
};

/* The reason why browser_run() came back. */
enum browser_end { BROWSER_QUIT, BROWSER_NO_TERMINAL, BROWSER_SIGNAL };

/* NULL where there is a terminal to browse on, or why not, for the caller to free. */
char *browser_problem(void);

/* Browses until the user quits. With BROWSER_SIGNAL, `*signal` ended it: the terminal is as it was,
 * and the caller ends the program by it. */
enum browser_end browser_run(const struct browser_input *browse, int *signal);

#endif
