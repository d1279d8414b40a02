#include <config.h>

#include "render/text/table_text.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*--- Links to source files ---*/

void links_load(struct links *links, const char *root, const char *program)
{
    char host[HOST_NAME_MAX + 1] = "";

    *links = (struct links){.root = root ? xstrdup(root) : NULL};
    links->finder = (struct source_finder){.root = links->root, .program = program, .asked = true};
    if (gethostname(host, sizeof host - 1) != 0)
        *host = '\0';
    links->host = xstrdup(host);
}

void links_free(struct links *links)
{
    source_finder_free(&links->finder);
    free(links->host);
    free(links->root);
    links->host = links->root = NULL;
}

/* Adds a text with all bytes escaped that are no part of a path in an address. */
static void add_escaped(struct strbuf *address, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    for (; *text; text++) {
        if (strchr(plain, *text))
            strbuf_add_bytes(address, text, 1);
        else
            strbuf_addf(address, "%%%02X", (unsigned)(unsigned char)*text);
    }
}

char *link_address_of(const struct links *links, const struct source *source)
{
    struct strbuf address = {.text = NULL};
    char *path;

    if (!links || !source || source->state != SOURCE_FOUND)
        return NULL;
    path = realpath(source->path, NULL);
    if (!path)
        return NULL;
    strbuf_add(&address, "file://");
    add_escaped(&address, links->host);
    add_escaped(&address, path);
    free(path);
    return strbuf_take(&address);
}

/* The address of a file of the profile; NULL where it is not found, or where there is no file or
 * are no links. The caller frees it. */
static char *link_address(struct links *links, const char *file)
{
    return links && file ? link_address_of(links, source_find(&links->finder, file)) : NULL;
}

void link_begin(FILE *out, const char *address)
{
    if (address)
        fprintf(out, "\033]8;;%s\033\\", address);
}

void link_end(FILE *out, const char *address)
{
    if (address)
        fputs("\033]8;;\033\\", out);
}

/*--- Cells ---*/

/* The sign before a count, or "". */
static const char *sign_of(const struct cell *c)
{
    if (c->about)
        return text_sign("≈", "~");
    return c->kind == CELL_CHANGE && c->value > 0 ? "+" : "";
}

static const char *count_text(char buffer[TEXT_NUMBER], int64_t value, enum count_form form)
{
    return form == COUNT_SHORTEST ? text_count_shortest(buffer, value)
           : form == COUNT_SHORT  ? text_count_short(buffer, value)
                                  : text_count(buffer, value);
}

static char *ratio_text(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];
    int64_t part = c->value, whole = c->whole;
    __int128 tenths;

    if (!whole)
        return xstrdup("-");
    tenths = ((__int128)part * 20 + whole) / (2 * (__int128)whole);
    if (tenths < 1000)
        return xasprintf("%d.%d", (int)(tenths / 10), (int)(tenths % 10));
    part = part / whole + (part % whole >= whole - part % whole);
    return xstrdup(count_text(text, part, form == COUNT_FULL ? COUNT_FULL : COUNT_SHORT));
}

static char *calls_text(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];

    if (!c->whole)
        return xstrdup("-");
    return c->value ? xasprintf("%s%s", count_text(text, c->value, form), c->about ? "+" : "")
                    : xstrdup(TEXT_INLINED);
}

char *cell_text_of(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];

    if (c->text)
        return xstrdup(c->text);
    switch (c->kind) {
    case CELL_SHARE:
        return xstrdup(text_percent(text, c->value, c->whole, c->decimals));
    case CELL_RATIO:
        return ratio_text(c, form);
    case CELL_CALLS:
        return calls_text(c, form);
    case CELL_REAL:
        return isinf(c->real) ? xstrdup("-") : xasprintf("%.*f", (int)c->decimals, c->real);
    case CELL_DURATION:
        return xstrdup(text_duration(text, c->value));
    case CELL_SIZE:
        return c->value ? curve_size_text((uint64_t)c->value) : xstrdup("-");
    default:
        return xasprintf("%s%s", sign_of(c), count_text(text, c->value, form));
    }
}

