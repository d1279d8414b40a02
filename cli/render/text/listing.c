#include <config.h>

#include "render/text/listing.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,
    TEXT_WANTED = 40,   /* counts are rounded before texts have less */
    TEXT_MIN = 20,      /* texts are not cut below this */
    CODE_MIN = 4,       /* nor is code behind other texts, which then goes */
    ROUNDED_WIDTH = 6,  /* "999.9k" */
    DURATION_WIDTH = 7, /* "12.0 us" */
    IN_WIDTH = 5        /* "  in " */
};

static const char *number(const struct listing *l, char buffer[TEXT_NUMBER], int64_t count)
{
    return l->rounded ? text_count_short(buffer, count) : text_count(buffer, count);
}

/* Sets the widths of columns, as wide as the counts that no row exceeds. Returns those of all. */
static unsigned measure(struct listing *l)
{
    unsigned before = l->mark_width + GAP;

    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *c = l->columns.items[i];
        char buffer[TEXT_NUMBER] = "100.0";
        unsigned width;

        if (column_is_share(c) && l->reach)
            text_percent(buffer, -column_value(c, l->reach), column_value(c, l->whole), 1);
        else if (!column_is_share(c))
            text_count(buffer, l->reach ? -column_value(c, l->reach) : column_value(c, l->whole));
        width = c->is_duration ? DURATION_WIDTH : text_width(buffer);
        if (l->rounded && !column_is_share(c) && width > ROUNDED_WIDTH)
            width = ROUNDED_WIDTH + (l->reach != NULL);
        l->widths[i] = text_width(c->header);
        if (l->widths[i] < width)
            l->widths[i] = width;
        before += l->widths[i] + GAP;
    }
    if (l->most_runs) {
        char buffer[TEXT_NUMBER];

        l->runs_width = text_width(number(l, buffer, (int64_t)l->most_runs));
        if (l->runs_width < strlen("Runs"))
            l->runs_width = strlen("Runs");
        before += l->runs_width + GAP;
    }
    return before;
}

void listing_begin(struct listing *l)
{
    unsigned before, in_full, mark = text_width(l->mark);

    l->widths = xcalloc(l->columns.n, sizeof *l->widths);
    l->sum = xcalloc(l->n_events, sizeof *l->sum);
    l->n_left_out = 0;
    l->mark_width = l->mark_width < mark ? mark : l->mark_width;
    l->rounded = false;
    l->runs_width = 0;
    l->runs = 0;
    before = in_full = measure(l);
    if (l->screen.fixed && l->screen.width < before + TEXT_WANTED) {
        l->rounded = true;
        before = measure(l);
        l->rounded = before < in_full;
    }
    if (l->screen.fixed && l->runs_width && l->screen.width < before + TEXT_WANTED) {
        before -= l->runs_width + GAP;
        l->runs_width = 0;
    }
    l->text = !l->screen.fixed                      ? 0
              : l->screen.width > before + TEXT_MIN ? l->screen.width - before
                                                    : TEXT_MIN;
}

void listing_end(struct listing *l)
{
    free(l->widths);
    free(l->sum);
    l->widths = NULL;
    l->sum = NULL;
}

/* Writes a text to the right of a width, and the gap before it. */
static void put_right(const struct listing *l, const char *text, size_t column, unsigned width)
{
    unsigned taken = text_width(text), blanks = width > taken ? width - taken : 0;

    fprintf(l->out, "%*s%s", (int)(blanks + (column ? GAP : 0)), "", text);
}

static unsigned width_of(const char *text)
{
    return text ? text_width(text) : 0;
}

/* The columns for place and name, in `room` for both: at least what they need. */
static void share_room(const struct listing_text *t, unsigned room, unsigned *place, unsigned *name)
{
    struct fit_column fits[] = {{.kind = FIT_PLACE}, {.kind = FIT_NAME}};

    if (t->place)
        fit_cell(&fits[0], t->place, true);
    if (t->name)
        fit_cell(&fits[1], t->name, true);
    if (room < fits[0].least + fits[1].least)
        room = fits[0].least + fits[1].least;
    fit_texts(fits, 2, 0, room);
    *place = fits[0].width;
    *name = fits[1].width;
}

/* Writes a part in at most `width` columns. Returns its width. */
static unsigned put_part(const struct listing *l, const char *text, unsigned width,
                         enum text_cut cut)
{
    char *fit = text_shorten(text, width, cut);
    unsigned columns_taken = text_width(fit);

    fputs(fit, l->out);
    free(fit);
    return columns_taken;
}

