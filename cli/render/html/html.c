#include <config.h>

#include "render/html/html.h"

#include "base/memory.h"
#include "names/location.h"
#include "render/text/closing.h"
#include "render/text/totals.h"
#include "render/html/embedded.h"
#include "render/text/text.h"
#include "render/html/xml.h"

#include <stdlib.h>
#include <string.h>

/*--- The page ---*/

static const struct part {
    enum html_part part;
    const char *id, *title;
} parts_known[] = {
    {HTML_COSTS, "costs", "Costs"},
    {HTML_FLAME, "flame", "Flame graph"},
    {HTML_SOURCE, "source", "Source"},
};

enum { N_PARTS = sizeof parts_known / sizeof *parts_known };

void html_begin(FILE *out, const char *title, const char *than, unsigned parts)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    xml_put(out, title);
    fputs(than ? ": what changed</title>\n<style>\n" : ": profile</title>\n<style>\n", out);
    fputs(embedded_report_css, out);
    fputs("</style>\n</head>\n<body>\n<header>\n<h1>", out);
    xml_put(out, title);
    if (than) {
        fputs(" <small>compared with ", out);
        xml_put(out, than);
        fputs("</small>", out);
    }
    fputs("</h1>\n<nav>", out);
    for (size_t i = 0; i < N_PARTS; i++)
        if (parts & parts_known[i].part)
            fprintf(out, "<a href=\"#%s\">%s</a>", parts_known[i].id, parts_known[i].title);
    fputs("</nav>\n</header>\n<main>\n", out);
}

void html_section(FILE *out, enum html_part part)
{
    for (size_t i = 0; i < N_PARTS; i++)
        if (parts_known[i].part == part)
            fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", parts_known[i].id,
                    parts_known[i].title);
}

void html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void html_note(FILE *out, const char *text)
{
    fputs("<p class=\"note\">", out);
    xml_put(out, text);
    fputs("</p>\n", out);
}

int html_end(FILE *out)
{
    fprintf(out,
            "</main>\n<footer>Written by cargo-cprof %s</footer>\n<script>\n%s</script>\n"
            "</body>\n</html>\n",
            PACKAGE_VERSION, embedded_report_js);
    return ferror(out) ? -1 : 0;
}

/*--- Summary ---*/

static void put_entry(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "<dt>%s</dt><dd>", name);
    xml_put(out, text);
    fputs("</dd>\n", out);
}

static void put_total(FILE *out, const struct cprof_profile *p, const char *event)
{
    uint32_t e = event ? cprof_find_event(p, event) : CPROF_NONE;
    char count[TEXT_NUMBER] = "";

    if (e != CPROF_NONE)
        text_count(count, p->totals[e]);
    fprintf(out, "<td class=\"n\">%s</td>", count);
}

static void put_misses(FILE *out, const struct cprof_profile *p, const char *event, int64_t of)
{
    uint32_t e = event ? cprof_find_event(p, event) : CPROF_NONE;
    char percent[TEXT_NUMBER] = "";

    put_total(out, p, event);
    if (e != CPROF_NONE)
        text_percent(percent, p->totals[e], of, 2);
    fprintf(out, "<td class=\"n\">%s</td>", percent);
}

/* Whether the event is one of an access's. */
static bool is_access(const char *event)
{
    for (size_t i = 0; i < TOTALS_ACCESSES; i++) {
        const struct totals_access *a = &totals_accesses[i];

        if (!strcmp(event, a->accesses) || !strcmp(event, a->first) ||
            (a->last && !strcmp(event, a->last)))
            return true;
    }
    return false;
}

/* A line for each kind of access that was counted, and for every other event. */
static void put_accesses(FILE *out, const struct cprof_profile *p, bool misses)
{
    for (size_t i = 0; i < TOTALS_ACCESSES; i++) {
        const struct totals_access *a = &totals_accesses[i];
        uint32_t e = cprof_find_event(p, a->accesses);

        if (e == CPROF_NONE)
            continue;
        fprintf(out, "<tr><th scope=\"row\">%s <small>%s</small></th>", a->title, a->accesses);
        put_total(out, p, a->accesses);
        if (misses) {
            put_misses(out, p, a->first, p->totals[e]);
            put_misses(out, p, a->last, p->totals[e]);
        }
        fputs("</tr>\n", out);
    }
    for (uint32_t e = 0; e < p->n_events; e++) {
        if (is_access(p->events[e].name))
            continue;
        fputs("<tr><th scope=\"row\">", out);
        xml_put(out, p->events[e].name);
        fputs("</th>", out);
        put_total(out, p, p->events[e].name);
        if (misses)
            fputs("<td></td><td></td><td></td><td></td>", out);
        fputs("</tr>\n", out);
    }
}

