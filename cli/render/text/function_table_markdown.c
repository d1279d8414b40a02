#include <config.h>

/* The table of function_table.h as Markdown: every column, counts and names in full. */
#include "render/text/function_table.h"
#include "render/text/markdown.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

/* "403,999,288 Ir in all; 20 of 419 functions" */
static void put_closing(const struct function_table *t, FILE *out)
{
    char count[TEXT_NUMBER];

    fputc('\n', out);
    markdown_put_text(out, t->measure->name);
    fprintf(out, " in all: %s. ", text_count(count, column_value(t->measure, t->rows->totals)));
    if (t->n_shown < t->rows->n_all)
        fprintf(out, "Shown: %s of %s %s%s.\n", TEXT_COUNT(t->n_shown), TEXT_COUNT(t->rows->n_all),
                group_word(t->by, true), t->filtered ? ", of those that match" : "");
    else
        fprintf(out, "Shown: all %s %s.\n", TEXT_COUNT(t->n_shown),
                group_word(t->by, t->n_shown != 1));
}

void function_table_markdown(const struct function_table *t, FILE *out)
{
    struct table table;

    function_table_begin(t, &table);
    table_markdown_begin(&table, out);
    for (size_t r = 0; r < t->n_shown; r++) {
        table_put(&table, &t->rows->items[r], CELL_PLAIN);
        table_markdown_put(&table, out);
        table_clear(&table);
    }
    table_free(&table);
    put_closing(t, out);
}
