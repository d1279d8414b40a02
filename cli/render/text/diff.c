#include <config.h>

#include "render/text/diff.h"

#include "base/count.h"
#include "base/memory.h"
#include "diff/diff_lines.h"
#include "names/location.h"
#include "render/text/markdown.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 10 /* lines of one function */ };

int64_t diff_change(int64_t before, int64_t after)
{
    int64_t change;

    if (__builtin_sub_overflow(after, before, &change))
        return after > before ? INT64_MAX : INT64_MIN;
    return change;
}

void diff_change_text(char buffer[TEXT_NUMBER], int64_t change)
{
    char number[TEXT_NUMBER];

    snprintf(buffer, TEXT_NUMBER, "%s%s", change > 0 ? "+" : "", text_count(number, change));
}

void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after)
{
    char number[TEXT_NUMBER];
    int64_t change;

    if (before == after)
        snprintf(buffer, TEXT_NUMBER, "=");
    else if (before == 0)
        snprintf(buffer, TEXT_NUMBER, "new");
    else if (after == 0)
        snprintf(buffer, TEXT_NUMBER, "gone");
    else if (before < 0 || after < 0 || __builtin_sub_overflow(after, before, &change))
        snprintf(buffer, TEXT_NUMBER, "-");
    else
        snprintf(buffer, TEXT_NUMBER, "%s%s", change > 0 ? "+" : "",
                 text_percent(number, change, before, 2));
}

/* Adds the cells OLD, NEW, change, per cent. */
static void put_numbers(struct grid *grid, int64_t before, int64_t after, bool is_noise)
{
    enum grid_style style = is_noise          ? GRID_DIM
                            : after > before  ? GRID_MORE
                            : after == before ? GRID_PLAIN
                                              : GRID_LESS;
    char buffer[TEXT_NUMBER];

    grid_cell(grid, text_count(buffer, before), GRID_PLAIN);
    grid_cell(grid, text_count(buffer, after), GRID_PLAIN);
    diff_change_text(buffer, diff_change(before, after));
    grid_cell(grid, buffer, style);
    diff_percent_text(buffer, before, after);
    grid_cell(grid, buffer, style);
}

static void put_grid(const struct diff_view *v, const struct grid *grid, enum diff_format format,
                     FILE *out)
{
    if (format == DIFF_MARKDOWN)
        grid_write_markdown(grid, out);
    else
        grid_write(grid, &v->screen, out);
}

/*--- Totals ---*/

bool diff_has_total(const struct diff_view *v, size_t i)
{
    const struct column *c = &v->columns->items[i];

    return c->kind == COLUMN_COUNT && (i < v->diff->common.n_events || c == v->sort);
}

static void put_totals(const struct diff_view *v, enum diff_format format, FILE *out)
{
    static const struct grid_column columns[] = {{"Total", GRID_NAME},
                                                 {"Old", GRID_NUMBER},
                                                 {"New", GRID_NUMBER},
                                                 {"Change", GRID_NUMBER},
                                                 {"%", GRID_NUMBER}};
    const struct diff_row *total = &v->diff->total;
    struct grid grid;

    grid_init(&grid, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < v->columns->n; i++) {
        const struct column *c = &v->columns->items[i];

        if (!diff_has_total(v, i))
            continue;
        grid_cell(&grid, c->header, GRID_PLAIN);
        put_numbers(&grid, column_value(c, total->counts[DIFF_OLD]),
                    column_value(c, total->counts[DIFF_NEW]), !diff_is_changed(c, total));
    }
    put_grid(v, &grid, format, out);
    grid_free(&grid);
}

/*--- Functions ---*/

/* "src/a.rs:12", or "src/a.rs:12 (was 9)" where the line moved. */
static char *line_label(const struct diff_view *v, const struct diff_line *line)
{
    uint32_t before = line->line[DIFF_OLD], after = line->line[DIFF_NEW];
    char *place = location_text(line->file, after ? after : before, NULL, v->root), *label;

    if (!line->file && !(after ? after : before))
        label = xstrdup("    (no line)");
    else if (before && after && before != after)
        label = xasprintf("    %s (was %u)", *place ? place : "?", (unsigned)before);
    else
        label = xasprintf("    %s", *place ? place : "?");
    free(place);
    return label;
}

