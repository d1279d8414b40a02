#include <config.h>

#include "render/text/diff.h"

#include "base/counts.h"
#include "base/memory.h"
#include "diff/diff_lines.h"
#include "names/location.h"
#include "render/text/markdown.h"
#include "render/text/style.h"
#include "render/text/table_text.h"

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

static enum cell_style style_of(int64_t before, int64_t after, bool is_noise)
{
    return is_noise          ? CELL_DIM
           : after > before  ? CELL_MORE
           : after == before ? CELL_PLAIN
                             : CELL_LESS;
}

struct cell diff_cell(enum diff_part part, int64_t before, int64_t after, bool is_noise)
{
    char text[TEXT_NUMBER];

    if (part == DIFF_PART_OLD || part == DIFF_PART_NEW)
        return cell_count(part == DIFF_PART_OLD ? before : after);
    if (part == DIFF_PART_CHANGE)
        return cell_styled(cell_change(diff_change(before, after)),
                           style_of(before, after, is_noise));
    diff_percent_text(text, before, after, text_is_utf8());
    return cell_styled(cell_text(text), style_of(before, after, is_noise));
}

struct table_column diff_column(enum diff_part part)
{
    static const struct table_column columns[DIFF_PARTS] = {
        [DIFF_PART_OLD] = {"Old", TABLE_COUNT, .spare = 1, .id = DIFF_PART_OLD},
        [DIFF_PART_NEW] = {"New", TABLE_COUNT, .spare = 2, .id = DIFF_PART_NEW},
        [DIFF_PART_CHANGE] = {"Change", TABLE_COUNT, .id = DIFF_PART_CHANGE},
        [DIFF_PART_PERCENT] = {"%", TABLE_SHARE, .id = DIFF_PART_PERCENT}};

    return columns[part];
}

void diff_put_table(const struct diff_view *v, const struct table *table, enum diff_format format,
                    FILE *out)
{
    table_rows_write(table, format == DIFF_MARKDOWN ? NULL : &v->screen, out);
}

/*--- Totals ---*/

/* True where the totals have the column of index `i`: each event, and the computed number that rows
 * are sorted by. */
static bool has_total(const struct diff_view *v, size_t i)
{
    const struct column *c = &v->columns->items[i];

    return column_adds_up(c) && (i < v->diff->common.n || c == v->sort);
}

enum { NAME = DIFF_PARTS };

/* Rows are columns of functions. */
static struct cell total_cell(const void *subject, const void *row, const struct table_column *c)
{
    const struct diff_row *total = &((const struct diff_view *)subject)->diff->total;
    const struct column *event = row;

    if (c->id == NAME)
        return cell_text(event->header);
    return diff_cell((enum diff_part)c->id, column_value(event, total->counts[DIFF_OLD]),
                     column_value(event, total->counts[DIFF_NEW]), !diff_is_changed(event, total));
}

void diff_totals_fill(const struct diff_view *v, struct table *table)
{
    table_begin(table, v);
    table_column(table, &(struct table_column){"Total", TABLE_NAME, .cell = total_cell, .id = NAME,
                                               .heads_rows = true});
    for (int part = 0; part < DIFF_PARTS; part++) {
        struct table_column c = diff_column((enum diff_part)part);

        c.cell = total_cell;
        table_column(table, &c);
    }
    for (size_t i = 0; i < v->columns->n; i++)
        if (has_total(v, i))
            table_put(table, &v->columns->items[i], CELL_PLAIN);
}

