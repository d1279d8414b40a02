#include <config.h>

#include "report/other_views.h"

#include "base/memory.h"
#include "render/text/style.h"
#include "table/heap.h"

#include <stdlib.h>
#include <string.h>

static bool has_data(const struct cprof_profile *p)
{
    return p->has_data;
}

static bool has_curves(const struct cprof_profile *p)
{
    return p->n_curve_sizes > 0;
}

static void write_command(const struct show_screen *screen, char *line, FILE *out)
{
    style_line(out, screen->color, STYLE_BOLD, line, 0);
    free(line);
}

static void write_next(const struct next_views *next, const struct show_screen *screen, FILE *out)
{
    if (next->sort) {
        fputc('\n', out);
        write_command(
            screen,
            xasprintf("next: cargo cprof annotate --sort %s   lines of the source", next->sort),
            out);
        write_command(screen,
                      xasprintf("      cargo cprof tree --sort %s       call paths", next->sort),
                      out);
    }
    /* A name with type arguments would need quotes. */
    if (next->type && !next->type[strcspn(next->type, "<>()&*|; '\"")])
        write_command(screen,
                      xasprintf("      cargo cprof report --layout %s   its members", next->type),
                      out);
}

void other_views_write(const struct cprof_profile *p, enum show_parts part,
                       const struct next_views *next, const struct show_screen *screen, FILE *out)
{
    static const struct {
        enum show_parts part;
        bool (*is_known)(const struct cprof_profile *profile);
        const char *text;
    } views[] = {
        {SHOW_HEAP, heap_is_counted, "      cargo cprof report --view heap     who allocates"},
        {SHOW_DATA, has_data, "      cargo cprof report --view data     which data misses"},
        {SHOW_CURVES, has_curves,
         "      cargo cprof report --view curves   misses by the size of LL"}};

    write_next(next, screen, out);
    for (size_t i = 0; i < sizeof views / sizeof *views && part >= SHOW_HEAP; i++)
        if (part != views[i].part && views[i].is_known(p))
            style_line(out, screen->color, STYLE_BOLD, views[i].text, 0);
    if (next->line_use)
        style_line(out, screen->color, STYLE_BOLD,
                   "      cargo cprof data --line-use        how much of these lines is used", 0);
}
