#include <config.h>

/* Which data misses, and how much of the lines is used. */
#include "render/text/data_table.h"
#include "render/text/style.h"
#include "views/screen.h"
#include "views/show_layout.h"
#include "views/view_form.h"

#include <string.h>

enum { DATA_LIMIT = 10, TOUCHES = 4, TOUCHES_BESIDE = 2 };

static void load(struct data_table *table, const struct view_input *m)
{
    data_table_load(table, m->callers, data_measure_of(m->settings->sort));
    if (m->filter)
        data_table_filter(table, m->filter);
}

static void fill_data(const struct view_input *m, const struct data_table *table,
                      struct table *filled)
{
    bool alone = m->view == VIEW_DATA;
    const struct data_view view = {.table = table,
                                   .limit = view_limit(m, VIEW_DATA, DATA_LIMIT, DATA_LIMIT),
                                   .brief = view_is_brief(m),
                                   .touches = !m->settings->limit ? 0
                                              : alone             ? TOUCHES
                                                                  : TOUCHES_BESIDE,
                                   .root = m->root};

    data_view_fill(&view, filled);
}

static void fill(const struct view_input *m, struct table *filled)
{
    struct data_table table;

    load(&table, m);
    fill_data(m, &table, filled);
    data_table_free(&table);
}

/* The name of the type that misses most, of those that the program has laid out; NULL: there is
 * none. The caller frees it. */
static char *type_to_look_at(const struct data_table *t)
{
    enum { SHARE = 20 }; /* of which one is worth a look */
    const struct cprof_profile *p = t->profile;
    int64_t least = data_row_misses(t->misses, t->measure) / SHARE;

    for (size_t i = 0; i < t->n && data_row_misses(t->rows[i].misses, t->measure) > least; i++)
        if (t->rows[i].type != CPROF_NONE && fields_are_own(p, t->rows[i].type))
            return fields_type_name(p->types[t->rows[i].type].name);
    return NULL;
}

static void write_data(const struct view_input *m, struct next_views *next,
                       const struct show_screen *screen, FILE *out)
{
    struct data_table table;
    struct table filled;

    load(&table, m);
    fill_data(m, &table, &filled);
    if (filled.n_rows)
        next->sort = table.measure == DATA_LL ? "DLm" : "D1m";
    next->line_use = !table.profile->has_line_use;
    next->type = type_to_look_at(&table);
    show_table(&filled, screen, m->links, out);
    data_table_free(&table);
    if (screen && show_layout_is_missing(m->callers->profile)) {
        fputc('\n', out);
        style_line(out, screen->color, STYLE_DIM, show_layout_how(m->callers->profile),
                   screen->width);
    }
}

const struct view_form data_form = {.fill = fill, .write = write_data};

/*--- The use of lines by function: the table of data has it, too ---*/

static void fill_lines(const struct view_input *m, struct table *filled)
{
    struct line_table table;
    struct line_view view = {.table = &table,
                             .limit = view_limit(m, VIEW_LINES, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW),
                             .brief = view_is_brief(m),
                             .root = m->root};

    line_table_load(&table, m->callers);
    if (m->filter)
        line_table_filter(&table, m->filter);
    line_view_fill(&view, filled);
    line_table_free(&table);
}

static void write_lines(const struct view_input *m, struct next_views *next,
                        const struct show_screen *screen, FILE *out)
{
    struct table filled;

    fill_lines(m, &filled);
    if (filled.n_rows)
        next->sort = "D1m";
    show_table(&filled, screen, m->links, out);
}

const struct view_form line_use_form = {.fill = fill_lines, .write = write_lines};
