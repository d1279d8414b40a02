#include <config.h>

#include "render/text/annotation.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/listing.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE_MIN = 4,       /* the least width of the line numbers' column */
    DEPTH_MAX = 64,     /* deeper inlined functions are not shown */
    COSTLIEST_MAX = 3,  /* lines at the top */
    COSTLIEST_LEAST = 1 /* their percentage, but for the first */
};

/* A listing while it is written. */
struct pen {
    const struct annotation_listing *listing;
    const struct annotation *a;
    struct listing rows;
    double least; /* the value from which a line stands out; 0: any value */
    int64_t *scratch;
};

/* The rows of a listing, as far as lines and instructions have them in common. */
static struct listing rows_of(const struct annotation_listing *listing, const int64_t *whole,
                              FILE *out)
{
    return (struct listing){
        .out = out, .columns = listing->columns, .whole = whole, .screen = listing->screen};
}

/* The value of the measure from which a row stands out. */
static double least_of(const struct annotation_listing *listing, const int64_t *whole)
{
    double value = (double)column_value(listing->view->measure, whole);

    return (value < 0 ? -value : value) * listing->view->threshold / 100;
}

static void put_note(const struct listing *rows, const char *line)
{
    table_line(line, STYLE_DIM, "", &rows->screen, rows->out);
}

/* Writes a note and frees it; nothing for NULL. */
static void take_note(const struct listing *rows, char *line)
{
    table_take_line(line, STYLE_DIM, "", &rows->screen, rows->out);
}

/* "3 regions", "3 of 5 regions (-n 0 shows all)". The caller frees it. */
static char *shown_text(size_t n_shown, size_t n_all, const char *what)
{
    return n_shown < n_all ? xasprintf("%s of %s %ss (-n 0 shows all)", TEXT_COUNT(n_shown),
                                       TEXT_COUNT(n_all), what)
                           : xasprintf("%s %s%s", TEXT_COUNT(n_all), what, n_all == 1 ? "" : "s");
}

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

/* The shown name of a block's file; the caller frees it. */
static char *file_text(const struct pen *p, uint32_t block)
{
    char *path, *clean;

    if (is_unknown(p->a, block))
        return xstrdup("file not known");
    path = location_short(p->a->profile->files[p->a->blocks[block].file], p->listing->root);
    clean = text_clean(path);
    free(path);
    return clean;
}

/*--- What was inlined ---*/

static bool stands_out(const struct pen *p, const int64_t *counts)
{
    return listing_stands_out(&p->rows, p->listing->view->measure, p->least, counts);
}

static void put_calls(struct pen *p, uint32_t line, unsigned depth);

/* Code without the blanks around it, which it is changed for; "" for NULL. */
static const char *trim(char *code)
{
    size_t end = code ? strlen(code) : 0;

    while (end && code[end - 1] == ' ')
        code[--end] = '\0';
    return code ? code + strspn(code, " ") : "";
}

/* Writes a line with its place, in `file`, as text: of an inlined function, or out of the others.
 */
static void put_placed_line(struct pen *p, const struct source *source, const char *file,
                            uint32_t line, const char *indent, const char *style)
{
    const struct annotation_line *l = &p->a->lines[line];
    char *code = code_line(source, l->line, text_clean);
    const char *trimmed = trim(code);
    char *address = link_address_of(p->listing->screen.links, source);
    char *place = l->line ? xasprintf("%s:%u", file, (unsigned)l->line) : xstrdup(file);
    const struct listing_text text = {.indent = indent,
                                      .place = place,
                                      .code = l->line ? trimmed : "line not known",
                                      .address = address};

    p->rows.runs = l->runs;
    listing_row_parts(&p->rows, l->counts, "", &text, style);
    free(address);
    free(place);
    free(code);
}

/* A line's own cost, with that of its inlined calls. */
static const int64_t *own_sum(struct pen *p, uint32_t line)
{
    const struct annotation *a = p->a;
    uint32_t n = a->profile->n_events;

    memset(p->scratch, 0, 2 * n * sizeof *p->scratch);
    counts_add(p->scratch, a->lines[line].counts, n);
    for (uint32_t c = a->lines[line].first_call; c != CPROF_NONE; c = a->calls[c].next)
        counts_add(p->scratch, a->calls[c].counts, n);
    return p->scratch;
}

