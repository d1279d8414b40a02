#include <config.h>

#include "render/text/titled_grid.h"

#include "render/text/markdown.h"
#include "render/text/style.h"

#include <stdlib.h>

static void write_text(const struct titled_grid *t, const struct grid_screen *screen, FILE *out)
{
    style_line(out, screen->color, STYLE_BOLD, t->heading, screen->width);
    if (t->totals)
        style_line(out, screen->color, STYLE_DIM, t->totals, screen->width);
    for (size_t i = 0; i < TITLED_FINDINGS; i++)
        if (t->findings[i])
            style_line(out, false, STYLE_BOLD, t->findings[i], screen->width);
    if (!t->grid.n_cells)
        return;
    fputc('\n', out);
    grid_write(&t->grid, screen, out);
}

static void write_markdown(const struct titled_grid *t, FILE *out)
{
    markdown_put_text(out, t->heading);
    fputs(":\n", out);
    if (t->totals) {
        markdown_put_text(out, t->totals);
        fputs(".\n", out);
    }
    for (size_t i = 0; i < TITLED_FINDINGS; i++)
        if (t->findings[i]) {
            markdown_put_text(out, t->findings[i]);
            fputs(".\n", out);
        }
    fputc('\n', out);
    grid_write_markdown(&t->grid, out);
}

void titled_grid_write(const struct titled_grid *t, const struct grid_screen *screen, FILE *out)
{
    if (screen)
        write_text(t, screen, out);
    else
        write_markdown(t, out);
}

void titled_grid_free(struct titled_grid *t)
{
    free(t->heading);
    free(t->totals);
    for (size_t i = 0; i < TITLED_FINDINGS; i++)
        free(t->findings[i]);
    grid_free(&t->grid);
}
