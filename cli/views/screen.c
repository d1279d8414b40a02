#include <config.h>

#include "views/screen.h"

#include "base/output.h"
#include "base/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH_TERMINAL = 80 /* of a terminal that does not say */ };

struct text_screen show_screen(const struct show_settings *settings)
{
    /* A file is as wide as COLUMNS says, not as the terminal that we were called from, and wider
     * where its counts are. Without either, rows are as wide as they are. */
    bool to_file = settings->output != NULL;
    unsigned known = terminal_width(to_file ? -1 : STDOUT_FILENO);
    bool terminal = !to_file && terminal_is(STDOUT_FILENO);
    struct text_screen screen = {.fixed = !to_file && (known > 0 || terminal), .width = UINT_MAX};

    if (known || terminal)
        screen.width = known ? known : WIDTH_TERMINAL;
    screen.color = settings->color == COLOR_ALWAYS ||
                   (settings->color == COLOR_AUTO && terminal && terminal_color(STDOUT_FILENO));
    screen.may_link =
        screen.color && terminal && terminal_links(STDOUT_FILENO) && pager_shows_links();
    return screen;
}

void show_links(struct links *links, struct text_screen *screen,
                const struct cprof_profile *profile)
{
    char *root;

    *links = (struct links){.host = NULL};
    if (!screen->may_link)
        return;
    root = source_root();
    links_load(links, root, profile->program);
    screen->links = links;
    free(root);
}
