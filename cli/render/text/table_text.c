#include <config.h>

#include "render/text/table_text.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/cell_text.h"
#include "render/text/fit.h"
#include "render/text/markdown.h"
#include "render/text/origin_style.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2 /* columns between cells */ };

/* A cell's texts, clean. */
struct grid_cell {
    const struct cell *cell;
    char *text, *rounded; /* the latter has less room; NULL: there is no such form */
};

/* The cells of a table, row by row. */
struct grid {
    const struct table *table;
    struct grid_cell *cells;
};

static struct grid grid_of(const struct table *t)
{
    struct grid grid = {t, xcalloc(t->n_cells, sizeof *grid.cells)};

    for (size_t i = 0; i < t->n_cells; i++) {
        struct grid_cell *c = &grid.cells[i];

        *c = (struct grid_cell){&t->cells[i], cell_clean_text(&t->cells[i], false),
                                cell_clean_text(&t->cells[i], true)};
        if (strcmp(c->rounded, c->text) != 0)
            continue;
        free(c->rounded);
        c->rounded = NULL;
    }
    return grid;
}

static void grid_free(struct grid *grid)
{
    for (size_t i = 0; i < grid->table->n_cells; i++) {
        free(grid->cells[i].text);
        free(grid->cells[i].rounded);
    }
    free(grid->cells);
}

static const struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->table->n_columns + column];
}

/*--- Layout ---*/

/* How a grid is laid out. */
struct form {
    bool rounded;
    bool *left_out;          /* of each column */
    struct fit_column *fits; /* of each column; without a width where it is left out */
};

static const char *text_of(const struct grid_cell *cell, const struct form *form)
{
    return form->rounded && cell->rounded ? cell->rounded : cell->text;
}

/* A place may stand among names. */
static enum table_kind align_of(const struct grid *grid, size_t column,
                                const struct grid_cell *cell)
{
    return cell->cell->file ? TABLE_PLACE : grid->table->columns[column].kind;
}

/* True of a column with a head and a text. */
static bool says_something(const struct grid *grid, size_t column)
{
    for (size_t r = 0; r < grid->table->n_rows && grid->table->columns[column].heading[0]; r++)
        if (grid_at(grid, r, column)->text[0])
            return true;
    return false;
}

/* A spare column that says nothing has no width. */
static struct fit_column measure_column(const struct grid *grid, size_t column,
                                        const struct form *form, bool utf8)
{
    static const enum fit_kind kinds[] = {
        [TABLE_NAME] = FIT_NAME, [TABLE_PLACE] = FIT_PLACE, [TABLE_NOTE] = FIT_NOTE};
    struct fit_column fit = {.kind = kinds[grid->table->columns[column].kind]};

    if (form->left_out[column] ||
        (grid->table->columns[column].spare && !says_something(grid, column)))
        return fit;
    fit.width = text_width(grid->table->columns[column].heading, utf8);
    for (size_t r = 0; r < grid->table->n_rows; r++) {
        const struct grid_cell *cell = grid_at(grid, r, column);

        fit.kind = kinds[align_of(grid, column, cell)];
        fit_cell(&fit, text_of(cell, form), true, utf8);
    }
    fit.kind = kinds[grid->table->columns[column].kind];
    return fit;
}

static void measure(const struct grid *grid, struct form *form, bool utf8)
{
    for (size_t c = 0; c < grid->table->n_columns; c++)
        form->fits[c] = measure_column(grid, c, form, utf8);
}

/* True where even shortened texts do not fit. A name may ask for half the width, however long it
 * is. */
static bool is_wide(const struct grid *grid, const struct form *form, unsigned width)
{
    struct fit_column *fits = xcalloc(grid->table->n_columns, sizeof *fits);
    unsigned taken;

    for (size_t c = 0; c < grid->table->n_columns; c++) {
        fits[c] = form->fits[c];
        if (fits[c].wanted > width / 2)
            fits[c].wanted = width / 2;
    }
    taken = fit_width(fits, grid->table->n_columns, GAP, FIT_WANTED);
    free(fits);
    return taken > width;
}

/* True where the texts do not fit in full. Notes do not count. */
static bool is_wide_in_full(const struct grid *grid, const struct form *form, unsigned width)
{
    unsigned taken = fit_width(form->fits, grid->table->n_columns, GAP, FIT_FULL);

    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (grid->table->columns[c].kind == TABLE_NOTE && form->fits[c].width)
            taken -= form->fits[c].width + GAP;
    return taken > width;
}

/* Leaves out the next spare column. Returns false where there is none. */
static bool leave_out(const struct grid *grid, struct form *form)
{
    size_t next = grid->table->n_columns;

    for (size_t c = grid->table->n_columns; c-- > 0;)
        if (grid->table->columns[c].spare && form->fits[c].width &&
            (next == grid->table->n_columns ||
             grid->table->columns[c].spare < grid->table->columns[next].spare))
            next = c;
    if (next == grid->table->n_columns)
        return false;
    form->left_out[next] = true;
    form->fits[next] = (struct fit_column){.width = 0};
    return true;
}

