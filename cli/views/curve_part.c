#include <config.h>

#include "views/curve_part.h"

#include "render/text/curve_table.h"
#include "views/screen.h"

enum { FUNCTIONS = 10, FUNCTIONS_BESIDE = 5 };

void curve_part_write(const struct memory_tables *m, const struct show_screen *screen, FILE *out)
{
    struct text_screen grid;
    struct curves curves;
    struct curve_view view = {.curves = &curves,
                              .all_sizes = m->settings->limit == 0,
                              .brief = memory_tables_are_brief(m),
                              .limit =
                                  memory_tables_limit(m, SHOW_CURVES, FUNCTIONS, FUNCTIONS_BESIDE),
                              .root = m->root};

    curves_load(&curves, m->callers);
    if (m->filter)
        curves_filter(&curves, m->filter);
    curve_view_write(&view, show_text_with_links(&grid, screen, m->links), out);
    curves_free(&curves);
}
