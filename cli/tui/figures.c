#include <config.h>

#include "tui/figures.h"

#include "render/text/figure_cell.h"

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

void figures_begin(struct figures *f, const struct grid_column *columns, size_t n)
{
    *f = (struct figures){.columns = columns, .n = n};
}

static void widen(int *width, int other)
{
    *width = other > *width ? other : *width;
}

/* Counts as wide as others are many: none is written that is not. */
static void widen_column(struct figures *f, size_t i, const struct figure *figure)
{
    char *text;
    int width;

    if (figure->kind == FIGURE_PERCENT) {
        widen(&f->widths[FULL][i], PERCENT_WIDTH);
        widen(&f->widths[ROUNDED][i], PERCENT_WIDTH);
        return;
    }
    text = figure_text(figure, false);
    width = (int)strlen(text);
    widen(&f->widths[FULL][i], width);
    if (figure->kind == FIGURE_COUNT && figure->value >= ROUNDED_FROM)
        width = ROUNDED_WIDTH;
    widen(&f->widths[ROUNDED][i], width);
    free(text);
}

void figures_widen(struct figures *f, const struct figure *row)
{
    for (size_t i = 0; i < f->n; i++)
        widen_column(f, i, &row[i]);
}

/* The width of a column, with room for the arrow of the order in its head. */
static int width_of(const struct figures *f, size_t i)
{
    int width = f->widths[f->rounded ? ROUNDED : FULL][i];
    int head = (int)strlen(f->columns[i].header) + 1;

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
                         .head = f->columns[i].header, .width = width_of(f, i), .right = true});
}

void figures_texts(const struct figures *f, const struct figure *row, struct pane_cells *cells,
                   int *at, enum look look)
{
    for (size_t i = 0; i < f->n; i++) {
        if (!f->shown[i])
            continue;
        cells->text[*at] = figure_text(&row[i], f->rounded);
        cells->look[(*at)++] = look;
    }
}

bool figures_add(struct figures *f, struct list *l, const struct figure_names *names)
{
    int half = COLS / 2 > NAME_LEAST ? COLS / 2 : NAME_LEAST;
    int head = (int)strlen(names->columns[0].header) + 1;
    int widest = names->widest > head ? names->widest : head;
    int width = widest < half ? widest : half;
    bool places = figures_fit(f, width, PLACE_LEAST + GAP);

    figures_columns(f, l);
    list_add(l, names->key, true,
             &(struct pane_column){.head = names->columns[0].header,
                                   .width = width <= figures_room(f) ? width : NAME_LEAST / 2,
                                   .share = 1,
                                   .cut = TEXT_CUT_NAME});
    if (places)
        list_add(l, names->key + 1, true,
                 &(struct pane_column){.head = names->columns[1].header,
                                       .width = PLACE_LEAST,
                                       .share = 3,
                                       .cut = TEXT_CUT_PLACE});
    return places;
}
