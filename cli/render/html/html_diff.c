#include <config.h>

/* The comparison of two profiles, in a page. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/text/own_table.h"
#include "render/text/text.h"

#include <stdlib.h>

/* Writes the cells OLD, NEW, change, per cent. */
static void put_numbers(FILE *out, int64_t before, int64_t after, bool is_noise)
{
    const char *class = is_noise || after == before ? "" : after > before ? " more" : " less";
    char buffer[TEXT_NUMBER];

    html_count(out, before);
    html_count(out, after);
    diff_change_text(buffer, diff_change(before, after));
    html_number(out, class, buffer);
    diff_percent_text(buffer, before, after, true);
    html_number(out, class, buffer);
}

void html_diff_summary(const struct diff_view *v, FILE *out)
{
    const struct diff *d = v->diff;

    fputs("<section id=\"summary\">\n<dl>\n", out);
    for (int input = 0; input < DIFF_SIDES; input++) {
        const struct cprof_profile *p = d->profile[input];
        char *name =
            xasprintf("%s%s", p->source, p->exit == CPROF_EXIT_SIGNAL ? " " TEXT_INTERRUPTED : "");

        html_entry(out, input == DIFF_OLD ? "Old" : "New", name);
        free(name);
    }
    for (int input = 0; input < DIFF_SIDES; input++)
        if (d->missing[input])
            html_entry(out, input == DIFF_OLD ? "Only in new" : "Only in old", d->missing[input]);
    fputs("</dl>\n", out);
    html_table_begin(out, "");
    html_head(out, "Total", false);
    html_head(out, "Old", true);
    html_head(out, "New", true);
    html_head(out, "Change", true);
    html_head(out, "%", true);
    html_table_body(out);
    for (size_t i = 0; i < v->columns->n; i++) {
        const struct column *c = &v->columns->items[i];

        if (!diff_has_total(v, i))
            continue;
        fputs("<tr>", out);
        html_row_head(out, c->header);
        put_numbers(out, column_value(c, d->total.counts[DIFF_OLD]),
                    column_value(c, d->total.counts[DIFF_NEW]), !diff_is_changed(c, &d->total));
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    fputs("</section>\n", out);
}

/* Writes the heads of the columns OLD, NEW, change, per cent, and of the function. */
static void put_heads(const struct column *measure, FILE *out)
{
    static const char *const titles[DIFF_SIDES] = {"Old", "New"};

    for (int input = 0; input < DIFF_SIDES; input++) {
        char *head = xasprintf("%s %s", titles[input], measure->header);

        html_head(out, head, true);
        free(head);
    }
    html_head(out, "Change", true);
    html_head(out, "%", true);
    html_head(out, "Function", false);
}

/*--- Own code ---*/

static void put_own(const struct diff_view *v, const struct own_change *c, FILE *out)
{
    char *place = c->lines.n ? diff_line_text(v, &c->lines.items[0]) : xstrdup("");
    char *paid = diff_own_paid(v, c);

    fputs("<tr>", out);
    put_numbers(out, column_value(v->own->measure, c->counts[DIFF_OLD]),
                column_value(v->own->measure, c->counts[DIFF_NEW]), false);
    html_cell(out, "name", c->name);
    html_cell(out, "place", place);
    html_cell(out, "paid", paid);
    fputs("</tr>\n", out);
    free(place);
    free(paid);
}

/* Writes how many functions there are, and what all changes add up to. */
static void put_sums(const struct diff_view *v, FILE *out)
{
    const struct own_diff *o = v->own;
    struct strbuf text = {.text = NULL};

    if (v->n_own < v->n_own_changed)
        strbuf_addf(&text, "%s of %s changed functions of your code (-n 0 writes all).",
                    TEXT_COUNT(v->n_own), TEXT_COUNT(v->n_own_changed));
    else
        strbuf_addf(&text, "%s function%s of your code changed.", TEXT_COUNT(v->n_own),
                    v->n_own == 1 ? "" : "s");
    strbuf_addf(&text, " Counts are charges: own cost, and what other code cost for it%s.",
                o->paths ? "" : ", as far as it was inlined there");
    for (int i = -1; i < BLAME_OUTSIDES; i++) {
        int64_t change = own_diff_delta(o, i < 0 ? o->charged : o->outside[i]);
        char number[TEXT_NUMBER];

        diff_change_text(number, change);
        if (change || i < 0)
            strbuf_addf(&text, "%s%s %s", i < 0 ? " Change of all: " : ", ", number,
                        i < 0 ? "for your code"
                              : blame_outside_name(o->paths, (enum blame_outside)i));
    }
    html_note(out, text.text);
    strbuf_free(&text);
}

void html_diff_own(const struct diff_view *v, FILE *out)
{
    put_sums(v, out);
    html_table_begin(out, " class=\"sortable\" data-what=\"functions\"");
    put_heads(v->own->measure, out);
    html_head(out, "Changed line", false);
    html_head(out, "Other code", false);
    html_table_body(out);
    for (size_t i = 0; i < v->n_own; i++)
        put_own(v, &v->own->items[i], out);
    html_table_end(out);
}

/*--- All functions ---*/

static void put_row(const struct diff_view *v, const struct diff_row *row, FILE *out)
{
    char *place = location_text(row->file, row->line, row->object, v->root);

    fputs("<tr>", out);
    put_numbers(out, column_value(v->sort, row->counts[DIFF_OLD]),
                column_value(v->sort, row->counts[DIFF_NEW]), false);
    html_cell(out, "name", row->label);
    html_cell(out, "place", place);
    fputs("</tr>\n", out);
    free(place);
}

void html_diff_functions(const struct diff_view *v, FILE *out)
{
    size_t n_new, n_gone;
    char *note;

    diff_count_unmatched(v->diff, &n_new, &n_gone);
    note = xasprintf("%s of %s functions that changed%s, %s did not; %s new, %s gone",
                     TEXT_COUNT(v->n_shown), TEXT_COUNT(v->n_changed),
                     v->n_shown < v->n_changed ? " (-n 0 writes all)" : "",
                     TEXT_COUNT(v->diff->n - v->n_changed), TEXT_COUNT(n_new), TEXT_COUNT(n_gone));
    html_note(out, note);
    free(note);
    html_table_begin(out, " class=\"sortable\" data-what=\"functions\"");
    put_heads(v->sort, out);
    html_head(out, "Location", false);
    html_table_body(out);
    for (size_t i = 0; i < v->n_shown; i++)
        put_row(v, &v->diff->rows[i], out);
    html_table_end(out);
}
