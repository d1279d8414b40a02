#include <config.h>

#include "tui/pane.h"

#include "base/memory.h"
#include "out/text.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 1 };

static void free_cells(struct line_cells *cells)
{
    for (int i = 0; i < PANE_COLUMNS; i++)
        free(cells->text[i]);
}

/* Gives each column its width; those that find no room at all get none, the last first. */
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

static void draw_heads(const struct pane *p)
{
    for (int i = 0; i < p->n_columns; i++) {
        const struct pane_column *c = &p->columns[i];
        char head[64];
        const char *arrow =
            c->sorted == 'v' ? (screen_utf8() ? "▼" : "v") : (screen_utf8() ? "▲" : "^");

        snprintf(head, sizeof head, "%s%s", c->head, c->sorted ? arrow : "");
        if (p->widths[i])
            screen_put(p->y, p->x[i], p->widths[i], head, LOOK_HEAD, c->right, CUT_MIDDLE, false);
    }
}

static void draw_line(struct pane *p, size_t line, int y, bool focused)
{
    bool selected = focused && line == p->selected;
    bool marked = p->linked && !focused && line == p->selected;
    struct line_cells cells = {{NULL}, {LOOK_TEXT}};

    p->line(p, line, &cells);
    if (selected)
        screen_put(y, 0, COLS, "", LOOK_TEXT, false, CUT_MIDDLE, true);
    for (int i = 0; i < p->n_columns; i++)
        if (p->widths[i])
            screen_put(y, p->x[i], p->widths[i], cells.text[i] ? cells.text[i] : "",
                       marked ? LOOK_MARK : cells.look[i], p->columns[i].right, p->columns[i].cut,
                       selected);
    free_cells(&cells);
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
        screen_put(y + 1, 0, COLS, p->empty, LOOK_DIM, false, CUT_MIDDLE, false);
    for (size_t i = 0; i < lines && p->top + i < p->n; i++)
        draw_line(p, p->top + i, y + 1 + (int)i, focused);
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

static void put_cell(FILE *out, const struct pane_column *c, const char *text, int width, bool last,
                     bool utf8)
{
    int blanks = width - (int)text_width(text, utf8);

    if (c->right)
        fprintf(out, "%*s%s", blanks > 0 ? blanks : 0, "", text);
    else
        fprintf(out, "%s%*s", text, blanks > 0 && !last ? blanks : 0, "");
    if (!last)
        fputs("  ", out);
}

/* Two passes: widths, then lines; each line is made twice rather than all kept. */
int pane_write(struct pane *p, bool utf8, FILE *out)
{
    int widths[PANE_COLUMNS];

    for (int i = 0; i < p->n_columns; i++)
        widths[i] = (int)strlen(p->columns[i].head);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; pass && i < p->n_columns; i++)
            put_cell(out, &p->columns[i], p->columns[i].head, widths[i], i + 1 == p->n_columns,
                     utf8);
        if (pass)
            fputc('\n', out);
        for (size_t line = 0; line < p->n; line++) {
            struct line_cells cells = {{NULL}, {LOOK_TEXT}};

            p->line(p, line, &cells);
            for (int i = 0; i < p->n_columns; i++) {
                const char *text = cells.text[i] ? cells.text[i] : "";
                int width = (int)text_width(text, utf8);

                if (pass)
                    put_cell(out, &p->columns[i], text, widths[i], i + 1 == p->n_columns, utf8);
                else if (width > widths[i])
                    widths[i] = width;
            }
            if (pass)
                fputc('\n', out);
            free_cells(&cells);
        }
    }
    return ferror(out) ? -1 : 0;
}
