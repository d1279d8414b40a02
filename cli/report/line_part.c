#include <config.h>

#include "report/line_part.h"

#include "render/text/line_table.h"
#include "report/own_part.h"
#include "table/heap.h"

#include <stdlib.h>

static size_t limit_of(const struct show_settings *settings)
{
    if (settings->limit == SHOW_LIMIT_DEFAULT)
        return settings->parts == SHOW_LINES ? SHOW_LIMIT_TABLE : SHOW_LIMIT_BELOW;
    return (size_t)settings->limit;
}

static struct line_view load(struct line_table *table, const struct cprof_profile *p,
                             const bool *own, const struct show_settings *settings,
                             const char *root)
{
    bool *callers = heap_callers(p, own);

    line_table_load(table, p, callers);
    free(callers);
    return (struct line_view){.table = table,
                              .limit = limit_of(settings),
                              .brief = settings->limit == SHOW_LIMIT_DEFAULT,
                              .root = root};
}

void line_part_fill(const struct cprof_profile *p, const bool *own,
                    const struct show_settings *settings, const char *root,
                    struct titled_grid *filled)
{
    struct line_table table;
    struct line_view view = load(&table, p, own, settings, root);

    line_view_fill(&view, filled);
    line_table_free(&table);
}