/* True where some count has a shorter form. */
static bool can_round(const struct grid *grid)
{
    for (size_t i = 0; i < grid->table->n_cells; i++)
        if (grid->cells[i].rounded)
            return true;
    return false;
}

/* The text in so many columns, as it is written. The caller frees it. */
static char *fit_text(const char *text, enum table_kind align, unsigned width, bool utf8)
{
    static const enum text_cut cuts[] = {
        [TABLE_NAME] = TEXT_CUT_NAME, [TABLE_PLACE] = TEXT_CUT_PLACE, [TABLE_NOTE] = TEXT_CUT_END};

    return !table_kind_is_text(align) ? xstrdup(text)
                                      : text_shorten(text, width, cuts[align], utf8);
}

/* The columns that a column's texts take of its width. */
static unsigned used_width(const struct grid *grid, size_t column, const struct form *form,
                           bool utf8)
{
    enum table_kind align = grid->table->columns[column].kind;
    unsigned width = form->fits[column].width, used = 0;

    for (size_t r = 0; r <= grid->table->n_rows; r++) {
        const struct grid_cell *cell = r ? grid_at(grid, r - 1, column) : NULL;
        char *text = fit_text(cell ? text_of(cell, form) : grid->table->columns[column].heading,
                              cell ? align_of(grid, column, cell) : align, width, utf8);
        unsigned taken = text_width(text, utf8);

        used = taken > used ? taken : used;
        free(text);
    }
    return used < width ? used : width;
}

/* A shortened name may take less than there was for it: a place after it has the rest, as far as
 * it had more in `full`. */
static void give_back(const struct grid *grid, struct form *form, const struct fit_column *full,
                      bool utf8)
{
    unsigned rest = 0;

    for (size_t c = 0; c < grid->table->n_columns; c++) {
        struct fit_column *fit = &form->fits[c];
        unsigned more = full[c].width - fit->width;

        if (fit->kind == FIT_NAME && more) {
            rest += fit->width;
            fit->width = used_width(grid, c, form, utf8);
            rest -= fit->width;
        } else if (fit->kind == FIT_PLACE && fit->width) {
            more = more < rest ? more : rest;
            fit->width += more;
            rest -= more;
        }
    }
}

/* Narrows texts to the width of the screen. */
static void narrow(const struct grid *grid, struct form *form, const struct text_screen *screen)
{
    struct fit_column *full = xcalloc(grid->table->n_columns, sizeof *full);

    memcpy(full, form->fits, grid->table->n_columns * sizeof *full);
    fit_texts(form->fits, grid->table->n_columns, GAP, screen->width);
    give_back(grid, form, full, screen->utf8);
    free(full);
}

/* Chooses the form that fits. Notes that there is no room for are left out as well. */
static struct form lay_out(const struct grid *grid, const struct text_screen *screen)
{
    struct form form = {.left_out = xcalloc(grid->table->n_columns, sizeof *form.left_out),
                        .fits = xcalloc(grid->table->n_columns, sizeof *form.fits)};

    measure(grid, &form, screen->utf8);
    if (is_wide_in_full(grid, &form, screen->width) && can_round(grid)) {
        form.rounded = true;
        measure(grid, &form, screen->utf8);
    }
    while (is_wide(grid, &form, screen->width) && leave_out(grid, &form))
        ;
    narrow(grid, &form, screen);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        form.left_out[c] |= !form.fits[c].width && says_something(grid, c);
    return form;
}

static void free_form(struct form *form)
{
    free(form->left_out);
    free(form->fits);
}

/*--- Writing ---*/

static const char *code_of(enum cell_style style)
{
    static const char *const codes[] = {
        [CELL_DIM] = STYLE_DIM, [CELL_BOLD] = STYLE_BOLD, [CELL_MORE] = "31", [CELL_LESS] = "32"};

    return style >= CELL_ORIGIN ? origin_style((enum origin)(style - CELL_ORIGIN)) : codes[style];
}

/* Writes a text in the width of its column; `pad`: more cells follow. */
static void put(const struct grid_cell *cell, const char *text, enum table_kind align,
                unsigned width, bool pad, const struct text_screen *screen, FILE *out)
{
    char *fit = fit_text(text, align, width, screen->utf8);
    char *address = link_address(screen->links, cell->cell->file);
    unsigned taken = text_width(fit, screen->utf8);
    int blanks = width > taken ? (int)(width - taken) : 0;

    if (!table_kind_is_text(align))
        fprintf(out, "%*s", blanks, "");
    link_begin(out, address);
    if (cell->cell->style == CELL_PLAIN || !*fit)
        fputs(fit, out);
    else
        style_put(out, screen->color, code_of(cell->cell->style), fit);
    link_end(out, address);
    if (pad)
        fprintf(out, "%*s", (!table_kind_is_text(align) ? 0 : blanks) + GAP, "");
    free(address);
    free(fit);
}