static void put_inlined_block(struct pen *p, uint32_t block, unsigned depth, const char *indent)
{
    const struct annotation_block *b = &p->a->blocks[block];
    const struct source *source = annotation_source(p->a, block, p->listing->finder);
    char *file = file_text(p, block);

    for (uint32_t i = b->first; i < b->first + b->n; i++) {
        annotation_line_sum(p->a, i, p->scratch);
        if (!stands_out(p, p->scratch)) {
            listing_leave_out(&p->rows, own_sum(p, i));
            continue;
        }
        listing_left_out(&p->rows, "line", indent, false);
        put_placed_line(p, source, path_base(file), i, indent, "");
        put_calls(p, i, depth + 1);
    }
    listing_left_out(&p->rows, "line", indent, false);
    free(file);
}

/* Writes the functions that were inlined at a line, each with its cost and that of all that was
 * inlined into it, and its lines below. */
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

        if (!stands_out(p, call->counts + (p->listing->annotation->callees != CALLEES_NONE
                                               ? a->profile->n_events
                                               : 0))) {
            listing_leave_out(&p->rows, call->counts);
            continue;
        }
        text = xasprintf("%s%s ", indent + 2, text_sign("╰", "`"));
        inner = xasprintf("%s  ", indent);
        listing_row_parts(
            &p->rows, call->counts, "",
            &(struct listing_text){.indent = text, .name = p->listing->labels[call->function]},
            STYLE_BOLD);
        for (uint32_t b = call->first_block; b < call->first_block + call->n_blocks; b++)
            put_inlined_block(p, b, depth, inner);
        free(text);
        free(inner);
    }
    listing_left_out(&p->rows, "inlined function", indent, false);
    free(indent);
}

/*--- Files ---*/

/* Writes a line of the source; `i` is its index where it has costs. */
static void put_line(struct pen *p, const struct source *source, uint32_t number, uint32_t i)
{
    char *code = code_line(source, number, text_clean), mark[TEXT_NUMBER];
    const int64_t *counts = i == CPROF_NONE ? NULL : p->a->lines[i].counts;
    bool hot = false;

    if (i != CPROF_NONE) {
        annotation_line_sum(p->a, i, p->scratch);
        hot = stands_out(p, p->scratch);
    }
    snprintf(mark, sizeof mark, "%u", (unsigned)number);
    p->rows.runs = i == CPROF_NONE ? 0 : p->a->lines[i].runs;
    listing_row(&p->rows, counts, mark, code ? code : "",
                hot      ? STYLE_BOLD
                : counts ? ""
                         : STYLE_DIM);
    free(code);
    if (i != CPROF_NONE && p->listing->inlined)
        put_calls(p, i, 1);
}

/* Writes a block that has lines to show: `n` regions, at least one. */
static void put_block(struct pen *p, const struct annotation_region *regions, size_t n)
{
    uint32_t block = regions->block;
    const struct annotation_block *b = &p->a->blocks[block];
    const struct source *source = annotation_source(p->a, block, p->listing->finder);
    uint32_t at = b->first, end = b->first + b->n;
    bool found = source && source->state == SOURCE_FOUND;
    uint32_t n_lines = found ? source->n_lines : 0;
    char *file = file_text(p, block), *address = link_address_of(p->listing->screen.links, source);
    const struct listing_text head = {.place = file,
                                      .after = found ? NULL : " (source not found)",
                                      .address = address},
                              all = {.place = file, .after = " in all", .address = address};

    listing_head_parts(&p->rows, &head);
    if (p->a->lines[at].line == 0)
        listing_row(&p->rows, p->a->lines[at++].counts, "?", "line not known", "");
    for (size_t i = 0; i < n; i++) {
        for (; at < end && p->a->lines[at].line < regions[i].first; at++)
            listing_leave_out(&p->rows, p->a->lines[at].counts);
        listing_left_out(&p->rows, "line", "", i > 0);
        for (uint32_t number = regions[i].first, line;
             annotation_next_line(p->a, &regions[i], n_lines, &number, &at, &line); number++)
            put_line(p, source, number, line);
    }
    for (; at < end; at++)
        listing_leave_out(&p->rows, p->a->lines[at].counts);
    listing_left_out(&p->rows, "line", "", false);
    if (p->a->n_blocks > 1)
        listing_row_parts(&p->rows, b->counts, "", &all, STYLE_BOLD);
    fputc('\n', p->rows.out);
    free(file);
    free(address);
}

