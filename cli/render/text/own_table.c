#include <config.h>

#include "render/text/own_table.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "names/crate_path.h"
#include "names/libc_name.h"
#include "names/location.h"
#include "render/text/fit.h"
#include "render/text/markdown.h"
#include "render/text/origin_style.h"
#include "render/text/style.h"
#include "render/text/text.h"
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

enum cell { PERCENT, CHARGED, SELF, INCLUSIVE, MISSES, FUNCTION, PLACE, PAID, N_CELLS };

/* A row of the table: a function, or what all others come to. */
struct line {
    char *cells[N_CELLS]; /* never NULL */
    char *address;        /* of the place, for a link, or NULL */
    bool is_function;
};

/* How a table is laid out. */
struct form {
    bool rounded, no_self, no_inclusive;
    unsigned named;       /* functions of other code */
    unsigned named_width; /* columns that the name of each has at most; 0: any */
    unsigned place, name; /* the same of places and names of functions, if these need no more */
    struct fit_column fits[N_CELLS]; /* without a width, the column is left out */
};

struct filled {
    const struct own_table *table;
    size_t n;
    struct line *lines;
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

/*--- Cells ---*/

static char *count_text(const struct own_table *t, int64_t value, bool rounded)
{
    char buffer[TEXT_NUMBER];

    if (t->measure->is_duration)
        return xstrdup(text_duration(buffer, value));
    return xstrdup(rounded ? text_count_short(buffer, value) : text_count(buffer, value));
}

static char *percent_text(const struct own_table *t, int64_t value)
{
    char buffer[TEXT_NUMBER];

    return xstrdup(text_percent(buffer, value, total_of(t), 1));
}

static char *charge_name(const struct own_table *t, const struct blame_charge *charge,
                         unsigned width)
{
    char *label = own_charge_name(t->own, charge);
    char *clean = text_clean(label, t->utf8);
    char *name = width ? text_shorten(clean, width, TEXT_CUT_NAME, t->utf8) : xstrdup(clean);

    free(label);
    free(clean);
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

static char *clean_text(const struct own_table *t, char *text)
{
    char *clean = text_clean(text, t->utf8);

    free(text);
    return clean;
}

/* Takes over `text`. */
static char *name_text(const struct own_table *t, char *text)
{
    char *clean = clean_text(t, text), *name;

    if (t->fixed || t->whole_names)
        return clean;
    name = text_long_name(clean, t->utf8);
    free(clean);
    return name;
}

/* The share of the program's misses; "": they are not shown. */
static char *misses_text(const struct own_table *t, int64_t misses)
{
    char buffer[TEXT_NUMBER];

    if (!t->misses)
        return xstrdup("");
    return xstrdup(
        text_percent(buffer, misses, column_value(t->misses, t->own->profile->totals), 1));
}

static struct line function_line(const struct own_table *t, const struct own_function *f,
                                 const struct form *form)
{
    const struct row *row = &f->row;
    struct line line = {.is_function = true};

    line.cells[PERCENT] = percent_text(t, value_of(t, f->charged));
    line.cells[CHARGED] = count_text(t, value_of(t, f->charged), form->rounded);
    line.cells[SELF] = count_text(t, value_of(t, f->self), form->rounded);
    line.cells[INCLUSIVE] = f->inclusive ? percent_text(t, value_of(t, f->inclusive)) : xstrdup("");
    line.cells[MISSES] = misses_text(t, misses_of(t, f->charged));
    line.cells[FUNCTION] =
        name_text(t, xasprintf("%s%s%s", row->name, row->tag[0] ? " " : "", row->tag));
    line.cells[PLACE] = clean_text(t, location_text(row->file, row->line, row->object, t->root));
    line.cells[PAID] = own_table_paid(t, f, form->named, form->named_width);
    line.address = link_address(t->links, row->file);
    return line;
}

/* A row of all else; takes over its name. */
static struct line other_line(const struct own_table *t, const struct own_rest *rest,
                              const struct form *form)
{
    struct line line;

    line.is_function = false;
    line.address = NULL;
    line.cells[PERCENT] = percent_text(t, rest->value);
    line.cells[CHARGED] = count_text(t, rest->value, form->rounded);
    line.cells[FUNCTION] = rest->name;
    line.cells[SELF] = xstrdup("");
    line.cells[INCLUSIVE] = xstrdup("");
    line.cells[MISSES] = misses_text(t, rest->misses);
    line.cells[PLACE] = xstrdup("");
    line.cells[PAID] = own_table_paid(t, &rest->who, form->named, form->named_width);
    return line;
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

static void fill(struct filled *s, const struct form *form)
{
    const struct own_table *t = s->table;
    size_t shown = own_table_shown(t->own, t->measure), n_rest;
    struct own_rest rest[OWN_REST_MOST];

    s->lines = xcalloc(shown + OWN_REST_MOST, sizeof *s->lines);
    for (s->n = 0; s->n < shown; s->n++)
        s->lines[s->n] = function_line(t, &t->own->items[s->n], form);
    n_rest = own_table_rest(t, shown, rest);
    for (size_t i = 0; i < n_rest; i++)
        s->lines[s->n++] = other_line(t, &rest[i], form);
}

static void clear(struct filled *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (int c = 0; c < N_CELLS; c++)
            free(s->lines[i].cells[c]);
        free(s->lines[i].address);
    }
    free(s->lines);
    s->lines = NULL;
    s->n = 0;
}

/*--- Layout ---*/

static const char *const headers[N_CELLS] = {"%",     "Charged",  "Self",           "Incl. %",
                                             "D1m %", "Function", "Costliest line", "Other code"};

static const enum fit_kind kinds[N_CELLS] = {
    [FUNCTION] = FIT_NAME, [PLACE] = FIT_PLACE, [PAID] = FIT_NOTE};

/* Measures the cells of a column, its head included. */
static struct fit_column measure_cells(const struct filled *s, int cell)
{
    struct fit_column fit = {.kind = kinds[cell]};

    for (size_t i = 0; i < s->n; i++)
        fit_cell(&fit, s->lines[i].cells[cell], true, s->table->utf8);
    if (fit.width)
        fit_cell(&fit, headers[cell], true, s->table->utf8);
    return fit;
}

/* Shortens a column to `most` columns, if it does not need more; 0: not at all. */
static void limit(struct fit_column *fit, unsigned most)
{
    if (most && most < fit->least)
        most = fit->least;
    if (most && fit->width > most)
        fit->width = most;
}

/* Measures all columns that the form has. Returns the width of the table. */
static unsigned measure(const struct filled *s, struct form *form)
{
    for (int c = 0; c < N_CELLS; c++)
        form->fits[c] = (c == SELF && form->no_self) || (c == INCLUSIVE && form->no_inclusive)
                            ? (struct fit_column){.width = 0}
                            : measure_cells(s, c);
    limit(&form->fits[PLACE], form->place);
    limit(&form->fits[FUNCTION], form->name);
    return fit_width(form->fits, N_CELLS, GAP, FIT_FULL);
}

/* Fills all cells and measures them. */
static unsigned try_form(struct filled *s, struct form *form)
{
    clear(s);
    fill(s, form);
    return measure(s, form);
}

/* The last form, where no other fits: texts are shortened, and other code has what room is left. */
static void squeeze(struct filled *s, struct form *form)
{
    unsigned room = s->table->width, used;

    form->named = 0;
    (void)try_form(s, form);
    fit_texts(form->fits, N_CELLS, GAP, room);
    form->place = form->fits[PLACE].width;
    form->name = form->fits[FUNCTION].width;
    used = fit_width(form->fits, N_CELLS, GAP, FIT_FULL);
    if (used + GAP + NOTE_LEAST > room)
        return;
    form->named = 1;
    form->named_width = room - used - GAP - SHARE_WIDTH;
    (void)try_form(s, form);
}

/* Fills all cells in the first form that fits. */
static struct form lay_out(struct filled *s)
{
    static const struct form forms[] = {
        {.named_width = 40},
        {.named_width = 32, .rounded = true, .place = 40, .name = 40},
        {.named_width = 24, .rounded = true, .place = 32, .name = 40, .no_self = true},
        {.rounded = true, .place = 28, .name = 40, .no_self = true, .no_inclusive = true},
    };
    const struct own_table *t = s->table;
    struct form form = {.named = NAMED_MOST, .named_width = forms[0].named_width};

    if (!t->fixed) {
        (void)try_form(s, &form);
        return form;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        form = forms[i];
        for (form.named = NAMED_MOST; form.named_width && form.named; form.named--)
            if (try_form(s, &form) <= t->width)
                return form;
    }
    squeeze(s, &form);
    return form;
}

/*--- Writing ---*/

static bool is_text(int cell)
{
    return cell >= FUNCTION;
}

/* The last cell of a line that is not blank. */
static int last_cell(char *const *cells, const struct form *form)
{
    int last = N_CELLS - 1;

    while (last > 0 && (!form->fits[last].width || !cells[last][0]))
        last--;
    return last;
}

/* Writes a cell; `pad`: more cells follow. */
static void put_cell(const struct own_table *t, int cell, const char *text, unsigned width,
                     bool pad, const char *style, const char *address, FILE *out)
{
    enum text_cut cut = cell == FUNCTION ? TEXT_CUT_NAME : TEXT_CUT_PLACE;
    char *fit = is_text(cell) ? text_shorten(text, width, cut, t->utf8) : xstrdup(text);
    unsigned its = text_width(fit, t->utf8);
    int blanks = (int)(width > its ? width - its : 0);

    if (!is_text(cell))
        fprintf(out, "%*s", blanks, "");
    link_begin(out, address);
    if (style && *fit)
        style_put(out, t->color, style, fit);
    else
        fputs(fit, out);
    link_end(out, address);
    if (pad)
        fprintf(out, "%*s", (is_text(cell) ? blanks : 0) + GAP, "");
    free(fit);
}

/* Writes a line without blanks at its end. `style` is that of the whole line, or NULL; `address`
 * that of its place. */
static void put_line(const struct own_table *t, char *const *cells, const struct form *form,
                     const char *style, const char *address, FILE *out)
{
    int last = last_cell(cells, form);

    for (int c = 0; c <= last; c++) {
        const char *its_style = c == FUNCTION  ? origin_style(origin_of(OWNER_OWN))
                                : c > FUNCTION ? STYLE_DIM
                                               : NULL;

        if (form->fits[c].width)
            put_cell(t, c, cells[c], form->fits[c].width, c < last, style ? style : its_style,
                     c == PLACE ? address : NULL, out);
    }
    fputc('\n', out);
}

static char *heading(const struct own_table *t)
{
    const char *name = t->measure->name;

    if (share_is_of_waits(t->own->profile))
        return xstrdup("Your code, by how long it waits, and what it called for that");
    return xasprintf("Your code: %s of its own, and of other code %s",
                     strcmp(name, "Ir") != 0 ? name : "instructions",
                     t->own->paths ? "that it called" : "inlined into it");
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

void own_table_write(const struct own_table *t, FILE *out)
{
    struct filled s = {.table = t};
    struct form form = lay_out(&s);
    char *text = heading(t), *odd = bounds(t), *heads[N_CELLS];
    unsigned width = t->fixed ? t->width : 0;

    for (int c = 0; c < N_CELLS; c++)
        heads[c] = (char *)headers[c];
    style_line(out, t->color, STYLE_BOLD, text, width);
    fputc('\n', out);
    put_line(t, heads, &form, STYLE_BOLD, NULL, out);
    for (size_t i = 0; i < s.n; i++)
        put_line(t, s.lines[i].cells, &form, s.lines[i].is_function ? NULL : STYLE_DIM,
                 s.lines[i].address, out);
    free(text);
    text = closing(t);
    style_line(out, t->color, STYLE_DIM, text, width);
    if (odd)
        style_line(out, t->color, STYLE_DIM, odd, width);
    free(text);
    free(odd);
    clear(&s);
}

void own_table_markdown(const struct own_table *t, FILE *out)
{
    struct filled s = {.table = t};
    struct form form = {.named = NAMED_MOST};
    struct markdown_header heads[N_CELLS];
    size_t n = 0;
    char *text = heading(t);

    fill(&s, &form);
    (void)measure(&s, &form);
    markdown_put_text(out, text);
    free(text);
    fputs(":\n\n", out);
    for (int c = 0; c < N_CELLS; c++)
        if (form.fits[c].width)
            heads[n++] = (struct markdown_header){headers[c], !is_text(c)};
    markdown_head(out, heads, n);
    for (size_t i = 0; i < s.n; i++) {
        for (int c = 0; c < N_CELLS; c++) {
            if (!form.fits[c].width)
                continue;
            if (c == FUNCTION && s.lines[i].is_function)
                markdown_code(out, s.lines[i].cells[c]);
            else
                markdown_text(out, s.lines[i].cells[c]);
        }
        markdown_end(out);
    }
    text = closing(t);
    fputc('\n', out);
    markdown_put_text(out, text);
    fputs(".\n", out);
    free(text);
    clear(&s);
}
