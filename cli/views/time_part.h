/*
 * time_part.h - exact counts beside samples of two profiles: own code, and all functions.
 */
#ifndef VIEWS_TIME_PART_H
#define VIEWS_TIME_PART_H

#include "diff/time_load.h"
#include "options/filters.h"
#include "options/show_options.h"
#include "profiles/diff_input.h"

#include <stdio.h>

struct time_settings {
    struct show_settings show;
    int by;           /* enum time_by */
    const char *html; /* a page to write, too; NULL: none */
    bool tui;         /* the browser instead of tables */
};

enum time_by { TIME_BY_FUNCTION, TIME_BY_LINE };

/* Zero-initialised is nothing. */
struct time_part {
    struct time_table own, functions;
    bool has_own; /* there is own code, and it is asked for */
    bool has_functions;
    const char *names[DIFF_SIDES]; /* as the user calls the profiles; NULL: not known */
};

/* Makes the tables that the settings ask for. The inputs, with names by which they are found again,
 * must outlive them. Returns 0, or a status having said what is wrong; time_part_free() in either
 * case. */
int time_part_load(struct time_part *part, const struct diff_input inputs[DIFF_SIDES],
                   const char *const names[DIFF_SIDES], const struct time_settings *settings);
void time_part_free(struct time_part *part);

/* Writes a page with the tables and all that the page of the sampled profile has, to the settings'
 * file, whole or not at all, and says so. Returns an exit status. */
int time_part_page(const struct time_part *part, const struct diff_input *sampled,
                   const struct time_settings *settings);
/* Browses them. Returns an exit status. */
int time_part_browse(const struct diff_input inputs[DIFF_SIDES],
                     const struct time_settings *settings);
/* Writes them as the settings say: as text, as Markdown or as JSON. Returns an exit status. */
int time_part_write(const struct time_part *part, const struct time_settings *settings, FILE *out);

#endif