/* Writes the files without shown lines, as many as there are regions at most, and the rest in one
 * row. */
static void put_others(struct pen *p, const bool *shown)
{
    size_t n = 0, limit = p->listing->view->limit;

    for (uint32_t b = 0; b < p->a->n_blocks; b++) {
        char *file;

        if (shown[b])
            continue;
        if (n++ == 0)
            listing_head(&p->rows, "Other files");
        if (limit && n > limit) {
            listing_leave_out(&p->rows, p->a->blocks[b].counts);
            continue;
        }
        file = file_text(p, b);
        listing_row_parts(&p->rows, p->a->blocks[b].counts, "",
                          &(struct listing_text){.place = file}, "");
        free(file);
    }
    listing_left_out(&p->rows, "file", "", false);
    if (n)
        fputc('\n', p->rows.out);
}

/*--- The listing ---*/

static unsigned digits(uint64_t number, unsigned base)
{
    unsigned n = 1;

    while (number /= base)
        n++;
    return n;
}

static unsigned line_width(const struct annotation_region *regions, size_t n)
{
    unsigned width = LINE_MIN;

    for (size_t i = 0; i < n; i++)
        if (digits(regions[i].last, 10) > width)
            width = digits(regions[i].last, 10);
    return width;
}

/* "3 regions, around lines with 1 % of the program's Ir or more (...)"; the caller frees it. */
static char *closing_text(const struct pen *p, const char *shown)
{
    const struct annotation_view *v = p->listing->view;
    bool whole = p->a->wants_callees;
    const char *measure = v->measure->name, *total_name = whole ? "the program's " : "";
    const char *with = p->a->callees == CALLEES_NONE      ? ""
                       : p->a->callees == CALLEES_INLINED ? ", with what was inlined there"
                                                          : ", with what they called";
    const char *all = whole ? "all" : "every line with costs";

    if (v->threshold <= 0)
        return xstrdup(shown);
    if (p->listing->lowered_from > 0)
        return xasprintf("%s, around the costliest lines: none has %g %% of %s%s (--threshold 0 "
                         "shows %s)",
                         shown, p->listing->lowered_from, total_name, measure, all);
    return xasprintf("%s, around lines from %g %% of %s%s on%s (--threshold 0 shows %s)", shown,
                     v->threshold, total_name, measure, with, all);
}

/* Says which costs are left out of those with callees. */
static void put_bounds(const struct pen *p)
{
    if (p->a->callees == CALLEES_INLINED)
        put_note(&p->rows, "inclusive: with inlined code; no other calls are known here");
    else if (p->a->callees == CALLEES_ALL && p->a->least)
        put_note(&p->rows, "inclusive is a lower bound here: no call paths are known");
    if (p->a->callees != CALLEES_NONE && p->a->recursive)
        put_note(&p->rows,
                 p->a->sampled
                     ? "inclusive leaves out samples within recursion: they are at the lines "
                       "that they hit"
                     : "inclusive leaves out recursive calls: their cost is at the lines where it "
                       "was spent");
}

static void put_closing(const struct pen *p, size_t n_shown, size_t n_all)
{
    const struct annotation_view *v = p->listing->view;
    char *shown = shown_text(n_shown, n_all, "region");

    take_note(&p->rows, closing_text(p, shown));
    free(shown);
    take_note(&p->rows, fit_note(NULL, p->rows.rounded, p->listing->screen.width));
    put_bounds(p);
    if (!p->listing->inlined && column_value(v->measure, p->a->inlined)) {
        char count[TEXT_NUMBER];

        text_count(count, column_value(v->measure, p->a->inlined));
        take_note(&p->rows, xasprintf("%s %s %s code that was inlined into it (--inlined shows it)",
                                      count, v->measure->name,
                                      p->a->callees == CALLEES_NONE ? "more in" : "of it in"));
    }
}

