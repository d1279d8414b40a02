#include <config.h>

/* Own code in two profiles: its functions by what they are charged with. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/crates.h"
#include "names/libc_name.h"
#include "render/text/diff.h"
#include "render/text/markdown.h"
#include "render/text/own_table.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3 }; /* functions of other code that are named in a row */
/* Other code is named from one in so many of the function's change on. */
enum { NAMED_SHARE_LEAST = 20 };

enum kind { BEFORE, AFTER, CHANGE, PERCENT, FUNCTION, PLACE, PAID, N_KINDS };

static uint64_t size_of(int64_t number)
{
    return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

static void put_numbers(const struct diff_view *v, struct grid *grid,
                        int64_t *const counts[DIFF_SIDES], bool is_noise)
{
    int64_t before = column_value(v->own->measure, counts[DIFF_OLD]);
    int64_t after = column_value(v->own->measure, counts[DIFF_NEW]);

    if (!v->percent)
        diff_put_counts(grid, before, after, is_noise);
    if (!v->counts)
        diff_put_percent(grid, before, after, is_noise, v->screen.utf8);
}

char *diff_own_paid(const struct diff_view *v, const struct own_change *c)
{
    uint64_t least = size_of(own_diff_delta(v->own, c->counts)) / NAMED_SHARE_LEAST;
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < c->n_charges && i < NAMED_MOST; i++) {
        const struct charge_change *charge = &c->charges[i];
        int64_t delta = own_diff_delta(v->own, charge->counts);
        char change[TEXT_NUMBER], *plain;

        if (!delta || size_of(delta) < least)
            break;
        plain = charge->object && crates_is_libc(charge->object) ? libc_plain_name(charge->name)
                                                                 : xstrdup(charge->name);
        diff_change_text(change, delta);
        strbuf_addf(&text, "%s%s %s", i ? ", " : "", plain, change);
        free(plain);
    }
    return strbuf_take(&text);
}

/* Adds the cells behind the numbers; the last one where the table has it. `file` is that of the
 * second, a place. */
static void put_texts(struct grid *grid, const char *const texts[3], const char *file, bool paid,
                      bool is_function)
{
    grid_cell(grid, texts[0], is_function ? GRID_PLAIN : GRID_DIM);
    grid_place(grid, texts[1], file, GRID_DIM);
    if (paid)
        grid_cell(grid, texts[2], GRID_DIM);
}

static void put_lines(const struct diff_view *v, struct grid *grid, const struct own_change *c,
                      bool paid)
{
    for (size_t i = 0; i < c->lines.n && i < DIFF_LINES_MAX; i++) {
        const struct diff_line *line = &c->lines.items[i];
        char *text = diff_line_text(v, line);

        put_numbers(v, grid, line->counts, false);
        put_texts(grid, (const char *[]){"", text, ""}, line->file, paid, false);
        free(text);
    }
}

static void put_function(const struct diff_view *v, struct grid *grid, const struct own_change *c,
                         bool paid)
{
    bool place_below = v->lines && c->lines.n;
    char *place = c->lines.n && !place_below ? diff_line_text(v, &c->lines.items[0]) : xstrdup("");
    char *note = diff_own_paid(v, c);

    put_numbers(v, grid, c->counts, false);
    put_texts(grid, (const char *[]){c->name, place, note},
              c->lines.n && !place_below ? c->lines.items[0].file : NULL, paid, true);
    if (place_below)
        put_lines(v, grid, c, paid);
    free(place);
    free(note);
}

/* A row of all that `counts` are of; none where they did not change. */
static void put_other(const struct diff_view *v, struct grid *grid, bool paid, const char *name,
                      int64_t *const counts[DIFF_SIDES])
{
    if (!own_diff_delta(v->own, counts))
        return;
    put_numbers(v, grid, counts, false);
    put_texts(grid, (const char *[]){name, "", ""}, NULL, paid, false);
}

