#include <config.h>

#include "tui/pane_table.h"

#include "render/text/table_text.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    PERCENT_WIDTH = 5, /* columns */
    ROUNDED_WIDTH = 6,
    ROUNDED_FROM = 10000,
    NAME_LEAST = 16,
    TEXT_LEAST = 15,
    GAP = 1
};

void pane_table_begin(struct pane_table *s, const void *subject)
{
    table_free(&s->table);
    table_begin(&s->table, subject);
    s->names = -1;
    s->dim_places = false;
    s->rounded = false;
    s->pane->n_columns = 0;
    for (int i = 0; i < PANE_COLUMNS; i++)
        s->columns[i].is_cost = s->columns[i].has_bar = false;
}

void pane_table_free(struct pane_table *s)
{
    table_free(&s->table);
}

struct pane_row pane_row_of(const struct row *f, const void *row)
{
    return (struct pane_row){.row = row,
                             .name = f->name,
                             .function = f->function,
                             .inlined = row_is_inlined(f),
                             .file = f->file,
                             .line = f->line};
}

struct cell pane_table_cell(const void *subject, const struct pane_row *row,
                            const struct table_column *c)
{
    if (!row->is_rest || !table_kind_is_text(c->kind))
        return c->cell(subject, row->row, c);
    return c->names_sums ? cell_text(row->name) : cell_blank();
}

int pane_table_find(const struct pane_table *s, int id)
{
    for (size_t i = 0; i < s->table.n_columns; i++)
        if (s->table.columns[i].id == id)
            return (int)i;
    return -1;
}

/*--- Columns ---*/

static int add(struct pane_table *s, const struct table_column *column)
{
    table_column(&s->table, column);
    return (int)s->table.n_columns - 1;
}

/* Names are in the column that names sums, or in the first one of names. */
static void note_name(struct pane_table *s, int i)
{
    const struct table_column *c = &s->table.columns[i];

    if (c->kind == TABLE_NAME && (s->names < 0 || c->names_sums))
        s->names = i;
}

static char mark_of(const struct pane_table *s, int i)
{
    bool rising = table_kind_is_text(s->table.columns[i].kind);

    return s->table.columns[i].id != s->sort ? 0 : rising != s->reversed ? '^' : 'v';
}

/* Shows a column that the table has. */
static void show(struct pane_table *s, int i, int width, int share, enum text_cut cut)
{
    struct pane *p = s->pane;
    const struct table_column *c = &s->table.columns[i];

    s->column_of[p->n_columns] = i;
    p->columns[p->n_columns++] = (struct pane_column){.head = c->heading,
                                                      .width = width,
                                                      .share = share,
                                                      .right = !table_kind_is_text(c->kind),
                                                      .cut = cut,
                                                      .sorted = mark_of(s, i)};
}

void pane_table_add(struct pane_table *s, const struct table_column *column, int width, int share,
                    enum text_cut cut)
{
    int i = add(s, column);

    note_name(s, i);
    show(s, i, width, share, cut);
}

static struct cell cost_cell(const void *subject, const void *row, const struct table_column *c)
{
    (void)subject;
    return cell_count(column_value(c->shows, ((const struct row *)row)->counts));
}

struct table_column pane_table_cost_column(const struct column *column, const char *heading, int id)
{
    return (struct table_column){heading, TABLE_COUNT, .cell = cost_cell, .id = id,
                                 .shows = column};
}

void pane_table_add_cost(struct pane_table *s, const struct table_column *column, bool bar)
{
    int i = add(s, column), first = s->pane->n_columns;

    s->columns[i].is_cost = true;
    s->columns[i].has_bar = bar;
    browsed_head(s->browsed, s->pane, s->table.columns[i].heading, mark_of(s, i));
    if (bar)
        browsed_bar_head(s->pane);
    for (int k = first; k < s->pane->n_columns; k++)
        s->column_of[k] = i;
}

