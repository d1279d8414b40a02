#include <config.h>

#include "report/data_part.h"

#include "base/memory.h"
#include "render/text/data_table.h"
#include "render/text/style.h"
#include "report/line_part.h"
#include "report/own_part.h"
#include "table/heap.h"

#include <stdlib.h>
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

/* The table of data has the use of lines, too, so they have theirs where data are not told apart,
 * or where nothing else is asked for. */
static bool is_lines(const struct cprof_profile *p, const struct show_settings *settings)
{
    return !p->has_data || settings->parts == SHOW_LINES;
}

static void write_data(const struct cprof_profile *p, const bool *own,
                       const struct show_settings *settings, const struct show_context *context,
                       const struct table *t, const struct show_screen *screen, FILE *out)
{
    struct grid_screen grid = show_grid(screen);
    struct data_table table;
    struct data_view view = load(&table, p, own, settings, t->root);

    grid.links = t->links;
    data_view_write(&view, &grid, out);
    if (settings->parts == SHOW_DATA && table.n && !context->file && context->files <= 1)
        own_part_next_by("D1m", screen, out);
    data_table_free(&table);
}

void data_part_write(const struct cprof_profile *p, const bool *own,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *t, const struct show_screen *screen, FILE *out)
{
    (is_lines(p, settings) ? line_part_write : write_data)(p, own, settings, context, t, screen,
                                                           out);
}

static void data_markdown(const struct cprof_profile *p, const bool *own,
                          const struct show_settings *settings, const char *root, FILE *out)
{
    struct data_table table;
    struct data_view view = load(&table, p, own, settings, root);

    data_view_markdown(&view, out);
    data_table_free(&table);
}

void data_part_markdown(const struct cprof_profile *p, const bool *own,
                        const struct show_settings *settings, const char *root, FILE *out)
{
    (is_lines(p, settings) ? line_part_markdown : data_markdown)(p, own, settings, root, out);
}
