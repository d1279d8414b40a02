#include <config.h>

/* The functions of own code in a page. */
#include "base/strbuf.h"
#include "render/html/html.h"
#include "render/text/own_table.h"
#include "render/text/text.h"

static int64_t value_of(const struct function_table *t, const int64_t *counts)
{
    return column_value(t->measure, counts);
}

/* Writes what the rows add up to: they and the rest are the program. */
static void put_sums(const struct function_table *t, const struct own *own, FILE *out)
{
    int64_t total = value_of(t, t->rows->totals);
    struct strbuf text = {.text = NULL};

    strbuf_addf(&text, "Charged: own cost, and what other code cost for it%s.",
                own->paths ? "" : ", as far as it was inlined there");
    for (int i = -1; i < BLAME_OUTSIDES; i++) {
        int64_t sum = value_of(t, i < 0 ? own->charged : own->outside[i]);
        char percent[TEXT_NUMBER], count[TEXT_NUMBER];

        if (sum)
            strbuf_addf(&text, "%s%s %% (%s) %s", i < 0 ? " Of all " : ", ",
                        text_percent(percent, sum, total, 1), text_count(count, sum),
                        i < 0 ? "for your code"
                              : blame_outside_name(own->paths, (enum blame_outside)i));
    }
    html_note(out, text.text);
    strbuf_free(&text);
}

void html_own(const struct function_table *t, const struct own *own, const bool *linked, FILE *out)
{
    const struct own_table table = {
        .own = own, .measure = t->measure, .whole_names = true, .root = t->root};
    struct table filled;

    put_sums(t, own, out);
    own_table_fill(&table, &filled);
    html_rows(&filled, "functions", linked, out);
    table_free(&filled);
}
