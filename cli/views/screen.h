/*
 * screen.h - the screen, or the file, that a profile is shown on.
 */
#ifndef VIEWS_SCREEN_H
#define VIEWS_SCREEN_H

#include "options/show_options.h"
#include "render/text/table_text.h"

struct show_screen {
    unsigned width;
    bool fixed; /* `width` is a real limit */
    bool color, utf8;
    bool links; /* places may be links */
};

/* `to_file`: the stream is no terminal, whatever standard output is. */
struct show_screen show_screen(const struct show_settings *settings, bool to_file);
/* The screen for tables: their counts are rounded only where the width is a real limit. */
struct text_screen show_text(const struct show_screen *screen);
/* The screen for tables in `room`, with links, which may be NULL; NULL, which means Markdown,
 * without a screen.
 */
const struct text_screen *show_text_with_links(struct text_screen *room,
                                               const struct show_screen *screen,
                                               struct links *links);
/* Writes a table, as Markdown where `screen` is NULL, and frees it. */
void show_table(struct table *filled, const struct show_screen *screen, struct links *links,
                FILE *out);
/* Loads `links` where the screen may have them, else returns NULL. links_free() frees them. */
struct links *show_links(struct links *links, const struct show_screen *screen,
                         const struct cprof_profile *profile);

#endif
