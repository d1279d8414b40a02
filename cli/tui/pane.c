#include <config.h>

#include "tui/pane.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 1 };

static void free_cells(struct pane_cells *cells)
{
    for (int i = 0; i < PANE_COLUMNS; i++) {
        free(cells->text[i]);
        free(cells->looks[i]);
    }
}

/* Sets the width of each column. Columns that find no room get none, the last first. */
static void lay_out(struct pane *p)
{
    int room = COLS, shares = 0, used = 0;

    for (int i = 0; i < p->n_columns; i++) {
        p->widths[i] = p->columns[i].width;
        shares += p->columns[i].share;
        used += p->widths[i] + (i ? GAP : 0);
    }
    for (int i = p->n_columns - 1; used > room && i > 0; i--)
        if (!p->columns[i].share) {
            used -= p->widths[i] + GAP;
            p->widths[i] = 0;
        }
    for (int i = 0, left = room - used; i < p->n_columns && left > 0; i++)
        if (p->columns[i].share) {
            int part = left * p->columns[i].share / shares;

            p->widths[i] += part;
            left -= part;
            shares -= p->columns[i].share;
        }
    for (int i = 0, x = 0; i < p->n_columns; i++) {
        p->x[i] = x;
        x += p->widths[i] ? p->widths[i] + GAP : 0;
    }
}

/* The end of the head of a column: "Ir %", "%". */
static const char *percent_of(const struct pane_column *column)
{
    return !column->percent ? "" : *column->head ? " %" : "%";
}

static void draw_heads(const struct pane *p)
{
    screen_put(p->y, 0, COLS, "", LOOK_HEAD, false, TEXT_CUT_END, false);
    for (int i = 0; i < p->n_columns; i++) {
        const struct pane_column *c = &p->columns[i];
        char head[64];
        const char *arrow = c->sorted == 'v' ? text_sign("▼", "v") : text_sign("▲", "^");

        snprintf(head, sizeof head, "%s%s%s", c->head, percent_of(c), c->sorted ? arrow : "");
        if (p->widths[i])
            screen_put(p->y, p->x[i], p->widths[i], head, LOOK_HEAD, c->right, TEXT_CUT_MIDDLE,
                       false);
    }
}

/* A visible line. */
struct drawn {
    struct pane_cells cells;
    char *looks_like; /* its cut texts, without numbers */
    bool ambiguous;   /* another line looks like it and has other texts */
};

static int indent_at(const struct pane *p, const struct pane_cells *cells, int column)
{
    int indent = cells->indent[column], most = p->widths[column] / 2;

    return indent > most ? most : indent;
}

static const char *text_at(const struct pane_cells *cells, int column)
{
    return cells->text[column] ? cells->text[column] : "";
}

static const char *sign_at(const struct pane_cells *cells, int column)
{
    return cells->sign[column] ? cells->sign[column] : "";
}

static void draw_cell(const struct pane *p, const struct drawn *line, int column, int y,
                      enum look look, bool selected)
{
    const struct pane_column *c = &p->columns[column];
    int x = p->x[column], width = p->widths[column];
    int indent = indent_at(p, &line->cells, column);
    enum text_cut cut = line->ambiguous && c->cut == TEXT_CUT_NAME ? TEXT_CUT_ALIKE : c->cut;
    const char *sign = sign_at(&line->cells, column);
    int signed_width = (int)text_width(sign);

    if (indent < line->cells.indent[column])
        screen_put(y, x, indent, text_sign("…", "~"), LOOK_DIM, true, TEXT_CUT_END, selected);
    if (signed_width)
        screen_put(y, x + indent, signed_width, sign, look, false, TEXT_CUT_END, selected);
    indent += signed_width;
    if (line->cells.looks[column])
        screen_put_looks(y, x + indent, width - indent, text_at(&line->cells, column), look,
                         line->cells.looks[column], selected);
    else
        screen_put(y, x + indent, width - indent, text_at(&line->cells, column), look, c->right,
                   cut, selected);
}

static void draw_line(const struct pane *p, const struct drawn *line, size_t i, int y, bool focused)
{
    bool selected = focused && i == p->selected;
    bool marked = p->linked && !focused && i == p->selected;

    if (selected)
        screen_put(y, 0, COLS, "", LOOK_TEXT, false, TEXT_CUT_MIDDLE, true);
    for (int c = 0; c < p->n_columns; c++)
        if (p->widths[c])
            draw_cell(p, line, c, y, marked ? LOOK_MARK : line->cells.look[c], selected);
}

/* True for columns of names and places. */
static bool is_compared(const struct pane *p, int column)
{
    return !p->columns[column].right && !p->columns[column].picture;
}

static char *looks_of(const struct pane *p, const struct pane_cells *cells)
{
    struct strbuf all = {.text = NULL};

    for (int c = 0; c < p->n_columns; c++) {
        int indent = indent_at(p, cells, c) + (int)text_width(sign_at(cells, c));
        char *fitting;

        if (!is_compared(p, c) || !p->widths[c])
            continue;
        fitting =
            text_shorten(text_at(cells, c), (unsigned)(p->widths[c] - indent), p->columns[c].cut);
        strbuf_addf(&all, "\n%d %s", cells->indent[c], fitting);
        free(fitting);
    }
    return strbuf_take(&all);
}

