/*
 * run_show.h - what becomes of a run's profiles: kept, put together or apart, given names, shown.
 */
#ifndef CMD_RUN_SHOW_H
#define CMD_RUN_SHOW_H

#include "cmd/show.h"
#include "run/program.h"
#include "run/tempdir.h"
#include "run/valgrind.h"

struct run_settings {
    struct build_request build;
    struct measure measure;
    bool keep;                      /* a standard file in the current folder */
    bool processes, parts, threads; /* each is shown apart */
    bool tui;                       /* browse instead of a table */
    struct show_settings show;
    enum show_view view;
    const char *command; /* the command's name */
};

/* Shows the run's profile as the settings say, and removes `dir`. Returns the exit status. */
int run_show(const struct run_settings *settings, const struct program *program,
             const struct run_outcome *outcome, struct tempdir *dir);

#endif
