#include <config.h>

#include "render/text/grid.h"

#include "base/memory.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADS = SIZE_MAX /* stands for a row */ };

void grid_begin(struct grid *g, const struct table *t)
{
    *g = (struct grid){.table = t,
                       .texts = xcalloc(t->n_cells, sizeof *g->texts),
                       .fits = xcalloc(t->n_columns, sizeof *g->fits),
                       .left_out = xcalloc(t->n_columns, sizeof *g->left_out),
                       .gap = GRID_GAP};
    for (size_t i = 0; i < t->n_cells; i++)
        g->texts[i] = cell_clean_text(&t->cells[i], COUNT_FULL);
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->table->n_cells; i++)
        free(g->texts[i]);
    free(g->texts);
    free(g->fits);
    free(g->left_out);
}

void grid_round(struct grid *g, enum count_form form)
{
    const struct table *t = g->table;

    for (size_t i = 0; i < t->n_cells; i++) {
        char *text = g->texts[i];

        if (table_kind_is_text(t->columns[i % t->n_columns].kind))
            continue;
        g->texts[i] = cell_clean_text(&t->cells[i], form);
        g->rounded |= strcmp(g->texts[i], text) != 0;
        free(text);
    }
}

/*--- Widths ---*/

static enum fit_kind fit_kind(enum table_kind kind)
{
    static const enum fit_kind kinds[] = {
        [TABLE_NAME] = FIT_NAME, [TABLE_PLACE] = FIT_PLACE, [TABLE_NOTE] = FIT_NOTE};

    return kinds[kind];
}

enum fit_kind grid_fit_kind(const struct grid *g, size_t column)
{
    return fit_kind(g->table->columns[column].kind);
}

static const char *text_at(const struct grid *g, size_t row, size_t column)
{
    return row == HEADS ? g->table->columns[column].heading : *grid_at(g, row, column);
}

/* A place may stand among names. */
static enum table_kind kind_at(const struct grid *g, size_t row, size_t column)
{
    return row != HEADS && table_at(g->table, row, column)->file ? TABLE_PLACE
                                                                 : g->table->columns[column].kind;
}

bool grid_says_something(const struct grid *g, size_t column)
{
    for (size_t r = 0; r < g->table->n_rows && g->table->columns[column].heading[0]; r++)
        if (**grid_at(g, r, column))
            return true;
    return false;
}

static struct fit_column measure(const struct grid *g, size_t column, bool utf8)
{
    struct fit_column fit = {.kind = grid_fit_kind(g, column)};

    if (g->left_out[column] || (g->table->columns[column].spare && !grid_says_something(g, column)))
        return fit;
    fit.width = text_width(g->table->columns[column].heading, utf8);
    for (size_t r = 0; r < g->table->n_rows; r++) {
        fit.kind = fit_kind(kind_at(g, r, column));
        fit_cell(&fit, *grid_at(g, r, column), true, utf8);
    }
    fit.kind = grid_fit_kind(g, column);
    return fit;
}

void grid_measure(struct grid *g, bool utf8)
{
    for (size_t c = 0; c < g->table->n_columns; c++)
        g->fits[c] = measure(g, c, utf8);
}

char *grid_fit(const char *text, enum table_kind kind, unsigned width, bool utf8)
{
    static const enum text_cut cuts[] = {
        [TABLE_NAME] = TEXT_CUT_NAME, [TABLE_PLACE] = TEXT_CUT_PLACE, [TABLE_NOTE] = TEXT_CUT_END};

    return !table_kind_is_text(kind) ? xstrdup(text) : text_shorten(text, width, cuts[kind], utf8);
}

unsigned grid_used(const struct grid *g, size_t column, bool utf8)
{
    unsigned width = g->fits[column].width, used = 0;

    for (size_t r = 0; r <= g->table->n_rows; r++) {
        size_t row = r < g->table->n_rows ? r : HEADS;
        char *text = grid_fit(text_at(g, row, column), kind_at(g, row, column), width, utf8);
        unsigned taken = text_width(text, utf8);

        used = taken > used ? taken : used;
        free(text);
    }
    return used < width ? used : width;
}

/*--- Writing ---*/

static const char *code_of(enum cell_style style)
{
    static const char *const codes[] = {
        [CELL_DIM] = STYLE_DIM, [CELL_BOLD] = STYLE_BOLD, [CELL_MORE] = "31", [CELL_LESS] = "32"};

    return style >= CELL_ORIGIN ? origin_style((enum origin)(style - CELL_ORIGIN)) : codes[style];
}

/* Writes a text in the width of its column; `pad`: more cells follow. */
static void put_cell(const struct grid *g, size_t row, size_t column, bool pad,
                     const struct text_screen *screen, FILE *out)
{
    static const struct cell head = {.style = CELL_BOLD};
    const struct cell *cell = row == HEADS ? &head : table_at(g->table, row, column);
    enum table_kind kind = kind_at(g, row, column);
    unsigned width = g->fits[column].width;
    char *fit = grid_fit(text_at(g, row, column), kind, width, screen->utf8);
    char *address = link_address(screen->links, cell->file);
    unsigned taken = text_width(fit, screen->utf8);
    int blanks = width > taken ? (int)(width - taken) : 0;

    if (!table_kind_is_text(kind))
        fprintf(out, "%*s", blanks, "");
    link_begin(out, address);
    if (cell->style == CELL_PLAIN || !*fit)
        fputs(fit, out);
    else
        style_put(out, screen->color, code_of(cell->style), fit);
    link_end(out, address);
    if (pad)
        fprintf(out, "%*s", (!table_kind_is_text(kind) ? 0 : blanks) + (int)g->gap, "");
    free(address);
    free(fit);
}

/* The last column with a text and a width. */
static size_t last_of(const struct grid *g, size_t row)
{
    size_t last = g->table->n_columns - 1;

    while (last > 0 && (!*text_at(g, row, last) || !g->fits[last].width))
        last--;
    return last;
}

static void put_row(const struct grid *g, size_t row, const struct text_screen *screen, FILE *out)
{
    size_t last = last_of(g, row);

    for (size_t c = 0; c <= last; c++)
        if (g->fits[c].width)
            put_cell(g, row, c, c < last, screen, out);
    fputc('\n', out);
}

void grid_write(const struct grid *g, const struct text_screen *screen, FILE *out)
{
    put_row(g, HEADS, screen, out);
    for (size_t r = 0; r < g->table->n_rows; r++)
        put_row(g, r, screen, out);
}
