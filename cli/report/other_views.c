#include <config.h>

#include "report/other_views.h"

#include "render/text/style.h"
#include "table/heap.h"

static bool has_data(const struct cprof_profile *p)
{
    return p->has_data;
}

static bool has_curves(const struct cprof_profile *p)
{
    return p->n_curve_sizes > 0;
}

void other_views_write(const struct cprof_profile *p, enum show_parts part,
                       const struct show_screen *screen, FILE *out)
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

    for (size_t i = 0; i < sizeof views / sizeof *views && part >= SHOW_HEAP; i++)
        if (part != views[i].part && views[i].is_known(p))
            style_line(out, screen->color, STYLE_BOLD, views[i].text, 0);
}