static void put_sums(struct pen *p)
{
    const struct listing_text own = {.name = p->listing->name,
                                     .after = p->listing->inlined ? ", own code" : NULL};
    size_t n = p->a->profile->n_events;

    listing_row_parts(&p->rows, p->a->own, "", &own, STYLE_BOLD);
    if (p->listing->inlined) {
        memset(p->scratch, 0, 2 * n * sizeof *p->scratch);
        memcpy(p->scratch, p->a->inlined, n * sizeof *p->scratch);
        listing_partial_row(&p->rows, p->scratch, "", "inlined into it", STYLE_BOLD);
    }
}

/* The sum of all absolute counts, which no sum of lines exceeds, where some counts are below 0;
 * else NULL. The caller frees it. */
static int64_t *reach_of(const struct annotation *a)
{
    uint32_t n = 2 * a->profile->n_events;
    int64_t *reach = xcalloc(n, sizeof *reach);
    bool any = false;

    for (uint32_t i = 0; i < a->n_lines; i++)
        for (uint32_t e = 0; e < n; e++) {
            int64_t count = a->lines[i].counts[e], size = count < 0 ? -count : count;

            any |= count < 0;
            counts_add(&reach[e], &size, 1);
        }
    if (any)
        return reach;
    free(reach);
    return NULL;
}

static void put_blocks(struct pen *p, const struct annotation_region *regions, size_t n)
{
    bool *shown = xcalloc(p->a->n_blocks, sizeof *shown);

    /* Regions stand block by block, in the order of blocks. */
    for (size_t first = 0, i = 1; i <= n; i++) {
        if (i < n && regions[i].block == regions[first].block)
            continue;
        shown[regions[first].block] = true;
        put_block(p, regions + first, i - first);
        first = i;
    }
    put_others(p, shown);
    put_sums(p);
    free(shown);
}

/* Writes the lines that are charged most, whose places the reader has come for. */
static void put_costliest(struct pen *p)
{
    const struct annotation *a = p->a;
    uint32_t lines[COSTLIEST_MAX];
    size_t n = annotation_costliest(a, lines, COSTLIEST_MAX);
    int64_t all = column_value(p->listing->view->measure, p->rows.whole);

    if (n)
        listing_head(&p->rows, n == 1 ? "Costliest line" : "Costliest lines");
    for (size_t i = 0; i < n; i++) {
        const struct source *source =
            annotation_source(a, a->lines[lines[i]].block, p->listing->finder);
        char *file;

        if (i && (double)a->charged[lines[i]] < (double)all * COSTLIEST_LEAST / 100)
            break;
        file = file_text(p, a->lines[lines[i]].block);
        put_placed_line(p, source, file, lines[i], "", i ? "" : STYLE_BOLD);
        free(file);
    }
    if (n)
        fputc('\n', p->rows.out);
}

/* The most that a line ran; 0: not known of any, or not asked for. */
static uint64_t most_runs(const struct annotation_listing *listing)
{
    const struct annotation *a = listing->annotation;
    uint64_t most = 0;

    for (uint32_t i = 0; i < a->n_lines && listing->runs; i++)
        if (a->lines[i].runs > most)
            most = a->lines[i].runs;
    return most;
}

