#include <config.h>

/* The source lines of a function with their costs, in a page. */
#include "base/memory.h"
#include "names/location.h"
#include "render/html/html.h"
#include "render/html/xml.h"
#include "render/text/annotation.h"
#include "render/text/text.h"
#include "table/search.h"

#include <stdlib.h>

/* The measure of counts: with callees where those are known. */
static int64_t value_of(const struct html_source *s, const int64_t *counts)
{
    const struct annotation *a = s->annotation;

    return column_value(s->table->measure,
                        counts + (a->callees == CALLEES_NONE ? 0 : a->profile->n_events));
}

/*--- Columns ---*/

enum column_id { OWN, INCLUSIVE, SHARE, RUNS, NUMBER, CODE };

/* A line of the source. */
struct line {
    const struct source *source; /* NULL: not found */
    uint32_t number;
    const struct annotation_line *costs; /* NULL: it has none */
};

/* Shares that are no part of the program are blank. */
static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct html_source *s = subject;
    const struct line *l = row;
    int64_t value = l->costs ? value_of(s, l->costs->counts) : 0, all;
    char *code;

    if (c->id == NUMBER)
        return cell_take(xasprintf("%u", (unsigned)l->number));
    if (c->id == CODE)
        return (code = code_line(l->source, l->number, text_shown)) ? cell_take(code)
                                                                    : cell_blank();
    if (!l->costs || (c->id == RUNS && !l->costs->runs))
        return cell_blank();
    all = column_value(s->table->measure, s->table->rows->totals);
    switch ((enum column_id)c->id) {
    case OWN:
        return cell_count(column_value(c->shows, l->costs->counts));
    case INCLUSIVE:
        return cell_count(value);
    case SHARE:
        return value > 0 && value <= all ? cell_share(value, all, 1) : cell_blank();
    default:
        return cell_count((int64_t)l->costs->runs);
    }
}

static void add_columns(struct table *table, const struct html_source *s)
{
    static const struct table_column others[] = {
        {"Inclusive", TABLE_COUNT, .cell = cell_of, .id = INCLUSIVE},
        {"%", TABLE_SHARE, .cell = cell_of, .id = SHARE},
        {"Runs", TABLE_COUNT, .cell = cell_of, .id = RUNS},
        {"Line", TABLE_VALUE, .cell = cell_of, .id = NUMBER, .class = "n line"},
        {"Code", TABLE_PLACE, .cell = cell_of, .id = CODE, .class = "code"}};

    for (size_t i = 0; i < s->table->columns.n; i++) {
        const struct column *c = s->table->columns.items[i];

        if (column_adds_up(c))
            table_column(table, &(struct table_column){c->header, TABLE_COUNT, .cell = cell_of,
                                                       .id = OWN, .shows = c});
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if ((others[i].id != INCLUSIVE || s->annotation->callees != CALLEES_NONE) &&
            (others[i].id != RUNS || s->annotation->profile->n_line_runs))
            table_column(table, &others[i]);
}

/*--- Lines ---*/

static void put_line(struct table *table, const struct line *line, FILE *out)
{
    fputs(line->costs ? "<tr>" : "<tr class=\"quiet\">", out);
    table_put(table, line, CELL_PLAIN);
    html_cells(table, 0, true, NULL, out);
    table_clear(table);
}

static void put_wide_row(const struct table *table, const char *class, const char *text, FILE *out)
{
    fprintf(out, "<tr class=\"%s\"><td colspan=\"%zu\"></td>", class, table->n_columns - 1);
    xml_element(out, "td", " class=\"code\"", text);
    fputs("</tr>\n", out);
}

static void put_file(const struct table *table, const struct html_source *s, uint32_t block,
                     bool found, FILE *out)
{
    const struct cprof_profile *p = s->annotation->profile;
    char *path = location_path(p->files[s->annotation->blocks[block].file], s->table->root);
    char *text = xasprintf("%s%s", path, found ? "" : " (source not found)");

    put_wide_row(table, "file", text, out);
    free(text);
    free(path);
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
    struct table table;

    table_begin(&table, s);
    add_columns(&table, s);
    html_rows_begin(&table, "lines", NULL, out);
    for (size_t i = 0; i < n; i++) {
        const struct source *source = annotation_source(a, regions[i].block, s->finder);
        bool found = source && source->state == SOURCE_FOUND;

        if (i == 0 || regions[i].block != regions[i - 1].block) {
            at = a->blocks[regions[i].block].first;
            if (a->blocks[regions[i].block].file != CPROF_NONE)
                put_file(&table, s, regions[i].block, found, out);
        } else {
            put_wide_row(&table, "gap", "\xe2\x8b\xaf", out);
        }
        for (uint32_t number = regions[i].first, line;
             annotation_next_line(a, &regions[i], found ? source->n_lines : 0, &number, &at, &line);
             number++)
            put_line(&table,
                     &(struct line){source, number, line == CPROF_NONE ? NULL : &a->lines[line]},
                     out);
    }
    html_rows_end(out);
    table_free(&table);
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
