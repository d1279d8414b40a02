#include <config.h>

/* Tables (table/table.h) in a page. */
#include "base/memory.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"
#include "render/text/cell_text.h"

#include <stdlib.h>

static void put_head(const struct table_column *c, FILE *out)
{
    fprintf(out, "<th scope=\"col\"%s",
            c->kind == TABLE_NOTE         ? " class=\"other\""
            : table_kind_is_text(c->kind) ? ""
                                          : " class=\"n\"");
    if (c->help)
        xml_attribute(out, "title", c->help);
    if (c->total)
        fprintf(out, " data-total=\"%lld\"", (long long)c->total);
    fputc('>', out);
    xml_text(out, c->heading);
    fputs("</th>", out);
}

/* Pages sort by numbers, so durations are counts there. */
static char *text_of(const struct cell *c)
{
    struct cell count = cell_count(c->value);

    return cell_text_of(c->kind == CELL_DURATION ? &count : c, COUNT_FULL);
}

static bool is_linked(const bool *linked, const struct row *row)
{
    return linked && linked[row->function];
}

static void put_cell(const struct table_column *column, const struct cell *c, bool bars,
                     const bool *linked, FILE *out)
{
    static const char *const texts[] = {
        [TABLE_NAME] = "name", [TABLE_PLACE] = "place", [TABLE_NOTE] = "paid"};
    static const char *const numbers[] = {[CELL_PLAIN] = "n",
                                          [CELL_DIM] = "n quiet",
                                          [CELL_BOLD] = "n",
                                          [CELL_MORE] = "n more",
                                          [CELL_LESS] = "n less"};
    char *text;

    if (bars && column->kind == TABLE_SHARE && c->kind == CELL_SHARE &&
        html_bar(out, c->value, c->whole, c->decimals))
        return;
    text = text_of(c);
    if (c->row && column->kind == TABLE_NAME) {
        html_name(out, c->row, c->row->is_place ? text : c->row->name, is_linked(linked, c->row));
        free(text);
        return;
    }
    if (c->key) {
        fprintf(out, "<td class=\"name\"><i class=\"key c%u\"></i>", c->key - 1);
        xml_text(out, text);
        fputs("</td>", out);
        free(text);
        return;
    }
    if (column->heads_rows) {
        html_row_head(out, text);
        free(text);
        return;
    }
    html_cell(out, table_kind_is_text(column->kind) ? texts[column->kind] : numbers[c->style],
              text);
    free(text);
}

/* Begins a row: that of a function with what the page knows of it. */
static void begin_row(const struct table *t, size_t row, FILE *out)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (table_at(t, row, c)->row) {
            html_row_begin(out, table_at(t, row, c)->row);
            return;
        }
    fputs(table_at(t, row, 0)->style == CELL_BOLD ? "<tr class=\"main\">" : "<tr>", out);
}

void html_rows_begin(const struct table *t, const char *what, FILE *out)
{
    char *attributes =
        what ? xasprintf(" class=\"sortable\" data-what=\"%s\"", what) : xstrdup(" class=\"grid\"");

    html_table_begin(out, attributes);
    free(attributes);
    for (size_t c = 0; c < t->n_columns; c++)
        put_head(&t->columns[c], out);
    html_table_body(out);
}

void html_rows_put(const struct table *t, bool bars, const bool *linked, FILE *out)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        begin_row(t, r, out);
        for (size_t c = 0; c < t->n_columns; c++)
            put_cell(&t->columns[c], table_at(t, r, c), bars, linked, out);
        fputs("</tr>\n", out);
    }
}

void html_rows(const struct table *t, const char *what, const bool *linked, FILE *out)
{
    html_rows_begin(t, what, out);
    html_rows_put(t, what != NULL, linked, out);
    html_table_end(out);
}

void html_table(const struct table *t, bool sortable, FILE *out)
{
    if (sortable)
        xml_element(out, "h3", "", t->heading);
    else
        html_note(out, t->heading);
    if (t->totals)
        html_note(out, t->totals);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        if (t->findings[i])
            html_note(out, t->findings[i]);
    html_rows(t, sortable ? "functions" : NULL, NULL, out);
}