void annotation_write(const struct annotation_listing *listing, FILE *out)
{
    const struct annotation *a = listing->annotation;
    struct pen p = {.listing = listing, .a = a};
    struct annotation_region *regions;
    size_t n_all, n = annotation_regions(a, listing->view, &regions, &n_all);
    int64_t *whole = annotation_whole(a), *reach = reach_of(a);

    p.scratch = xcalloc(2 * (size_t)a->profile->n_events, sizeof *p.scratch);
    p.least = least_of(listing, whole);
    p.rows = rows_of(listing, whole, out);
    p.rows.n_events = 2 * a->profile->n_events;
    p.rows.n_own = a->profile->n_events;
    p.rows.reach = reach;
    p.rows.most_runs = most_runs(listing);
    p.rows.mark = "Line";
    p.rows.mark_width = line_width(regions, n);
    listing_begin(&p.rows);
    put_costliest(&p);
    put_blocks(&p, regions, n);
    put_closing(&p, n, n_all);
    listing_end(&p.rows);
    free(regions);
    free(whole);
    free(reach);
    free(p.scratch);
}

/*--- Instructions ---*/

struct asm_pen {
    const struct disassembly *d;
    const struct annotation_listing *listing;
    struct listing rows;
    double least;
    uint32_t line; /* the cost record whose place was written last; CPROF_NONE: none */
    int64_t *sum;  /* scratch */
};

/* The cost of an instruction, the subject's and others'; NULL where it did not run. */
static const int64_t *counts_of(const struct asm_pen *p, const struct instruction *in)
{
    uint32_t n = p->d->profile->n_events;

    if (in->cost == CPROF_NONE)
        return NULL;
    memset(p->sum, 0, n * sizeof *p->sum);
    if (in->own)
        counts_add(p->sum, in->own, n);
    if (in->others)
        counts_add(p->sum, in->others, n);
    return p->sum;
}

static bool same_place(const struct cprof_profile *p, uint32_t a, uint32_t b)
{
    const struct cprof_cost *x = &p->costs[a], *y = &p->costs[b];

    return x->file == y->file && x->line == y->line && x->function == y->function;
}

/* Writes "src/matrix.rs:45  code", with the function's name where it is not the subject. */
static void put_place(struct asm_pen *p, const struct instruction *in)
{
    const struct cprof_profile *profile = p->d->profile;
    const struct cprof_cost *c = &profile->costs[in->cost];
    const char *file = c->file == CPROF_NONE ? NULL : profile->files[c->file];
    bool known = file && strcmp(file, "???") != 0;
    const struct source *source = known && c->line ? source_find(p->listing->finder, file) : NULL;
    char *place = known ? location_text(file, c->line, NULL, p->listing->root) : xstrdup("???");
    char *clean = text_clean(place);
    char *code = code_line(source, c->line, text_clean);
    char *link = link_address_of(p->listing->screen.links, source);

    listing_row_parts(
        &p->rows, NULL, "",
        &(struct listing_text){.indent = "  ",
                               .place = clean,
                               .name = in->own ? NULL : p->listing->labels[c->function],
                               .code = code ? code + strspn(code, " ") : NULL,
                               .address = link},
        STYLE_DIM);
    free(link);
    free(place);
    free(clean);
    free(code);
}

static void put_instruction(struct asm_pen *p, const struct instruction *in)
{
    const int64_t *counts = counts_of(p, in);
    char address[TEXT_NUMBER], *text = in->text ? text_clean(in->text) : NULL;
    bool hot =
        in->own && listing_stands_out(&p->rows, p->listing->view->measure, p->least, in->own);

    if (in->cost != CPROF_NONE &&
        (p->line == CPROF_NONE || !same_place(p->d->profile, p->line, in->cost))) {
        put_place(p, in);
        p->line = in->cost;
    }
    snprintf(address, sizeof address, "%llx", (unsigned long long)in->address);
    listing_row(&p->rows, counts_of(p, in), address, text ? text : "(not decoded)",
                !counts ? STYLE_DIM
                : hot   ? STYLE_BOLD
                        : "");
    free(text);
}

/* Chooses the instructions of a range that are shown: those that stand out, and those around them.
 */
static bool *choose(const struct asm_pen *p, const struct instruction_range *r)
{
    bool *shown = xcalloc(r->n, sizeof *shown);
    size_t context = p->listing->view->context;

    for (size_t i = 0; i < r->n; i++) {
        const int64_t *counts = counts_of(p, &p->d->items[r->first + i]);

        if (!counts || !listing_stands_out(&p->rows, p->listing->view->measure, p->least, counts))
            continue;
        for (size_t k = i > context ? i - context : 0; k <= i + context && k < r->n; k++)
            shown[k] = true;
    }
    return shown;
}

