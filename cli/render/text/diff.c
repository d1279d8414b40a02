#include <config.h>

#include "render/text/diff.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "diff/diff_lines.h"
#include "names/crates.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/own_table.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

void diff_change_text(char buffer[TEXT_NUMBER], int64_t change)
{
    char number[TEXT_NUMBER];

    snprintf(buffer, TEXT_NUMBER, "%s%s", change > 0 ? "+" : "", text_count(number, change));
}

/* Writes "x18,814": how many times `before` it is, with a digit behind the point below 100. */
static void times_text(char buffer[TEXT_NUMBER], int64_t before, int64_t after)
{
    const char *sign = text_sign("\303\227", "x");
    __int128 tenths = ((__int128)after * 10 + before / 2) / before;
    char number[TEXT_NUMBER];

    if (tenths < 1000)
        snprintf(buffer, TEXT_NUMBER, "%s%d.%d", sign, (int)(tenths / 10), (int)(tenths % 10));
    else
        snprintf(buffer, TEXT_NUMBER, "%s%s", sign,
                 text_count(number, (int64_t)(((__int128)after + before / 2) / before)));
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
    else if (after / 10 > before || (after / 10 == before && after % 10))
        times_text(buffer, before, after);
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
        return cell_styled(cell_change(count_change(before, after)),
                           style_of(before, after, is_noise));
    diff_percent_text(text, before, after);
    return cell_styled(cell_text(text), style_of(before, after, is_noise));
}

typedef struct cell cell_fn(const void *subject, const void *row,
                            const struct table_column *column);

/* Adds the column of a part, under its usual heading where that is NULL; those of a side are left
 * out first where texts have no room. `shows` is for the cells. */
static void add_part(struct table *table, enum diff_part part, const char *heading, cell_fn *cell,
                     const struct column *shows)
{
    static const char *const headings[DIFF_PARTS] = {"Old", "New", "Change", "%"};
    static const unsigned spare[DIFF_PARTS] = {[DIFF_PART_OLD] = 1, [DIFF_PART_NEW] = 2};

    table_column(table, &(struct table_column){
                            heading ? heading : headings[part],
                            part == DIFF_PART_PERCENT ? TABLE_SHARE : TABLE_COUNT,
                            .spare = spare[part], .cell = cell, .id = (int)part, .shows = shows});
}

/*--- Totals ---*/

/* True where the totals have the column of index `i`: each event, but for repetitions that are as
 * many as before, and the computed number that rows are sorted by. */
static bool has_total(const struct diff_view *v, size_t i)
{
    const struct column *c = &v->columns->items[i];
    bool is_idle = !strcmp(c->name, "Rep") && !diff_is_changed(c, &v->diff->total);

    return column_adds_up(c) && ((i < v->diff->common.n && !is_idle) || c == v->sort);
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
    for (enum diff_part part = 0; part < DIFF_PARTS; part++)
        add_part(table, part, NULL, total_cell, NULL);
    for (size_t i = 0; i < v->columns->n; i++)
        if (has_total(v, i))
            table_put(table, &v->columns->items[i], CELL_PLAIN);
}

static void put_totals(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    struct table table;

    diff_totals_fill(v, &table);
    table_rows_write(&table, screen, out);
    table_free(&table);
}

/*--- Functions ---*/

/* "src/a.rs:12", or "src/a.rs:12 (was 9)" where the line moved. The caller frees it. */
static char *diff_line_text(const struct diff_view *v, const struct diff_line *line)
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