void pane_table_add_names(struct pane_table *s, const struct table_column *name, int share,
                          const struct table_column *place)
{
    pane_table_add(s, name, browsed_names_width(s->browsed, s->pane), share, TEXT_CUT_NAME);
    pane_table_add(s, place, 10, 2, TEXT_CUT_PLACE);
}

/*--- Lines ---*/

static enum look name_look(const struct pane_table *s, const struct pane_row *row, bool inlined)
{
    return row->function == CPROF_NONE ? row->look
                                       : browsed_name_look(s->browsed, row->function, inlined);
}

static enum look look_of(const struct pane_table *s, int i, const struct pane_row *row,
                         const struct cell *cell)
{
    static const enum look styles[] = {[CELL_DIM] = LOOK_DIM,
                                       [CELL_BOLD] = LOOK_BOLD,
                                       [CELL_MORE] = LOOK_MORE,
                                       [CELL_LESS] = LOOK_LESS};

    if (cell->kind == CELL_CALLS)
        return cell->value || !cell->whole ? LOOK_TEXT : LOOK_INLINED;
    if (cell->style)
        return styles[cell->style];
    if (cell->row)
        return browsed_name_look(s->browsed, cell->row->function, false);
    if (i == s->names)
        return name_look(s, row, row->inlined);
    if (s->table.columns[i].kind == TABLE_PLACE)
        return s->dim_places ? LOOK_DIM : LOOK_TEXT;
    return row->look;
}

/* Puts a count of the measure; of a blank cell, none. */
static void put_cost(const struct pane_table *s, int i, const struct pane_row *row,
                     const struct cell *cell, struct pane_cells *cells, int at)
{
    if (cell->kind == CELL_TEXT)
        return;
    browsed_cells(s->browsed, cells, &at, cell->value, cell->about);
    if (s->columns[i].has_bar)
        browsed_bar_cell(s->browsed, cells, &at, cell->value, name_look(s, row, false));
}

void pane_table_line(const struct pane_table *s, const struct pane_row *row,
                     struct pane_cells *cells)
{
    const char *sign = row->sign;
    int last = -1;

    for (int at = 0; at < s->pane->n_columns; at++) {
        int i = s->column_of[at];
        struct cell cell;

        if (i == last)
            continue;
        last = i;
        cell = pane_table_cell(s->table.subject, row, &s->table.columns[i]);
        if (s->columns[i].is_cost) {
            put_cost(s, i, row, &cell, cells, at);
        } else {
            cells->text[at] = cell_clean_text(&cell, s->rounded ? COUNT_SHORT : COUNT_FULL);
            cells->look[at] = look_of(s, i, row, &cell);
            if (table_kind_is_text(s->table.columns[i].kind)) {
                cells->sign[at] = sign;
                sign = NULL;
            }
        }
        cell_free(&cell);
    }
}

/*--- Tables whose columns are as wide as they need ---*/

static bool is_text(const struct pane_table *s, size_t i)
{
    return table_kind_is_text(s->table.columns[i].kind);
}

void pane_table_narrow(struct pane_table *s)
{
    for (int i = 0; i < PANE_COLUMNS; i++) {
        s->columns[i].full = s->columns[i].rounded = 0;
        s->columns[i].most = 0;
    }
}

static void widen(int *width, int other)
{
    *width = other > *width ? other : *width;
}

/* Makes room for a cell with a sign. Counts as wide as others are many: of these no text is made.
 */
static void widen_column(struct pane_table *s, size_t i, const struct cell *cell, const char *sign)
{
    char *text;
    int width;

    if (cell->kind == CELL_SHARE) {
        widen(&s->columns[i].full, PERCENT_WIDTH);
        widen(&s->columns[i].rounded, PERCENT_WIDTH);
        return;
    }
    if (cell->kind == CELL_COUNT && cell->value >= 0 && cell->value < s->columns[i].most)
        return;
    text = cell_clean_text(cell, COUNT_FULL);
    width =
        s->table.columns[i].kind == TABLE_NAME ? browsed_bare_width(text) : (int)text_width(text);
    width += sign ? (int)text_width(sign) : 0;
    widen(&s->columns[i].full, width);
    if (cell->kind == CELL_COUNT && cell->value >= ROUNDED_FROM)
        width = ROUNDED_WIDTH;
    widen(&s->columns[i].rounded, width);
    if (cell->kind == CELL_COUNT)
        s->columns[i].most = cell->value;
    free(text);
}