static bool same_texts(const struct pane *p, const struct drawn *a, const struct drawn *b)
{
    for (int c = 0; c < p->n_columns; c++)
        if (is_compared(p, c) && strcmp(text_at(&a->cells, c), text_at(&b->cells, c)) != 0)
            return false;
    return true;
}

/* Finds lines that look alike because their names were cut. */
static void find_ambiguous(const struct pane *p, struct drawn *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        lines[i].looks_like = looks_of(p, &lines[i].cells);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(lines[i].looks_like, lines[k].looks_like) &&
                !same_texts(p, &lines[i], &lines[k]))
                lines[i].ambiguous = lines[k].ambiguous = true;
}

static void draw_lines(struct pane *p, size_t lines, bool focused)
{
    size_t n = p->n - p->top < lines ? p->n - p->top : lines;
    struct drawn *drawn = xcalloc(n, sizeof *drawn);

    for (size_t i = 0; i < n; i++)
        p->line(p, p->top + i, &drawn[i].cells);
    find_ambiguous(p, drawn, n);
    for (size_t i = 0; i < n; i++) {
        draw_line(p, &drawn[i], p->top + i, p->y + 1 + (int)i, focused);
        free_cells(&drawn[i].cells);
        free(drawn[i].looks_like);
    }
    free(drawn);
}

void pane_draw(struct pane *p, int y, int height, bool focused)
{
    size_t lines = height > 1 ? (size_t)height - 1 : 0;

    p->y = y;
    p->height = height;
    if (p->selected >= p->n)
        p->selected = p->n ? p->n - 1 : 0;
    if (p->selected < p->top)
        p->top = p->selected;
    if (lines && p->selected >= p->top + lines)
        p->top = p->selected - lines + 1;
    if (p->n <= lines)
        p->top = 0;
    else if (p->top > p->n - lines)
        p->top = p->n - lines;
    lay_out(p);
    draw_heads(p);
    if (!p->n && lines)
        screen_put(y + 1, 0, COLS, p->empty, LOOK_DIM, false, TEXT_CUT_MIDDLE, false);
    if (p->n)
        draw_lines(p, lines, focused);
}

void pane_select(struct pane *p, size_t line)
{
    p->selected = line < p->n ? line : p->n ? p->n - 1 : 0;
}

void pane_move(struct pane *p, long by)
{
    if (by < 0)
        p->selected = p->selected > (size_t)-by ? p->selected - (size_t)-by : 0;
    else
        pane_select(p, p->selected + (size_t)by);
}

int pane_column_at(const struct pane *p, int x)
{
    for (int i = 0; i < p->n_columns; i++)
        if (p->widths[i] && x >= p->x[i] && x < p->x[i] + p->widths[i])
            return i;
    return -1;
}

/*--- As text ---*/

static int cell_width(const struct pane_cells *cells, int column)
{
    const char *text = cells->text[column];

    return cells->indent[column] + (int)text_width(sign_at(cells, column)) +
           (text ? (int)text_width(text) : 0);
}

/* Writes a cell with its blanks, but for those behind the last one. */
static void put_cell(FILE *out, const struct pane *p, const struct pane_cells *cells, int column,
                     int width, bool last)
{
    const char *text = cells->text[column] ? cells->text[column] : "";
    bool right = p->columns[column].right;
    int blanks = width - cell_width(cells, column);

    fprintf(out, "%*s%s%s%*s%s", cells->indent[column] + (right ? blanks : 0), "",
            sign_at(cells, column), text, right || last ? 0 : blanks, "", last ? "\n" : "  ");
}

static void put_line(FILE *out, const struct pane *p, const struct pane_cells *cells,
                     const int *widths)
{
    int last = p->n_columns - 1;

    while (last > 0 && (p->columns[last].picture || !cells->text[last] || !*cells->text[last]))
        last--;
    for (int i = 0; i <= last; i++)
        if (!p->columns[i].picture)
            put_cell(out, p, cells, i, widths[i], i == last);
}

/* Two passes, one for widths, one for lines: each line is made twice rather than all kept. */
int pane_write(struct pane *p, FILE *out)
{
    struct pane_cells heads = {.text = {NULL}};
    int widths[PANE_COLUMNS];

    for (int i = 0; i < p->n_columns; i++) {
        heads.text[i] = xasprintf("%s%s", p->columns[i].head, percent_of(&p->columns[i]));
        widths[i] = cell_width(&heads, i);
    }
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            put_line(out, p, &heads, widths);
        for (size_t line = 0; line < p->n; line++) {
            struct pane_cells cells = {.text = {NULL}};

            p->line(p, line, &cells);
            for (int i = 0; !pass && i < p->n_columns; i++)
                if (cell_width(&cells, i) > widths[i])
                    widths[i] = cell_width(&cells, i);
            if (pass)
                put_line(out, p, &cells, widths);
            free_cells(&cells);
        }
    }
    free_cells(&heads);
    return ferror(out) ? -1 : 0;
}
