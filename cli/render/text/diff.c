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

/* Writes "x18,814": how many times `before` it is, with a digit behind the point below 100. */
static void times_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after, bool utf8)
{
    const char *sign = utf8 ? "\303\227" : "x";
    __int128 tenths = ((__int128)after * 10 + before / 2) / before;
    char number[TEXT_NUMBER];

    if (tenths < 1000)
        snprintf(buffer, TEXT_NUMBER, "%s%d.%d", sign, (int)(tenths / 10), (int)(tenths % 10));
    else
        snprintf(buffer, TEXT_NUMBER, "%s%s", sign,
                 text_count(number, (int64_t)(((__int128)after + before / 2) / before)));
}

void diff_percent_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after, bool utf8)
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
    else if (after / 10 > before || (after / 10 == before && after % 10))
        times_text(buffer, before, after, utf8);
    else
        snprintf(buffer, TEXT_NUMBER, "%s%s", change > 0 ? "+" : "",
                 text_percent(number, change, before, 2));
}

const char *diff_percent_unit(const char *text)
{
    return text[0] == '+' || (text[0] == '-' && text[1]) ? " %" : "";
}

static enum grid_style style_of(int64_t before, int64_t after, bool is_noise)
{
    return is_noise          ? GRID_DIM
           : after > before  ? GRID_MORE
           : after == before ? GRID_PLAIN
                             : GRID_LESS;
}

void diff_put_counts(struct grid *grid, int64_t before, int64_t after, bool is_noise)
{
    grid_count(grid, before, GRID_PLAIN);
    grid_count(grid, after, GRID_PLAIN);
    grid_change(grid, diff_change(before, after), style_of(before, after, is_noise));
}

void diff_put_percent(struct grid *grid, int64_t before, int64_t after, bool is_noise, bool utf8)
{
    char buffer[TEXT_NUMBER];

    diff_percent_text(buffer, before, after, utf8);
    grid_cell(grid, buffer, style_of(before, after, is_noise));
}

void diff_put_grid(const struct diff_view *v, const struct grid *grid, enum diff_format format,
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
    static const struct grid_column columns[] = {{"Total", GRID_NAME, 0},
                                                 {"Old", GRID_NUMBER, DIFF_SPARE(DIFF_OLD)},
                                                 {"New", GRID_NUMBER, DIFF_SPARE(DIFF_NEW)},
                                                 {"Change", GRID_NUMBER, 0},
                                                 {"%", GRID_NUMBER, 0}};
    const struct diff_row *total = &v->diff->total;
    struct grid grid;

    grid_init(&grid, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < v->columns->n; i++) {
        const struct column *c = &v->columns->items[i];
        int64_t before, after;

        if (!diff_has_total(v, i))
            continue;
        before = column_value(c, total->counts[DIFF_OLD]);
        after = column_value(c, total->counts[DIFF_NEW]);
        grid_cell(&grid, c->header, GRID_PLAIN);
        diff_put_counts(&grid, before, after, !diff_is_changed(c, total));
        diff_put_percent(&grid, before, after, !diff_is_changed(c, total), v->screen.utf8);
    }
    diff_put_grid(v, &grid, format, out);
    grid_free(&grid);
}

/*--- Functions ---*/

char *diff_line_text(const struct diff_view *v, const struct diff_line *line)
{
    uint32_t before = line->line[DIFF_OLD], after = line->line[DIFF_NEW];
    char *place = location_text_of_version(line->file, after ? after : before, NULL, v->root);
    char *text;

    if (!line->file && !(after ? after : before))
        text = xstrdup("(no line)");
    else if (before && after && before != after)
        text = xasprintf("%s (was %u)", *place ? place : "?", (unsigned)before);
    else
        text = xstrdup(*place ? place : "?");
    free(place);
    return text;
}

/* Adds the cells of a column of numbers, or of a percentage. */
static void put_change(const struct diff_view *v, struct grid *grid, const struct column *column,
                       int64_t *const counts[DIFF_SIDES])
{
    int64_t before = column_value(column, counts[DIFF_OLD]);
    int64_t after = column_value(column, counts[DIFF_NEW]);

    if (column->kind == COLUMN_PERCENT || v->percent)
        diff_put_percent(grid, before, after, false, v->screen.utf8);
    else
        diff_put_counts(grid, before, after, false);
}

/* True for what lines have: own costs. */
static bool is_of_lines(const struct diff_view *v, const struct column *column)
{
    for (unsigned i = 0; i < column->n_terms; i++)
        if (column->terms[i].value >= v->diff->common.n_events)
            return false;
    return column->n_terms > 0;
}

static unsigned cells_of(const struct diff_view *v, const struct column *column)
{
    return column_is_number(column) && !v->percent ? 3 : 1;
}

static void put_line(const struct diff_view *v, struct grid *grid, const struct diff_line *line)
{
    char *text = diff_line_text(v, line), *label = xasprintf("    %s", text);

    for (size_t i = 0; i < v->shown.n; i++) {
        const struct column *c = v->shown.items[i];

        if (c->kind < COLUMN_FUNCTION && is_of_lines(v, c)) {
            put_change(v, grid, c, line->counts);
            continue;
        }
        for (unsigned k = 0; k < cells_of(v, c); k++)
            if (c->kind == COLUMN_FUNCTION)
                grid_place(grid, label, line->file, GRID_DIM);
            else
                grid_cell(grid, "", GRID_DIM);
    }
    free(label);
    free(text);
}

