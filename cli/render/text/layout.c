#include <config.h>

#include "render/text/layout.h"

#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"
#include "names/repeated.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

static struct layout_column *names_of(const struct function_table *t, struct layout_column *layout)
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (column_is_name(layout[i].column))
            return &layout[i];
    return NULL;
}

static bool has_column(const struct function_table *t, bool (*is)(const struct column *column))
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (is(t->columns.items[i]))
            return true;
    return false;
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

/* Tries `way` on `n` rows that look alike. A way that adds the same to all is of no use. */
static void try_way(const struct function_table *t, struct layout_column *names, enum way way,
                    const size_t *rows, size_t n)
{
    char **added = xcalloc(n, sizeof *added);
    bool useful = false;

    for (size_t i = 0; i < n; i++) {
        added[i] = addition(t, way, rows[i], i + 1);
        useful |= i && strcmp(added[i] ? added[i] : "", added[0] ? added[0] : "") != 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (useful)
            append(t, &names->cells[rows[i]], added[i]);
        free(added[i]);
    }
    free(added);
}

/* Looks for rows that look the same, to be told apart. */
struct search {
    const struct function_table *table;
    struct layout_column *layout;
    enum way way;
    void (*use)(const struct function_table *t, struct layout_column *names, enum way way,
                const size_t *rows, size_t n);
};

/* Orders two rows by all their texts but notes, which say something about a row. */
static int compare_rows(const void *search, size_t a, size_t b)
{
    const struct search *s = search;
    int order = 0;

    for (size_t i = 0; i < s->table->columns.n && !order; i++)
        if (layout_is_text(&s->layout[i]) && !column_is_note(s->layout[i].column))
            order = strcmp(s->layout[i].cells[a], s->layout[i].cells[b]);
    return order;
}

static void use_rows(void *search, const size_t *rows, size_t n)
{
    const struct search *s = search;

    s->use(s->table, names_of(s->table, s->layout), s->way, rows, n);
}

/* Calls `use` for each group of rows that look the same. */
static void each_group(const struct function_table *t, struct layout_column *layout,
                       void (*use)(const struct function_table *t, struct layout_column *names,
                                   enum way way, const size_t *rows, size_t n),
                       enum way way)
{
    static const struct repeated same_texts = {.compare = compare_rows, .use = use_rows};
    struct search s = {t, layout, way, use};

    repeated_each(&same_texts, &s, t->n_shown);
}

void layout_tell_apart(const struct function_table *t, struct layout_column *layout)
{
    struct layout_column *names = names_of(t, layout);
    bool has_place = has_column(t, column_is_place);
    bool has_object = has_column(t, column_is_object);

    if (!names)
        return;
    for (size_t i = 0; i < t->n_shown && !has_place && !has_object; i++) {
        char *added =
            strcmp(t->rows->items[i].name, UNNAMED) == 0 ? addition(t, BY_PLACE, i, 0) : NULL;

        append(t, &names->cells[i], added);
        free(added);
    }
    for (enum way way = 0; way < N_WAYS; way++)
        if (!(way == BY_PLACE && has_place) && !(way == BY_OBJECT && has_object))
            each_group(t, layout, try_way, way);
}

/* Shortens names that look alike in another way, which keeps their arguments. */
static void cut_elsewhere(const struct function_table *t, struct layout_column *names, enum way way,
                          const size_t *rows, size_t n)
{
    (void)way;
    for (size_t i = 0; i < n; i++) {
        free(names->cells[rows[i]]);
        names->cells[rows[i]] =
            text_shorten(names->full[rows[i]], names->fit.width, TEXT_CUT_ALIKE, t->utf8);
    }
}

/* Numbers names that look alike, within the column's width. */
static void number(const struct function_table *t, struct layout_column *names, enum way way,
                   const size_t *rows, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        char *added = addition(t, way, rows[i], i + 1), *shorter;
        size_t size = strlen(added);

        if (size < names->fit.width) {
            shorter = text_shorten(names->full[rows[i]], names->fit.width - (unsigned)size,
                                   TEXT_CUT_NAME, t->utf8);
            free(names->cells[rows[i]]);
            names->cells[rows[i]] = xasprintf("%s%s", shorter, added);
            free(shorter);
        }
        free(added);
    }
}

static void shorten(const struct function_table *t, struct layout_column *laid)
{
    enum text_cut cut = column_is_name(laid->column)   ? TEXT_CUT_NAME
                        : column_is_note(laid->column) ? TEXT_CUT_END
                                                       : TEXT_CUT_PLACE;

    laid->full = laid->cells;
    laid->cells = xcalloc(t->n_shown, sizeof *laid->cells);
    for (size_t r = 0; r < t->n_shown; r++)
        laid->cells[r] = text_shorten(laid->full[r], laid->fit.width, cut, t->utf8);
}

static void forget_full(const struct function_table *t, struct layout_column *laid)
{
    for (size_t r = 0; r < t->n_shown; r++)
        free(laid->full[r]);
    free(laid->full);
    laid->full = NULL;
}

void layout_shorten(const struct function_table *t, struct layout_column *layout)
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (layout_is_text(&layout[i]))
            shorten(t, &layout[i]);
    if (names_of(t, layout)) {
        each_group(t, layout, cut_elsewhere, BY_NUMBER);
        each_group(t, layout, number, BY_NUMBER);
    }
    for (size_t i = 0; i < t->columns.n; i++)
        if (layout_is_text(&layout[i]))
            forget_full(t, &layout[i]);
}
