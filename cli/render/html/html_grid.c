#include <config.h>

/* Tables of texts (titled_grid.h) in a page. */
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"

static void put_cell(const struct titled_grid *t, size_t row, size_t column, FILE *out)
{
    static const char *const classes[] = {
        [GRID_NUMBER] = "n", [GRID_NAME] = "name", [GRID_PLACE] = "place", [GRID_NOTE] = "name"};

    html_cell(out, classes[t->grid.columns[column].align], grid_at(&t->grid, row, column)->text);
}

void html_grid(const struct titled_grid *t, bool sortable, FILE *out)
{
    if (sortable)
        xml_element(out, "h3", "", t->heading);
    else
        html_note(out, t->heading);
    if (t->totals)
        html_note(out, t->totals);
    for (size_t i = 0; i < TITLED_FINDINGS; i++)
        if (t->findings[i])
            html_note(out, t->findings[i]);
    html_table_begin(out,
                     sortable ? " class=\"sortable\" data-what=\"functions\"" : " class=\"grid\"");
    for (size_t c = 0; c < t->grid.n_columns; c++)
        html_head(out, t->grid.columns[c].header, t->grid.columns[c].align == GRID_NUMBER);
    html_table_body(out);
    for (size_t r = 0; r < t->grid.n_rows; r++) {
        bool is_bold = grid_at(&t->grid, r, 0)->style == GRID_BOLD;

        fputs(is_bold ? "<tr class=\"main\">" : "<tr>", out);
        for (size_t c = 0; c < t->grid.n_columns; c++)
            put_cell(t, r, c, out);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}
