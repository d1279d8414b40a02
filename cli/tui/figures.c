#include <config.h>

#include "tui/figures.h"

#include "render/text/table_text.h"

#include <stdlib.h>
#include <string.h>

enum { FULL, ROUNDED };
enum {
    PERCENT_WIDTH = 5, /* columns */
    ROUNDED_WIDTH = 6,
    ROUNDED_FROM = 10000,
    NAME_LEAST = 16,
    PLACE_LEAST = 15,
    GAP = 1
};

void figures_begin(struct figures *f, const void *subject, const struct table_column *columns,
                   size_t n)
{
    *f = (struct figures){.columns = columns, .n = n, .subject = subject};
}

static struct cell cell_at(const struct figures *f, const void *row, size_t i)
{
    return f->columns[i].cell(f->subject, row, &f->columns[i]);
}

static void widen(int *width, int other)
{
    *width = other > *width ? other : *width;
}

/* Counts as wide as others are many: none is written that is not. */
static void widen_column(struct figures *f, size_t i, const struct cell *cell)
{
    char *text;
    int width;

    if (cell->kind == CELL_SHARE) {
        widen(&f->widths[FULL][i], PERCENT_WIDTH);
        widen(&f->widths[ROUNDED][i], PERCENT_WIDTH);
        return;
    }
    text = cell_clean_text(cell, COUNT_FULL);
    width = (int)strlen(text);
    widen(&f->widths[FULL][i], width);
    if (cell->kind == CELL_COUNT && cell->value >= ROUNDED_FROM)
        width = ROUNDED_WIDTH;
    widen(&f->widths[ROUNDED][i], width);
    free(text);
}

void figures_widen(struct figures *f, const void *row)
{
    for (size_t i = 0; i < f->n; i++) {
        struct cell cell = cell_at(f, row, i);

        widen_column(f, i, &cell);
        cell_free(&cell);
    }
}

long double figures_order(const struct figures *f, const void *row, int column)
{
    struct cell cell;
    long double order;

    if (column < 0 || (size_t)column >= f->n)
        return 0;
    cell = cell_at(f, row, (size_t)column);
    order = cell_order(&cell);
    cell_free(&cell);
    return order;
}

/* The width of a column, with room for the arrow of the order in its head. */
static int width_of(const struct figures *f, size_t i)
{
    int width = f->widths[f->rounded ? ROUNDED : FULL][i];
    int head = (int)strlen(f->columns[i].heading) + 1;

    return width > head ? width : head;
}

int figures_room(const struct figures *f)
{
    int room = COLS;

    for (size_t i = 0; i < f->n; i++)
        if (f->shown[i])
            room -= width_of(f, i) + GAP;
    return room;
}

/* Chooses the columns that are not spared at `level`. Returns true where they have room. */
static bool fits(struct figures *f, unsigned level, bool rounded, int texts)
{
    f->rounded = rounded;
    for (size_t i = 0; i < f->n; i++)
        f->shown[i] = !f->columns[i].spare || f->columns[i].spare > level;
    return figures_room(f) >= texts;
}

bool figures_fit(struct figures *f, int texts, int spare)
{
    unsigned last = 1;

    for (size_t i = 0; i < f->n; i++)
        last = f->columns[i].spare > last ? f->columns[i].spare : last;
    for (unsigned level = 0; level <= last; level++) {
        int all = texts + (level ? 0 : spare);

        if (fits(f, level, false, all) || fits(f, level, true, all))
            return level == 0;
    }
    return false;
}

void figures_columns(const struct figures *f, struct list *l)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->shown[i])
            list_add(l, (int)i, false,
                     &(struct pane_column){
                         .head = f->columns[i].heading, .width = width_of(f, i), .right = true});
}

void figures_texts(const struct figures *f, const void *row, struct pane_cells *cells, int *at,
                   enum look look)
{
    for (size_t i = 0; i < f->n; i++) {
        struct cell cell;

        if (!f->shown[i])
            continue;
        cell = cell_at(f, row, i);
        cells->text[*at] = cell_clean_text(&cell, f->rounded ? COUNT_SHORT : COUNT_FULL);
        cells->look[(*at)++] = look;
        cell_free(&cell);
    }
}

bool figures_add(struct figures *f, struct list *l, const struct figure_names *names)
{
    int half = COLS / 2 > NAME_LEAST ? COLS / 2 : NAME_LEAST;
    int head = (int)strlen(names->columns[0].heading) + 1;
    int widest = names->widest > head ? names->widest : head;
    int width = widest < half ? widest : half;
    bool places = figures_fit(f, width, PLACE_LEAST + GAP);

    figures_columns(f, l);
    list_add(l, names->key, true,
             &(struct pane_column){.head = names->columns[0].heading,
                                   .width = width <= figures_room(f) ? width : NAME_LEAST / 2,
                                   .share = 1,
                                   .cut = TEXT_CUT_NAME});
    if (places)
        list_add(l, names->key + 1, true,
                 &(struct pane_column){.head = names->columns[1].heading,
                                       .width = PLACE_LEAST,
                                       .share = 3,
                                       .cut = TEXT_CUT_PLACE});
    return places;
}
