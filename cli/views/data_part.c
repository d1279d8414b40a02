#include <config.h>

#include "views/data_part.h"

#include "render/text/data_table.h"
#include "render/text/style.h"
#include "views/line_part.h"
#include "views/screen.h"
#include "views/type_part.h"

#include <string.h>

enum { DATA_LIMIT = 10, TOUCHES = 4, TOUCHES_BESIDE = 2 };

/* The table of data has the use of lines, too, so they have theirs where data are not told apart,
 * or where nothing else is asked for. */
static bool is_lines(const struct memory_tables *m)
{
    return !m->callers->profile->has_data || m->settings->parts == SHOW_LINES;
}

static void load(struct data_table *table, const struct memory_tables *m)
{
    data_table_load(table, m->callers, data_measure_of(m->settings->sort));
    if (m->filter)
        data_table_filter(table, m->filter);
}

static void fill_data(const struct memory_tables *m, const struct data_table *table,
                      struct table *filled)
{
    bool alone = m->settings->parts == SHOW_DATA;
    const struct data_view view = {.table = table,
                                   .limit =
                                       memory_tables_limit(m, SHOW_DATA, DATA_LIMIT, DATA_LIMIT),
                                   .brief = memory_tables_are_brief(m),
                                   .touches = !m->settings->limit ? 0
                                              : alone             ? TOUCHES
                                                                  : TOUCHES_BESIDE,
                                   .root = m->root};

    data_view_fill(&view, filled);
}

void data_part_fill(const struct memory_tables *m, struct table *filled)
{
    struct data_table table;

    if (is_lines(m)) {
        line_part_fill(m, filled);
        return;
    }
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

static void write_lines(const struct memory_tables *m, struct next_views *next,
                        const struct show_screen *screen, FILE *out)
{
    struct table filled;

    line_part_fill(m, &filled);
    if (filled.n_rows)
        next->sort = "D1m";
    show_table(&filled, screen, m->links, out);
}

static void write_data(const struct memory_tables *m, struct next_views *next,
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
    if (screen && type_part_is_missing(m->callers->profile)) {
        fputc('\n', out);
        style_line(out, screen->color, STYLE_DIM, type_part_how(m->callers->profile),
                   screen->width);
    }
}

void data_part_write(const struct memory_tables *m, struct next_views *next,
                     const struct show_screen *screen, FILE *out)
{
    if (m->settings->layout)
        type_part_write(m, screen, out);
    else if (is_lines(m))
        write_lines(m, next, screen, out);
    else
        write_data(m, next, screen, out);
}
