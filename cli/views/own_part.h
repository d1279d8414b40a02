/*
 * own_part.h - the user's own code, which is shown before the table of all functions.
 */
#ifndef VIEWS_OWN_PART_H
#define VIEWS_OWN_PART_H

#include "options/column_selection.h"
#include "options/show_options.h"
#include "render/text/function_table.h"
#include "table/own.h"
#include "views/screen.h"
#include "views/show.h"

#include <stdio.h>

/* Zero-initialised is nothing to show. */
struct own_part {
    bool shown; /* the program has own code */
    struct own own;
    struct cprof_profile view; /* what `own` is of: the profile, with what was inlined */
    const struct column *measure;
};

/* True where the settings ask for own code in a table or JSON. */
bool own_part_is_wanted(const struct show_settings *settings);
/* Where the settings ask for own code alone and there is none, notes what is shown in its place. */
void own_part_note_none(const struct show_settings *settings, bool any);
/* Finds it. `crates` and `selection` must outlive it. */
void own_part_load(struct own_part *part, const struct cprof_profile *profile,
                   const struct crates *crates, const struct show_settings *settings,
                   const struct column_selection *selection);
void own_part_free(struct own_part *part);

/* Writes what was run, and the table; `columns` are all of the profile's. */
void own_part_write(const struct own_part *part, const struct show_context *context,
                    const struct columns *columns, const struct show_screen *screen,
                    const struct function_table *table, FILE *out);
/* Writes the command that looks further, where there is one; `columns` are all of the profile's. */
void own_part_next(const struct own_part *part, const struct show_context *context,
                   const struct columns *columns, const struct show_screen *screen, FILE *out);
/* Writes the table as Markdown, below another. */
void own_part_markdown(const struct own_part *part, const char *root, FILE *out);

#endif