char *cell_clean_text(const struct cell *c, enum count_form form)
{
    char *text = cell_text_of(c, form), *clean = text_clean(text);

    free(text);
    return clean;
}

/*--- Widths ---*/

enum {
    NAME_WANTED = 24, /* columns of a name that are worth more than counts in full */
    NAME_LEAST = 12,  /* columns of a name that are worth more than any counts */
    TEXT_MIN = 12,    /* no text is shortened below this */
    NOTE_MIN = 15,    /* a note is left out below this */
    NOTE_INDENT = 2   /* of a note below its row, behind where the name begins */
};

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned greater(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* The columns that a cell wants, or needs. */
static unsigned part_of(enum fit_kind kind, const char *text, bool own, enum fit_room room)
{
    unsigned whole = text_width(text), least, most;

    switch (kind) {
    case FIT_NAME:
        most = lesser(whole, room == FIT_WANTED ? NAME_WANTED : NAME_LEAST);
        least = text_least_name(text);
        return greater(own ? least : lesser(least, NAME_WANTED), most);
    case FIT_PLACE:
        return text_least_place(text);
    case FIT_NOTE:
        return 0;
    default:
        return whole;
    }
}

void fit_cell(struct fit_column *column, const char *text, bool own)
{
    enum fit_kind kind = column->kind;

    column->width = greater(column->width, text_width(text));
    column->wanted = greater(column->wanted, part_of(kind, text, own, FIT_WANTED));
    column->least = greater(column->least, part_of(kind, text, own, FIT_LEAST));
}

unsigned fit_width(const struct fit_column *columns, size_t n, unsigned gap, enum fit_room room)
{
    unsigned sum = 0;

    for (size_t i = 0; i < n; i++) {
        const struct fit_column *c = &columns[i];
        bool in_full = room == FIT_FULL || c->kind == FIT_NUMBER;
        unsigned width = in_full ? c->width : room == FIT_WANTED ? c->wanted : c->least;

        sum += width ? width + (sum ? gap : 0) : 0;
    }
    return sum;
}

/* Takes what exceeds `width` from the columns of a kind, none of which goes below what it wants or
 * needs; or, with FIT_FULL, below TEXT_MIN. */
static void narrow(struct fit_column *columns, size_t n, enum fit_kind kind, enum fit_room room,
                   unsigned *used, unsigned width)
{
    for (size_t i = 0; i<n && * used> width; i++) {
        unsigned excess = *used - width, spare;
        unsigned least = room == FIT_WANTED  ? columns[i].wanted
                         : room == FIT_LEAST ? columns[i].least
                                             : TEXT_MIN;

        if (columns[i].kind != kind || columns[i].width <= least)
            continue;
        spare = columns[i].width - least;
        columns[i].width -= spare < excess ? spare : excess;
        *used -= spare < excess ? spare : excess;
    }
}

/* Shortens notes, or leaves them out with the gap before them. */
static void narrow_notes(struct fit_column *columns, size_t n, unsigned gap, unsigned *used,
                         unsigned width)
{
    for (size_t i = 0; i<n && * used> width; i++) {
        unsigned excess = *used - width;

        if (columns[i].kind != FIT_NOTE || !columns[i].width)
            continue;
        if (!columns[i].whole && columns[i].width >= NOTE_MIN + excess) {
            columns[i].width -= excess;
            *used = width;
        } else {
            *used -= columns[i].width + gap;
            columns[i].width = 0;
        }
    }
}

void fit_texts(struct fit_column *columns, size_t n, unsigned gap, unsigned width)
{
    static const enum fit_room steps[] = {FIT_WANTED, FIT_LEAST, FIT_FULL};
    unsigned used = fit_width(columns, n, gap, FIT_FULL);

    narrow_notes(columns, n, gap, &used, width);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        narrow(columns, n, FIT_PLACE, steps[i], &used, width);
        narrow(columns, n, FIT_NAME, steps[i], &used, width);
    }
}

