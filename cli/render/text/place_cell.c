#include <config.h>

#include "render/text/place_cell.h"

#include "names/location.h"

#include <stdlib.h>

void place_cell(struct grid *grid, const struct cprof_profile *p, const struct code_spot *spot,
                const char *root, enum grid_style style)
{
    const char *path = spot->file == CPROF_NONE ? NULL : p->files[spot->file];
    uint32_t object =
        spot->function == CPROF_NONE ? CPROF_NONE : p->functions[spot->function].object;
    char *text = location_text(path, spot->line,
                               object == CPROF_NONE ? NULL : p->objects[object].path, root);

    grid_place(grid, text, path, style);
    free(text);
}