static void put_totals(const struct diff_view *v, enum diff_format format, FILE *out)
{
    struct table table;

    diff_totals_fill(v, &table);
    diff_put_table(v, &table, format, out);
    table_free(&table);
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

/* A function, or a line of it. */
struct item {
    const struct diff_row *row;
    const struct diff_line *line; /* NULL: the function */
};

/* True for what lines have: own costs. */
static bool is_of_lines(const struct diff_view *v, const struct column *column)
{
    for (unsigned i = 0; i < column->n_terms; i++)
        if (column->terms[i].value >= v->diff->common.n)
            return false;
    return column->n_terms > 0;
}

static struct cell number_cell(const void *subject, const void *row, const struct table_column *c)
{
    const struct diff_view *v = subject;
    const struct item *i = row;
    int64_t *const *counts = i->line ? i->line->counts : i->row->counts;

    if (i->line && !is_of_lines(v, c->shows))
        return cell_blank();
    return diff_cell((enum diff_part)c->id, column_value(c->shows, counts[DIFF_OLD]),
                     column_value(c->shows, counts[DIFF_NEW]), false);
}

/* The place of a line stands below the function's name. */
static struct cell line_cell(const struct diff_view *v, const struct diff_line *line,
                             const struct column *column)
{
    char *text, *label;

    if (!column_is_name(column))
        return cell_blank();
    text = diff_line_text(v, line);
    label = xasprintf("    %s", text);
    free(text);
    return cell_styled(cell_place(label, line->file), CELL_DIM);
}

static struct cell text_cell(const void *subject, const void *item, const struct table_column *c)
{
    const struct diff_view *v = subject;
    const struct item *i = item;
    const struct column *column = c->shows;
    const struct diff_row *row = i->row;
    const struct crates *crates = v->crates[row->side];
    struct cell cell;

    if (i->line)
        return line_cell(v, i->line, column);
    if (column_is_name(column))
        return cell_text(row->label);
    if (column_is_place(column))
        cell = cell_place(location_text_of_version(row->file, row->line, row->object, v->root),
                          row->file);
    else if (column_is_object(column))
        cell = cell_take(location_text(NULL, 0, row->object, v->root));
    else
        cell = cell_take(crates ? crate_label(crates_of(crates, row->function)) : xstrdup(""));
    return cell_styled(cell, CELL_DIM);
}

static void add_number(struct table *table, const struct column *column, enum diff_part part,
                       const char *heading)
{
    struct table_column c = diff_column(part);

    c.heading = heading;
    c.cell = number_cell;
    c.shows = column;
    table_column(table, &c);
}

/* Adds what is shown of a number: old, new, and the change, or that in per cent alone. */
static void add_numbers(const struct diff_view *v, struct table *table, const struct column *column)
{
    static const char *const sides[] = {"Old", "New"};
    char *heading = xasprintf("%s %%", column->header);

    if (v->percent || !column_is_number(column))
        add_number(table, column, DIFF_PART_PERCENT,
                   column_is_number(column) ? heading : column->header);
    free(heading);
    for (int side = 0; side < DIFF_SIDES && column_is_number(column) && !v->percent; side++) {
        heading = xasprintf("%s %s", sides[side], column->header);
        add_number(table, column, (enum diff_part)side, heading);
        free(heading);
    }
    if (column_is_number(column) && !v->percent)
        add_number(table, column, DIFF_PART_CHANGE, "Change");
}

static void add_columns(const struct diff_view *v, struct table *table)
{
    for (size_t i = 0; i < v->shown.n; i++) {
        const struct column *c = v->shown.items[i];

        if (!column_is_text(c))
            add_numbers(v, table, c);
        else
            table_column(table, &(struct table_column){c->header,
                                                       column_is_name(c) ? TABLE_NAME : TABLE_PLACE,
                                                       .cell = text_cell, .shows = c});
    }
}

static void add_lines(const struct diff_view *v, struct table *table, const struct diff_row *row)
{
    struct diff_lines lines;

    if (!column_adds_up(v->sort))
        return;
    diff_lines_load(&lines, v->diff, row, v->sort);
    for (size_t i = 0; i < lines.n && i < DIFF_LINES_MAX; i++)
        table_put(table, &(struct item){row, &lines.items[i]}, CELL_PLAIN);
    diff_lines_free(&lines);
}

void diff_functions_fill(const struct diff_view *v, bool lines, struct table *table)
{
    table_begin(table, v);
    add_columns(v, table);
    for (size_t i = 0; i < v->n_shown; i++) {
        table_put(table, &(struct item){&v->diff->rows[i], NULL}, CELL_PLAIN);
        if (lines)
            add_lines(v, table, &v->diff->rows[i]);
    }
}

static void put_functions(const struct diff_view *v, enum diff_format format, FILE *out)
{
    struct table table;

    diff_functions_fill(v, v->lines, &table);
    diff_put_table(v, &table, format, out);
    table_free(&table);
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
