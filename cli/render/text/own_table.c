#include <config.h>

#include "render/text/own_table.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "names/crate_path.h"
#include "names/location.h"
#include "names/ownership.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/search.h"
#include "table/share.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_LEAST = 5,
    SHOWN_MOST = 10,
    NAMED_MOST = 3, /* functions of other code that are named in a row */
    GAP = 2,
    NOTE_LEAST = 15, /* columns that other code is not named in less of */
    SHARE_WIDTH = 7, /* " 99.9 %" */
};

/* The shares of the program from which on a function is shown, and other code is named: one in so
 * many. */
enum { SHARE_LEAST = 200, NAMED_SHARE_LEAST = 2000 };

/* How much room the table has been given. */
struct form {
    struct text_form text;
    bool no_self, no_inclusive;
    unsigned named;       /* functions of other code */
    unsigned named_width; /* columns that the name of each has at most; 0: any */
};

/* The subject of the columns. */
struct subject {
    const struct own_table *table;
    const struct form *form;
};

/* A row: a function, or what others come to. */
struct item {
    const struct own_function *function; /* of `rest`: its charges only */
    const struct own_rest *rest;         /* NULL: a function */
};

static int64_t value_of(const struct own_table *t, const int64_t *counts)
{
    return column_value(t->measure, counts);
}

/* 0 where misses are not shown. */
static int64_t misses_of(const struct own_table *t, const int64_t *counts)
{
    return t->misses ? column_value(t->misses, counts) : 0;
}

/* The whole that shares are of. Threads of pools that have nothing to do wait, too: these are no
 * part of it. */
static int64_t total_of(const struct own_table *t)
{
    return value_of(t,
                    share_is_of_waits(t->own->profile) ? t->own->charged : t->own->profile->totals);
}

size_t own_table_shown(const struct own *own, const struct column *measure)
{
    int64_t total = column_value(measure, own->profile->totals);
    size_t n = 0;

    while (n < own->n && n < SHOWN_MOST) {
        const struct own_function *f = &own->items[n];
        int64_t charged = column_value(measure, f->charged);

        if (charged <= 0 && (!f->inclusive || column_value(measure, f->inclusive) <= 0))
            break;
        if (n >= SHOWN_LEAST && charged < total / SHARE_LEAST)
            break;
        n++;
    }
    return n;
}

/*--- Texts ---*/

static char *percent_text(const struct own_table *t, int64_t value)
{
    char buffer[TEXT_NUMBER];

    return xstrdup(text_percent(buffer, value, total_of(t), 1));
}

static char *charge_name(const struct own_table *t, const struct blame_charge *charge,
                         unsigned width)
{
    char *label = own_charge_name(t->own, charge), *name;

    if (!width)
        return label;
    name = text_shorten(label, width, TEXT_CUT_NAME);
    free(label);
    return name;
}

/* "rayon_core: DefaultSpawn::spawn": what threads without own code began in. Its crate tells whose
 * they are, so that stays where the name is shortened. */
static char *thread_name(const struct own_table *t, const struct blame_charge *charge,
                         unsigned width)
{
    char *name = charge_name(t, charge, width), *whole = charge_name(t, charge, 0), *text;
    struct slice crate = crate_of_name(whole);
    bool is_short = crate.text && strlen(name) < strlen(whole);

    text = is_short ? xasprintf("%.*s: %s", (int)crate.size, crate.text, name) : xstrdup(name);
    free(whole);
    free(name);
    return text;
}

char *own_table_paid(const struct own_table *t, const struct own_function *f, unsigned named,
                     unsigned width)
{
    int64_t least = total_of(t) / NAMED_SHARE_LEAST;
    bool of_threads = f->charges && f->charges == t->own->elsewhere;
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < f->n_charges && i < named; i++) {
        int64_t value = value_of(t, f->charges[i].counts);
        char *name, *percent;

        if (value <= least)
            break;
        name = (of_threads ? thread_name : charge_name)(t, &f->charges[i], width);
        percent = percent_text(t, value);
        strbuf_addf(&text, "%s%s %s %%", i ? ", " : "", name, percent);
        free(name);
        free(percent);
    }
    return strbuf_take(&text);
}

