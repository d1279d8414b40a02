#include <config.h>

#include "render/text/layout.h"

#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"
#include "names/repeated.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

/* The column of names, or the number of columns. */
static size_t names_of(const struct grid *grid)
{
    size_t c = 0;

    while (c < grid->table->n_columns && grid->table->columns[c].kind != TABLE_NAME)
        c++;
    return c;
}

/* The ways to tell rows apart, in the order they are tried. */
enum way { BY_PLACE, BY_CRATE, BY_OBJECT, BY_NUMBER, N_WAYS };

/* The text that `way` adds to the row's name, or NULL. The caller frees it. */
static char *addition(const struct function_table *t, enum way way, size_t row, size_t number)
{
    const struct row *r = &t->rows->items[row];
    char *text, *added;

    if (way == BY_NUMBER)
        return xasprintf(" [%zu]", number);
    if (way == BY_PLACE)
        text = location_text(r->file, r->line, r->object, t->root);
    else if (way == BY_CRATE)
        text = r->crate ? crate_label(r->crate) : xstrdup("");
    else
        text = xstrdup(r->object ? r->object : "");
    added = *text ? xasprintf(" (%s)", text) : NULL;
    free(text);
    return added;
}

static void append(const struct function_table *t, char **cell, const char *added)
{
    char *longer = added ? xasprintf("%s%s", *cell, added) : NULL;

    if (!longer)
        return;
    free(*cell);
    *cell = text_clean(longer, t->utf8);
    free(longer);
}

/* Looks for rows that look the same, to be told apart. */
struct search {
    const struct function_table *table;
    struct grid *grid;
    size_t names; /* the column of names */
    char **full;  /* by row: the name before it was shortened; NULL: it was not */
    enum way way;
    void (*use)(const struct search *search, const size_t *rows, size_t n);
};

static char **name_at(const struct search *s, size_t row)
{
    return grid_at(s->grid, row, s->names);
}

/* Tries a way on `n` rows that look alike. A way that adds the same to all is of no use. */
static void try_way(const struct search *s, const size_t *rows, size_t n)
{
    char **added = xcalloc(n, sizeof *added);
    bool useful = false;

    for (size_t i = 0; i < n; i++) {
        added[i] = addition(s->table, s->way, rows[i], i + 1);
        useful |= i && strcmp(added[i] ? added[i] : "", added[0] ? added[0] : "") != 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (useful)
            append(s->table, name_at(s, rows[i]), added[i]);
        free(added[i]);
    }
    free(added);
}

/* Orders two rows by all their texts but notes, which say something about a row. */
static int compare_rows(const void *search, size_t a, size_t b)
{
    const struct grid *g = ((const struct search *)search)->grid;
    int order = 0;

    for (size_t c = 0; c < g->table->n_columns && !order; c++)
        if (table_kind_is_text(g->table->columns[c].kind) &&
            g->table->columns[c].kind != TABLE_NOTE)
            order = strcmp(*grid_at(g, a, c), *grid_at(g, b, c));
    return order;
}

static void use_rows(void *search, const size_t *rows, size_t n)
{
    const struct search *s = search;

    s->use(s, rows, n);
}

/* Calls `use` for each group of rows that look the same. */
static void each_group(struct search *s, enum way way,
                       void (*use)(const struct search *search, const size_t *rows, size_t n))
{
    static const struct repeated same_texts = {.compare = compare_rows, .use = use_rows};

    s->way = way;
    s->use = use;
    repeated_each(&same_texts, s, s->table->n_shown);
}

void layout_tell_apart(const struct function_table *t, struct grid *grid)
{
    struct search s = {.table = t, .grid = grid, .names = names_of(grid)};
    bool has_place = function_table_shows(t, column_is_place);
    bool has_object = function_table_shows(t, column_is_object);

    if (s.names == grid->table->n_columns)
        return;
    for (size_t i = 0; i < t->n_shown && !has_place && !has_object; i++) {
        char *added =
            strcmp(t->rows->items[i].name, UNNAMED) == 0 ? addition(t, BY_PLACE, i, 0) : NULL;

        append(t, name_at(&s, i), added);
        free(added);
    }
    for (enum way way = 0; way < N_WAYS; way++)
        if (!(way == BY_PLACE && has_place) && !(way == BY_OBJECT && has_object))
            each_group(&s, way, try_way);
}

/* Makes the name of a row anew, in `room` columns. */
static void cut_name(const struct search *s, size_t row, unsigned room, enum text_cut cut,
                     const char *added)
{
    char *shorter = text_shorten(s->full[row], room, cut, s->table->utf8), **name = name_at(s, row);

    free(*name);
    *name = xasprintf("%s%s", shorter, added);
    free(shorter);
}

/* Shortens names that look alike in another way, which keeps their arguments. */
static void cut_elsewhere(const struct search *s, const size_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cut_name(s, rows[i], s->grid->fits[s->names].width, TEXT_CUT_ALIKE, "");
}

/* Numbers names that look alike, within the column's width. */
static void number(const struct search *s, const size_t *rows, size_t n)
{
    unsigned width = s->grid->fits[s->names].width;

    for (size_t i = 1; i < n; i++) {
        char *added = addition(s->table, BY_NUMBER, rows[i], i + 1);
        unsigned size = (unsigned)strlen(added);

        if (size < width)
            cut_name(s, rows[i], width - size, TEXT_CUT_NAME, added);
        free(added);
    }
}

void layout_shorten(const struct function_table *t, struct grid *grid)
{
    struct search s = {.table = t, .grid = grid, .names = names_of(grid)};

    s.full = xcalloc(t->n_shown, sizeof *s.full);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        for (size_t r = 0; r < t->n_shown; r++) {
            char **text = grid_at(grid, r, c), *full = *text;

            *text = grid_fit(full, grid->table->columns[c].kind, grid->fits[c].width, t->utf8);
            if (c == s.names)
                s.full[r] = full;
            else
                free(full);
        }
    if (s.names < grid->table->n_columns) {
        each_group(&s, BY_NUMBER, cut_elsewhere);
        each_group(&s, BY_NUMBER, number);
    }
    for (size_t r = 0; r < t->n_shown; r++)
        free(s.full[r]);
    free(s.full);
}
