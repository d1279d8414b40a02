#include <config.h>

#include "report/curve_part.h"

#include "render/text/curve_table.h"
#include "table/heap.h"

#include <stdlib.h>

enum { FUNCTIONS = 10, FUNCTIONS_BESIDE = 5 };

static struct curve_view load(struct curves *curves, const struct cprof_profile *p, const bool *own,
                              const struct show_settings *settings, const char *root)
{
    bool *callers = heap_callers(p, own);
    struct curve_view view = {.curves = curves,
                              .all_sizes = settings->limit == 0,
                              .brief = settings->limit == SHOW_LIMIT_DEFAULT,
                              .root = root};

    curves_load(curves, p, callers);
    view.limit = settings->limit != SHOW_LIMIT_DEFAULT ? (size_t)settings->limit
                 : settings->parts == SHOW_CURVES      ? FUNCTIONS
                                                       : FUNCTIONS_BESIDE;
    free(callers);
    return view;
}

void curve_part_write(const struct cprof_profile *p, const bool *own,
                      const struct show_settings *settings, const struct table *t,
                      const struct show_screen *screen, FILE *out)
{
    struct grid_screen grid = show_grid(screen);
    struct curves curves;
    struct curve_view view = load(&curves, p, own, settings, t->root);

    grid.links = t->links;
    curve_view_write(&view, &grid, out);
    curves_free(&curves);
}

void curve_part_markdown(const struct cprof_profile *p, const bool *own,
                         const struct show_settings *settings, const char *root, FILE *out)
{
    struct curves curves;
    struct curve_view view = load(&curves, p, own, settings, root);

    curve_view_markdown(&view, out);
    curves_free(&curves);
}
