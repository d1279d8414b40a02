#include <config.h>

#include "render/text/function_table.h"

#include "base/memory.h"
#include "names/location.h"
#include "render/text/layout.h"
#include "render/text/origin_style.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/share.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,             /* columns between cells; 1 where room is short */
    NAME_ELSEWHERE = 40, /* the least width of names where lines may be longer than wished */
};

/* "117,237,366", "117.2M", "117M" */
enum count_form { COUNT_FULL, COUNT_SHORT, COUNT_SHORTEST };

enum { COUNT_EXACT = 10000 }; /* below this, all forms are exact */

/* "31.2-36.9" */
static char *interval_cell(const struct function_table *t, const struct column *c,
                           const struct row *row)
{
    const int64_t *totals = t->rows->totals;
    struct share_interval i =
        share_interval(column_value(c, row->counts), column_value(c, totals), totals[0]);

    return xasprintf("%.1f-%.1f", 100 * i.low, 100 * i.high);
}

static char *calls_cell(const struct row *row, int64_t called, enum count_form form)
{
    int64_t calls = row_calls(row, called);
    char buffer[TEXT_NUMBER];

    if (form == COUNT_FULL)
        text_count(buffer, calls);
    else
        (void)(form == COUNT_SHORT ? text_count_short : text_count_shortest)(buffer, calls);
    return text_calls(row, called, buffer);
}

static char *count_cell(const struct function_table *t, const struct column *c,
                        const struct row *row, enum count_form form)
{
    const int64_t *totals = t->rows->totals;
    char buffer[TEXT_NUMBER];

    if (column_is_calls(c))
        return calls_cell(row, column_value(c, row->counts), form);
    if (column_is_interval(c))
        return interval_cell(t, c, row);
    if (column_is_ratio(c))
        return text_ratio(row, c, form != COUNT_FULL);
    if (column_is_share(c))
        text_percent(buffer, column_value(c, row->counts), column_value(c, totals), 1);
    else if (t->percent)
        text_percent(buffer, column_value(c, row->counts), column_value(c, totals), 2);
    else if (c->is_duration)
        text_duration(buffer, column_value(c, row->counts));
    else if (form == COUNT_SHORTEST)
        text_count_shortest(buffer, column_value(c, row->counts));
    else if (form == COUNT_SHORT)
        text_count_short(buffer, column_value(c, row->counts));
    else
        text_count(buffer, column_value(c, row->counts));
    return xstrdup(buffer);
}

/* True where a column tells called functions from inlined ones. */
static bool has_calls(const struct function_table *t)
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (column_is_calls(t->columns.items[i]))
            return true;
    return false;
}

static char *text_of(const struct function_table *t, const struct column *c, const struct row *row)
{
    if (column_is_place(c) || (column_is_name(c) && row->is_place))
        return location_text(row->file, row->line, row->object, t->root);
    if (column_is_name(c))
        return xasprintf(
            "%s%s%s%s", row->name, row->tag[0] ? " " : "", row->tag,
            row_is_inlined(row) && (!has_calls(t) || row->entered) ? " (" TEXT_INLINED ")" : "");
    if (column_is_crate(c))
        return row->crate ? crate_label(row->crate) : xstrdup("");
    if (column_is_note(c))
        return xstrdup(row->note ? row->note : "");
    return xstrdup(row->object ? row->object : "");
}

/*--- Cells for other forms ---*/

/* Estimates and calls that are not known are quiet. */
static struct cell calls_of(const struct row *row, int64_t called)
{
    int64_t calls = row_calls(row, called);

    if (calls && !(row->entered && row->entered_least))
        return cell_count(calls);
    return cell_styled(cell_take(calls_cell(row, called, COUNT_FULL)),
                       row->inlined || !calls ? CELL_DIM : CELL_PLAIN);
}