/* The functions that are not shown, as one row. */
static void put_rest(const struct diff_view *v, struct grid *grid, bool paid)
{
    const struct own_diff *o = v->own;
    uint32_t n_events = v->diff->common.n_events;
    int64_t *rest[DIFF_SIDES];
    char *name = xasprintf("[%s more function%s]", TEXT_COUNT(o->n - v->n_own),
                           o->n - v->n_own == 1 ? "" : "s");

    for (int side = 0; side < DIFF_SIDES; side++) {
        rest[side] = xcalloc(n_events, sizeof *rest[side]);
        for (uint32_t e = 0; e < n_events; e++) {
            rest[side][e] = o->charged[side][e];
            for (size_t i = 0; i < v->n_own; i++)
                rest[side][e] = diff_change(o->items[i].counts[side][e], rest[side][e]);
        }
    }
    put_other(v, grid, paid, name, rest);
    free(name);
    for (int side = 0; side < DIFF_SIDES; side++)
        free(rest[side]);
}

/* Tells whether other code is named in some row. */
static bool has_paid(const struct diff_view *v)
{
    bool has = false;

    for (size_t i = 0; i < v->n_own && !has; i++) {
        char *paid = diff_own_paid(v, &v->own->items[i]);

        has = *paid;
        free(paid);
    }
    return has;
}

static void put_table(const struct diff_view *v, enum diff_format format, FILE *out)
{
    const struct own_diff *o = v->own;
    bool paid = has_paid(v);
    char *before = xasprintf("Old %s", o->measure->header);
    char *after = xasprintf("New %s", o->measure->header);
    const struct grid_column all[N_KINDS] = {[BEFORE] = {before, GRID_NUMBER, DIFF_SPARE(DIFF_OLD)},
                                             [AFTER] = {after, GRID_NUMBER, DIFF_SPARE(DIFF_NEW)},
                                             [CHANGE] = {"Change", GRID_NUMBER, 0},
                                             [PERCENT] = {"%", GRID_NUMBER, 0},
                                             [FUNCTION] = {"Function", GRID_NAME, 0},
                                             [PLACE] = {"Changed line", GRID_PLACE, 0},
                                             [PAID] = {"Other code", GRID_NOTE, 0}};
    struct grid_column columns[N_KINDS];
    struct grid grid;
    size_t n = 0;

    for (int c = 0; c < (paid ? N_KINDS : PAID); c++)
        if (!(c < PERCENT && v->percent) && !(c == PERCENT && v->counts))
            columns[n++] = all[c];
    grid_init(&grid, columns, n);
    for (size_t i = 0; i < v->n_own; i++)
        put_function(v, &grid, &o->items[i], paid);
    put_rest(v, &grid, paid);
    for (int which = 0; which < BLAME_OUTSIDES; which++)
        put_other(v, &grid, paid, blame_outside_name(o->paths, (enum blame_outside)which),
                  o->outside[which]);
    if (grid.n_rows)
        diff_put_grid(v, &grid, format, out);
    grid_free(&grid);
    free(before);
    free(after);
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
    strbuf_addf(&text, "; rows add up%s%s%s", v->functions ? "" : " (see also --view functions",
                v->functions || v->lines ? "" : ", --lines", v->functions ? "" : ")");
    for (size_t i = 0; i < v->n_own; i++)
        uncertain += !v->own->items[i].certain;
    if (uncertain)
        strbuf_addf(&text,
                    "; %s of these functions may be charged with others' costs: foreign code calls "
                    "itself through your own",
                    TEXT_COUNT(uncertain));
    return strbuf_take(&text);
}

void diff_write_own(const struct diff_view *v, enum diff_format format, FILE *out)
{
    const char *name = v->own->measure->name;
    char *heading = xasprintf("Your code: %s of its own, and of other code %s",
                              strcmp(name, "Ir") != 0 ? name : "instructions",
                              v->own->paths ? "that it called" : "inlined into it");
    char *last = closing(v);

    if (format == DIFF_MARKDOWN) {
        markdown_put_text(out, heading);
        fputs(":\n\n", out);
    } else {
        style_line(out, v->screen.color, STYLE_BOLD, heading, v->fixed ? v->screen.width : 0);
        fputc('\n', out);
    }
    put_table(v, format, out);
    if (format == DIFF_MARKDOWN)
        fputc('\n', out);
    diff_put_note(v, format, last, out);
    free(heading);
    free(last);
}
