#include <config.h>

#include "render/text/environment_table.h"

#include "render/text/markdown.h"

#include <stdlib.h>

enum column_id { FACT, OLD, NEW };

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct environment_change *change = row;

    (void)subject;
    return cell_text(c->id == FACT ? change->what : c->id == OLD ? change->old : change->new);
}

void environment_fill(const struct environment_diff *diff, struct table *table)
{
    static const struct table_column columns[] = {
        {"Environment", TABLE_NAME, .cell = cell_of, .id = FACT, .heads_rows = true},
        {"Old", TABLE_NOTE, .cell = cell_of, .id = OLD},
        {"New", TABLE_NOTE, .cell = cell_of, .id = NEW},
    };

    table_begin(table, NULL);
    table_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < diff->n; i++)
        table_put(table, &diff->items[i], CELL_PLAIN);
}

void environment_write(const struct environment_diff *diff, FILE *out)
{
    char *text = environment_diff_text(diff);

    if (!text)
        return;
    fputs("**Their environments differ**: ", out);
    markdown_put_text(out, text);
    fputs("\n\n", out);
    free(text);
}
