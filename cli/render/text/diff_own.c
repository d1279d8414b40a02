#include <config.h>

/* Own code in two profiles: its functions by what they are charged with. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "render/text/diff.h"
#include "render/text/markdown.h"
#include "render/text/own_table.h"
#include "render/text/style.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 3 }; /* functions of other code that are named in a row */
/* Other code is named from one in so many of the function's change on. */
enum { NAMED_SHARE_LEAST = 20 };

static uint64_t size_of(int64_t number)
{
    return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

/* "memcmp +39,500, malloc -300": other code whose cost for a function changed most. The caller
 * frees it. */
static char *paid_text(const struct diff_view *v, const struct own_change *c)
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

/*--- Columns ---*/

enum { FUNCTION = DIFF_PARTS, PLACE, PAID };

/* A function, one of its lines, or other code. */
struct item {
    int64_t *const *counts;          /* by side */
    const char *name;                /* blank: of a line */
    const struct own_change *change; /* of a function; else NULL */
    const struct diff_line *line; /* the line; of a function the one that stands beside it; NULL */
};

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct diff_view *v = subject;
    const struct item *i = row;
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

static void add_number(struct table *table, enum diff_part part, const char *heading)
{
    struct table_column c = diff_column(part);

    c.heading = heading;
    c.cell = cell_of;
    table_column(table, &c);
}

static void add_columns(const struct diff_view *v, struct table *table)
{
    const char *header = v->own->measure->header;
    char *before = xasprintf("Old %s", header), *after = xasprintf("New %s", header);

    if (!v->percent) {
        add_number(table, DIFF_PART_OLD, before);
        add_number(table, DIFF_PART_NEW, after);
        add_number(table, DIFF_PART_CHANGE, "Change");
    }
    if (!v->counts)
        add_number(table, DIFF_PART_PERCENT, "%");
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
    struct item item = {c->counts, c->name, c, c->lines.n && !lines ? c->lines.items : NULL};

    table_put(table, &item, CELL_PLAIN);
    for (size_t i = 0; lines && i < c->lines.n && i < DIFF_LINES_MAX; i++) {
        const struct diff_line *line = &c->lines.items[i];

        table_put(table, &(struct item){line->counts, "", NULL, line}, CELL_PLAIN);
    }
}

/* Adds a row of other code; none where it did not change. */
static void add_other(const struct diff_view *v, struct table *table, const char *name,
                      int64_t *const counts[DIFF_SIDES])
{
    if (own_diff_delta(v->own, counts))
        table_put(table, &(struct item){counts, name, NULL, NULL}, CELL_PLAIN);
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
                rest[side][e] = diff_change(o->items[i].counts[side][e], rest[side][e]);
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
    add_columns(v, table);
    for (size_t i = 0; i < v->n_own; i++)
        add_function(table, &v->own->items[i], lines);
}

static void put_table(const struct diff_view *v, enum diff_format format, FILE *out)
{
    const struct own_diff *o = v->own;
    struct table table;

    diff_own_fill(v, v->lines, &table);
    add_rest(v, &table);
    for (int which = 0; which < BLAME_OUTSIDES; which++)
        add_other(v, &table, blame_outside_name(o->paths, (enum blame_outside)which),
                  o->outside[which]);
    if (table.n_rows)
        diff_put_table(v, &table, format, out);
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
