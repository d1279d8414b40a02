/*
 * show_time.h - exact counts beside samples of two profiles: own code, and all functions.
 */
#ifndef VIEWS_SHOW_TIME_H
#define VIEWS_SHOW_TIME_H

#include "diff/time_rows.h"
#include "options/show_options.h"
#include "profiles/compared.h"

#include <stdio.h>

struct time_settings {
    struct show_settings show;
    int by;           /* enum time_by */
    const char *html; /* a page to write, too; NULL: none */
    bool tui;         /* the browser instead of tables */
};

enum time_by { TIME_BY_FUNCTION, TIME_BY_LINE };

/* Zero-initialised is nothing. */
struct show_time {
    struct time_table own, functions;
    bool has_own; /* there is own code, and it is asked for */
    bool has_functions;
    const char *names[DIFF_SIDES]; /* as the user calls the profiles; NULL: not known */
};

/* Makes the tables that the settings ask for. The inputs, with names by which they are found again,
 * must outlive them. Returns 0, or a status having said what is wrong; show_time_free() in either
 * case. */
int show_time_load(struct show_time *shown, const struct diff_input inputs[DIFF_SIDES],
                   const char *const names[DIFF_SIDES], const struct time_settings *settings);
void show_time_free(struct show_time *shown);

/* Writes a page with the tables and all that the page of the sampled profile has, to the settings'
 * file, whole or not at all, and says so. Returns an exit status. */
int show_time_page(const struct show_time *shown, const struct diff_input *sampled,
                   const struct time_settings *settings);
/* Browses them. Returns an exit status. */
int show_time_browse(const struct diff_input inputs[DIFF_SIDES],
                     const struct time_settings *settings);
/* Writes them as the settings say: as text, as Markdown or as JSON. Returns an exit status. */
int show_time_write(const struct show_time *shown, const struct time_settings *settings, FILE *out);

#endif