static void put_lines(const struct diff_view *v, struct grid *grid, const struct diff_row *row)
{
    struct diff_lines lines;

    if (v->sort->kind != COLUMN_COUNT)
        return;
    diff_lines_load(&lines, v->diff, row, v->sort);
    for (size_t i = 0; i < lines.n && i < LINES_MAX; i++) {
        const struct diff_line *line = &lines.items[i];
        char *label = line_label(v, line);

        put_numbers(grid, column_value(v->sort, line->counts[DIFF_OLD]),
                    column_value(v->sort, line->counts[DIFF_NEW]), false);
        grid_cell(grid, label, GRID_DIM);
        grid_cell(grid, "", GRID_PLAIN);
        free(label);
    }
    diff_lines_free(&lines);
}

static void put_functions(const struct diff_view *v, enum diff_format format, FILE *out)
{
    char *before = xasprintf("Old %s", v->sort->header);
    char *after = xasprintf("New %s", v->sort->header);
    const struct grid_column columns[] = {{before, GRID_NUMBER},   {after, GRID_NUMBER},
                                          {"Change", GRID_NUMBER}, {"%", GRID_NUMBER},
                                          {"Function", GRID_NAME}, {"Location", GRID_PLACE}};
    struct grid grid;

    grid_init(&grid, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < v->n_shown; i++) {
        const struct diff_row *row = &v->diff->rows[i];
        char *place = location_text(row->file, row->line, row->object, v->root);

        put_numbers(&grid, column_value(v->sort, row->counts[DIFF_OLD]),
                    column_value(v->sort, row->counts[DIFF_NEW]), false);
        grid_cell(&grid, row->name, GRID_PLAIN);
        grid_cell(&grid, place, GRID_DIM);
        free(place);
        if (v->lines)
            put_lines(v, &grid, row);
    }
    put_grid(v, &grid, format, out);
    grid_free(&grid);
    free(before);
    free(after);
}

/*--- What else there is to say ---*/

static void put_note(const struct diff_view *v, enum diff_format format, const char *text,
                     FILE *out)
{
    if (format == DIFF_MARKDOWN) {
        markdown_put_text(out, text);
        fputs("\n\n", out);
    } else {
        style_line(out, v->screen.color, STYLE_DIM, text, v->fixed ? v->screen.width : 0);
    }
}

static void put_events(const struct diff_view *v, enum diff_format format, FILE *out)
{
    for (int input = 0; input < DIFF_SIDES; input++)
        if (v->diff->missing[input]) {
            char *line = xasprintf("only %s has %s: events of one profile are not compared",
                                   input == DIFF_OLD ? "NEW" : "OLD", v->diff->missing[input]);

            put_note(v, format, line, out);
            free(line);
        }
}

void diff_count_unmatched(const struct diff *d, size_t *n_new, size_t *n_gone)
{
    *n_new = *n_gone = 0;
    for (size_t i = 0; i < d->n; i++) {
        *n_new += !d->rows[i].in[DIFF_OLD];
        *n_gone += !d->rows[i].in[DIFF_NEW];
    }
}

static void put_closing(const struct diff_view *v, enum diff_format format, FILE *out)
{
    size_t n_new, n_gone;
    char *shown, *line;

    diff_count_unmatched(v->diff, &n_new, &n_gone);
    if (v->n_shown < v->n_changed)
        shown = xasprintf("%s of %s functions that changed (-n 0 shows all)",
                          TEXT_COUNT(v->n_shown), TEXT_COUNT(v->n_changed));
    else
        shown = xasprintf("%s function%s changed", TEXT_COUNT(v->n_changed),
                          v->n_changed == 1 ? "" : "s");
    line = xasprintf(
        "%s, %s did not%s; %s new, %s gone", shown, TEXT_COUNT(v->diff->n - v->n_changed),
        v->filtered ? " (of those that match)" : "", TEXT_COUNT(n_new), TEXT_COUNT(n_gone));
    put_note(v, format, line, out);
    free(line);
    free(shown);
    if (!v->diff->runs)
        return;
    line = xasprintf("changes within the noise of %u runs are not counted", v->diff->runs);
    put_note(v, format, line, out);
    free(line);
}

void diff_write(const struct diff_view *view, enum diff_format format, FILE *out)
{
    put_events(view, format, out);
    put_totals(view, format, out);
    fputc('\n', out);
    if (view->n_shown) {
        put_functions(view, format, out);
        if (format == DIFF_MARKDOWN)
            fputc('\n', out);
    }
    put_closing(view, format, out);
}