char *fit_note(const char *left_out, bool rounded, unsigned width)
{
    if (left_out)
        return xasprintf("%s left out%s to fit %u columns; --json or -o FILE has all in full",
                         left_out, rounded ? " and counts rounded" : "", width);
    return rounded ? xasprintf("counts rounded to fit %u columns; --json or -o FILE has them in "
                               "full",
                               width)
                   : NULL;
}

/*--- Grids ---*/

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

/* True where a text says another number than the full one, which may have more commas. */
static bool is_rounded(const char *full, const char *text)
{
    for (; *full; full++)
        if (*full == *text)
            text++;
        else if (*full != ',')
            return true;
    return *text;
}

void grid_round(struct grid *g, enum count_form form)
{
    const struct table *t = g->table;

    for (size_t i = 0; i < t->n_cells; i++) {
        char *text = g->texts[i];

        if (table_kind_is_text(t->columns[i % t->n_columns].kind))
            continue;
        g->texts[i] = cell_clean_text(&t->cells[i], form);
        g->rounded |= is_rounded(text, g->texts[i]);
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

/* True of a column with a head and a text. */
static bool grid_says_something(const struct grid *g, size_t column)
{
    for (size_t r = 0; r < g->table->n_rows && g->table->columns[column].heading[0]; r++)
        if (**grid_at(g, r, column))
            return true;
    return false;
}

static struct fit_column measure(const struct grid *g, size_t column)
{
    struct fit_column fit = {.kind = grid_fit_kind(g, column),
                             .whole = g->table->columns[column].whole};

    if (g->left_out[column] || (g->table->columns[column].spare && !grid_says_something(g, column)))
        return fit;
    fit.width = text_width(g->table->columns[column].heading);
    for (size_t r = 0; r < g->table->n_rows; r++) {
        fit.kind = fit_kind(kind_at(g, r, column));
        fit_cell(&fit, *grid_at(g, r, column), true);
    }
    fit.kind = grid_fit_kind(g, column);
    return fit;
}

/* Measures all columns that are not left out. A spare one that says nothing has no width. */
static void grid_measure(struct grid *g)
{
    for (size_t c = 0; c < g->table->n_columns; c++)
        g->fits[c] = measure(g, c);
}

char *grid_fit(const char *text, enum table_kind kind, unsigned width)
{
    static const enum text_cut cuts[] = {
        [TABLE_NAME] = TEXT_CUT_NAME, [TABLE_PLACE] = TEXT_CUT_PLACE, [TABLE_NOTE] = TEXT_CUT_END};

    return !table_kind_is_text(kind) ? xstrdup(text) : text_shorten(text, width, cuts[kind]);
}

/* The columns that a column's texts take of its width. */
static unsigned grid_used(const struct grid *g, size_t column)
{
    unsigned width = g->fits[column].width, used = 0;

    for (size_t r = 0; r <= g->table->n_rows; r++) {
        size_t row = r < g->table->n_rows ? r : HEADS;
        char *text = grid_fit(text_at(g, row, column), kind_at(g, row, column), width);
        unsigned taken = text_width(text);

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

static const struct cell *cell_at(const struct grid *g, size_t row, size_t column)
{
    static const struct cell head = {.style = CELL_BOLD};

    return row == HEADS ? &head : table_at(g->table, row, column);
}

static void put_styled(enum cell_style style, const char *text, const struct text_screen *screen,
                       FILE *out)
{
    if (style == CELL_PLAIN || !*text)
        fputs(text, out);
    else
        style_put(out, screen->color, code_of(style), text);
}

/* Writes a text in the width of its column; `pad`: more cells follow. */
static void put_cell(const struct grid *g, size_t row, size_t column, bool pad,
                     const struct text_screen *screen, FILE *out)
{
    const struct cell *cell = cell_at(g, row, column);
    enum table_kind kind = kind_at(g, row, column);
    unsigned width = g->fits[column].width;
    char *fit = grid_fit(text_at(g, row, column), kind, width);
    char *address = link_address(screen->links, cell->file);
    unsigned taken = text_width(fit);
    int blanks = width > taken ? (int)(width - taken) : 0;

    if (!table_kind_is_text(kind))
        fprintf(out, "%*s", blanks, "");
    link_begin(out, address);
    put_styled(cell->style, fit, screen, out);
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

/* True where the row has a note that stands below it. */
static bool has_note_below(const struct grid *g, size_t row)
{
    size_t note = g->table->n_columns - 1;

    return g->fits[note].whole && !g->fits[note].width && *text_at(g, row, note);
}

/* Writes the note below the row in lines, which begin behind the beginning of the name's column;
 * the cursor is there already where the row has no name. */
static void put_note_below(const struct grid *g, size_t row, const struct text_screen *screen,
                           FILE *out)
{
    size_t note = g->table->n_columns - 1;
    unsigned before = fit_width(g->fits, note - 1, g->gap, FIT_FULL) + g->gap;
    unsigned indent = before + NOTE_INDENT, limit = text_limit(screen);
    unsigned width = limit > indent + NOTE_MIN ? limit - indent : NOTE_MIN;
    bool begun = !*text_at(g, row, note - 1);

    for (const char *text = text_at(g, row, note); *text; text += strspn(text, " ")) {
        size_t size = text_line_size(text, width);
        char *line = xstrndup(text, size);

        fprintf(out, "%s%*s", begun ? "" : "\n", (int)(begun ? NOTE_INDENT : indent), "");
        put_styled(cell_at(g, row, note)->style, line, screen, out);
        free(line);
        text += size;
        begun = false;
    }
}

static void put_row(const struct grid *g, size_t row, const struct text_screen *screen, FILE *out)
{
    size_t last = last_of(g, row);
    bool note = has_note_below(g, row);

    for (size_t c = 0; c <= last; c++)
        if (g->fits[c].width)
            put_cell(g, row, c, c < last || (note && last + 2 < g->table->n_columns), screen, out);
    if (note)
        put_note_below(g, row, screen, out);
    fputc('\n', out);
}

void grid_write(const struct grid *g, const struct text_screen *screen, FILE *out)
{
    put_row(g, HEADS, screen, out);
    for (size_t r = 0; r < g->table->n_rows; r++)
        put_row(g, r, screen, out);
}

/*--- A table in its width ---*/

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
static void give_back(struct grid *grid, const struct fit_column *full)
{
    unsigned rest = 0;

    for (size_t c = 0; c < grid->table->n_columns; c++) {
        struct fit_column *fit = &grid->fits[c];
        unsigned more = full[c].width - fit->width;

        if (fit->kind == FIT_NAME && more) {
            rest += fit->width;
            fit->width = grid_used(grid, c);
            rest -= fit->width;
        } else if (fit->kind == FIT_PLACE && fit->width) {
            more = more < rest ? more : rest;
            fit->width += more;
            rest -= more;
        }
    }
}

/* Narrows texts to the width of the screen. */
static void table_narrow(struct grid *grid, const struct text_screen *screen)
{
    struct fit_column *full = xcalloc(grid->table->n_columns, sizeof *full);

    memcpy(full, grid->fits, grid->table->n_columns * sizeof *full);
    fit_texts(grid->fits, grid->table->n_columns, GRID_GAP, text_limit(screen));
    give_back(grid, full);
    free(full);
}

/* Chooses the form that fits. Notes that there is no room for are left out as well. */
static void lay_out(struct grid *grid, const struct text_screen *screen)
{
    grid_measure(grid);
    if (is_wide_in_full(grid, text_limit(screen))) {
        grid_round(grid, COUNT_SHORT);
        grid_measure(grid);
    }
    while (is_wide(grid, text_limit(screen)) && leave_out(grid))
        ;
    table_narrow(grid, screen);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        grid->left_out[c] |=
            !grid->fits[c].width && !grid->fits[c].whole && grid_says_something(grid, c);
}

/* Says what is not in the rows, or not exact. */
static void put_note(const struct grid *grid, const struct text_screen *screen, FILE *out)
{
    struct strbuf left_out = {.text = NULL};
    char *note;

    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (grid->left_out[c])
            strbuf_add_item(&left_out, ", ", grid->table->columns[c].heading);
    note = fit_note(left_out.text, grid->rounded, text_limit(screen));
    if (note)
        style_line(out, screen->color, STYLE_DIM, note, text_limit(screen));
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

static void take_form(struct grid *grid, const struct table *t, const struct text_form *asked)
{
    grid_begin(grid, t);
    if (asked->rounded)
        grid_round(grid, COUNT_SHORT);
    grid_measure(grid);
    for (size_t c = 0; c < t->n_columns; c++) {
        struct fit_column *fit = &grid->fits[c];

        fit_cell(fit, t->columns[c].heading, true); /* as much worth as the cells */
        if (fit->kind == FIT_PLACE)
            limit(fit, asked->place, !asked->squeezed);
        else if (fit->kind == FIT_NAME)
            limit(fit, asked->name, !asked->squeezed);
    }
}

unsigned table_form_width(const struct table *t, const struct text_form *asked)
{
    struct grid grid;
    unsigned width;

    take_form(&grid, t, asked);
    width = fit_width(grid.fits, t->n_columns, GRID_GAP, FIT_FULL);
    grid_free(&grid);
    return width;
}

void table_form_squeeze(const struct table *t, struct text_form *asked, unsigned width)
{
    struct grid grid;

    take_form(&grid, t, asked);
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

    take_form(&grid, t, asked);
    grid_write(&grid, screen, out);
    grid_free(&grid);
}

void table_markdown_begin(const struct table *t, FILE *out)
{
    for (size_t c = 0; c < t->n_columns; c++)
        markdown_text(out, t->columns[c].heading);
    fputs("|\n", out);
    for (size_t c = 0; c < t->n_columns; c++)
        fputs(table_kind_is_text(t->columns[c].kind) ? "| --- " : "| ---: ", out);
    fputs("|\n", out);
}

void table_markdown_put(const struct table *t, FILE *out)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        char *text = cell_text_of(&t->cells[i], COUNT_FULL);

        if (t->columns[i % t->n_columns].kind == TABLE_NAME)
            markdown_code(out, text + strspn(text, " "));
        else
            markdown_text(out, text);
        if ((i + 1) % t->n_columns == 0)
            fputs("|\n", out);
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

void table_line(const char *text, const char *style, const char *end,
                const struct text_screen *screen, FILE *out)
{
    if (!text)
        return;
    if (screen) {
        style_line(out, screen->color && *style, style, text, text_limit(screen));
    } else {
        markdown_put_text(out, text);
        fprintf(out, "%s\n", end);
    }
}

void table_take_line(char *text, const char *style, const char *end,
                     const struct text_screen *screen, FILE *out)
{
    table_line(text, style, end, screen, out);
    free(text);
}

void table_write(const struct table *t, const struct text_screen *screen, FILE *out)
{
    bool any = t->heading || t->totals;

    table_line(t->heading, STYLE_BOLD, ":", screen, out);
    table_line(t->totals, STYLE_DIM, ".", screen, out);
    for (size_t i = 0; i < TABLE_FINDINGS; i++) {
        table_line(t->findings[i], "", ".", screen, out);
        any |= t->findings[i] != NULL;
    }
    if (screen && !t->n_rows)
        return;
    if (any)
        fputc('\n', out);
    table_rows_write(t, screen, out);
    if (t->closing)
        fputc('\n', out);
    table_line(t->closing, STYLE_BOLD, ".", screen, out);
}

void table_take(struct table *t, const struct text_screen *screen, FILE *out)
{
    table_write(t, screen, out);
    table_free(t);
}
