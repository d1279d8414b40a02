#include <config.h>

#include "report/data_part.h"

#include "base/memory.h"
#include "render/text/data_table.h"
#include "render/text/style.h"
#include "report/line_part.h"
#include "report/own_part.h"
#include "report/type_part.h"
#include "table/heap.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DATA_LIMIT = 10, TOUCHES = 4, TOUCHES_BESIDE = 2 };

static enum data_measure measure_of(const struct show_settings *settings)
{
    return settings->sort && !strncasecmp(settings->sort, "dlm", 3) ? DATA_LL : DATA_D1;
}

static struct data_view load(struct data_table *table, const struct cprof_profile *p,
                             const bool *own, const struct show_settings *settings,
                             const char *root)
{
    bool *callers = heap_callers(p, own);
    bool alone = settings->parts == SHOW_DATA;
    struct data_view view = {.table = table, .root = root};

    data_table_load(table, p, callers, measure_of(settings));
    view.limit = settings->limit == SHOW_LIMIT_DEFAULT ? DATA_LIMIT : (size_t)settings->limit;
    view.brief = settings->limit == SHOW_LIMIT_DEFAULT;
    view.touches = !settings->limit ? 0 : alone ? TOUCHES : TOUCHES_BESIDE;
    free(callers);
    return view;
}

/* The command that looks into the type that misses most, of those that the program has laid out. */
static void write_next_type(const struct data_table *t, const struct show_screen *screen, FILE *out)
{
    enum { SHARE = 20 }; /* of which one is worth a look */
    const struct cprof_profile *p = t->profile;
    int64_t least = data_row_misses(t->misses, t->measure) / SHARE;
    char *name = NULL, *line;

    for (size_t i = 0; i < t->n && !name && data_row_misses(t->rows[i].misses, t->measure) > least;
         i++)
        if (t->rows[i].type != CPROF_NONE && fields_are_own(p, t->rows[i].type))
            name = fields_type_name(p->types[t->rows[i].type].name);
    /* A name with type arguments would need quotes. */
    if (name && !name[strcspn(name, "<>()&*|; '\"")]) {
        line = xasprintf("      cargo cprof report --layout %s   %s", name, "its members");
        style_line(out, screen->color, STYLE_BOLD, line, 0);
        free(line);
    }
    free(name);
}

static void write_layout(const struct cprof_profile *p, const bool *own,
                         const struct show_settings *settings, const struct grid_screen *screen,
                         FILE *out)
{
    bool *callers = heap_callers(p, own);

    type_part_write(p, settings->layout, callers, screen, out);
    free(callers);
}

/* The table of data has the use of lines, too, so they have theirs where data are not told apart,
 * or where nothing else is asked for. */
static bool is_lines(const struct cprof_profile *p, const struct show_settings *settings)
{
    return !p->has_data || settings->parts == SHOW_LINES;
}

/* Fills both, which the caller frees. */
static void load_and_fill(struct data_table *table, const struct cprof_profile *p, const bool *own,
                          const struct show_settings *settings, const char *root,
                          struct titled_grid *filled)
{
    struct data_view view = load(table, p, own, settings, root);

    if (is_lines(p, settings))
        line_part_fill(p, own, settings, root, filled);
    else
        data_view_fill(&view, filled);
}

void data_part_fill(const struct cprof_profile *p, const bool *own,
                    const struct show_settings *settings, const char *root,
                    struct titled_grid *filled)
{
    struct data_table table;

    load_and_fill(&table, p, own, settings, root, filled);
    data_table_free(&table);
}

void data_part_write(const struct cprof_profile *p, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *t, const struct show_screen *screen, FILE *out)
{
    bool alone = settings->parts == SHOW_DATA || settings->parts == SHOW_LINES;
    struct grid_screen grid;
    struct data_table table;
    struct titled_grid filled;

    if (screen) {
        grid = show_grid(screen);
        grid.links = t->links;
    }
    if (settings->layout) {
        write_layout(p, own, settings, screen ? &grid : NULL, out);
        return;
    }
    load_and_fill(&table, p, own, settings, t->root, &filled);
    titled_grid_write(&filled, screen ? &grid : NULL, out);
    if (screen && !is_lines(p, settings) && type_part_is_missing(p)) {
        fputc('\n', out);
        style_line(out, screen->color, STYLE_DIM, TYPE_PART_HOW, screen->width);
    }
    if (screen && alone && filled.grid.n_rows && !context->file && context->files <= 1)
        own_part_next_by(measure_of(settings) == DATA_LL ? "DLm" : "D1m", screen, out);
    if (screen && settings->parts == SHOW_DATA && !context->file && context->files <= 1)
        write_next_type(&table, screen, out);
    titled_grid_free(&filled);
    data_table_free(&table);
}