static void put_parts(const struct listing *l, const struct listing_text *t)
{
    unsigned all = l->text ? l->text : UINT_MAX, place, name;
    unsigned used = width_of(t->indent) + width_of(t->after);
    bool both = t->place && t->name;

    used += both ? IN_WIDTH : 0;
    share_room(t, all > used ? all - used : 0, &place, &name);
    fprintf(l->out, "%*s%s", GAP, "", t->indent ? t->indent : "");
    if (t->place) {
        link_begin(l->out, t->address);
        used += put_part(l, t->place, place, TEXT_CUT_PLACE);
        link_end(l->out, t->address);
    }
    if (both)
        fputs("  in ", l->out);
    if (t->name)
        used += put_part(l, t->name, name, TEXT_CUT_NAME);
    fputs(t->after ? t->after : "", l->out);
    if (t->code && *t->code && all >= used + GAP + CODE_MIN) {
        fprintf(l->out, "%*s", GAP, "");
        put_part(l, t->code, all - used - GAP, TEXT_CUT_END);
    }
}

static void put_text(const struct listing *l, const char *text)
{
    char *cut = l->text ? text_shorten(text, l->text, TEXT_CUT_END) : NULL;

    if (*text)
        fprintf(l->out, "%*s%s", GAP, "", cut ? cut : text);
    free(cut);
}

static void put_heads(const struct listing *l)
{
    for (size_t i = 0; i < l->columns.n; i++) {
        char *header = text_clean(l->columns.items[i]->header);

        put_right(l, header, i, l->widths[i]);
        free(header);
    }
    if (l->runs_width)
        put_right(l, "Runs", l->columns.n, l->runs_width);
    put_right(l, l->mark, l->columns.n, l->mark_width);
}

void listing_head(const struct listing *l, const char *text)
{
    listing_head_parts(l, &(struct listing_text){.indent = text});
}

void listing_head_parts(const struct listing *l, const struct listing_text *text)
{
    style_begin(l->out, l->screen.color, STYLE_BOLD);
    put_heads(l);
    put_parts(l, text);
    style_end(l->out, l->screen.color);
    fputc('\n', l->out);
}

/* True where the counts of a column overlap. */
static bool overlaps(const struct listing *l, const struct column *c)
{
    return l->n_own && c->n_terms && c->terms[0].value >= l->n_own;
}

static void put_counts(struct listing *l, const int64_t *counts, bool partial)
{
    char runs[TEXT_NUMBER] = "";

    for (size_t i = 0; i < l->columns.n; i++) {
        const struct column *c = l->columns.items[i];
        struct cell cell = counts && !(partial && overlaps(l, c)) ? cell_column(c, counts, l->whole)
                                                                  : cell_blank();
        char *text = cell_text_of(&cell, l->rounded ? COUNT_SHORT : COUNT_FULL);

        put_right(l, text, i, l->widths[i]);
        free(text);
        cell_free(&cell);
    }
    if (l->runs_width)
        put_right(l, l->runs ? number(l, runs, (int64_t)l->runs) : runs, l->columns.n,
                  l->runs_width);
    l->runs = 0;
}

/* A row ends in a text, or in one of parts where that is not NULL. */
static void put_row(struct listing *l, const int64_t *counts, bool partial, const char *mark,
                    const char *text, const struct listing_text *parts, const char *style)
{
    bool styled = l->screen.color && *style;

    if (!counts && !*mark && !parts && !*text) {
        fputc('\n', l->out);
        return;
    }
    style_begin(l->out, styled, style);
    put_counts(l, counts, partial);
    put_right(l, mark, l->columns.n, l->mark_width);
    if (parts)
        put_parts(l, parts);
    else
        put_text(l, text);
    style_end(l->out, styled);
    fputc('\n', l->out);
}

void listing_row_parts(struct listing *l, const int64_t *counts, const char *mark,
                       const struct listing_text *text, const char *style)
{
    put_row(l, counts, false, mark, "", text, style);
}

void listing_row(struct listing *l, const int64_t *counts, const char *mark, const char *text,
                 const char *style)
{
    put_row(l, counts, false, mark, text, NULL, style);
}

void listing_partial_row(struct listing *l, const int64_t *counts, const char *mark,
                         const char *text, const char *style)
{
    put_row(l, counts, true, mark, text, NULL, style);
}

void listing_leave_out(struct listing *l, const int64_t *counts)
{
    counts_add(l->sum, counts, l->n_events);
    l->n_left_out++;
}

void listing_left_out(struct listing *l, const char *what, const char *indent, bool gap)
{
    char *text;

    if (!l->n_left_out) {
        if (gap)
            listing_row(l, NULL, text_ellipsis(), "", STYLE_DIM);
        return;
    }
    text = xasprintf("%s%s %s%s", indent, TEXT_COUNT(l->n_left_out), what,
                     l->n_left_out == 1 ? "" : "s");
    put_row(l, l->sum, true, text_ellipsis(), text, NULL, STYLE_DIM);
    free(text);
    memset(l->sum, 0, l->n_events * sizeof *l->sum);
    l->n_left_out = 0;
}

bool listing_stands_out(const struct listing *l, const struct column *measure, double least,
                        const int64_t *counts)
{
    double value = (double)column_value(measure, counts);

    if (least > 0)
        return (value < 0 ? -value : value) >= least;
    return counts_any(counts, l->n_events);
}
