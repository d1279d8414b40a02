#include <config.h>

#include "views/screen.h"

#include "base/output.h"
#include "base/terminal.h"
#include "options/show_options.h"
#include "profiles/sources.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH_TERMINAL = 80 /* of a terminal that does not say */ };

struct show_screen show_screen(const struct show_settings *settings, bool to_file)
{
    /* A file is as wide as COLUMNS says, not as the terminal that we were called from, and wider
     * where its counts are. Without either, rows are as wide as they are. */
    unsigned known = terminal_width(to_file ? -1 : STDOUT_FILENO);
    bool terminal = !to_file && terminal_is(STDOUT_FILENO);
    struct show_screen screen = {
        .fixed = !to_file && (known > 0 || terminal), .width = UINT_MAX, .utf8 = text_is_utf8()};

    if (known || terminal)
        screen.width = known ? known : WIDTH_TERMINAL;
    screen.color = settings->color == COLOR_ALWAYS ||
                   (settings->color == COLOR_AUTO && terminal && terminal_color(STDOUT_FILENO));
    screen.links = screen.color && terminal && terminal_links(STDOUT_FILENO) && pager_shows_links();
    return screen;
}

struct text_screen show_text(const struct show_screen *screen)
{
    return (struct text_screen){.width = screen->fixed ? screen->width : UINT_MAX,
                                .color = screen->color,
                                .utf8 = screen->utf8};
}

const struct text_screen *show_text_with_links(struct text_screen *room,
                                               const struct show_screen *screen,
                                               struct links *links)
{
    if (!screen)
        return NULL;
    *room = show_text(screen);
    room->links = links;
    return room;
}

void show_table(struct table *filled, const struct show_screen *screen, struct links *links,
                FILE *out)
{
    struct text_screen room;

    table_write(filled, show_text_with_links(&room, screen, links), out);
    table_free(filled);
}

struct links *show_links(struct links *links, const struct show_screen *screen,
                         const struct cprof_profile *profile)
{
    char *root;

    *links = (struct links){.host = NULL};
    if (!screen->links)
        return NULL;
    root = source_root();
    links_load(links, root, profile->program);
    free(root);
    return links;
}
