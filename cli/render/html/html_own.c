#include <config.h>

/* The functions of own code in a page. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"
#include "render/text/own_table.h"
#include "render/text/text.h"

#include <stdlib.h>

enum { NAMED_MOST = 3 };                /* functions of other code that are named in a row */
static const double named_least = 0.05; /* percent of the program, from which on they are */

static int64_t value_of(const struct function_table *t, const int64_t *counts)
{
    return column_value(t->measure, counts);
}

/* "memcmp 39.5 %, malloc 3.0 %": other code that cost most, in shares of the program. */
static char *paid_text(const struct function_table *t, const struct own *own,
                       const struct own_function *f)
{
    int64_t total = value_of(t, t->rows->totals);
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < f->n_charges && i < NAMED_MOST; i++) {
        int64_t value = value_of(t, f->charges[i].counts);
        char percent[TEXT_NUMBER], *name;

        if ((double)value * 100 < (double)total * named_least)
            break;
        name = own_charge_name(own, &f->charges[i]);
        strbuf_addf(&text, "%s%s %s %%", i ? ", " : "", name,
                    text_percent(percent, value, total, 1));
        free(name);
    }
    return strbuf_take(&text);
}

static void put_share(FILE *out, int64_t value, int64_t total)
{
    if (!html_bar(out, value, total, 1))
        html_number(out, "", "");
}

static void put_row(const struct function_table *t, const struct own *own,
                    const struct own_function *f, bool linked, FILE *out)
{
    int64_t total = value_of(t, t->rows->totals);
    char *place = location_text(f->row.file, f->row.line, f->row.object, t->root);
    char *paid = paid_text(t, own, f);

    html_row_begin(out, &f->row);
    put_share(out, value_of(t, f->charged), total);
    html_count(out, value_of(t, f->charged));
    html_count(out, value_of(t, f->self));
    if (own->items[0].inclusive)
        put_share(out, f->inclusive ? value_of(t, f->inclusive) : 0, total);
    html_name(out, &f->row, f->row.name, linked);
    html_cell(out, "place", place);
    html_cell(out, "paid", paid);
    fputs("</tr>\n", out);
    free(paid);
    free(place);
}

static void put_heads(const struct function_table *t, const struct own *own, FILE *out)
{
    html_head(out, "Charged %", true);
    fputs("<th scope=\"col\" class=\"n\" title=\"own cost, and what other code cost for it\"", out);
    fprintf(out, " data-total=\"%lld\">", (long long)value_of(t, t->rows->totals));
    xml_text(out, t->measure->header);
    fputs("</th>", out);
    html_head(out, "Self", true);
    if (own->items[0].inclusive)
        html_head(out, "Inclusive %", true);
    html_head(out, "Function", false);
    html_head(out, "Costliest line", false);
    html_head(out, "Other code", false);
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
    put_sums(t, own, out);
    html_table_begin(out, " class=\"sortable\" data-what=\"functions\"");
    put_heads(t, own, out);
    html_table_body(out);
    for (size_t i = 0; i < own->n; i++)
        if (value_of(t, own->items[i].charged) > 0)
            put_row(t, own, &own->items[i], linked && linked[own->items[i].row.function], out);
    html_table_end(out);
}