size_t own_table_rest(const struct own_table *t, size_t shown, struct own_rest rest[OWN_REST_MOST])
{
    const struct own *o = t->own;
    int64_t more = value_of(t, o->charged), misses = misses_of(t, o->charged);
    size_t n = 0;

    for (size_t i = 0; i < shown; i++) {
        more -= value_of(t, o->items[i].charged);
        misses -= misses_of(t, o->items[i].charged);
    }
    if (o->n > shown && more)
        rest[n++] =
            (struct own_rest){.name = xasprintf("[%s more function%s]", TEXT_COUNT(o->n - shown),
                                                o->n - shown == 1 ? "" : "s"),
                              .value = more,
                              .misses = misses};
    for (int which = 0; which < BLAME_OUTSIDES && !share_is_of_waits(o->profile); which++) {
        if (!value_of(t, o->outside[which]))
            continue;
        rest[n] = (struct own_rest){
            .name = xstrdup(blame_outside_name(o->paths, (enum blame_outside)which)),
            .value = value_of(t, o->outside[which]),
            .misses = misses_of(t, o->outside[which])};
        if (which == BLAME_ELSEWHERE)
            rest[n].who =
                (struct own_function){.charges = o->elsewhere, .n_charges = o->n_elsewhere};
        n++;
    }
    return n;
}

/*--- Columns ---*/

enum column_id { PERCENT, CHARGED, SELF, INCLUSIVE, MISSES, FUNCTION, PLACE, PAID, N_COLUMNS };

static struct cell count_of(const struct own_table *t, int64_t value)
{
    return t->measure->is_duration ? cell_duration(value) : cell_count(value);
}

/* A function's name; in files and pipes without its arguments where it is long. */
static struct cell name_of(const struct own_table *t, const struct row *row)
{
    char *text = row_label(row, false, NULL);
    struct cell cell = cell_take(text);

    if (!t->screen.fixed && !t->whole_names) {
        cell.text = text_long_name(text);
        free(text);
    }
    cell.row = row;
    return cell_styled(cell, CELL_ORIGIN + origin_of(OWNER_OWN));
}

/* The cells that functions have and others have not. */
static struct cell function_cell(const struct own_table *t, const struct own_function *f,
                                 enum column_id id)
{
    const struct row *row = &f->row;

    switch (id) {
    case SELF:
        return count_of(t, value_of(t, f->self));
    case INCLUSIVE:
        return f->inclusive ? cell_share(value_of(t, f->inclusive), total_of(t), 1) : cell_blank();
    case FUNCTION:
        return name_of(t, row);
    default:
        return cell_styled(
            cell_place(location_text(row->file, row->line, row->object, t->root), row->file),
            CELL_DIM);
    }
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct subject *s = subject;
    const struct own_table *t = s->table;
    const struct item *i = row;
    int64_t value = i->rest ? i->rest->value : value_of(t, i->function->charged);

    switch ((enum column_id)c->id) {
    case PERCENT:
        return cell_share(value, total_of(t), 1);
    case CHARGED:
        return count_of(t, value);
    case MISSES:
        return cell_share(i->rest ? i->rest->misses : misses_of(t, i->function->charged),
                          column_value(t->misses, t->own->profile->totals), 1);
    case PAID:
        return cell_styled(
            cell_take(own_table_paid(t, i->function, s->form->named, s->form->named_width)),
            CELL_DIM);
    default:
        if (i->rest)
            return c->id == FUNCTION ? cell_text(i->rest->name) : cell_blank();
        return function_cell(t, i->function, (enum column_id)c->id);
    }
}