/* Adds what is shown of a number: old, new, and the change, or that in per cent alone. */
static void add_numbers(const struct diff_view *v, struct table *table, const struct column *column)
{
    static const char *const sides[] = {"Old", "New"};
    char *heading = xasprintf("%s %%", column->header);

    if (v->percent || !column_is_number(column))
        add_part(table, DIFF_PART_PERCENT, column_is_number(column) ? heading : column->header,
                 number_cell, column);
    free(heading);
    for (int side = 0; side < DIFF_SIDES && column_is_number(column) && !v->percent; side++) {
        heading = xasprintf("%s %s", sides[side], column->header);
        add_part(table, (enum diff_part)side, heading, number_cell, column);
        free(heading);
    }
    if (column_is_number(column) && !v->percent)
        add_part(table, DIFF_PART_CHANGE, NULL, number_cell, column);
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

static void put_functions(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    struct table table;

    diff_functions_fill(v, v->lines, &table);
    table_rows_write(&table, screen, out);
    table_free(&table);
}

/*--- What else there is to say ---*/

static void put_events(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    for (int input = 0; input < DIFF_SIDES; input++)
        if (v->diff->missing[input])
            table_take_line(xasprintf("only %s has %s: events of one profile are not compared",
                                      input == DIFF_OLD ? "NEW" : "OLD", v->diff->missing[input]),
                            STYLE_DIM, "\n", screen, out);
}

void diff_count_unmatched(const struct diff *d, size_t *n_new, size_t *n_gone)
{
    *n_new = *n_gone = 0;
    for (size_t i = 0; i < d->n; i++) {
        *n_new += !d->rows[i].in[DIFF_OLD];
        *n_gone += !d->rows[i].in[DIFF_NEW];
    }
}

static void put_closing(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    size_t n_new, n_gone;
    char *shown;

    diff_count_unmatched(v->diff, &n_new, &n_gone);
    if (v->n_shown < v->n_changed)
        shown = xasprintf("%s of %s functions that changed (-n 0 shows all)",
                          TEXT_COUNT(v->n_shown), TEXT_COUNT(v->n_changed));
    else
        shown = xasprintf("%s function%s changed", TEXT_COUNT(v->n_changed),
                          v->n_changed == 1 ? "" : "s");
    table_take_line(xasprintf("%s, %s did not%s; %s new, %s gone", shown,
                              TEXT_COUNT(v->diff->n - v->n_changed),
                              v->filtered ? " (of those that match)" : "", TEXT_COUNT(n_new),
                              TEXT_COUNT(n_gone)),
                    STYLE_DIM, "\n", screen, out);
    free(shown);
}

static void put_noise(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    if (v->diff->sampled)
        table_line("changes within the noise of samples are not counted: of shares whose "
                   "difference has 0 in its 95 % interval, or of few samples",
                   STYLE_DIM, "\n", screen, out);
    if (v->diff->runs)
        table_take_line(xasprintf("changes within the noise of %u %s are not counted",
                                  v->diff->runs, v->diff->orders ? "orders of threads" : "runs"),
                        STYLE_DIM, "\n", screen, out);
}

static void write_functions(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    if (v->own && screen) {
        table_line("All functions", STYLE_BOLD, "", screen, out);
        fputc('\n', out);
    }
    if (v->n_shown) {
        put_functions(v, screen, out);
        if (!screen)
            fputc('\n', out);
    }
    put_closing(v, screen, out);
}

/*--- Own code ---*/

enum { NAMED_MOST = 3 }; /* functions of other code that are named in a row */
/* Other code is named from one in so many of the function's change on. */
enum { NAMED_SHARE_LEAST = 20 };

/* "memcmp +39,500, malloc -300": other code whose cost for a function changed most. The caller
 * frees it. */
static char *paid_text(const struct diff_view *v, const struct own_change *c)
{
    uint64_t least = count_size(own_diff_delta(v->own, c->counts)) / NAMED_SHARE_LEAST;
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < c->n_charges && i < NAMED_MOST; i++) {
        const struct charge_change *charge = &c->charges[i];
        int64_t delta = own_diff_delta(v->own, charge->counts);
        char change[TEXT_NUMBER], *plain;

        if (!delta || count_size(delta) < least)
            break;
        plain = charge->object && crates_is_libc(charge->object) ? libc_plain_name(charge->name)
                                                                 : xstrdup(charge->name);
        diff_change_text(change, delta);
        strbuf_addf(&text, "%s%s %s", i ? ", " : "", plain, change);
        free(plain);
    }
    return strbuf_take(&text);
}

/*--- Columns ---*/

enum { FUNCTION = DIFF_PARTS, PLACE, PAID };

/* A function, one of its lines, or other code. */
struct own_item {
    int64_t *const *counts;          /* by side */
    const char *name;                /* blank: of a line */
    const struct own_change *change; /* of a function; else NULL */
    const struct diff_line *line; /* the line; of a function the one that stands beside it; NULL */
};

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct diff_view *v = subject;
    const struct own_item *i = row;
    struct cell cell;

    if (c->id < DIFF_PARTS)
        return diff_cell((enum diff_part)c->id, column_value(v->own->measure, i->counts[DIFF_OLD]),
                         column_value(v->own->measure, i->counts[DIFF_NEW]), false);
    if (c->id == FUNCTION)
        return cell_styled(cell_text(i->name), i->change ? CELL_PLAIN : CELL_DIM);
    if (c->id == PLACE)
        cell = i->line ? cell_place(diff_line_text(v, i->line), i->line->file) : cell_blank();
    else
        cell = i->change ? cell_take(paid_text(v, i->change)) : cell_blank();
    return cell_styled(cell, CELL_DIM);
}

/* Tells whether other code is named in some row. */
static bool has_paid(const struct diff_view *v)
{
    bool has = false;

    for (size_t i = 0; i < v->n_own && !has; i++) {
        char *paid = paid_text(v, &v->own->items[i]);

        has = *paid;
        free(paid);
    }
    return has;
}

