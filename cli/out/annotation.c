#include <config.h>

#include "out/annotation.h"

#include "base/memory.h"
#include "model/graph.h"
#include "model/location.h"
#include "out/code.h"
#include "out/style.h"
#include "out/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,
    LINE_MIN = 4,  /* of the column of line numbers: its head, "Line" */
    CODE_MIN = 20, /* code is not cut below this */
    DEPTH_MAX = 64 /* of inlined functions in inlined functions, as far as they are shown */
};

/* What is known while a sheet is written. */
struct pen {
    const struct annotation_sheet *sheet;
    const struct annotation *a;
    FILE *out;
    unsigned *widths; /* of each column */
    unsigned line;    /* of the line numbers */
    unsigned code;    /* columns for code; 0: no limit */
    int64_t *whole;   /* what percentages are of: n_events */
    double least;     /* value from which on a line stands out */
    int64_t *sum;     /* of what is left out at the moment */
    uint32_t n_summed;
    int64_t *scratch;
};

static bool is_unknown(const struct annotation *a, uint32_t block)
{
    uint32_t file = a->blocks[block].file;

    return file == CPROF_NONE || !strcmp(a->profile->files[file], "???");
}

const struct source *annotation_source(const struct annotation *a, uint32_t block,
                                       struct source_finder *finder)
{
    return is_unknown(a, block) ? NULL
                                : source_find(finder, a->profile->files[a->blocks[block].file]);
}

/* How a block's file is called; the caller frees it. */
static char *file_text(const struct pen *p, uint32_t block)
{
    char *path, *clean;

    if (is_unknown(p->a, block))
        return xstrdup("file not known");
    path = location_path(p->a->profile->files[p->a->blocks[block].file], p->sheet->root);
    clean = text_clean(path, p->sheet->utf8);
    free(path);
    return clean;
}

static const char *ellipsis(const struct pen *p)
{
    return p->sheet->utf8 ? "…" : "...";
}

/*--- Rows ---*/

/* A right-aligned cell, and the gap before it. */
static void put_cell(const struct pen *p, const char *text, size_t column, unsigned width)
{
    unsigned blanks = width - text_width(text, p->sheet->utf8) + (column ? GAP : 0);

    fprintf(p->out, "%*s%s", (int)blanks, "", text);
}

/* The columns' cells; blank without `counts`. */
static void put_counts(const struct pen *p, const int64_t *counts)
{
    for (size_t i = 0; i < p->sheet->n_columns; i++) {
        const struct column *c = p->sheet->columns[i];
        char buffer[TEXT_NUMBER] = "";

        if (counts && c->kind == COLUMN_PERCENT)
            text_percent(buffer, column_value(c, counts), column_value(c, p->whole), 1);
        else if (counts)
            text_count(buffer, column_value(c, counts));
        put_cell(p, buffer, i, p->widths[i]);
    }
}

/* Ends a row with its text. */
static void put_text(const struct pen *p, const char *text)
{
    char *cut = p->code ? text_shorten(text, p->code, TEXT_CUT_END, p->sheet->utf8) : NULL;

    if (*text)
        fprintf(p->out, "%*s%s", GAP, "", cut ? cut : text);
    free(cut);
}

/* A row of sums. `mark` is in the column of line numbers. */
static void put_row(const struct pen *p, const int64_t *counts, const char *mark, const char *text,
                    const char *style)
{
    bool styled = p->sheet->color && *style;

    style_begin(p->out, styled, style);
    put_counts(p, counts);
    put_cell(p, mark, p->sheet->n_columns, p->line);
    put_text(p, text);
    style_end(p->out, styled);
    fputc('\n', p->out);
}

/* The code of a line; NULL: there is none. The caller frees it. */
static char *code_of(const struct pen *p, const struct source *source, uint32_t line)
{
    const char *text;
    size_t size;

    return source && source_line(source, line, &text, &size) ? code_text(text, size, p->sheet->utf8)
                                                             : NULL;
}

/*--- What is left out ---*/

