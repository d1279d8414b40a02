#include <config.h>

/* The table of function_table.h as Markdown: every column, counts and names in full. */
#include "base/memory.h"
#include "render/text/function_table.h"
#include "render/text/markdown.h"
#include "render/text/text.h"

#include <stdlib.h>

static void put_cell(const struct function_table *t, const struct column *c, const struct row *row,
                     FILE *out)
{
    char *text =
        !column_is_text(c) ? function_table_count(t, c, row) : function_table_text(t, c, row);

    if (column_is_name(c))
        markdown_code(out, text);
    else
        markdown_text(out, text);
    free(text);
}

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
    struct markdown_header *headers = xcalloc(t->columns.n, sizeof *headers);

    for (size_t c = 0; c < t->columns.n; c++)
        headers[c] = (struct markdown_header){t->columns.items[c]->header,
                                              !column_is_text(t->columns.items[c])};
    markdown_head(out, headers, t->columns.n);
    free(headers);
    for (size_t r = 0; r < t->n_shown; r++) {
        for (size_t c = 0; c < t->columns.n; c++)
            put_cell(t, t->columns.items[c], &t->rows->items[r], out);
        markdown_end(out);
    }
    put_closing(t, out);
}
