#include <config.h>

#include "report/data_part.h"

#include "base/memory.h"
#include "render/text/data_table.h"
#include "render/text/style.h"
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
                             const struct crates *crates, const struct show_settings *settings,
                             const char *root)
{
    bool *own = own_part_functions(p, crates), *callers = heap_callers(p, own);
    bool alone = settings->parts == SHOW_DATA;
    struct data_view view = {.table = table, .root = root};

    data_table_load(table, p, callers, measure_of(settings));
    view.limit = settings->limit == SHOW_LIMIT_DEFAULT ? DATA_LIMIT : (size_t)settings->limit;
    view.brief = settings->limit == SHOW_LIMIT_DEFAULT;
    view.touches = !settings->limit ? 0 : alone ? TOUCHES : TOUCHES_BESIDE;
    free(callers);
    free(own);
    return view;
}

/* The commands that look further into the last run. */
static void write_next(const struct show_screen *screen, FILE *out)
{
    static const char *const lines[] = {
        "next: cargo cprof annotate --sort D1m   lines of the source",
        "      cargo cprof tree --sort D1m       call paths"};

    fputc('\n', out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        style_line(out, screen->color, STYLE_BOLD, lines[i], 0);
}

void data_part_write(const struct cprof_profile *p, const struct crates *crates,
                     const struct show_settings *settings, const struct show_context *context,
                     const struct table *t, const struct show_screen *screen, FILE *out)
{
    struct grid_screen grid = show_grid(screen);
    struct data_table table;
    struct data_view view = load(&table, p, crates, settings, t->root);

    grid.links = t->links;
    data_view_write(&view, &grid, out);
    if (settings->parts == SHOW_DATA && table.n && !context->file && context->files <= 1)
        write_next(screen, out);
    data_table_free(&table);
}

void data_part_markdown(const struct cprof_profile *p, const struct crates *crates,
                        const struct show_settings *settings, const char *root, FILE *out)
{
    struct data_table table;
    struct data_view view = load(&table, p, crates, settings, root);

    data_view_markdown(&view, out);
    data_table_free(&table);
}
