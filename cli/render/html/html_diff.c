#include <config.h>

/* What changed between two profiles, in a page. */
#include "render/html/html.h"

#include "base/memory.h"
#include "names/location.h"
#include "render/text/text.h"
#include "render/html/xml.h"

#include <stdlib.h>

/* OLD, NEW, change, per cent. */
static void put_numbers(FILE *out, int64_t before, int64_t after, bool is_noise)
{
    const char *class = is_noise || after == before ? "" : after > before ? " more" : " less";
    char buffer[TEXT_NUMBER];
    int64_t change;

    if (__builtin_sub_overflow(after, before, &change))
        change = after > before ? INT64_MAX : INT64_MIN;
    fprintf(out, "<td class=\"n\">%s</td>", text_count(buffer, before));
    fprintf(out, "<td class=\"n\">%s</td>", text_count(buffer, after));
    diff_change_text(buffer, change);
    fprintf(out, "<td class=\"n%s\">%s</td>", class, buffer);
    diff_percent_text(buffer, before, after);
    fprintf(out, "<td class=\"n%s\">%s</td>", class, buffer);
}

static void put_entry(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
    xml_put(out, text);
    fputs("</dd>\n", out);
}

void html_diff_summary(const struct diff_view *v, FILE *out)
{
    const struct diff *d = v->diff;

    fputs("<section id=\"summary\">\n<dl>\n", out);
    put_entry(out, "Old", d->profile[DIFF_OLD]->source);
    put_entry(out, "New", d->profile[DIFF_NEW]->source);
    for (int input = 0; input < DIFF_SIDES; input++)
        if (d->missing[input])
            put_entry(out, input == DIFF_OLD ? "Only in new" : "Only in old", d->missing[input]);
    fputs("</dl>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Total</th>"
          "<th scope=\"col\" class=\"n\">Old</th><th scope=\"col\" class=\"n\">New</th>"
          "<th scope=\"col\" class=\"n\">Change</th><th scope=\"col\" class=\"n\">%</th></tr>"
          "</thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < v->columns->n; i++) {
        const struct column *c = &v->columns->items[i];

        if (c->kind != COLUMN_COUNT || (i >= d->common.n_events && c != v->sort))
            continue;
        fputs("<tr><th scope=\"row\">", out);
        xml_put(out, c->header);
        fputs("</th>", out);
        put_numbers(out, column_value(c, d->total.counts[DIFF_OLD]),
                    column_value(c, d->total.counts[DIFF_NEW]), !diff_is_changed(c, &d->total));
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

static void put_heads(const struct diff_view *v, FILE *out)
{
    static const char *const titles[DIFF_SIDES] = {"Old", "New"};

    fputs("<thead><tr>", out);
    for (int input = 0; input < DIFF_SIDES; input++) {
        fprintf(out, "<th scope=\"col\" class=\"n\">%s ", titles[input]);
        xml_put(out, v->sort->header);
        fputs("</th>", out);
    }
    fputs("<th scope=\"col\" class=\"n\">Change</th><th scope=\"col\" class=\"n\">%</th>"
          "<th scope=\"col\">Function</th><th scope=\"col\">Location</th></tr></thead>\n",
          out);
}

static void put_row(const struct diff_view *v, const struct diff_row *row, FILE *out)
{
    char *place = location_text(row->file, row->line, row->object, v->root);

    fputs("<tr>", out);
    put_numbers(out, column_value(v->sort, row->counts[DIFF_OLD]),
                column_value(v->sort, row->counts[DIFF_NEW]), false);
    fputs("<td class=\"name\">", out);
    xml_put(out, row->name);
    fputs("</td><td class=\"place\">", out);
    xml_put(out, place);
    fputs("</td></tr>\n", out);
    free(place);
}

void html_diff_functions(const struct diff_view *v, FILE *out)
{
    size_t n_new = 0, n_gone = 0;
    char *note;

    for (size_t i = 0; i < v->diff->n; i++) {
        n_new += !v->diff->rows[i].in[DIFF_OLD];
        n_gone += !v->diff->rows[i].in[DIFF_NEW];
    }
    note = xasprintf("%s of %s functions that changed%s, %s did not; %s new, %s gone",
                     TEXT_COUNT(v->n_shown), TEXT_COUNT(v->n_changed),
                     v->n_shown < v->n_changed ? " (-n 0 writes all)" : "",
                     TEXT_COUNT(v->diff->n - v->n_changed), TEXT_COUNT(n_new), TEXT_COUNT(n_gone));
    html_note(out, note);
    free(note);
    fputs("<div class=\"wide\"><table class=\"sortable\" data-what=\"functions\">\n", out);
    put_heads(v, out);
    fputs("<tbody>\n", out);
    for (size_t i = 0; i < v->n_shown; i++)
        put_row(v, &v->diff->rows[i], out);
    fputs("</tbody></table></div>\n", out);
}