static void leave_out(struct pen *p, const int64_t *counts)
{
    counts_add(p->sum, counts, p->a->profile->n_events);
    p->n_summed++;
}

/* A row for what was left out since the last one, if there was anything; `gap`: one for the gap at
 * least. */
static void put_left_out(struct pen *p, const char *what, const char *indent, bool gap)
{
    char *text;

    if (!p->n_summed) {
        if (gap)
            put_row(p, NULL, ellipsis(p), "", STYLE_DIM);
        return;
    }
    text = xasprintf("%s%u %s%s", indent, (unsigned)p->n_summed, what, p->n_summed == 1 ? "" : "s");
    put_row(p, p->sum, ellipsis(p), text, STYLE_DIM);
    free(text);
    memset(p->sum, 0, p->a->profile->n_events * sizeof *p->sum);
    p->n_summed = 0;
}

/*--- What was inlined ---*/

static bool stands_out(const struct pen *p, const int64_t *counts)
{
    double value = (double)column_value(p->sheet->view->measure, counts);

    if (p->sheet->view->threshold <= 0) {
        for (uint32_t e = 0; e < p->a->profile->n_events; e++)
            if (counts[e])
                return true;
        return false;
    }
    return value != 0 && (value < 0 ? -value : value) >= p->least;
}

static void put_calls(struct pen *p, uint32_t line, unsigned depth);

/* A line of an inlined function: own cost, and as text its place and code. */
static void put_inlined_line(struct pen *p, const struct source *source, const char *file,
                             uint32_t line, const char *indent)
{
    const struct annotation_line *l = &p->a->lines[line];
    const char *slash = strrchr(file, '/');
    char *code = l->line ? code_of(p, source, l->line) : NULL;
    const char *trimmed = code ? code + strspn(code, " ") : "";
    char *text = l->line ? xasprintf("%s%s:%u  %s", indent, slash ? slash + 1 : file,
                                     (unsigned)l->line, trimmed)
                         : xasprintf("%s%s  line not known", indent, slash ? slash + 1 : file);
    size_t end = strlen(text);

    while (end && text[end - 1] == ' ')
        text[--end] = '\0';
    put_row(p, l->counts, "", text, "");
    free(text);
    free(code);
}

static void put_inlined_block(struct pen *p, uint32_t block, unsigned depth, const char *indent)
{
    const struct annotation_block *b = &p->a->blocks[block];
    const struct source *source = annotation_source(p->a, block, p->sheet->finder);
    char *file = file_text(p, block);

    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        annotation_line_sum(p->a, i, p->scratch);
        if (!stands_out(p, p->scratch)) {
            leave_out(p, p->scratch);
            continue;
        }
        put_left_out(p, "line", indent, false);
        put_inlined_line(p, source, file, i, indent);
        put_calls(p, i, depth + 1);
    }
    put_left_out(p, "line", indent, false);
    free(file);
}

/* The functions that were inlined at a line: what each cost with all that was inlined in it, and
 * its lines below it. */
static void put_calls(struct pen *p, uint32_t line, unsigned depth)
{
    const struct annotation *a = p->a;
    char *indent;

    if (a->lines[line].first_call == CPROF_NONE || depth > DEPTH_MAX)
        return;
    indent = xasprintf("%*s", (int)(4 * depth), "");
    for (uint32_t c = a->lines[line].first_call; c != CPROF_NONE; c = a->calls[c].next) {
        const struct annotation_call *call = &a->calls[c];
        char *text, *inner;

        if (!stands_out(p, call->counts)) {
            leave_out(p, call->counts);
            continue;
        }
        text = xasprintf("%s%s %s", indent + 2, p->sheet->utf8 ? "╰" : "`",
                         p->sheet->labels[call->function]);
        inner = xasprintf("%s  ", indent);
        put_row(p, call->counts, "", text, STYLE_BOLD);
        for (uint32_t b = call->first_block; b < call->first_block + call->n_blocks; b++)
            put_inlined_block(p, b, depth, inner);
        free(text);
        free(inner);
    }
    put_left_out(p, "inlined function", indent, false);
    free(indent);
}

/*--- Files ---*/