static const struct table_column columns[N_COLUMNS] = {
    {"%", TABLE_SHARE, .cell = cell_of, .id = PERCENT},
    {"Charged", TABLE_COUNT, .cell = cell_of, .id = CHARGED,
     .help = "own cost, and what other code cost for it"},
    {"Self", TABLE_COUNT, .cell = cell_of, .id = SELF},
    {"Incl. %", TABLE_SHARE, .cell = cell_of, .id = INCLUSIVE},
    {"D1m %", TABLE_SHARE, .cell = cell_of, .id = MISSES},
    {"Function", TABLE_NAME, .cell = cell_of, .id = FUNCTION},
    {"Costliest line", TABLE_PLACE, .cell = cell_of, .id = PLACE},
    {"Other code", TABLE_NOTE, .cell = cell_of, .id = PAID}};

/* `charged` is the heading of the charges. */
static void add_columns(struct table *table, const struct own_table *t, const struct form *form,
                        const char *charged)
{
    for (int i = 0; i < N_COLUMNS; i++)
        if (!(i == SELF && form->no_self) && !(i == INCLUSIVE && form->no_inclusive) &&
            (i != MISSES || t->misses)) {
            struct table_column c = columns[i];

            if (i == CHARGED) {
                c.heading = charged;
                c.total = total_of(t);
            }
            table_column(table, &c);
        }
}

static void add_functions(struct table *table, const struct own_table *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        table_put(table, &(struct item){&t->own->items[i], NULL}, CELL_PLAIN);
}

/* Makes the table of the functions that are shown, and of all else; the caller frees it. */
static void fill(struct table *table, const struct subject *s)
{
    size_t shown = own_table_shown(s->table->own, s->table->measure), n_rest;
    struct own_rest rest[OWN_REST_MOST];

    table_begin(table, s);
    add_columns(table, s->table, s->form, "Charged");
    add_functions(table, s->table, shown);
    n_rest = own_table_rest(s->table, shown, rest);
    for (size_t i = 0; i < n_rest; i++) {
        table_put(table, &(struct item){&rest[i].who, &rest[i]}, CELL_DIM);
        free(rest[i].name);
    }
    table_drop_blank(table);
}

void own_table_fill(const struct own_table *t, struct table *filled)
{
    const struct form form = {.named = NAMED_MOST};
    const struct subject subject = {t, &form};
    char *heading = xasprintf("Charged %s", t->measure->header);
    size_t n = 0;

    table_begin(filled, &subject);
    add_columns(filled, t, &form, heading);
    free(heading);
    while (n < t->own->n && value_of(t, t->own->items[n].charged) > 0)
        n++;
    add_functions(filled, t, n);
    table_drop_blank(filled);
    filled->subject = NULL;
}

/*--- Layout ---*/

/* Makes the table anew. Returns its width. */
static unsigned try_form(struct table *table, const struct subject *s)
{
    table_free(table);
    fill(table, s);
    return table_form_width(table, &s->form->text);
}

/* The last form, where no other fits: texts are shortened, and other code has what room is left. */
static void squeeze(struct table *table, const struct subject *s, struct form *form)
{
    const struct own_table *t = s->table;
    unsigned used;

    form->named = 0;
    (void)try_form(table, s);
    table_form_squeeze(table, &form->text, t->screen.width);
    used = table_form_width(table, &form->text);
    if (used + GAP + NOTE_LEAST > t->screen.width)
        return;
    form->text.squeezed = false;
    form->named = 1;
    form->named_width = t->screen.width - used - GAP - SHARE_WIDTH;
    (void)try_form(table, s);
}

/* Makes the table in the first form that fits; `*form` gets that. */
static void lay_out(struct table *table, const struct own_table *t, struct form *form)
{
    static const struct form forms[] = {
        {.named_width = 40},
        {.named_width = 32, .text = {.rounded = true, .place = 40, .name = 40}},
        {.named_width = 24, .text = {.rounded = true, .place = 32, .name = 40}, .no_self = true},
        {.text = {.rounded = true, .place = 28, .name = 40}, .no_self = true, .no_inclusive = true},
    };
    const struct subject subject = {t, form};

    *form = forms[0];
    form->named = NAMED_MOST;
    if (!t->screen.fixed) {
        (void)try_form(table, &subject);
        return;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        *form = forms[i];
        for (form->named = NAMED_MOST; form->named_width && form->named; form->named--)
            if (try_form(table, &subject) <= t->screen.width)
                return;
    }
    squeeze(table, &subject, form);
}