static void put_lines(const struct diff_view *v, struct grid *grid, const struct diff_row *row)
{
    struct diff_lines lines;

    if (v->sort->kind != COLUMN_COUNT)
        return;
    diff_lines_load(&lines, v->diff, row, v->sort);
    for (size_t i = 0; i < lines.n && i < DIFF_LINES_MAX; i++)
        put_line(v, grid, &lines.items[i]);
    diff_lines_free(&lines);
}

static void put_text(const struct diff_view *v, struct grid *grid, const struct column *column,
                     const struct diff_row *row)
{
    const struct crates *crates = v->crates[row->side];
    char *text;

    if (column->kind == COLUMN_FUNCTION)
        text = xstrdup(row->label);
    else if (column->kind == COLUMN_LOCATION)
        text = location_text_of_version(row->file, row->line, row->object, v->root);
    else if (column->kind == COLUMN_OBJECT)
        text = location_text(NULL, 0, row->object, v->root);
    else
        text = crates ? crate_label(crates_of(crates, row->function)) : xstrdup("");
    grid_place(grid, text, column->kind == COLUMN_LOCATION ? row->file : NULL,
               column->kind == COLUMN_FUNCTION ? GRID_PLAIN : GRID_DIM);
    free(text);
}

/* The heads of the shown columns, `*n` of them. `heads` takes the texts. */
static struct grid_column *make_heads(const struct diff_view *v, char **heads, size_t *n)
{
    static const char *const sides[] = {"Old", "New"};
    struct grid_column *columns = xcalloc(3 * v->shown.n, sizeof *columns);

    *n = 0;
    for (size_t i = 0; i < v->shown.n; i++) {
        const struct column *c = v->shown.items[i];

        if (column_is_number(c) && v->percent) {
            heads[*n] = xasprintf("%s %%", c->header);
            columns[*n] = (struct grid_column){heads[*n], GRID_NUMBER, 0};
            ++*n;
            continue;
        }
        for (size_t k = 0; column_is_number(c) && k < sizeof sides / sizeof *sides; k++) {
            heads[*n] = xasprintf("%s %s", sides[k], c->header);
            columns[*n] = (struct grid_column){heads[*n], GRID_NUMBER, DIFF_SPARE(k)};
            ++*n;
        }
        columns[*n] = (struct grid_column){column_is_number(c) ? "Change" : c->header,
                                           c->kind < COLUMN_FUNCTION    ? GRID_NUMBER
                                           : c->kind == COLUMN_FUNCTION ? GRID_NAME
                                                                        : GRID_PLACE,
                                           0};
        ++*n;
    }
    return columns;
}

static void put_functions(const struct diff_view *v, enum diff_format format, FILE *out)
{
    char **heads = xcalloc(3 * v->shown.n, sizeof *heads);
    size_t n;
    struct grid_column *columns = make_heads(v, heads, &n);
    struct grid grid;

    grid_init(&grid, columns, n);
    for (size_t i = 0; i < v->n_shown; i++) {
        const struct diff_row *row = &v->diff->rows[i];

        for (size_t c = 0; c < v->shown.n; c++) {
            if (v->shown.items[c]->kind < COLUMN_FUNCTION)
                put_change(v, &grid, v->shown.items[c], row->counts);
            else
                put_text(v, &grid, v->shown.items[c], row);
        }
        if (v->lines)
            put_lines(v, &grid, row);
    }
    diff_put_grid(v, &grid, format, out);
    grid_free(&grid);
    for (size_t i = 0; i < n; i++)
        free(heads[i]);
    free(heads);
    free(columns);
}

/*--- What else there is to say ---*/

void diff_put_note(const struct diff_view *v, enum diff_format format, const char *text, FILE *out)
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

            diff_put_note(v, format, line, out);
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
    diff_put_note(v, format, line, out);
    free(line);
    free(shown);
}

static void put_noise(const struct diff_view *v, enum diff_format format, FILE *out)
{
    char *line;

    if (v->diff->sampled)
        diff_put_note(v, format,
                      "changes within the noise of samples are not counted: of shares whose "
                      "difference has 0 in its 95 % interval, or of few samples",
                      out);
    if (!v->diff->runs)
        return;
    line = xasprintf("changes within the noise of %u runs are not counted", v->diff->runs);
    diff_put_note(v, format, line, out);
    free(line);
}

static void write_functions(const struct diff_view *v, enum diff_format format, FILE *out)
{
    if (v->own && format == DIFF_TABLE) {
        style_line(out, v->screen.color, STYLE_BOLD, "All functions", 0);
        fputc('\n', out);
    }
    if (v->n_shown) {
        put_functions(v, format, out);
        if (format == DIFF_MARKDOWN)
            fputc('\n', out);
    }
    put_closing(v, format, out);
}

void diff_write(const struct diff_view *view, enum diff_format format, FILE *out)
{
    put_events(view, format, out);
    put_totals(view, format, out);
    fputc('\n', out);
    if (view->own)
        diff_write_own(view, format, out);
    if (view->own && view->functions && format == DIFF_TABLE)
        fputc('\n', out);
    if (view->functions)
        write_functions(view, format, out);
    put_noise(view, format, out);
}