void html_summary(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    char *command = totals_command(p);
    bool misses = false;

    for (size_t i = 0; i < TOTALS_ACCESSES; i++)
        misses |= cprof_find_event(p, totals_accesses[i].first) != CPROF_NONE;
    fputs("<section id=\"summary\">\n<dl>\n", out);
    put_entry(out, "Program", p->program ? p->program : t->program);
    put_entry(out, "Command", command);
    for (uint32_t i = 0; i < p->n_caches; i++) {
        char *text = totals_cache(&p->caches[i]);

        put_entry(out, "Cache", text);
        free(text);
    }
    fputs("</dl>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Total</th>"
          "<th scope=\"col\" class=\"n\">Count</th>",
          out);
    if (misses)
        fputs("<th scope=\"col\" class=\"n\">L1 misses</th><th scope=\"col\" class=\"n\">%</th>"
              "<th scope=\"col\" class=\"n\">LL misses</th><th scope=\"col\" class=\"n\">%</th>",
              out);
    fputs("</tr></thead>\n<tbody>\n", out);
    put_accesses(out, p, misses);
    fputs("</tbody></table></div>\n</section>\n", out);
    free(command);
}

/*--- Functions ---*/

static void put_number(const struct table *t, const struct column *c, const struct row *row,
                       FILE *out)
{
    int64_t value = column_value(c, row->counts), total = column_value(c, t->rows->totals);
    bool share = c->kind == COLUMN_PERCENT || (t->percent && c->kind != COLUMN_CALLS);
    char text[TEXT_NUMBER];

    if (c->kind == COLUMN_CALLS && row->inlined && value == 0)
        fprintf(out, "<td class=\"n quiet\">%s</td>", TEXT_INLINED);
    else if (share && value > 0 && value <= total)
        fprintf(out, "<td class=\"n bar\" style=\"--p:%.1f\">%s</td>",
                100.0 * (double)value / (double)total,
                text_percent(text, value, total, c->kind == COLUMN_PERCENT ? 1 : 2));
    else
        fprintf(out, "<td class=\"n\">%s</td>",
                share ? text_percent(text, value, total, 1) : text_count(text, value));
}

static void put_name(const struct table *t, const struct row *row, bool linked, FILE *out)
{
    char *name = row->is_place ? location_text(row->file, row->line, row->object, t->root)
                               : xstrdup(row->name);

    fputs("<td class=\"name\">", out);
    if (linked)
        fprintf(out, "<a href=\"#s%u\">", (unsigned)row->function);
    xml_put(out, name);
    if (linked)
        fputs("</a>", out);
    if (row->tag[0]) {
        fputs(" <small>", out);
        xml_put(out, row->tag);
        fputs("</small>", out);
    }
    fputs("</td>", out);
    free(name);
}

static void put_cell(const struct table *t, const struct column *c, const struct row *row,
                     bool linked, FILE *out)
{
    if (c->kind < COLUMN_FUNCTION) {
        put_number(t, c, row, out);
    } else if (c->kind == COLUMN_FUNCTION) {
        put_name(t, row, linked, out);
    } else {
        char *place = table_text(t, c, row);

        fputs("<td class=\"place\">", out);
        xml_put(out, place);
        fputs("</td>", out);
        free(place);
    }
}

/* The total of the measure is for the script, which says how much of it the filter leaves. */
static void put_heads(const struct table *t, FILE *out)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = t->columns[i];
        bool is_measure =
            c->kind == COLUMN_COUNT && !t->percent && !strcmp(c->name, t->measure->name);

        fprintf(out, "<th scope=\"col\"%s", c->kind < COLUMN_FUNCTION ? " class=\"n\"" : "");
        if (c->help) {
            fputs(" title=\"", out);
            xml_put(out, c->help);
            fputc('"', out);
        }
        if (is_measure)
            fprintf(out, " data-total=\"%lld\"", (long long)column_value(c, t->rows->totals));
        fputc('>', out);
        xml_put(out, c->header);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n", out);
}

void html_functions(const struct table *t, const bool *linked, FILE *out)
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
    fprintf(out, "<div class=\"wide\"><table class=\"sortable\" data-what=\"%s\">\n",
            group_word(t->by, true));
    put_heads(t, out);
    fputs("<tbody>\n", out);
    for (size_t r = 0; r < t->n_shown; r++) {
        const struct row *row = &t->rows->items[r];

        fputs("<tr>", out);
        for (size_t i = 0; i < t->n_columns; i++)
            put_cell(t, t->columns[i], row, linked && linked[row->function], out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}
