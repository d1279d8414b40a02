#include <config.h>

/* Miss curves. */
#include "render/html/html.h"
#include "render/text/curve_table.h"
#include "views/view_form.h"

enum { FUNCTIONS = 10, FUNCTIONS_BESIDE = 5 };

static void write(const struct view_input *input, struct next_views *next,
                  const struct show_screen *screen, FILE *out)
{
    struct text_screen grid;
    struct curves curves;
    struct curve_view view = {.curves = &curves,
                              .all_sizes = input->settings->limit == 0,
                              .brief = view_is_brief(input),
                              .limit = view_limit(input, VIEW_CURVES, FUNCTIONS, FUNCTIONS_BESIDE),
                              .root = input->root};

    (void)next;
    curves_load(&curves, input->callers);
    if (input->filter)
        curves_filter(&curves, input->filter);
    curve_view_write(&view, show_text_with_links(&grid, screen, input->links), out);
    curves_free(&curves);
}

static void page(const struct view_input *input, const struct function_table *functions, FILE *out)
{
    struct curves curves;

    (void)functions;
    curves_load(&curves, input->callers);
    html_curves(&curves, out);
    curves_free(&curves);
}

const struct view_form curves_form = {.write = write, .page = page};
