#include <config.h>

#include "../tap.h"
#include "render/text/table_text.h"

#include <stdlib.h>
#include <string.h>

/* A row of the tests' subject. */
struct values {
    int64_t count, whole;
    const char *name, *place;
};

enum { COUNT, SHARE, NAME, PLACE };

static struct cell cell_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct values *m = row;

    (void)subject;
    return c->id == COUNT   ? cell_count(m->count)
           : c->id == SHARE ? cell_share(m->count, m->whole, 1)
           : c->id == NAME  ? cell_text(m->name)
                            : cell_place(strdup(m->place), NULL);
}

static const struct table_column columns[] = {
    {"n", TABLE_COUNT, .cell = cell_of, .id = COUNT},
    {"%", TABLE_SHARE, .cell = cell_of, .id = SHARE},
    {"Function", TABLE_NAME, .cell = cell_of, .id = NAME, .names_sums = true},
    {"Costliest line", TABLE_PLACE, .spare = 1, .cell = cell_of, .id = PLACE}};

static void begin(struct table *table, bool shares)
{
    table_begin(table, NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (i != SHARE || shares)
            table_column(table, &columns[i]);
}

/* Tells whether the table is written so in so many columns; 0: as Markdown. Frees it. */
static void prints(struct table *table, unsigned width, const char *want, const char *what)
{
    struct text_screen screen = {.width = width, .fixed = true};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    table_rows_write(table, width ? &screen : NULL, out);
    fclose(out);
    is_text(text, want, what);
    free(text);
}

static void test_names(void)
{
    const struct values row = {12, 0, "Particle::Particle(Particle const&)", "cells.cc:6"};
    struct table table;

    begin(&table, false);
    table_put(&table, &row, CELL_PLAIN);
    prints(&table, 60,
           " n  Function                             Costliest line\n"
           "12  Particle::Particle(Particle const&)  cells.cc:6\n",
           "a table that fits is written in full");
    prints(&table, 50,
           " n  Function            Costliest line\n"
           "12  Particle::Particle  cells.cc:6\n",
           "what a name loses, the heading of a place gets");
    table_free(&table);
}

static void test_sums(void)
{
    const struct values row = {1234567, 2469134, "main", "a.c:1"};
    const struct values rest = {1234567, 0, NULL, NULL};
    struct table table;

    begin(&table, true);
    table_put(&table, &row, CELL_PLAIN);
    table_put_sum(&table, &rest, "[all else]");
    prints(&table, 80,
           "        n     %  Function    Costliest line\n"
           "1,234,567  50.0  main        a.c:1\n"
           "1,234,567     -  [all else]\n",
           "a sum has its numbers and its name, no place, and no share of nothing");
    prints(&table, 0,
           "| n | % | Function | Costliest line |\n"
           "| ---: | ---: | --- | --- |\n"
           "| 1,234,567 | 50.0 | `main` | a.c:1 |\n"
           "| 1,234,567 | - | `[all else]` |  |\n",
           "Markdown has names as code, and numbers to the right");
    prints(&table, 40,
           "   n     %  Function    Costliest line\n"
           "1.2M  50.0  main        a.c:1\n"
           "1.2M     -  [all else]\n"
           "counts rounded to fit 40 columns; --json\n"
           "or -o FILE has them in full\n",
           "counts are rounded, and shares are not, where there is little room");
    table_free(&table);
}

static struct cell reason_of(const void *subject, const void *row, const struct table_column *c)
{
    const struct values *m = row;

    (void)subject;
    (void)c;
    return cell_text(m->place);
}

/* A note that must not be cut stands below its row where it has no room beside it. */
static void test_whole_notes(void)
{
    static const struct table_column note = {"Why", TABLE_NOTE, .whole = true, .cell = reason_of};
    const struct values row = {12, 0, "a::scan", "calls check twice, in some_module::deep::check"};
    const struct values more = {3, 0, NULL, "no longer calls walk"}, none = {-7, 0, "main", NULL};
    struct table table;

    table_begin(&table, NULL);
    table_column(&table, &columns[COUNT]);
    table_column(&table, &columns[NAME]);
    table_column(&table, &note);
    table_put(&table, &row, CELL_PLAIN);
    table_put(&table, &more, CELL_PLAIN);
    table_put(&table, &none, CELL_PLAIN);
    prints(&table, 60,
           " n  Function  Why\n"
           "12  a::scan   calls check twice, in some_module::deep::check\n"
           " 3            no longer calls walk\n"
           "-7  main\n",
           "a note that must not be cut stands beside its row where all have room");
    prints(&table, 59,
           " n  Function\n"
           "      Why\n"
           "12  a::scan\n"
           "      calls check twice, in some_module::deep::check\n"
           " 3    no longer calls walk\n"
           "-7  main\n",
           "a note that must not be cut stands below its row where one has no room");
    prints(&table, 26,
           " n  Function\n"
           "      Why\n"
           "12  a::scan\n"
           "      calls check twice,\n"
           "      in some_module::\n"
           "      deep::check\n"
           " 3    no longer calls walk\n"
           "-7  main\n",
           "a long name in a note goes on in the next line behind two colons");
    table_free(&table);
}

/* Tells whether the table is written so with the lines above it; in 0 columns: as Markdown. */
static void writes(const struct table *table, unsigned width, const char *want, const char *what)
{
    struct text_screen screen = {.width = width, .fixed = true};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    table_write(table, width ? &screen : NULL, out);
    fclose(out);
    is_text(text, want, what);
    free(text);
}

static void test_lines_above(void)
{
    const struct values row = {12, 0, "main", "a.c:1"};
    struct table table;

    begin(&table, false);
    writes(&table, 60, "", "no heading and no row: nothing is written");
    table_put(&table, &row, CELL_PLAIN);
    writes(&table, 60,
           " n  Function  Costliest line\n"
           "12  main      a.c:1\n",
           "a table without a heading begins with its columns");
    writes(&table, 0,
           "| n | Function | Costliest line |\n"
           "| ---: | --- | --- |\n"
           "| 12 | `main` | a.c:1 |\n",
           "Markdown without a heading begins with the columns");
    table.findings[1] = strdup("one line is hot");
    writes(&table, 60,
           "one line is hot\n\n"
           " n  Function  Costliest line\n"
           "12  main      a.c:1\n",
           "a finding without a heading is above the columns");
    table.heading = strdup("Functions");
    writes(&table, 0,
           "Functions:\none line is hot.\n\n"
           "| n | Function | Costliest line |\n"
           "| ---: | --- | --- |\n"
           "| 12 | `main` | a.c:1 |\n",
           "a heading and a finding are above the columns of Markdown");
    table_free(&table);
}

static void test_order(void)
{
    struct cell less = cell_share(1, 3, 0), more = cell_share(2, 4, 0), unknown = cell_unknown();
    struct cell change = cell_change(-5);

    ok(cell_order(&less) < cell_order(&more), "a third is less than a half");
    ok(cell_order(&unknown) < cell_order(&less), "an unknown number is less than any other");
    ok(cell_order(&change) == -5, "a change counts with its sign");
}

int main(void)
{
    test_names();
    test_sums();
    test_whole_notes();
    test_lines_above();
    test_order();
    return tap_done();
}