/* A line of the source, `i` its index where it has costs. */
static void put_line(struct pen *p, const struct source *source, uint32_t number, uint32_t i)
{
    char *code = code_of(p, source, number), mark[TEXT_NUMBER];
    const int64_t *counts = i == CPROF_NONE ? NULL : p->a->lines[i].counts;
    bool hot = false;

    if (i != CPROF_NONE) {
        annotation_line_sum(p->a, i, p->scratch);
        hot = stands_out(p, p->scratch);
    }
    snprintf(mark, sizeof mark, "%u", (unsigned)number);
    put_row(p, counts, mark, code ? code : "", hot ? STYLE_BOLD : counts ? "" : STYLE_DIM);
    free(code);
    if (i != CPROF_NONE && p->sheet->inlined)
        put_calls(p, i, 1);
}

/* The lines of a region; `*at` is the next line with costs, and goes past them. */
static void put_region(struct pen *p, const struct annotation_region *r,
                       const struct source *source, uint32_t *at)
{
    const struct annotation_block *b = &p->a->blocks[r->block];
    uint32_t end = b->first + b->n, last = r->last;

    if (source && source->state == SOURCE_FOUND && last > source->n_lines)
        last = source->n_lines;
    for (uint32_t number = r->first;; number++) {
        bool has = *at < end && p->a->lines[*at].line == number;
        bool known = source && source->state == SOURCE_FOUND && number <= last;

        if (!has && !known) {
            /* Without source there is nothing to show but the next line that has costs. */
            if (*at >= end || p->a->lines[*at].line > r->last)
                return;
            number = p->a->lines[*at].line;
            has = true;
        }
        put_line(p, source, number, has ? *at : CPROF_NONE);
        *at += has;
        if (number >= r->last)
            return;
    }
}

static void put_head(const struct pen *p, const char *file)
{
    style_begin(p->out, p->sheet->color, STYLE_BOLD);
    for (size_t i = 0; i < p->sheet->n_columns; i++)
        put_cell(p, p->sheet->columns[i]->header, i, p->widths[i]);
    put_cell(p, "Line", p->sheet->n_columns, p->line);
    put_text(p, file);
    style_end(p->out, p->sheet->color);
    fputc('\n', p->out);
}

/* A block of which some lines are shown: `n` regions, one at least. */
static void put_block(struct pen *p, const struct annotation_region *regions, size_t n)
{
    uint32_t block = regions->block;
    const struct annotation_block *b = &p->a->blocks[block];
    const struct source *source = annotation_source(p->a, block, p->sheet->finder);
    uint32_t at = b->first, end = b->first + b->n;
    bool found = source && source->state == SOURCE_FOUND;
    char *file = file_text(p, block), *all = xasprintf("%s in all", file);
    char *head = xasprintf("%s%s", file, found ? "" : " (source not found)");

    put_head(p, head);
    if (p->a->lines[at].line == 0)
        put_row(p, p->a->lines[at++].counts, "?", "line not known", "");
    for (size_t i = 0; i < n; i++) {
        for (; at < end && p->a->lines[at].line < regions[i].first; at++)
            leave_out(p, p->a->lines[at].counts);
        put_left_out(p, "line", "", i > 0);
        put_region(p, &regions[i], source, &at);
    }
    for (; at < end; at++)
        leave_out(p, p->a->lines[at].counts);
    put_left_out(p, "line", "", false);
    if (p->a->n_blocks > 1)
        put_row(p, b->counts, "", all, STYLE_BOLD);
    fputc('\n', p->out);
    free(file);
    free(head);
    free(all);
}

/* Files of which no line is shown, as many as there are regions at most; the rest in one row. */
static void put_others(struct pen *p, const bool *shown)
{
    size_t n = 0, limit = p->sheet->view->limit;

    for (uint32_t b = 0; b < p->a->n_blocks; b++) {
        char *file;

        if (shown[b])
            continue;
        if (n++ == 0)
            put_head(p, "Other files");
        if (limit && n > limit) {
            leave_out(p, p->a->blocks[b].counts);
            continue;
        }
        file = file_text(p, b);
        put_row(p, p->a->blocks[b].counts, "", file, "");
        free(file);
    }
    put_left_out(p, "file", "", false);
    if (n)
        fputc('\n', p->out);
}

