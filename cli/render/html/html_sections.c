#include <config.h>

/* The sections that the program named, in a page. */
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"
#include "render/text/section_table.h"
#include "render/text/text.h"

#include <stdlib.h>

static void put_heads(const struct table *t, bool ir, int64_t total, FILE *out)
{
    static const char *const of_entries[] = {"Least", "Median", "Greatest"};

    html_head(out, "%", true);
    fprintf(out, "<th scope=\"col\" class=\"n\" data-total=\"%lld\">", (long long)total);
    xml_text(out, t->measure->header);
    fputs("</th>", out);
    html_head(out, "Entries", true);
    html_head(out, "Per entry", true);
    for (size_t i = 0; ir && i < sizeof of_entries / sizeof *of_entries; i++)
        html_head(out, of_entries[i], true);
    html_head(out, "Section", false);
}

/* The costs of entries that ended; blank where none did. A rounded one has a sign before it. */
static void put_spread(const struct cprof_section *s, FILE *out)
{
    char text[TEXT_NUMBER + 4], count[TEXT_NUMBER];

    if (!s->n_spreads) {
        for (int i = 0; i < 3; i++)
            html_number(out, "", "");
        return;
    }
    html_count(out, (int64_t)s->least);
    snprintf(text, sizeof text, "%s%s", s->rounded ? "\xe2\x89\x88" : "",
             text_count(count, (int64_t)s->median));
    html_number(out, "", text);
    html_count(out, (int64_t)s->greatest);
}

void html_sections(const struct table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    bool ir = section_table_has_entries(t->measure);
    struct section_line *lines = section_lines(p, t->measure);

    html_note(out, p->sections_cold
                       ? "An entry is one stay of a thread in the section; the caches were emptied "
                         "where it began within no other"
                       : "An entry is one stay of a thread in the section");
    html_table_begin(out, " class=\"sortable\" data-what=\"sections\"");
    put_heads(t, ir, total, out);
    html_table_body(out);
    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = lines[i].section;

        fputs("<tr>", out);
        if (!html_bar(out, lines[i].cost, total, 1))
            html_number(out, "", "");
        html_count(out, lines[i].cost);
        html_count(out, (int64_t)s->began);
        html_count(out, section_mean(s, lines[i].cost));
        if (ir)
            put_spread(s, out);
        html_cell(out, "name", s->name);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    free(lines);
}