static struct cell number_of(const struct function_table *t, const struct column *c,
                             const struct row *row)
{
    int64_t value = column_value(c, row->counts), total = column_value(c, t->rows->totals);

    if (column_is_calls(c))
        return calls_of(row, value);
    if (column_is_interval(c))
        return cell_styled(cell_take(interval_cell(t, c, row)), CELL_DIM);
    if (column_is_ratio(c))
        return cell_take(text_ratio(row, c, false));
    if (column_is_share(c) || t->percent)
        return cell_share(value, total, column_is_share(c) ? 1 : 2);
    return c->is_duration ? cell_duration(value) : cell_count(value);
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *column)
{
    const struct function_table *t = subject;
    const struct column *c = column->shows;
    struct cell cell = column_is_text(c) ? cell_take(text_of(t, c, row)) : number_of(t, c, row);

    cell.row = row;
    return cell;
}

static enum table_kind kind_of(const struct function_table *t, const struct column *c)
{
    if (column_is_text(c))
        return column_is_name(c) ? TABLE_NAME : column_is_note(c) ? TABLE_NOTE : TABLE_PLACE;
    if (column_is_ratio(c))
        return TABLE_RATIO;
    if (column_is_interval(c) || column_is_calls(c))
        return TABLE_VALUE;
    return column_is_share(c) || t->percent ? TABLE_SHARE : TABLE_COUNT;
}

/* The measure has its total, for a page to say how much of it a filter leaves. */
void function_table_begin(const struct function_table *t, struct table *table)
{
    table_begin(table, t);
    for (size_t i = 0; i < t->columns.n; i++) {
        const struct column *c = t->columns.items[i];
        bool is_measure = column_adds_up(c) && !t->percent && !strcmp(c->name, t->measure->name);

        table_column(table,
                     &(struct table_column){
                         c->header, kind_of(t, c), .cell = cell_of, .shows = c, .help = c->help,
                         .total = is_measure ? column_value(c, t->rows->totals) : 0});
    }
}

/*--- The cells of text ---*/

static char *text_cell(const struct function_table *t, const struct column *c,
                       const struct row *row)
{
    char *raw = text_of(t, c, row), *clean = text_clean(raw, t->utf8), *name;

    free(raw);
    if (!column_is_name(c) || t->fixed || t->whole_names)
        return clean;
    name = text_long_name(clean, t->utf8);
    free(clean);
    return name;
}

static enum fit_kind fit_kind_of(const struct column *c)
{
    return !column_is_text(c)  ? FIT_NUMBER
           : column_is_name(c) ? FIT_NAME
           : column_is_note(c) ? FIT_NOTE
                               : FIT_PLACE;
}

/* Measures the cells of a column, its head included. */
static void measure(const struct function_table *t, struct layout_column *laid)
{
    laid->fit = (struct fit_column){.kind = fit_kind_of(laid->column),
                                    .width = text_width(laid->column->header, t->utf8)};
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *row = &t->rows->items[i];

        fit_cell(&laid->fit, laid->cells[i],
                 !t->fixed || (row->crate && owner_is_user((enum owner)row->owner)), t->utf8);
    }
}

/* Fills a column with its cells, texts in full. */
static void fill(const struct function_table *t, struct layout_column *laid, enum count_form form)
{
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *row = &t->rows->items[i];

        free(laid->cells[i]);
        laid->cells[i] = layout_is_text(laid) ? text_cell(t, laid->column, row)
                                              : count_cell(t, laid->column, row, form);
    }
}

/* The columns' measures, for fit.h. The caller frees them. */
static struct fit_column *fits_of(const struct function_table *t,
                                  const struct layout_column *layout)
{
    struct fit_column *fits = xcalloc(t->columns.n + 1, sizeof *fits);

    for (size_t i = 0; i < t->columns.n; i++)
        fits[i] = layout[i].fit;
    return fits;
}

/* True where the columns do not fit into the width of the table. */
static bool is_wide(const struct function_table *t, const struct layout_column *layout,
                    unsigned gap, enum fit_room room)
{
    struct fit_column *fits = fits_of(t, layout);
    unsigned width = fit_width(fits, t->columns.n, gap, room);

    free(fits);
    return t->fixed && width > t->width;
}

