/*
 * show_own.h - the user's own code, which is shown before the table of all functions.
 */
#ifndef VIEWS_SHOW_OWN_H
#define VIEWS_SHOW_OWN_H

#include "options/column_selection.h"
#include "options/show_options.h"
#include "render/text/function_table.h"
#include "table/own.h"
#include "views/show.h"

#include <stdio.h>

/* Zero-initialised is nothing to show. */
struct show_own {
    bool shown; /* the program has own code */
    struct own own;
    const struct column *measure;
};

/* True where the settings ask for own code in a table or JSON. */
bool show_own_is_wanted(const struct show_settings *settings);
/* Where the settings ask for own code alone and there is none, notes what is shown in its place. */
void show_own_note_none(const struct show_settings *settings, bool any);
/* Finds it. `crates` and `selection` must outlive it. */
void show_own_load(struct show_own *own_view, const struct cprof_profile *profile,
                   const struct crates *crates, const struct show_settings *settings,
                   const struct column_selection *selection);
void show_own_free(struct show_own *own_view);

/* Writes what was run, and the table; `columns` are all of the profile's. */
void show_own_write(const struct show_own *own_view, const struct show_context *context,
                    const struct columns *columns, const struct text_screen *screen,
                    const struct function_table *table, FILE *out);
/* Writes the command that looks further, where there is one; `columns` are all of the profile's. */
void show_own_next(const struct show_own *own_view, const struct show_context *context,
                   const struct columns *columns, const struct text_screen *screen, FILE *out);
/* Writes the table as Markdown, below another. */
void show_own_markdown(const struct show_own *own_view, const char *root, FILE *out);

/*--- Own code line by line: the table of --blame ---*/

/* Replaces the columns that are shown: what a line is charged with, what of that is foreign,
 * function, line, and the foreign functions that cost most. */
void blame_columns(struct column_selection *selection, uint32_t n_events);

/* Sets the notes of all rows, "31.0 % memcpy, 4.8 % exp": names and shares of the program. They are
 * the rows' own. */
void blame_notes(const struct blame *blame, struct rows *rows, const struct column *measure);

#endif
