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

/* Estimates and calls that are not known are quiet. */
static void put_calls(const struct function_table *t, const struct column *c, const struct row *row,
                      FILE *out)
{
    int64_t calls = row_value(row, c);
    char *text;

    if (calls && !(row->entered && row->entered_least)) {
        html_count(out, calls);
        return;
    }
    text = function_table_count(t, c, row);
    html_number(out, row->inlined || !calls ? " quiet" : "", text);
    free(text);
}

static void put_number(const struct function_table *t, const struct column *c,
                       const struct row *row, FILE *out)
{
    int64_t value = column_value(c, row->counts), total = column_value(c, t->rows->totals);
    bool share = column_is_share(c) || t->percent;
    char text[TEXT_NUMBER];

    if (column_is_interval(c) || column_is_ratio(c)) {
        char *number = function_table_count(t, c, row);

        html_number(out, column_is_interval(c) ? " quiet" : "", number);
        free(number);
    } else if (column_is_calls(c)) {
        put_calls(t, c, row, out);
    } else if (!share)
        html_count(out, value);
    else if (!html_bar(out, value, total, column_is_share(c) ? 1 : 2))
        html_number(out, "", text_percent(text, value, total, 1));
}

static void put_name(const struct function_table *t, const struct row *row, bool linked, FILE *out)
{
    char *name = row->is_place ? location_text(row->file, row->line, row->object, t->root)
                               : xstrdup(row->name);

    html_name(out, row, name, linked);
    free(name);
}

static void put_cell(const struct function_table *t, const struct column *c, const struct row *row,
                     bool linked, FILE *out)
{
    if (!column_is_text(c)) {
        put_number(t, c, row, out);
    } else if (column_is_name(c)) {
        put_name(t, row, linked, out);
    } else {
        char *place = function_table_text(t, c, row);

        html_cell(out, "place", place);
        free(place);
    }
}

/* The script needs the total of the measure, to show how much of it the filter leaves. */
static void put_heads(const struct function_table *t, FILE *out)
{
    for (size_t i = 0; i < t->columns.n; i++) {
        const struct column *c = t->columns.items[i];
        bool is_measure = column_adds_up(c) && !t->percent && !strcmp(c->name, t->measure->name);

        fprintf(out, "<th scope=\"col\"%s", !column_is_text(c) ? " class=\"n\"" : "");
        if (c->help)
            xml_attribute(out, "title", c->help);
        if (is_measure)
            fprintf(out, " data-total=\"%lld\"", (long long)column_value(c, t->rows->totals));
        fputc('>', out);
        xml_text(out, c->header);
        fputs("</th>", out);
    }
}

void html_functions(const struct function_table *t, const bool *linked, FILE *out)
{
    char count[TEXT_NUMBER], all[TEXT_NUMBER], percent[TEXT_NUMBER], *note;
    char *attributes, *bounds = closing_bounds(t);

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
    attributes = xasprintf(" class=\"sortable\" data-what=\"%s\"", group_word(t->by, true));
    html_table_begin(out, attributes);
    free(attributes);
    put_heads(t, out);
    html_table_body(out);
    for (size_t r = 0; r < t->n_shown; r++) {
        const struct row *row = &t->rows->items[r];

        html_row_begin(out, row);
        for (size_t i = 0; i < t->columns.n; i++)
            put_cell(t, t->columns.items[i], row, linked && linked[row->function], out);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}
