#include <config.h>

/* The comparison of two profiles, in a page. */
#include "base/memory.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
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

static void put_heads(const struct diff_view *v, FILE *out)
{
    static const char *const titles[DIFF_SIDES] = {"Old", "New"};

    for (int input = 0; input < DIFF_SIDES; input++) {
        char *head = xasprintf("%s %s", titles[input], v->sort->header);

        html_head(out, head, true);
        free(head);
    }
    html_head(out, "Change", true);
    html_head(out, "%", true);
    html_head(out, "Function", false);
    html_head(out, "Location", false);
}

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
    put_heads(v, out);
    html_table_body(out);
    for (size_t i = 0; i < v->n_shown; i++)
        put_row(v, &v->diff->rows[i], out);
    html_table_end(out);
}
