#include <config.h>

#include "render/text/disassembly.h"

#include "base/counts.h"
#include "base/memory.h"
#include "names/location.h"
#include "names/object_name.h"
#include "render/text/code.h"
#include "render/text/fit.h"
#include "render/text/listing.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

struct pen {
    const struct disassembly *d;
    const struct annotation_listing *listing;
    struct listing rows;
    double least;
    uint32_t line; /* the cost record whose place was written last; CPROF_NONE: none */
    int64_t *sum;  /* scratch */
};

/* The cost of an instruction, the subject's and others'; NULL where it did not run. */
static const int64_t *counts_of(const struct pen *p, const struct instruction *in)
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
static void put_place(struct pen *p, const struct instruction *in)
{
    const struct cprof_profile *profile = p->d->profile;
    const struct cprof_cost *c = &profile->costs[in->cost];
    const char *file = c->file == CPROF_NONE ? NULL : profile->files[c->file], *bytes;
    bool known = file && strcmp(file, "???") != 0;
    const struct source *source = known && c->line ? source_find(p->listing->finder, file) : NULL;
    char *place = known ? location_text(file, c->line, NULL, p->listing->root) : xstrdup("???");
    char *clean = text_clean(place, p->listing->utf8), *code = NULL;
    char *link = link_address_of(p->listing->links, source);
    size_t size;

    if (source && source_line(source, c->line, &bytes, &size))
        code = code_text(bytes, size, p->listing->utf8);
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

static void put_instruction(struct pen *p, const struct instruction *in)
{
    const int64_t *counts = counts_of(p, in);
    char address[TEXT_NUMBER], *text = in->text ? text_clean(in->text, p->listing->utf8) : NULL;
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
static bool *choose(const struct pen *p, const struct instruction_range *r)
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

static void put_range(struct pen *p, const struct instruction_range *r)
{
    char *object =
        text_clean(object_name(p->d->profile->objects[r->object].path), p->listing->utf8);
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

static void put_sums(struct pen *p)
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
        unsigned digits = 1;

        for (uint64_t rest = d->ranges[i].last; rest > 15; rest >>= 4)
            digits++;
        width = d->ranges[i].state != DECODE_LIMIT && digits > width ? digits : width;
    }
    return width;
}

void disassembly_write(const struct disassembly *d, const struct annotation_listing *listing,
                       FILE *out)
{
    const struct cprof_profile *profile = d->profile;
    struct pen p = {.d = d, .listing = listing};
    int64_t *whole = xcalloc(profile->n_events, sizeof *whole);
    double value;
    size_t n_shown = 0;
    char *closing;

    /* Shares are of all rows: most of a function's instructions may be of functions that were
     * inlined into it. */
    counts_add(whole, d->own, profile->n_events);
    counts_add(whole, d->others, profile->n_events);
    counts_add(whole, d->nowhere, profile->n_events);
    value = (double)column_value(listing->view->measure, whole);
    p.least = (value < 0 ? -value : value) * listing->view->threshold / 100;
    p.sum = xcalloc(profile->n_events, sizeof *p.sum);
    p.rows = (struct listing){.out = out,
                              .columns = listing->columns,
                              .n_events = profile->n_events,
                              .whole = whole,
                              .mark = "Address",
                              .mark_width = address_width(d),
                              .width = listing->width,
                              .fixed = listing->fixed,
                              .color = listing->color,
                              .utf8 = listing->utf8};
    listing_begin(&p.rows);
    for (; n_shown < d->n_ranges && d->ranges[n_shown].state != DECODE_LIMIT; n_shown++)
        put_range(&p, &d->ranges[n_shown]);
    put_sums(&p);
    closing = n_shown < d->n_ranges
                  ? xasprintf("%s of %s ranges (-n 0 shows all)", TEXT_COUNT(n_shown),
                              TEXT_COUNT(d->n_ranges))
                  : xasprintf("%s range%s", TEXT_COUNT(n_shown), n_shown == 1 ? "" : "s");
    style_line(out, listing->color, STYLE_DIM, closing, listing->fixed ? listing->width : 0);
    free(closing);
    closing = fit_note(NULL, p.rows.rounded, listing->width);
    if (closing)
        style_line(out, listing->color, STYLE_DIM, closing, listing->width);
    free(closing);
    listing_end(&p.rows);
    free(p.sum);
    free(whole);
}
