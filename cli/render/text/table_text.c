#include <config.h>

#include "render/text/table_text.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/cell_text.h"
#include "render/text/fit.h"
#include "render/text/grid.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

/*--- Layout ---*/

/* True where even shortened texts do not fit. A name may ask for half the width, however long it
 * is. */
static bool is_wide(const struct grid *grid, unsigned width)
{
    struct fit_column *fits = xcalloc(grid->table->n_columns, sizeof *fits);
    unsigned taken;

    for (size_t c = 0; c < grid->table->n_columns; c++) {
        fits[c] = grid->fits[c];
        if (fits[c].wanted > width / 2)
            fits[c].wanted = width / 2;
    }
    taken = fit_width(fits, grid->table->n_columns, GRID_GAP, FIT_WANTED);
    free(fits);
    return taken > width;
}

/* True where the texts do not fit in full. Notes do not count. */
static bool is_wide_in_full(const struct grid *grid, unsigned width)
{
    unsigned taken = fit_width(grid->fits, grid->table->n_columns, GRID_GAP, FIT_FULL);

    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (grid->table->columns[c].kind == TABLE_NOTE && grid->fits[c].width)
            taken -= grid->fits[c].width + GRID_GAP;
    return taken > width;
}

/* Leaves out the next spare column. Returns false where there is none. */
static bool leave_out(struct grid *grid)
{
    size_t next = grid->table->n_columns;

    for (size_t c = grid->table->n_columns; c-- > 0;)
        if (grid->table->columns[c].spare && grid->fits[c].width &&
            (next == grid->table->n_columns ||
             grid->table->columns[c].spare < grid->table->columns[next].spare))
            next = c;
    if (next == grid->table->n_columns)
        return false;
    grid->left_out[next] = true;
    grid->fits[next] = (struct fit_column){.width = 0};
    return true;
}

/* A shortened name may take less than there was for it: a place after it has the rest, as far as
 * it had more in `full`. */
static void give_back(struct grid *grid, const struct fit_column *full, bool utf8)
{
    unsigned rest = 0;

    for (size_t c = 0; c < grid->table->n_columns; c++) {
        struct fit_column *fit = &grid->fits[c];
        unsigned more = full[c].width - fit->width;

        if (fit->kind == FIT_NAME && more) {
            rest += fit->width;
            fit->width = grid_used(grid, c, utf8);
            rest -= fit->width;
        } else if (fit->kind == FIT_PLACE && fit->width) {
            more = more < rest ? more : rest;
            fit->width += more;
            rest -= more;
        }
    }
}

/* Narrows texts to the width of the screen. */
static void narrow(struct grid *grid, const struct text_screen *screen)
{
    struct fit_column *full = xcalloc(grid->table->n_columns, sizeof *full);

    memcpy(full, grid->fits, grid->table->n_columns * sizeof *full);
    fit_texts(grid->fits, grid->table->n_columns, GRID_GAP, screen->width);
    give_back(grid, full, screen->utf8);
    free(full);
}

/* Chooses the form that fits. Notes that there is no room for are left out as well. */
static void lay_out(struct grid *grid, const struct text_screen *screen)
{
    grid_measure(grid, screen->utf8);
    if (is_wide_in_full(grid, screen->width)) {
        grid_round(grid, COUNT_SHORT);
        grid_measure(grid, screen->utf8);
    }
    while (is_wide(grid, screen->width) && leave_out(grid))
        ;
    narrow(grid, screen);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        grid->left_out[c] |= !grid->fits[c].width && grid_says_something(grid, c);
}

/* Says what is not in the rows, or not exact. */
static void put_note(const struct grid *grid, const struct text_screen *screen, FILE *out)
{
    struct strbuf left_out = {.text = NULL};
    char *note;

    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (grid->left_out[c])
            strbuf_add_item(&left_out, ", ", grid->table->columns[c].heading);
    note = fit_note(left_out.text, grid->rounded, screen->width);
    if (note)
        style_line(out, screen->color, STYLE_DIM, note, screen->width);
    free(note);
    strbuf_free(&left_out);
}

/*--- In a form that is asked for ---*/

/* Shortens a column to `most` columns, 0: not at all; with `least`, no further than it needs. */
static void limit(struct fit_column *fit, unsigned most, bool least)
{
    if (most && least && most < fit->least)
        most = fit->least;
    if (most && fit->width > most)
        fit->width = most;
}

