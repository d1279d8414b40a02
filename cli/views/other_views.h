/*
 * other_views.h - commands that look further, where one table of memory of the last run stands
 * alone.
 */
#ifndef VIEWS_OTHER_VIEWS_H
#define VIEWS_OTHER_VIEWS_H

#include "options/show_options.h"
#include "views/screen.h"

/* The commands that a table of memory leads to. */
struct next_views {
    const char *sort; /* the column that lines of the source and call paths are to be sorted by;
                         NULL: there are none to look at */
    bool line_use;    /* how much of the lines is used would say more, and was not counted */
    char *type;       /* the type whose members are worth a look; NULL: none */
};

/* Writes the commands; `part` is the table that was shown. */
void other_views_write(const struct cprof_profile *profile, enum show_parts part,
                       const struct next_views *next, const struct show_screen *screen, FILE *out);

#endif
