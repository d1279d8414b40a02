/*
 * screen.h - the screen, or the file, that a profile is shown on.
 */
#ifndef VIEWS_SCREEN_H
#define VIEWS_SCREEN_H

#include "options/show_options.h"
#include "render/text/table_text.h"

/* With --output the stream is no terminal, whatever standard output is. */
struct text_screen show_screen(const struct show_settings *settings);
/* Gives the screen links, loaded into `links`, where it may have them. links_free() frees these. */
void show_links(struct links *links, struct text_screen *screen,
                const struct cprof_profile *profile);

#endif