/* The last of `cells` that has a text and a width. */
static size_t last_of(const struct grid *grid, const struct grid_cell *cells,
                      const struct form *form)
{
    size_t last = grid->table->n_columns - 1;

    while (last > 0 && (!cells[last].text[0] || !form->fits[last].width))
        last--;
    return last;
}

static void put_row(const struct grid *grid, const struct grid_cell *cells, const struct form *form,
                    const struct text_screen *screen, FILE *out)
{
    size_t last = last_of(grid, cells, form);

    for (size_t c = 0; c <= last; c++)
        if (form->fits[c].width)
            put(&cells[c], text_of(&cells[c], form), align_of(grid, c, &cells[c]),
                form->fits[c].width, c < last, screen, out);
    fputc('\n', out);
}

/* Says what is not in the rows, or not exact. */
static void put_note(const struct grid *grid, const struct form *form,
                     const struct text_screen *screen, FILE *out)
{
    struct strbuf left_out = {.text = NULL};
    char *note;

    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (form->left_out[c])
            strbuf_add_item(&left_out, ", ", grid->table->columns[c].heading);
    note = fit_note(left_out.text, form->rounded, screen->width);
    if (note)
        style_line(out, screen->color, STYLE_DIM, note, screen->width);
    free(note);
    strbuf_free(&left_out);
}

static void put_rows(const struct grid *grid, const struct form *form,
                     const struct text_screen *screen, FILE *out)
{
    static const struct cell head = {.style = CELL_BOLD};
    const struct table *t = grid->table;
    struct grid_cell *heads = xcalloc(t->n_columns, sizeof *heads);

    for (size_t c = 0; c < t->n_columns; c++)
        heads[c] = (struct grid_cell){&head, (char *)t->columns[c].heading, NULL};
    put_row(grid, heads, form, screen, out);
    for (size_t r = 0; r < t->n_rows; r++)
        put_row(grid, grid_at(grid, r, 0), form, screen, out);
    free(heads);
}

static void write_grid(const struct grid *grid, const struct text_screen *screen, FILE *out)
{
    struct form form = lay_out(grid, screen);

    put_rows(grid, &form, screen, out);
    put_note(grid, &form, screen, out);
    free_form(&form);
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

static struct form form_of(const struct grid *grid, const struct text_form *asked, bool utf8)
{
    size_t n = grid->table->n_columns;
    struct form form = {.rounded = asked->rounded,
                        .left_out = xcalloc(n, sizeof *form.left_out),
                        .fits = xcalloc(n, sizeof *form.fits)};

    measure(grid, &form, utf8);
    for (size_t c = 0; c < n; c++) /* headings are as much worth as the cells */
        fit_cell(&form.fits[c], grid->table->columns[c].heading, true, utf8);
    for (size_t c = 0; c < n; c++)
        if (form.fits[c].kind == FIT_PLACE)
            limit(&form.fits[c], asked->place, !asked->squeezed);
        else if (form.fits[c].kind == FIT_NAME)
            limit(&form.fits[c], asked->name, !asked->squeezed);
    return form;
}

unsigned table_form_width(const struct table *t, const struct text_form *asked, bool utf8)
{
    struct grid grid = grid_of(t);
    struct form form = form_of(&grid, asked, utf8);
    unsigned width = fit_width(form.fits, t->n_columns, GAP, FIT_FULL);

    free_form(&form);
    grid_free(&grid);
    return width;
}

void table_form_squeeze(const struct table *t, struct text_form *asked, unsigned width, bool utf8)
{
    struct grid grid = grid_of(t);
    struct form form = form_of(&grid, asked, utf8);

    fit_texts(form.fits, t->n_columns, GAP, width);
    for (size_t c = 0; c < t->n_columns; c++)
        if (form.fits[c].kind == FIT_PLACE)
            asked->place = form.fits[c].width;
        else if (form.fits[c].kind == FIT_NAME)
            asked->name = form.fits[c].width;
    asked->squeezed = true;
    free_form(&form);
    grid_free(&grid);
}

void table_form_write(const struct table *t, const struct text_form *asked,
                      const struct text_screen *screen, FILE *out)
{
    struct grid grid = grid_of(t);
    struct form form = form_of(&grid, asked, screen->utf8);

    put_rows(&grid, &form, screen, out);
    free_form(&form);
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
        char *text = cell_clean_text(&t->cells[i], false);

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
    grid = grid_of(t);
    write_grid(&grid, screen, out);
    grid_free(&grid);
}

/*--- With the lines above ---*/

static void write_text(const struct table *t, const struct text_screen *screen, FILE *out)
{
    style_line(out, screen->color, STYLE_BOLD, t->heading, screen->width);
    if (t->totals)
        style_line(out, screen->color, STYLE_DIM, t->totals, screen->width);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        if (t->findings[i])
            style_line(out, false, STYLE_BOLD, t->findings[i], screen->width);
    if (!t->n_rows)
        return;
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
    markdown_put_text(out, t->heading);
    fputs(":\n", out);
    put_sentence(t->totals, out);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        put_sentence(t->findings[i], out);
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
