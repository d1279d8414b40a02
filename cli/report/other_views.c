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

/* Commands that are written, a line each. */
struct commands {
    const struct show_screen *screen;
    FILE *out;
    bool begun;
};

/* `text` is a command behind "cargo cprof", and what it shows. */
static void put(struct commands *c, const char *text)
{
    char *line = xasprintf("%s cargo cprof %s", c->begun ? "     " : "next:", text);

    if (!c->begun)
        fputc('\n', c->out);
    c->begun = true;
    style_line(c->out, c->screen->color, STYLE_BOLD, line, 0);
    free(line);
}

static void put_made(struct commands *c, char *text)
{
    put(c, text);
    free(text);
}

void other_views_write(const struct cprof_profile *p, enum show_parts part,
                       const struct next_views *next, const struct show_screen *screen, FILE *out)
{
    static const struct {
        enum show_parts part;
        bool (*is_known)(const struct cprof_profile *profile);
        const char *text;
    } views[] = {{SHOW_HEAP, heap_is_counted, "report --view heap     who allocates"},
                 {SHOW_DATA, has_data, "report --view data     which data misses"},
                 {SHOW_CURVES, has_curves, "report --view curves   misses by the size of LL"}};
    struct commands c = {.screen = screen, .out = out};

    if (next->sort) {
        put_made(&c, xasprintf("annotate --sort %s   lines of the source", next->sort));
        put_made(&c, xasprintf("tree --sort %s       call paths", next->sort));
    }
    /* A name with type arguments would need quotes. */
    if (next->type && !next->type[strcspn(next->type, "<>()&*|; '\"")])
        put_made(&c, xasprintf("report --layout %s   its members", next->type));
    for (size_t i = 0; i < sizeof views / sizeof *views && part >= SHOW_HEAP; i++)
        if (part != views[i].part && views[i].is_known(p))
            put(&c, views[i].text);
    if (next->line_use)
        put(&c, "data --line-use        how much of these lines is used");
}
