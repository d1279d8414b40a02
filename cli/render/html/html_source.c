#include <config.h>

/* The source lines of a function with their costs, in a page. */
#include "base/memory.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/html_table.h"
#include "render/html/xml.h"
#include "render/text/annotation.h"
#include "render/text/text.h"
#include "table/search.h"

#include <stdlib.h>

static bool is_shown(const struct column *c)
{
    return column_adds_up(c);
}

static bool has_runs(const struct html_source *s)
{
    return s->annotation->profile->n_line_runs > 0;
}

/* The measure of counts: with callees where those are known. */
static int64_t value_of(const struct html_source *s, const int64_t *counts)
{
    const struct annotation *a = s->annotation;

    return column_value(s->table->measure,
                        counts + (a->callees == CALLEES_NONE ? 0 : a->profile->n_events));
}

/* Writes the cells of own counts, the cost with callees, its share of the program, and how often
 * the line ran. */
static void put_numbers(const struct html_source *s, const int64_t *counts, uint64_t runs,
                        FILE *out)
{
    int64_t all = column_value(s->table->measure, s->table->rows->totals);
    char text[TEXT_NUMBER];

    for (size_t i = 0; i < s->table->columns.n; i++)
        if (is_shown(s->table->columns.items[i]))
            html_number(out, "",
                        counts ? text_count(text, column_value(s->table->columns.items[i], counts))
                               : "");
    if (s->annotation->callees != CALLEES_NONE)
        html_number(out, "", counts ? text_count(text, value_of(s, counts)) : "");
    if (!counts || !html_bar(out, value_of(s, counts), all, 1))
        html_number(out, "", "");
    if (has_runs(s))
        html_number(out, "", runs ? text_count(text, (int64_t)runs) : "");
}

/* `costs` is NULL for a line without costs. */
static void put_line(const struct html_source *s, const struct source *source, uint32_t number,
                     const struct annotation_line *costs, FILE *out)
{
    const int64_t *counts = costs ? costs->counts : NULL;
    const char *bytes;
    size_t size;

    fprintf(out, "<tr%s>", counts ? "" : " class=\"quiet\"");
    put_numbers(s, counts, costs ? costs->runs : 0, out);
    fprintf(out, "<td class=\"n line\">%u</td><td class=\"code\">", (unsigned)number);
    if (source && source_line(source, number, &bytes, &size)) {
        char *code = code_text(bytes, size, true);

        xml_text(out, code);
        free(code);
    }
    fputs("</td></tr>\n", out);
}

/* Writes the lines of a region; `*at` is the next line with costs, and goes past them. */
static void put_region(const struct html_source *s, const struct annotation_region *r,
                       const struct source *source, uint32_t *at, FILE *out)
{
    const struct annotation *a = s->annotation;
    const struct annotation_block *b = &a->blocks[r->block];
    uint32_t end = b->first + b->n, known = source ? source->n_lines : 0;

    while (*at < end && a->lines[*at].line < r->first)
        ++*at;
    for (uint32_t number = r->first; number <= r->last; number++) {
        bool has = *at < end && a->lines[*at].line == number;

        if (!has && number > known) {
            /* Without source only lines with costs are shown. */
            if (*at >= end || a->lines[*at].line > r->last)
                return;
            number = a->lines[*at].line;
            has = true;
        }
        put_line(s, source, number, has ? &a->lines[*at] : NULL, out);
        *at += has;
        if (number == UINT32_MAX)
            return;
    }
}

static void put_wide_row(const struct html_source *s, const char *class, const char *text,
                         FILE *out)
{
    size_t n = (s->annotation->callees == CALLEES_NONE ? 2 : 3) + has_runs(s);

    for (size_t i = 0; i < s->table->columns.n; i++)
        n += is_shown(s->table->columns.items[i]);
    fprintf(out, "<tr class=\"%s\"><td colspan=\"%zu\"></td>", class, n);
    html_cell(out, "code", text);
    fputs("</tr>\n", out);
}

static void put_file(const struct html_source *s, uint32_t block, bool found, FILE *out)
{
    const struct cprof_profile *p = s->annotation->profile;
    char *path = location_path(p->files[s->annotation->blocks[block].file], s->table->root);
    char *text = xasprintf("%s%s", path, found ? "" : " (source not found)");

    put_wide_row(s, "file", text, out);
    free(text);
    free(path);
}

