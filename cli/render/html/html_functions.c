#include <config.h>

/* The table of functions in a page. */
#include "base/memory.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"
#include "render/text/closing.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 256 /* rows that are in memory at once */ };

static void put_rows(const struct function_table *t, const bool *linked, FILE *out)
{
    struct table table;

    function_table_begin(t, &table);
    html_rows_begin(&table, group_word(t->by, true), out);
    for (size_t r = 0; r < t->n_shown; r++) {
        table_put(&table, &t->rows->items[r], CELL_PLAIN);
        if (table.n_rows < PIECE && r + 1 < t->n_shown)
            continue;
        html_rows_put(&table, true, linked, out);
        table_clear(&table);
    }
    html_table_end(out);
    table_free(&table);
}

void html_functions(const struct function_table *t, const bool *linked, FILE *out)
{
    char count[TEXT_NUMBER], all[TEXT_NUMBER], percent[TEXT_NUMBER], *note;
    char *bounds = closing_bounds(t);

    text_count(count, (int64_t)t->n_shown);
    text_count(all, (int64_t)t->rows->n_all);
    text_percent(percent, rows_sum(t->rows, t->measure, t->n_shown),
                 column_value(t->measure, t->rows->totals), 1);
    note = t->n_shown < t->rows->n_all
               ? xasprintf("%s of %s %s%s, %s %% of %s%s", count, all, group_word(t->by, true),
                           t->filtered ? ", of those that match" : "", percent, t->measure->name,
                           t->n_shown < t->rows->n ? " (-n 0 writes all)" : "")
               : xasprintf("All %s %s", count, group_word(t->by, true));
    html_note(out, note);
    if (bounds)
        html_note(out, bounds);
    free(note);
    free(bounds);
    put_rows(t, linked, out);
}