/*--- Lines ---*/

char *own_heading(const struct column *measure, bool paths)
{
    return xasprintf("Your code: %s of its own, and of other code %s",
                     strcmp(measure->name, "Ir") != 0 ? measure->name : "instructions",
                     paths ? "that it called" : "inlined into it");
}

static char *heading(const struct own_table *t)
{
    return share_is_of_waits(t->own->profile)
               ? xstrdup("Your code, by how long it waits, and what it called for that")
               : own_heading(t->measure, t->own->paths);
}

/* Waits without own code above them, of which most are of pools that have nothing to do. The caller
 * frees it. */
static char *idle_text(const struct own_table *t)
{
    const struct own_function who = {.charges = t->own->elsewhere,
                                     .n_charges = t->own->n_elsewhere};
    int64_t idle = 0;
    char buffer[TEXT_NUMBER], *name, *text;

    for (int which = 0; which < BLAME_OUTSIDES; which++)
        idle += value_of(t, t->own->outside[which]);
    if (!idle)
        return xstrdup("rows add up to 100 %, the waits of all threads together");
    name = who.n_charges ? charge_name(t, &who.charges[0], 0) : NULL;
    text = xasprintf("rows add up to 100 %%, the waits of all threads together; others waited %s "
                     "without your code%s%s",
                     text_duration(buffer, idle), name ? ", most in " : "", name ? name : "");
    free(name);
    return text;
}

/* "98.5 % your code; ...". The caller frees it. */
static char *closing(const struct own_table *t)
{
    bool uncalled = !t->own->paths && value_of(t, t->own->outside[BLAME_FIRST_THREAD]);
    const char *with_paths = t->own->profile->sampled ? "" : ": 'cargo cprof callgrind' tells";
    char *percent, *line;

    if (share_is_of_waits(t->own->profile))
        return idle_text(t);
    percent = percent_text(t, value_of(t, t->own->charged));
    line = xasprintf("%s %% your code; rows add up to 100 %%%s%s", percent,
                     uncalled ? "; without call paths, [other code] may have run for it" : "",
                     uncalled ? with_paths : "");

    free(percent);
    return line;
}

/* The counts of the shown functions that are not exact; NULL: all are. The caller frees it. */
static char *bounds(const struct own_table *t)
{
    size_t shown = own_table_shown(t->own, t->measure), charged = 0, inclusive = 0;
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < shown; i++) {
        charged += t->own->items[i].row.bound != BOUND_EXACT;
        inclusive += t->own->items[i].inclusive_bound != BOUND_EXACT;
    }
    if (!charged && !inclusive)
        return NULL;
    if (charged)
        strbuf_addf(&text,
                    "%s of these functions may be charged with others' costs: foreign code calls "
                    "itself through your own",
                    TEXT_COUNT(charged));
    if (inclusive)
        strbuf_addf(&text, "%sinclusive shares of %s of these functions are bounds",
                    charged ? "; " : "", TEXT_COUNT(inclusive));
    return strbuf_take(&text);
}

void own_table_write(const struct own_table *t, bool markdown, FILE *out)
{
    const struct text_screen *screen = markdown ? NULL : &t->screen;
    struct table table = {.n_rows = 0};
    struct form form = {.named = NAMED_MOST};

    table_take_line(heading(t), STYLE_BOLD, ":", screen, out);
    fputc('\n', out);
    if (markdown) {
        fill(&table, &(struct subject){t, &form});
        table_rows_write(&table, NULL, out);
        fputc('\n', out);
    } else {
        lay_out(&table, t, &form);
        table_form_write(&table, &form.text, screen, out);
    }
    table_take_line(closing(t), STYLE_DIM, ".", screen, out);
    table_take_line(markdown ? NULL : bounds(t), STYLE_DIM, ".", screen, out);
    table_free(&table);
}
