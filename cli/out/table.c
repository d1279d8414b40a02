#include <config.h>

#include "out/table.h"

#include "base/memory.h"
#include "model/location.h"
#include "out/lanes.h"
#include "out/style.h"
#include "out/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,             /* columns between cells; 1 where room is short */
    TEXT_MIN = 12,       /* a text is not shortened below this */
    NAME_WANTED = 24,    /* on a terminal, counts are shortened before names get less than this */
    NAME_ELSEWHERE = 40, /* where lines may be longer than wished, names get this much at least */
};

static char *count_cell(const struct table *t, const struct column *c, const struct row *row,
                        bool brief)
{
    const int64_t *totals = t->rows->totals;
    char buffer[TEXT_NUMBER];

    if (c->kind == COLUMN_PERCENT)
        text_percent(buffer, column_value(c, row->counts), column_value(c, totals), 1);
    else if (t->percent && c->kind != COLUMN_CALLS)
        text_percent(buffer, column_value(c, row->counts), column_value(c, totals), 2);
    else if (brief)
        text_count_short(buffer, column_value(c, row->counts));
    else
        text_count(buffer, column_value(c, row->counts));
    return xstrdup(buffer);
}

static char *text_cell(const struct table *t, const struct column *c, const struct row *row)
{
    char *raw, *clean;

    if (c->kind == COLUMN_FUNCTION)
        raw = row->tag[0] ? xasprintf("%s %s", row->name, row->tag) : xstrdup(row->name);
    else if (c->kind == COLUMN_LOCATION)
        raw = location_text(row->file, row->line, row->object, t->root);
    else
        raw = xstrdup(row->object ? row->object : "");
    clean = text_clean(raw, t->utf8);
    free(raw);
    return clean;
}

/* Sets a lane's width to its widest cell, its head included. */
static void measure(const struct table *t, struct lane *lane)
{
    lane->width = text_width(lane->column->header, t->utf8);
    for (size_t i = 0; i < t->n_shown; i++) {
        unsigned width = text_width(lane->cells[i], t->utf8);

        if (width > lane->width)
            lane->width = width;
    }
}

/* Fills a lane with the cells in full. */
static void fill(const struct table *t, struct lane *lane, bool brief)
{
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *row = &t->rows->items[i];

        free(lane->cells[i]);
        lane->cells[i] = lane_is_text(lane) ? text_cell(t, lane->column, row)
                                            : count_cell(t, lane->column, row, brief);
    }
}

/* The columns that counts and gaps take, and what the texts should have at least. */
static unsigned fixed_width(const struct table *t, const struct lane *lanes, unsigned gap,
                            unsigned *wanted)
{
    unsigned width = t->n_columns ? gap * (unsigned)(t->n_columns - 1) : 0;

    *wanted = 0;
    for (size_t i = 0; i < t->n_columns; i++) {
        unsigned least = lanes[i].column->kind != COLUMN_FUNCTION ? TEXT_MIN
                         : t->fixed                               ? NAME_WANTED
                                                                  : NAME_ELSEWHERE;

        if (!lane_is_text(&lanes[i]))
            width += lanes[i].width;
        else
            *wanted += lanes[i].width < least ? lanes[i].width : least;
    }
    return width;
}

/* Shortens texts until all fit into `room`: places before names, and none below an equal share
 * while others have more. */
static void narrow(const struct table *t, struct lane *lanes, unsigned room)
{
    unsigned n = 0, used = 0, share;

    for (size_t i = 0; i < t->n_columns; i++) {
        n += lane_is_text(&lanes[i]);
        used += lane_is_text(&lanes[i]) ? lanes[i].width : 0;
    }
    share = room / (n + 1) > TEXT_MIN ? room / (n + 1) : TEXT_MIN;
    for (int names = 0; names < 2; names++) {
        for (size_t i = 0; i < t->n_columns && used > room; i++) {
            unsigned excess = used - room, spare;

            if (!lane_is_text(&lanes[i]) || (lanes[i].column->kind == COLUMN_FUNCTION) != names ||
                lanes[i].width <= share)
                continue;
            spare = lanes[i].width - share;
            lanes[i].width -= spare < excess ? spare : excess;
            used -= spare < excess ? spare : excess;
        }
    }
}

/* Sets all widths. Returns the gap between columns. */
static unsigned lay_out(const struct table *t, struct lane *lanes)
{
    unsigned fixed, wanted, gap = GAP, room;

    for (size_t i = 0; i < t->n_columns; i++) {
        lanes[i].column = t->columns[i];
        lanes[i].cells = xcalloc(t->n_shown, sizeof *lanes[i].cells);
        fill(t, &lanes[i], false);
    }
    lanes_tell_apart(t, lanes);
    for (size_t i = 0; i < t->n_columns; i++)
        measure(t, &lanes[i]);
    fixed = fixed_width(t, lanes, gap, &wanted);
    if (t->fixed && fixed + wanted > t->width)
        fixed = fixed_width(t, lanes, gap = 1, &wanted);
    if (t->fixed && fixed + wanted > t->width) {
        for (size_t i = 0; i < t->n_columns; i++) {
            if (lane_is_text(&lanes[i]))
                continue;
            fill(t, &lanes[i], true);
            measure(t, &lanes[i]);
        }
        fixed = fixed_width(t, lanes, gap, &wanted);
    }
    room = t->width > fixed ? t->width - fixed : 0;
    narrow(t, lanes, !t->fixed && room < wanted ? wanted : room);
    lanes_shorten(t, lanes);
    return gap;
}

/* Writes a cell and `gap` columns to the next; 0: it is the line's last, with nothing behind it. */
static void put_cell(const struct table *t, FILE *out, const struct lane *lane, const char *text,
                     unsigned gap, const char *style)
{
    unsigned width = text_width(text, t->utf8);
    int blanks = (int)(lane->width > width ? lane->width - width : 0);

    if (!lane_is_text(lane))
        fprintf(out, "%*s", blanks, "");
    if (style)
        style_put(out, t->color, style, text);
    else
        fputs(text, out);
    if (gap)
        fprintf(out, "%*s", (lane_is_text(lane) ? blanks : 0) + (int)gap, "");
}

/* Whether all that follows in this line is blank. */
static bool is_last(const struct table *t, const struct lane *lanes, size_t column, size_t row)
{
    for (size_t i = column + 1; i < t->n_columns; i++)
        if (lanes[i].cells[row][0])
            return false;
    return true;
}

void table_rows(const struct table *t, FILE *out)
{
    struct lane *lanes = xcalloc(t->n_columns, sizeof *lanes);
    unsigned gap;

    gap = lay_out(t, lanes);
    for (size_t c = 0; c < t->n_columns; c++)
        put_cell(t, out, &lanes[c], lanes[c].column->header, c + 1 == t->n_columns ? 0 : gap,
                 STYLE_BOLD);
    fputc('\n', out);
    for (size_t r = 0; r < t->n_shown; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            bool last = is_last(t, lanes, c, r);

            put_cell(t, out, &lanes[c], lanes[c].cells[r], last ? 0 : gap,
                     lanes[c].column->kind > COLUMN_FUNCTION ? STYLE_DIM : NULL);
            if (last)
                break;
        }
        fputc('\n', out);
    }
    for (size_t c = 0; c < t->n_columns; c++) {
        for (size_t r = 0; r < t->n_shown; r++)
            free(lanes[c].cells[r]);
        free(lanes[c].cells);
    }
    free(lanes);
}
