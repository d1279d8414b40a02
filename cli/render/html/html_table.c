#include <config.h>

/* Tables (table/table.h) in a page. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/ownership.h"
#include "render/html/html.h"
#include "render/html/xml.h"
#include "render/text/function_table.h"
#include "render/text/own_table.h"
#include "render/text/section_table.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

#include <stdlib.h>

/* Begins a row of a table of functions or groups: with the kind of its code, and the function. */
static void put_row_begin(FILE *out, const struct row *row)
{
    fputs("<tr", out);
    if (row->crate)
        fprintf(out, " data-k=\"%c\"", origin_letter(origin_of((enum owner)row->owner)));
    if (!row->is_place && row->function != CPROF_NONE)
        fprintf(out, " data-f=\"%u\"", (unsigned)row->function);
    fputs(row_is_inlined(row) ? " data-i>" : ">", out);
}

/* Writes a cell with a function's name, and what tells it from others; `linked` leads to its
 * source. */
static void put_name(FILE *out, const struct row *row, const char *name, bool linked)
{
    fputs("<td class=\"name\">", out);
    if (linked)
        fprintf(out, "<a href=\"#s%u\">", (unsigned)row->function);
    xml_text(out, name);
    if (linked)
        fputs("</a>", out);
    if (row->tag[0]) {
        fputc(' ', out);
        xml_element(out, "small", "", row->tag);
    }
    fputs("</td>", out);
}

/* Writes a cell with a percentage and a bar as long as it. Returns false, and writes nothing, where
 * the value is no part of the whole. */
static bool put_bar(FILE *out, int64_t value, int64_t whole, unsigned decimals)
{
    char text[TEXT_NUMBER];

    if (value <= 0 || value > whole)
        return false;
    fprintf(out, "<td class=\"n bar\" style=\"--p:%.1f\">%s</td>",
            100.0 * (double)value / (double)whole, text_percent(text, value, whole, decimals));
    return true;
}

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
        put_bar(out, c->value, c->whole, c->decimals))
        return;
    text = text_of(c);
    if (c->row && column->kind == TABLE_NAME) {
        put_name(out, c->row, c->row->is_place ? text : c->row->name,
                 linked && linked[c->row->function]);
    } else if (c->key) {
        fprintf(out, "<td class=\"name\"><i class=\"key c%u\"></i>", c->key - 1);
        xml_text(out, text);
        fputs("</td>", out);
    } else if (column->heads_rows) {
        fputs("<th scope=\"row\">", out);
        xml_text(out, text);
        if (c->small) {
            fputc(' ', out);
            xml_element(out, "small", "", c->small);
        }
        fputs("</th>", out);
    } else {
        fprintf(out, "<td class=\"%s\">",
                column->class                      ? column->class
                : table_kind_is_text(column->kind) ? texts[column->kind]
                                                   : numbers[c->style]);
        xml_text(out, text);
        fputs("</td>", out);
    }
    free(text);
}

void html_cells(const struct table *t, size_t row, bool bars, const bool *linked, FILE *out)
{
    for (size_t c = 0; c < t->n_columns; c++)
        put_cell(&t->columns[c], table_at(t, row, c), bars, linked, out);
    fputs("</tr>\n", out);
}

/* Begins a row: that of a function with what the page knows of it. */
static void begin_row(const struct table *t, size_t row, FILE *out)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (table_at(t, row, c)->row) {
            put_row_begin(out, table_at(t, row, c)->row);
            return;
        }
    fputs(table_at(t, row, 0)->style == CELL_BOLD ? "<tr class=\"main\">" : "<tr>", out);
}

void html_rows_begin(const struct table *t, const char *class, const char *what, FILE *out)
{
    fprintf(out, "<div class=\"wide\"><table class=\"%s\"", class);
    if (what)
        xml_attribute(out, "data-what", what);
    fputs(">\n<thead><tr>", out);
    for (size_t c = 0; c < t->n_columns; c++)
        put_head(&t->columns[c], out);
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_rows_put(const struct table *t, bool bars, const bool *linked, FILE *out)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        begin_row(t, r, out);
        html_cells(t, r, bars, linked, out);
    }
}

void html_rows_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

void html_rows(const struct table *t, const char *what, const bool *linked, FILE *out)
{
    html_rows_begin(t, what ? "sortable" : "grid", what, out);
    html_rows_put(t, what != NULL, linked, out);
    html_rows_end(out);
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

/*--- Functions ---*/

enum { PIECE = 256 /* rows that are in memory at once */ };

static void put_rows(const struct function_table *t, const bool *linked, FILE *out)
{
    struct table table;

    function_table_begin(t, &table);
    html_rows_begin(&table, "sortable", group_word(t->by, true), out);
    for (size_t r = 0; r < t->n_shown; r++) {
        table_put(&table, &t->rows->items[r], CELL_PLAIN);
        if (table.n_rows < PIECE && r + 1 < t->n_shown)
            continue;
        html_rows_put(&table, true, linked, out);
        table_clear(&table);
    }
    html_rows_end(out);
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

/*--- Own code ---*/

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

/*--- Sections ---*/

void html_sections(const struct function_table *t, FILE *out)
{
    const struct section_table sections = {t->rows->profile, t->measure};
    struct table table;

    html_note(out, sections.profile->sections_cold
                       ? "An entry is one stay of a thread in the section; the caches were emptied "
                         "where it began within no other"
                       : "An entry is one stay of a thread in the section");
    section_table_fill(&sections, NULL, &table);
    html_rows(&table, "sections", NULL, out);
    table_free(&table);
}