static void shorten_counts(struct function_table *t, struct layout_column *layout,
                           enum count_form form)
{
    for (size_t i = 0; i < t->columns.n; i++) {
        const struct column *c = layout[i].column;

        if (layout_is_text(&layout[i]))
            continue;
        fill(t, &layout[i], form);
        measure(t, &layout[i]);
        for (size_t r = 0; r < t->n_shown && column_is_number(c); r++) {
            int64_t value = column_value(c, t->rows->items[r].counts);

            t->rounded |= !t->percent && (value >= COUNT_EXACT || value <= -COUNT_EXACT);
        }
    }
}

static void free_cells(const struct function_table *t, struct layout_column *laid)
{
    for (size_t r = 0; r < t->n_shown; r++)
        free(laid->cells[r]);
    free(laid->cells);
}

/* True for a column that may go before counts are rounded further: one of those that come with call
 * paths beside the caches' counts, or an interval. */
static bool is_spare(const struct function_table *t, const struct column *column)
{
    if (column_is_interval(column))
        return true;
    return t->spare_paths && column != t->sort &&
           (column_is_inclusive(column) || column_is_calls(column));
}

/* Leaves out the last count, but never the first and the measure; with `spare`, the last spare
 * column. Returns false where there is none. */
static bool leave_out(struct function_table *t, struct layout_column *layout, bool spare)
{
    for (size_t i = t->columns.n; i-- > 1;) {
        const struct column *column = layout[i].column;
        char *names;

        if (spare ? !is_spare(t, column) : !column_adds_up(column) || column == t->measure)
            continue;
        names = xasprintf("%s%s%s", layout[i].column->name, t->left_out ? ", " : "",
                          t->left_out ? t->left_out : "");
        free(t->left_out);
        t->left_out = names;
        free_cells(t, &layout[i]);
        t->columns.n--;
        memmove(layout + i, layout + i + 1, (t->columns.n - i) * sizeof *layout);
        return true;
    }
    return false;
}

/* The width that texts have to fit into: a file's lines are longer where its counts are. */
static unsigned width_for(const struct function_table *t, const struct fit_column *fits,
                          unsigned gap)
{
    unsigned least = 0;

    for (size_t i = 0; i < t->columns.n && !t->fixed; i++) {
        unsigned wanted = fits[i].kind == FIT_NAME ? NAME_ELSEWHERE : fits[i].least;

        wanted = fits[i].kind == FIT_NUMBER || fits[i].width < wanted ? fits[i].width : wanted;
        least += wanted ? wanted + (least ? gap : 0) : 0;
    }
    return t->fixed || least < t->width ? t->width : least;
}

static void narrow(const struct function_table *t, struct layout_column *layout, unsigned gap)
{
    struct fit_column *fits = fits_of(t, layout);

    fit_texts(fits, t->columns.n, gap, width_for(t, fits, gap));
    for (size_t i = 0; i < t->columns.n; i++)
        layout[i].fit = fits[i];
    free(fits);
}

/* Sets all widths; it may leave out columns. Returns the gap between columns. */
static unsigned lay_out(struct function_table *t, struct layout_column *layout)
{
    unsigned gap = GAP;

    for (size_t i = 0; i < t->columns.n; i++) {
        layout[i].column = t->columns.items[i];
        layout[i].cells = xcalloc(t->n_shown, sizeof *layout[i].cells);
        fill(t, &layout[i], COUNT_FULL);
    }
    layout_tell_apart(t, layout);
    for (size_t i = 0; i < t->columns.n; i++)
        measure(t, &layout[i]);
    if (is_wide(t, layout, gap, FIT_FULL))
        shorten_counts(t, layout, COUNT_SHORT);
    if (is_wide(t, layout, gap, FIT_WANTED))
        gap = 1;
    while (is_wide(t, layout, gap, FIT_WANTED) && leave_out(t, layout, true))
        ;
    if (is_wide(t, layout, gap, FIT_WANTED))
        shorten_counts(t, layout, COUNT_SHORTEST);
    while (is_wide(t, layout, gap, FIT_LEAST) && leave_out(t, layout, false))
        ;
    narrow(t, layout, gap);
    layout_shorten(t, layout);
    return gap;
}