static void put_heads(const struct html_source *s, FILE *out)
{
    for (size_t i = 0; i < s->table->columns.n; i++)
        if (is_shown(s->table->columns.items[i]))
            html_head(out, s->table->columns.items[i]->header, true);
    if (s->annotation->callees != CALLEES_NONE)
        html_head(out, "Inclusive", true);
    html_head(out, "%", true);
    if (has_runs(s))
        html_head(out, "Runs", true);
    html_head(out, "Line", true);
    html_head(out, "Code", false);
}

static bool is_in(uint32_t block, const struct annotation_region *regions, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (regions[i].block == block)
            return true;
    return false;
}

/* Writes the costs of files that have no shown line. */
static void put_others(const struct html_source *s, const struct annotation_region *regions,
                       size_t n, FILE *out)
{
    const struct annotation *a = s->annotation;
    double least =
        (double)column_value(s->view->measure, s->table->rows->totals) * s->view->threshold / 100;
    const char *before = ", of these";
    char count[TEXT_NUMBER];

    for (uint32_t b = 0; b < a->n_blocks; b++) {
        int64_t value = column_value(s->view->measure, a->blocks[b].counts);
        uint32_t file = a->blocks[b].file;
        char *path;

        if (is_in(b, regions, n) || value <= 0 || (double)value < least)
            continue;
        path = file == CPROF_NONE ? xstrdup("an unknown file")
                                  : location_path(a->profile->files[file], s->table->root);
        fprintf(out, "%s %s in ", before, text_count(count, value));
        before = ",";
        xml_text(out, path);
        free(path);
    }
}

/* Writes the function's cost outside of the regions. */
static void put_rest(const struct html_source *s, const struct annotation_region *regions, size_t n,
                     FILE *out)
{
    const struct column *measure = s->table->measure;
    int64_t rest = column_value(measure, s->annotation->own);
    char count[TEXT_NUMBER];

    for (size_t i = 0; i < n; i++)
        rest -= regions[i].self;
    if (rest <= 0)
        return;
    fprintf(out, "<p class=\"note\">%s %s", text_count(count, rest), n ? "more " : "");
    fputs("in lines that are not shown", out);
    put_others(s, regions, n, out);
    fputs("</p>\n", out);
}

static void put_regions(const struct html_source *s, const struct annotation_region *regions,
                        size_t n, FILE *out)
{
    const struct annotation *a = s->annotation;
    uint32_t at = 0;

    html_table_begin(out, " class=\"lines\"");
    put_heads(s, out);
    html_table_body(out);
    for (size_t i = 0; i < n; i++) {
        const struct source *source = annotation_source(a, regions[i].block, s->finder);
        bool found = source && source->state == SOURCE_FOUND;

        if (i == 0 || regions[i].block != regions[i - 1].block) {
            at = a->blocks[regions[i].block].first;
            if (a->blocks[regions[i].block].file != CPROF_NONE)
                put_file(s, regions[i].block, found, out);
        } else {
            put_wide_row(s, "gap", "\xe2\x8b\xaf", out);
        }
        put_region(s, &regions[i], found ? source : NULL, &at, out);
    }
    html_table_end(out);
}

bool html_source_is_known(const struct html_source *s)
{
    struct annotation_region *regions;
    size_t n_all, n = annotation_regions(s->annotation, s->view, &regions, &n_all);
    bool known = false;

    for (size_t i = 0; i < n && !known; i++) {
        const struct source *source = annotation_source(s->annotation, regions[i].block, s->finder);

        known = source && source->state == SOURCE_FOUND;
    }
    free(regions);
    return known;
}

void html_source(const struct html_source *s, FILE *out)
{
    const struct column *measure = s->table->measure;
    struct annotation_region *regions;
    size_t n_all, n = annotation_regions(s->annotation, s->view, &regions, &n_all);
    char percent[TEXT_NUMBER], *label = row_label(s->row, false, NULL);

    text_percent(percent, s->value, column_value(measure, s->table->rows->totals), 1);
    fprintf(out, "<details id=\"s%u\" data-f=\"%u\"%s><summary><span class=\"share\">%s %%</span> ",
            (unsigned)s->row->function, (unsigned)s->row->function, s->open ? " open" : "",
            percent);
    xml_text(out, label);
    free(label);
    fputs("</summary>\n", out);
    if (n)
        put_regions(s, regions, n, out);
    put_rest(s, regions, n, out);
    fputs("</details>\n", out);
    free(regions);
}