/*--- The sheet ---*/

static unsigned digits(uint32_t number)
{
    unsigned n = 1;

    while (number /= 10)
        n++;
    return n;
}

/* The columns are as wide as the sums, which no line exceeds. */
static void lay_out(struct pen *p, const struct annotation_region *regions, size_t n)
{
    const struct annotation_sheet *s = p->sheet;
    unsigned before = 0;

    p->line = LINE_MIN;
    for (size_t i = 0; i < n; i++)
        if (digits(regions[i].last) > p->line)
            p->line = digits(regions[i].last);
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct column *c = s->columns[i];
        char buffer[TEXT_NUMBER];
        unsigned width;

        if (c->kind == COLUMN_PERCENT)
            strcpy(buffer, "100.0");
        else
            text_count(buffer, column_value(c, p->whole));
        width = text_width(buffer, s->utf8);
        p->widths[i] = text_width(c->header, s->utf8);
        if (p->widths[i] < width)
            p->widths[i] = width;
        before += p->widths[i] + GAP;
    }
    before += p->line + GAP;
    if (s->fixed)
        p->code = s->width > before + CODE_MIN ? s->width - before : CODE_MIN;
}

static void put_closing(const struct pen *p, size_t n_shown, size_t n_all)
{
    const struct annotation_view *v = p->sheet->view;
    char *shown = n_shown < n_all ? xasprintf("%zu of %zu regions (-n 0 shows all)", n_shown, n_all)
                                  : xasprintf("%zu region%s", n_all, n_all == 1 ? "" : "s");
    char *line = v->threshold > 0 ? xasprintf("%s, around lines from %g %% of %s on (--threshold 0 "
                                              "shows every line with costs)",
                                              shown, v->threshold, v->measure->name)
                                  : xstrdup(shown);

    style_put(p->out, p->sheet->color, STYLE_DIM, line);
    fputc('\n', p->out);
    free(shown);
    free(line);
}

static void put_sums(const struct pen *p)
{
    char *own = xasprintf("%s%s", p->sheet->name, p->sheet->inlined ? ", own code" : "");

    put_row(p, p->a->own, "", own, STYLE_BOLD);
    if (p->sheet->inlined)
        put_row(p, p->a->inlined, "", "inlined into it", STYLE_BOLD);
    free(own);
}

void annotation_write(const struct annotation_sheet *sheet, FILE *out)
{
    const struct annotation *a = sheet->annotation;
    uint32_t n_events = a->profile->n_events;
    struct pen p = {.sheet = sheet, .a = a, .out = out};
    bool *shown = xcalloc(a->n_blocks, sizeof *shown);
    struct annotation_region *regions;
    size_t n_all, n = annotation_regions(a, sheet->view, &regions, &n_all);

    p.widths = xcalloc(sheet->n_columns, sizeof *p.widths);
    p.whole = xcalloc(n_events, sizeof *p.whole);
    p.sum = xcalloc(n_events, sizeof *p.sum);
    p.scratch = xcalloc(n_events, sizeof *p.scratch);
    counts_add(p.whole, a->own, n_events);
    counts_add(p.whole, a->inlined, n_events);
    p.least = (double)column_value(sheet->view->measure, p.whole) * sheet->view->threshold / 100;
    p.least = p.least < 0 ? -p.least : p.least;
    lay_out(&p, regions, n);
    /* Regions stand block by block, in the order of blocks. */
    for (size_t first = 0, i = 1; i <= n; i++) {
        if (i < n && regions[i].block == regions[first].block)
            continue;
        shown[regions[first].block] = true;
        put_block(&p, regions + first, i - first);
        first = i;
    }
    put_others(&p, shown);
    put_sums(&p);
    put_closing(&p, n, n_all);
    free(regions);
    free(shown);
    free(p.widths);
    free(p.whole);
    free(p.sum);
    free(p.scratch);
}