static void take_form(struct grid *grid, const struct table *t, const struct text_form *asked,
                      bool utf8)
{
    grid_begin(grid, t);
    if (asked->rounded)
        grid_round(grid, COUNT_SHORT);
    grid_measure(grid, utf8);
    for (size_t c = 0; c < t->n_columns; c++) {
        struct fit_column *fit = &grid->fits[c];

        fit_cell(fit, t->columns[c].heading, true, utf8); /* as much worth as the cells */
        if (fit->kind == FIT_PLACE)
            limit(fit, asked->place, !asked->squeezed);
        else if (fit->kind == FIT_NAME)
            limit(fit, asked->name, !asked->squeezed);
    }
}

unsigned table_form_width(const struct table *t, const struct text_form *asked, bool utf8)
{
    struct grid grid;
    unsigned width;

    take_form(&grid, t, asked, utf8);
    width = fit_width(grid.fits, t->n_columns, GRID_GAP, FIT_FULL);
    grid_free(&grid);
    return width;
}

void table_form_squeeze(const struct table *t, struct text_form *asked, unsigned width, bool utf8)
{
    struct grid grid;

    take_form(&grid, t, asked, utf8);
    fit_texts(grid.fits, t->n_columns, GRID_GAP, width);
    for (size_t c = 0; c < t->n_columns; c++)
        if (grid.fits[c].kind == FIT_PLACE)
            asked->place = grid.fits[c].width;
        else if (grid.fits[c].kind == FIT_NAME)
            asked->name = grid.fits[c].width;
    asked->squeezed = true;
    grid_free(&grid);
}

void table_form_write(const struct table *t, const struct text_form *asked,
                      const struct text_screen *screen, FILE *out)
{
    struct grid grid;

    take_form(&grid, t, asked, screen->utf8);
    grid_write(&grid, screen, out);
    grid_free(&grid);
}

void table_markdown_begin(const struct table *t, FILE *out)
{
    struct markdown_header *headers = xcalloc(t->n_columns, sizeof *headers);

    for (size_t c = 0; c < t->n_columns; c++)
        headers[c] = (struct markdown_header){t->columns[c].heading,
                                              !table_kind_is_text(t->columns[c].kind)};
    markdown_head(out, headers, t->n_columns);
    free(headers);
}

void table_markdown_put(const struct table *t, FILE *out)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        char *text = cell_clean_text(&t->cells[i], COUNT_FULL);

        if (t->columns[i % t->n_columns].kind == TABLE_NAME)
            markdown_code(out, text + strspn(text, " "));
        else
            markdown_text(out, text);
        if ((i + 1) % t->n_columns == 0)
            markdown_end(out);
        free(text);
    }
}

void table_rows_write(const struct table *t, const struct text_screen *screen, FILE *out)
{
    struct grid grid;

    if (!screen) {
        table_markdown_begin(t, out);
        table_markdown_put(t, out);
        return;
    }
    grid_begin(&grid, t);
    lay_out(&grid, screen);
    grid_write(&grid, screen, out);
    put_note(&grid, screen, out);
    grid_free(&grid);
}

/*--- With the lines above ---*/

static bool has_lines_above(const struct table *t)
{
    bool any = t->heading || t->totals;

    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        any = any || t->findings[i];
    return any;
}

static void write_text(const struct table *t, const struct text_screen *screen, FILE *out)
{
    if (t->heading)
        style_line(out, screen->color, STYLE_BOLD, t->heading, screen->width);
    if (t->totals)
        style_line(out, screen->color, STYLE_DIM, t->totals, screen->width);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        if (t->findings[i])
            style_line(out, false, STYLE_BOLD, t->findings[i], screen->width);
    if (!t->n_rows)
        return;
    if (has_lines_above(t))
        fputc('\n', out);
    table_rows_write(t, screen, out);
}

static void put_sentence(const char *text, FILE *out)
{
    if (!text)
        return;
    markdown_put_text(out, text);
    fputs(".\n", out);
}

static void write_markdown(const struct table *t, FILE *out)
{
    if (t->heading) {
        markdown_put_text(out, t->heading);
        fputs(":\n", out);
    }
    put_sentence(t->totals, out);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        put_sentence(t->findings[i], out);
    if (has_lines_above(t))
        fputc('\n', out);
    table_rows_write(t, NULL, out);
}

void table_write(const struct table *t, const struct text_screen *screen, FILE *out)
{
    if (screen)
        write_text(t, screen, out);
    else
        write_markdown(t, out);
}
