#include <config.h>

#include "render/text/figure_cell.h"

#include "base/memory.h"
#include "table/curves.h"

#include <stdlib.h>

char *figure_text(const struct figure *f, bool rounded)
{
    char text[TEXT_NUMBER];

    if (f->kind == FIGURE_SIZE)
        return f->value ? curve_size_text((uint64_t)f->value) : xstrdup("-");
    if (f->kind == FIGURE_PERCENT)
        return xstrdup(text_percent(text, f->value, f->whole, f->decimals));
    return xstrdup(rounded ? text_count_short(text, f->value) : text_count(text, f->value));
}

void figure_cells(struct grid *grid, const struct figure *figures, size_t n, enum grid_style style)
{
    for (size_t i = 0; i < n; i++) {
        char *text;

        if (figures[i].kind == FIGURE_COUNT) {
            grid_count(grid, figures[i].value, style);
            continue;
        }
        text = figure_text(&figures[i], false);
        grid_cell(grid, text, style);
        free(text);
    }
}
