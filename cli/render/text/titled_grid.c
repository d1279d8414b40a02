#include <config.h>

#include "render/text/titled_grid.h"

#include "render/text/markdown.h"
#include "render/text/style.h"

void titled_grid_write(const char *heading, const char *totals, const struct grid *grid,
                       const struct grid_screen *screen, FILE *out)
{
    style_line(out, screen->color, STYLE_BOLD, heading, screen->width);
    style_line(out, screen->color, STYLE_DIM, totals, screen->width);
    if (!grid->n_cells)
        return;
    fputc('\n', out);
    grid_write(grid, screen, out);
}

void titled_grid_markdown(const char *heading, const char *totals, const struct grid *grid,
                          FILE *out)
{
    markdown_put_text(out, heading);
    fputs(":\n", out);
    markdown_put_text(out, totals);
    fputs(".\n\n", out);
    grid_write_markdown(grid, out);
}
