#include <config.h>

#include "render/text/grid.h"

#include "base/array.h"
#include "base/memory.h"
#include "render/text/markdown.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,       /* columns between cells */
    TEXT_MIN = 16, /* a text is not shortened below this */
    NOTE_MIN = 15  /* a note is left out below this */
};

void grid_init(struct grid *grid, const struct grid_column *columns, size_t n_columns)
{
    *grid = (struct grid){.columns = columns, .n_columns = n_columns};
}

void grid_cell(struct grid *grid, const char *text, enum grid_style style)
{
    GROW(grid->cells, grid->n_cells, grid->room);
    grid->cells[grid->n_cells++] =
        (struct grid_cell){.text = text_clean(text, text_is_utf8()), .style = style};
    grid->n_rows = grid->n_cells / grid->n_columns;
}

void grid_free(struct grid *grid)
{
    for (size_t i = 0; i < grid->n_cells; i++)
        free(grid->cells[i].text);
    free(grid->cells);
    *grid = (struct grid){.n_rows = 0};
}

static const struct grid_cell *cell_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->n_columns + column];
}

/* Takes columns from the texts of one kind until all fit. */
static void narrow(const struct grid *grid, unsigned *widths, enum grid_align align, unsigned *used,
                   unsigned room)
{
    for (size_t c = 0; c<grid->n_columns && * used> room; c++) {
        unsigned excess = *used - room, spare;

        if (grid->columns[c].align != align || widths[c] <= TEXT_MIN)
            continue;
        spare = widths[c] - TEXT_MIN;
        widths[c] -= spare < excess ? spare : excess;
        *used -= spare < excess ? spare : excess;
    }
}

/* Takes columns from the notes, or leaves them out. */
static void narrow_notes(const struct grid *grid, unsigned *widths, unsigned *used, unsigned room)
{
    for (size_t c = 0; c<grid->n_columns && * used> room; c++) {
        unsigned excess = *used - room;

        if (grid->columns[c].align != GRID_NOTE)
            continue;
        if (widths[c] >= NOTE_MIN + excess) {
            widths[c] -= excess;
            *used = room;
        } else {
            *used -= widths[c] + GAP;
            widths[c] = 0;
        }
    }
}

static unsigned *measure(const struct grid *grid, const struct grid_screen *screen)
{
    unsigned *widths = xcalloc(grid->n_columns, sizeof *widths);
    unsigned used = (unsigned)(grid->n_columns - 1) * GAP;

    for (size_t c = 0; c < grid->n_columns; c++) {
        widths[c] = text_width(grid->columns[c].header, screen->utf8);
        for (size_t r = 0; r < grid->n_rows; r++) {
            unsigned width = text_width(cell_at(grid, r, c)->text, screen->utf8);

            widths[c] = width > widths[c] ? width : widths[c];
        }
        used += widths[c];
    }
    narrow_notes(grid, widths, &used, screen->width);
    narrow(grid, widths, GRID_PLACE, &used, screen->width);
    narrow(grid, widths, GRID_NAME, &used, screen->width);
    return widths;
}

static const char *code_of(enum grid_style style)
{
    static const char *const codes[] = {
        [GRID_DIM] = STYLE_DIM, [GRID_BOLD] = STYLE_BOLD, [GRID_MORE] = "31", [GRID_LESS] = "32"};

    return codes[style];
}

/* Writes a text in its column; `pad`: more cells follow. */
static void put(const char *text, enum grid_align align, unsigned width, enum grid_style style,
                bool pad, const struct grid_screen *screen, FILE *out)
{
    static const enum text_cut cuts[] = {
        [GRID_NAME] = TEXT_CUT_NAME, [GRID_PLACE] = TEXT_CUT_PLACE, [GRID_NOTE] = TEXT_CUT_END};
    char *fit =
        align == GRID_NUMBER ? xstrdup(text) : text_shorten(text, width, cuts[align], screen->utf8);
    unsigned its = text_width(fit, screen->utf8);
    int blanks = width > its ? (int)(width - its) : 0;

    if (align == GRID_NUMBER)
        fprintf(out, "%*s", blanks, "");
    if (style == GRID_PLAIN)
        fputs(fit, out);
    else
        style_put(out, screen->color, code_of(style), fit);
    if (pad)
        fprintf(out, "%*s", (align == GRID_NUMBER ? 0 : blanks) + GAP, "");
    free(fit);
}

/* The last of `cells` that has a text and a width. */
static size_t last_of(const struct grid *grid, const struct grid_cell *cells,
                      const unsigned *widths)
{
    size_t last = grid->n_columns - 1;

    while (last > 0 && (!cells[last].text[0] || !widths[last]))
        last--;
    return last;
}

static void put_row(const struct grid *grid, const struct grid_cell *cells, const unsigned *widths,
                    const struct grid_screen *screen, FILE *out)
{
    size_t last = last_of(grid, cells, widths);

    for (size_t c = 0; c <= last; c++)
        if (widths[c])
            put(cells[c].text, grid->columns[c].align, widths[c], cells[c].style, c < last, screen,
                out);
    fputc('\n', out);
}

void grid_write(const struct grid *grid, const struct grid_screen *screen, FILE *out)
{
    unsigned *widths = measure(grid, screen);
    struct grid_cell *heads = xcalloc(grid->n_columns, sizeof *heads);

    for (size_t c = 0; c < grid->n_columns; c++)
        heads[c] = (struct grid_cell){(char *)grid->columns[c].header, GRID_BOLD};
    put_row(grid, heads, widths, screen, out);
    for (size_t r = 0; r < grid->n_rows; r++)
        put_row(grid, cell_at(grid, r, 0), widths, screen, out);
    free(heads);
    free(widths);
}

void grid_write_markdown(const struct grid *grid, FILE *out)
{
    struct markdown_header *headers = xcalloc(grid->n_columns, sizeof *headers);

    for (size_t c = 0; c < grid->n_columns; c++)
        headers[c] = (struct markdown_header){grid->columns[c].header,
                                              grid->columns[c].align == GRID_NUMBER};
    markdown_head(out, headers, grid->n_columns);
    for (size_t r = 0; r < grid->n_rows; r++) {
        for (size_t c = 0; c < grid->n_columns; c++) {
            const char *text = cell_at(grid, r, c)->text;

            if (grid->columns[c].align == GRID_NAME)
                markdown_code(out, text + strspn(text, " "));
            else
                markdown_text(out, text);
        }
        markdown_end(out);
    }
    free(headers);
}