void pane_table_widen(struct pane_table *s, const struct pane_row *row)
{
    const char *sign = row->sign;

    for (size_t i = 0; i < s->table.n_columns; i++) {
        struct cell cell = pane_table_cell(s->table.subject, row, &s->table.columns[i]);

        widen_column(s, i, &cell, is_text(s, i) ? sign : NULL);
        sign = is_text(s, i) ? NULL : sign;
        cell_free(&cell);
    }
}

/* The most that a text has for certain: names are whole where there is much room. */
static int most_of(const struct pane_table *s, size_t i)
{
    int texts = 0, part;

    if ((int)i != s->names)
        return s->table.columns[i].kind == TABLE_NOTE ? 2 * TEXT_LEAST : TEXT_LEAST;
    for (size_t k = 0; k < s->table.n_columns; k++)
        texts += is_text(s, k);
    part = COLS / (texts > 2 ? 3 : 2);
    return part > NAME_LEAST ? part : NAME_LEAST;
}

/* The width of a column, with room for the arrow of the order in its head. */
static int width_of(const struct pane_table *s, size_t i)
{
    int width = s->rounded ? s->columns[i].rounded : s->columns[i].full;
    int head = (int)strlen(s->table.columns[i].heading) + 1;

    width = width > head ? width : head;
    return is_text(s, i) && width > most_of(s, i) ? most_of(s, i) : width;
}

/* Chooses the columns that are not spared at `level`, but for blank notes. Returns true where they
 * have room. */
static bool fits(struct pane_table *s, unsigned level, bool rounded)
{
    int room = COLS + GAP;

    for (int i = 0; i < s->pane->n_columns; i++)
        room -= s->pane->columns[i].width + GAP;
    s->rounded = rounded;
    for (size_t i = 0; i < s->table.n_columns; i++) {
        const struct table_column *c = &s->table.columns[i];

        s->columns[i].shown = !s->columns[i].is_cost && (!c->spare || c->spare > level) &&
                              (c->kind != TABLE_NOTE || s->columns[i].full);
        if (s->columns[i].shown)
            room -= width_of(s, i) + GAP;
    }
    return room >= 0;
}

/* Chooses what is shown. Returns true where that has room. */
static bool choose(struct pane_table *s)
{
    unsigned last = 1;

    for (size_t i = 0; i < s->table.n_columns; i++)
        last = s->table.columns[i].spare > last ? s->table.columns[i].spare : last;
    for (unsigned level = 0; level <= last; level++)
        if (fits(s, level, false) || fits(s, level, true))
            return true;
    return false;
}

static enum text_cut cut_of(const struct pane_table *s, size_t i)
{
    return (int)i == s->names                        ? TEXT_CUT_NAME
           : s->table.columns[i].kind == TABLE_PLACE ? TEXT_CUT_PLACE
           : is_text(s, i)                           ? TEXT_CUT_END
                                                     : TEXT_CUT_MIDDLE;
}

void pane_table_fit(struct pane_table *s)
{
    bool has_room;

    for (size_t i = 0; i < s->table.n_columns; i++)
        note_name(s, (int)i);
    has_room = choose(s);
    for (size_t i = 0; i < s->table.n_columns; i++) {
        bool is_name = (int)i == s->names;
        bool is_cut = has_room && is_text(s, i) && s->columns[i].full > width_of(s, i);

        if (s->columns[i].shown)
            show(s, (int)i, is_name && !has_room ? NAME_LEAST / 2 : width_of(s, i),
                 is_name  ? 1
                 : is_cut ? 3
                          : 0,
                 cut_of(s, i));
    }
}
