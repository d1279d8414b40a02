#include <config.h>

#include "render/text/place_cell.h"

#include "names/location.h"

#include <stdlib.h>

static const char *path_of(const struct cprof_profile *p, const struct code_spot *spot)
{
    return spot->file == CPROF_NONE ? NULL : p->files[spot->file];
}

char *place_cell_text(const struct cprof_profile *p, const struct code_spot *spot, const char *root)
{
    uint32_t object =
        spot->function == CPROF_NONE ? CPROF_NONE : p->functions[spot->function].object;

    return location_text(path_of(p, spot), spot->line,
                         object == CPROF_NONE ? NULL : p->objects[object].path, root);
}

void place_cell(struct grid *grid, const struct cprof_profile *p, const struct code_spot *spot,
                const char *root, enum grid_style style)
{
    char *text = place_cell_text(p, spot, root);

    grid_place(grid, text, path_of(p, spot), style);
    free(text);
}