static const char *state_text(enum decode_state state)
{
    switch (state) {
    case DECODE_NO_TOOL:
        return " (no objdump)";
    case DECODE_GONE:
        return " (gone or changed since the run)";
    case DECODE_FAILED:
        return " (not decoded)";
    default:
        return "";
    }
}

static void put_range(struct asm_pen *p, const struct instruction_range *r)
{
    char *object = text_clean(object_name(p->d->profile->objects[r->object].path));
    char *head = xasprintf("%s%s", object, state_text(r->state));
    bool *shown = choose(p, r), gap = false;

    listing_head(&p->rows, head);
    p->line = CPROF_NONE;
    for (size_t i = 0; i < r->n; i++) {
        const struct instruction *in = &p->d->items[r->first + i];

        if (shown[i]) {
            listing_left_out(&p->rows, "instruction", "", gap);
            put_instruction(p, in);
        } else if (in->cost != CPROF_NONE) {
            listing_leave_out(&p->rows, counts_of(p, in));
        }
        gap = !shown[i] && i > 0;
    }
    listing_left_out(&p->rows, "instruction", "", false);
    fputc('\n', p->rows.out);
    free(object);
    free(head);
    free(shown);
}

static void asm_put_sums(struct asm_pen *p)
{
    const struct disassembly *d = p->d;
    uint32_t n = d->profile->n_events;
    int64_t *own = xcalloc(n, sizeof *own);

    for (size_t i = 0; i < d->n_ranges; i++)
        if (d->ranges[i].state == DECODE_LIMIT)
            listing_leave_out(&p->rows, d->ranges[i].own);
    listing_left_out(&p->rows, "other range", "", false);
    if (counts_any(d->nowhere, n))
        listing_row(&p->rows, d->nowhere, "?", "address not known", "");
    counts_add(own, d->own, n);
    counts_add(own, d->nowhere, n);
    listing_row_parts(&p->rows, own, "", &(struct listing_text){.name = p->listing->name},
                      STYLE_BOLD);
    if (counts_any(d->others, n))
        listing_row(&p->rows, d->others, "", "other functions among it, not in the sum",
                    STYLE_BOLD);
    free(own);
}

/* The width of the longest shown address. */
static unsigned address_width(const struct disassembly *d)
{
    unsigned width = 4;

    for (size_t i = 0; i < d->n_ranges; i++) {
        unsigned n = digits(d->ranges[i].last, 16);

        width = d->ranges[i].state != DECODE_LIMIT && n > width ? n : width;
    }
    return width;
}

void disassembly_write(const struct disassembly *d, const struct annotation_listing *listing,
                       FILE *out)
{
    const struct cprof_profile *profile = d->profile;
    struct asm_pen p = {.d = d, .listing = listing};
    int64_t *whole = xcalloc(profile->n_events, sizeof *whole);
    size_t n_shown = 0;

    /* Shares are of all rows: most of a function's instructions may be of functions that were
     * inlined into it. */
    counts_add(whole, d->own, profile->n_events);
    counts_add(whole, d->others, profile->n_events);
    counts_add(whole, d->nowhere, profile->n_events);
    p.least = least_of(listing, whole);
    p.sum = xcalloc(profile->n_events, sizeof *p.sum);
    p.rows = rows_of(listing, whole, out);
    p.rows.n_events = profile->n_events;
    p.rows.mark = "Address";
    p.rows.mark_width = address_width(d);
    listing_begin(&p.rows);
    for (; n_shown < d->n_ranges && d->ranges[n_shown].state != DECODE_LIMIT; n_shown++)
        put_range(&p, &d->ranges[n_shown]);
    asm_put_sums(&p);
    take_note(&p.rows, shown_text(n_shown, d->n_ranges, "range"));
    take_note(&p.rows, fit_note(NULL, p.rows.rounded, listing->screen.width));
    listing_end(&p.rows);
    free(p.sum);
    free(whole);
}
