#include <config.h>

#include "../tap.h"
#include "render/text/grid.h"

#include <stdlib.h>

/* The text that the grid prints in so many columns. The caller frees it. */
static char *printed(const struct grid *grid, unsigned width)
{
    struct grid_screen screen = {.width = width};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    grid_write(grid, &screen, out);
    fclose(out);
    return text;
}

static void prints(const struct grid *grid, unsigned width, const char *want, const char *what)
{
    char *got = printed(grid, width);

    is_text(got, want, what);
    free(got);
}

int main(void)
{
    static const struct grid_column columns[] = {
        {"n", GRID_NUMBER, 0}, {"Function", GRID_NAME, 0}, {"Costliest line", GRID_PLACE, 1}};
    struct grid grid;

    grid_init(&grid, columns, 3);
    grid_count(&grid, 12, GRID_PLAIN);
    grid_cell(&grid, "Particle::Particle(Particle const&)", GRID_PLAIN);
    grid_place(&grid, "cells.cc:6", NULL, GRID_PLAIN);
    prints(&grid, 60,
           " n  Function                             Costliest line\n"
           "12  Particle::Particle(Particle const&)  cells.cc:6\n",
           "all fits");
    prints(&grid, 50,
           " n  Function            Costliest line\n"
           "12  Particle::Particle  cells.cc:6\n",
           "what a name loses, the heading of a place gets");
    grid_free(&grid);
    return tap_done();
}
