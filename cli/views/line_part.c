#include <config.h>

#include "views/line_part.h"

#include "render/text/line_table.h"

void line_part_fill(const struct memory_tables *m, struct table *filled)
{
    struct line_table table;
    struct line_view view = {
        .table = &table,
        .limit = memory_tables_limit(m, SHOW_LINES, SHOW_LIMIT_TABLE, SHOW_LIMIT_BELOW),
        .brief = memory_tables_are_brief(m),
        .root = m->root};

    line_table_load(&table, m->callers);
    if (m->filter)
        line_table_filter(&table, m->filter);
    line_view_fill(&view, filled);
    line_table_free(&table);
}