/* Writes a cell and `gap` columns to the next; 0: the cell is the last of its line. */
static void put_cell(const struct function_table *t, FILE *out, const struct layout_column *laid,
                     const char *text, unsigned gap, const char *style, const char *address)
{
    unsigned width = text_width(text, t->utf8);
    int blanks = (int)(laid->fit.width > width ? laid->fit.width - width : 0);

    if (!layout_is_text(laid))
        fprintf(out, "%*s", blanks, "");
    link_begin(out, address);
    if (style)
        style_put(out, t->color, style, text);
    else
        fputs(text, out);
    link_end(out, address);
    if (gap)
        fprintf(out, "%*s", (layout_is_text(laid) ? blanks : 0) + (int)gap, "");
}

/* The kinds of code among the shown rows, as bits: 1 << kind. */
static unsigned shown_kinds(const struct function_table *t)
{
    unsigned kinds = 0;

    for (size_t r = 0; r < t->n_shown; r++)
        if (t->rows->items[r].crate)
            kinds |= 1U << origin_of((enum owner)t->rows->items[r].owner);
    return kinds;
}

/* The style of a row's cell; NULL: none. Names have the colour of their kind of code, unless all
 * are of one. */
static const char *style_of(const struct row *row, const struct column *c, unsigned kinds)
{
    if (column_is_name(c))
        return row->crate && kinds & (kinds - 1) ? origin_style(origin_of((enum owner)row->owner))
                                                 : NULL;
    return column_is_text(c) ? STYLE_DIM : NULL;
}

/* True where all later cells of the line are blank. */
static bool is_last(const struct function_table *t, const struct layout_column *layout,
                    size_t column, size_t row)
{
    for (size_t i = column + 1; i < t->columns.n; i++)
        if (layout[i].fit.width && layout[i].cells[row][0])
            return false;
    return true;
}

/* Writes the heads of all columns that have room. */
static void put_heads(const struct function_table *t, const struct layout_column *layout,
                      unsigned gap, FILE *out)
{
    size_t last = t->columns.n;

    while (last > 1 && !layout[last - 1].fit.width)
        last--;
    for (size_t c = 0; c < last; c++)
        if (layout[c].fit.width)
            put_cell(t, out, &layout[c], layout[c].column->header, c + 1 == last ? 0 : gap,
                     STYLE_BOLD, NULL);
    fputc('\n', out);
}

/* True for a cell that is a place in a source file. */
static bool is_place(const struct column *c, const struct row *row)
{
    return row->file && (column_is_place(c) || (column_is_name(c) && row->is_place));
}

static void put_row(const struct function_table *t, const struct layout_column *layout, size_t row,
                    unsigned gap, unsigned kinds, FILE *out)
{
    const struct row *r = &t->rows->items[row];

    for (size_t c = 0; c < t->columns.n; c++) {
        const struct column *column = layout[c].column;
        bool last = is_last(t, layout, c, row);
        char *address = is_place(column, r) ? link_address(t->links, r->file) : NULL;

        if (layout[c].fit.width)
            put_cell(t, out, &layout[c], layout[c].cells[row], last ? 0 : gap,
                     style_of(r, column, kinds), address);
        free(address);
        if (last)
            break;
    }
    fputc('\n', out);
}

void function_table_rows(struct function_table *t, FILE *out)
{
    struct layout_column *layout = xcalloc(t->columns.n, sizeof *layout);
    unsigned gap, kinds = shown_kinds(t);

    gap = lay_out(t, layout);
    put_heads(t, layout, gap, out);
    for (size_t r = 0; r < t->n_shown; r++)
        put_row(t, layout, r, gap, kinds, out);
    if (t->color)
        origin_legend(kinds, out);
    for (size_t c = 0; c < t->columns.n; c++)
        free_cells(t, &layout[c]);
    free(layout);
}