static void own_add_columns(const struct diff_view *v, struct table *table)
{
    const char *header = v->own->measure->header;
    char *before = xasprintf("Old %s", header), *after = xasprintf("New %s", header);

    if (!v->percent) {
        add_part(table, DIFF_PART_OLD, before, cell_of, NULL);
        add_part(table, DIFF_PART_NEW, after, cell_of, NULL);
        add_part(table, DIFF_PART_CHANGE, NULL, cell_of, NULL);
    }
    if (!v->counts)
        add_part(table, DIFF_PART_PERCENT, NULL, cell_of, NULL);
    table_column(table,
                 &(struct table_column){"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION});
    table_column(table,
                 &(struct table_column){"Changed line", TABLE_PLACE, .cell = cell_of, .id = PLACE});
    if (has_paid(v))
        table_column(table,
                     &(struct table_column){"Other code", TABLE_NOTE, .cell = cell_of, .id = PAID});
    free(before);
    free(after);
}

/*--- Rows ---*/

static void add_function(struct table *table, const struct own_change *c, bool lines)
{
    struct own_item item = {c->counts, c->name, c, c->lines.n && !lines ? c->lines.items : NULL};

    table_put(table, &item, CELL_PLAIN);
    for (size_t i = 0; lines && i < c->lines.n && i < DIFF_LINES_MAX; i++) {
        const struct diff_line *line = &c->lines.items[i];

        table_put(table, &(struct own_item){line->counts, "", NULL, line}, CELL_PLAIN);
    }
}

/* Adds a row of other code; none where it did not change. */
static void add_other(const struct diff_view *v, struct table *table, const char *name,
                      int64_t *const counts[DIFF_SIDES])
{
    if (own_diff_delta(v->own, counts))
        table_put(table, &(struct own_item){counts, name, NULL, NULL}, CELL_PLAIN);
}

/* Adds the functions that are not shown, as one row. */
static void add_rest(const struct diff_view *v, struct table *table)
{
    const struct own_diff *o = v->own;
    uint32_t n_events = v->diff->common.n;
    int64_t *rest[DIFF_SIDES];
    char *name = xasprintf("[%s more function%s]", TEXT_COUNT(o->n - v->n_own),
                           o->n - v->n_own == 1 ? "" : "s");

    for (int side = 0; side < DIFF_SIDES; side++) {
        rest[side] = xcalloc(n_events, sizeof *rest[side]);
        for (uint32_t e = 0; e < n_events; e++) {
            rest[side][e] = o->charged[side][e];
            for (size_t i = 0; i < v->n_own; i++)
                rest[side][e] = count_change(o->items[i].counts[side][e], rest[side][e]);
        }
    }
    add_other(v, table, name, rest);
    free(name);
    for (int side = 0; side < DIFF_SIDES; side++)
        free(rest[side]);
}

void diff_own_fill(const struct diff_view *v, bool lines, struct table *table)
{
    table_begin(table, v);
    own_add_columns(v, table);
    for (size_t i = 0; i < v->n_own; i++)
        add_function(table, &v->own->items[i], lines);
}

static void put_table(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    const struct own_diff *o = v->own;
    struct table table;

    diff_own_fill(v, v->lines, &table);
    add_rest(v, &table);
    for (int which = 0; which < BLAME_OUTSIDES; which++)
        add_other(v, &table, blame_outside_name(o->paths, (enum blame_outside)which),
                  o->outside[which]);
    if (table.n_rows)
        table_rows_write(&table, screen, out);
    table_free(&table);
}

/* Says how many changed, and that the rows add up. The caller frees it. */
static char *closing(const struct diff_view *v)
{
    size_t uncertain = 0;
    struct strbuf text = {.text = NULL};

    if (v->n_own < v->n_own_changed)
        strbuf_addf(&text, "%s of %s changed functions of your code (-n 0 shows all)",
                    TEXT_COUNT(v->n_own), TEXT_COUNT(v->n_own_changed));
    else
        strbuf_addf(&text, "%s function%s of your code changed", TEXT_COUNT(v->n_own),
                    v->n_own == 1 ? "" : "s");
    strbuf_add(&text, "; rows add up");
    if (!v->functions)
        strbuf_addf(&text, " (see also %s--view functions%s)", v->n_why ? "" : "--why, ",
                    v->lines ? "" : ", --lines");
    for (size_t i = 0; i < v->n_own; i++)
        uncertain += !v->own->items[i].certain;
    if (uncertain)
        strbuf_addf(&text,
                    "; %s of these functions may be charged with others' costs: foreign code calls "
                    "itself through your own",
                    TEXT_COUNT(uncertain));
    return strbuf_take(&text);
}

static void write_own(const struct diff_view *v, const struct text_screen *screen, FILE *out)
{
    table_take_line(own_heading(v->own->measure, v->own->paths), STYLE_BOLD, ":", screen, out);
    fputc('\n', out);
    put_table(v, screen, out);
    if (!screen)
        fputc('\n', out);
    table_take_line(closing(v), STYLE_DIM, "\n", screen, out);
}

/*--- All of it ---*/

void diff_write(const struct diff_view *view, const struct text_screen *screen, FILE *out)
{
    put_events(view, screen, out);
    put_totals(view, screen, out);
    fputc('\n', out);
    for (size_t i = 0; i < view->n_why; i++) {
        why_write(&view->why[i], NULL, view->n_why_groups, screen, out);
        if (screen)
            fputc('\n', out);
    }
    if (view->own)
        write_own(view, screen, out);
    if (view->own && view->functions && screen)
        fputc('\n', out);
    if (view->functions)
        write_functions(view, screen, out);
    put_noise(view, screen, out);
}
