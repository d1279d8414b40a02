#include <config.h>

#include "render/text/listing.h"

#include "base/memory.h"
#include "base/counts.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,
    TEXT_MIN = 20 /* texts are not cut below this */
};

/* The columns are as wide as what no row exceeds. */
void sheet_begin(struct sheet *s)
{
    unsigned before = 0, mark = text_width(s->mark, s->utf8);

    s->widths = xcalloc(s->n_columns, sizeof *s->widths);
    s->sum = xcalloc(s->n_events, sizeof *s->sum);
    s->n_left_out = 0;
    s->mark_width = s->mark_width < mark ? mark : s->mark_width;
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct column *c = s->columns[i];
        char buffer[TEXT_NUMBER] = "100.0";
        unsigned width;

        if (c->kind == COLUMN_PERCENT && s->reach)
            text_percent(buffer, -column_value(c, s->reach), column_value(c, s->whole), 1);
        else if (c->kind != COLUMN_PERCENT)
            text_count(buffer, s->reach ? -column_value(c, s->reach) : column_value(c, s->whole));
        width = text_width(buffer, s->utf8);
        s->widths[i] = text_width(c->header, s->utf8);
        if (s->widths[i] < width)
            s->widths[i] = width;
        before += s->widths[i] + GAP;
    }
    before += s->mark_width + GAP;
    s->text = !s->fixed ? 0 : s->width > before + TEXT_MIN ? s->width - before : TEXT_MIN;
}

void sheet_end(struct sheet *s)
{
    free(s->widths);
    free(s->sum);
    s->widths = NULL;
    s->sum = NULL;
}

const char *sheet_ellipsis(const struct sheet *s)
{
    return s->utf8 ? "…" : "...";
}

/* A right-aligned cell, and the gap before it. */
static void put_cell(const struct sheet *s, const char *text, size_t column, unsigned width)
{
    unsigned taken = text_width(text, s->utf8), blanks = width > taken ? width - taken : 0;

    fprintf(s->out, "%*s%s", (int)(blanks + (column ? GAP : 0)), "", text);
}

static void put_text(const struct sheet *s, const char *text)
{
    char *cut = s->text ? text_shorten(text, s->text, TEXT_CUT_END, s->utf8) : NULL;

    if (*text)
        fprintf(s->out, "%*s%s", GAP, "", cut ? cut : text);
    free(cut);
}

void sheet_head(const struct sheet *s, const char *text)
{
    style_begin(s->out, s->color, STYLE_BOLD);
    for (size_t i = 0; i < s->n_columns; i++) {
        char *header = text_clean(s->columns[i]->header, s->utf8);

        put_cell(s, header, i, s->widths[i]);
        free(header);
    }
    put_cell(s, s->mark, s->n_columns, s->mark_width);
    put_text(s, text);
    style_end(s->out, s->color);
    fputc('\n', s->out);
}

static void put_counts(const struct sheet *s, const int64_t *counts)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct column *c = s->columns[i];
        char buffer[TEXT_NUMBER] = "";

        if (counts && c->kind == COLUMN_PERCENT)
            text_percent(buffer, column_value(c, counts), column_value(c, s->whole), 1);
        else if (counts)
            text_count(buffer, column_value(c, counts));
        put_cell(s, buffer, i, s->widths[i]);
    }
}

void sheet_row(const struct sheet *s, const int64_t *counts, const char *mark, const char *text,
               const char *style)
{
    bool styled = s->color && *style;

    if (!counts && !*mark && !*text) {
        fputc('\n', s->out);
        return;
    }
    style_begin(s->out, styled, style);
    put_counts(s, counts);
    put_cell(s, mark, s->n_columns, s->mark_width);
    put_text(s, text);
    style_end(s->out, styled);
    fputc('\n', s->out);
}

void sheet_leave_out(struct sheet *s, const int64_t *counts)
{
    counts_add(s->sum, counts, s->n_events);
    s->n_left_out++;
}

void sheet_left_out(struct sheet *s, const char *what, const char *indent, bool gap)
{
    char *text;

    if (!s->n_left_out) {
        if (gap)
            sheet_row(s, NULL, sheet_ellipsis(s), "", STYLE_DIM);
        return;
    }
    text = xasprintf("%s%s %s%s", indent, TEXT_COUNT(s->n_left_out), what,
                     s->n_left_out == 1 ? "" : "s");
    sheet_row(s, s->sum, sheet_ellipsis(s), text, STYLE_DIM);
    free(text);
    memset(s->sum, 0, s->n_events * sizeof *s->sum);
    s->n_left_out = 0;
}

bool sheet_stands_out(const struct sheet *s, const struct column *measure, double least,
                      const int64_t *counts)
{
    double value = (double)column_value(measure, counts);

    if (least > 0)
        return (value < 0 ? -value : value) >= least;
    for (uint32_t e = 0; e < s->n_events; e++)
        if (counts[e])
            return true;
    return false;
}
