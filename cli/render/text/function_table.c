#include <config.h>

#include "render/text/function_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "calls/graph.h"
#include "names/crates.h"
#include "names/location.h"
#include "names/names.h"
#include "names/object_name.h"
#include "render/text/markdown.h"
#include "render/text/run_header.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "table/share.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_ELSEWHERE = 40 /* the least width of names where lines may be longer than wished */ };

/* "31.2-36.9" */
static char *interval_cell(const struct function_table *t, const struct column *c,
                           const struct row *row)
{
    const int64_t *totals = t->rows->totals;
    struct share_interval i =
        share_interval(column_value(c, row->counts), column_value(c, totals), totals[0]);

    return xasprintf("%.1f-%.1f", 100 * i.low, 100 * i.high);
}

/* True where a column of a kind is shown. */
static bool function_table_shows(const struct function_table *t,
                                 bool (*is)(const struct column *column))
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (is(t->columns.items[i]) && !(t->left_out && t->left_out[i]))
            return true;
    return false;
}

static char *text_of(const struct function_table *t, const struct column *c, const struct row *row)
{
    if (column_is_place(c) || (column_is_name(c) && row->is_place))
        return location_text(row->file, row->line, row->object, t->root);
    if (column_is_name(c))
        return xasprintf("%s%s%s%s", row->name, row->tag[0] ? " " : "", row->tag,
                         row_is_inlined(row) &&
                                 (!function_table_shows(t, column_is_calls) || row->entered)
                             ? " (" TEXT_INLINED ")"
                             : "");
    if (column_is_crate(c))
        return row->crate ? crate_label(row->crate) : xstrdup("");
    if (column_is_note(c))
        return xstrdup(row->note ? row->note : "");
    return xstrdup(row->object ? row->object : "");
}

static struct cell number_of(const struct function_table *t, const struct column *c,
                             const struct row *row)
{
    int64_t value = column_value(c, row->counts);

    if (column_is_calls(c))
        return cell_calls(row, value);
    if (column_is_interval(c))
        return cell_styled(cell_take(interval_cell(t, c, row)), CELL_DIM);
    if (column_is_ratio(c))
        return cell_ratio(row, c);
    if (t->percent && !column_is_share(c))
        return cell_share(value, column_value(c, t->rows->totals), 2);
    return cell_column(c, row->counts, t->rows->totals);
}

/* Names have the colour of their kind of code, unless all are of one. */
static enum cell_style style_of(const struct function_table *t, const struct column *c,
                                const struct row *row)
{
    if (!column_is_name(c))
        return CELL_DIM;
    return row->crate && t->kinds & (t->kinds - 1)
               ? CELL_ORIGIN + (enum cell_style)origin_of((enum owner)row->owner)
               : CELL_PLAIN;
}

static struct cell cell_of(const void *subject, const void *item, const struct table_column *column)
{
    const struct function_table *t = subject;
    const struct column *c = column->shows;
    const struct row *row = item;
    bool is_place = column_is_place(c) || (column_is_name(c) && row->is_place);
    struct cell cell =
        column_is_text(c) ? cell_styled(cell_place(text_of(t, c, row), is_place ? row->file : NULL),
                                        style_of(t, c, row))
                          : number_of(t, c, row);

    cell.row = row;
    return cell;
}

static enum table_kind kind_of(const struct function_table *t, const struct column *c)
{
    if (column_is_text(c))
        return column_is_name(c) ? TABLE_NAME : column_is_note(c) ? TABLE_NOTE : TABLE_PLACE;
    if (column_is_ratio(c))
        return TABLE_RATIO;
    if (column_is_interval(c) || column_is_calls(c))
        return TABLE_VALUE;
    return column_is_share(c) || t->percent ? TABLE_SHARE : TABLE_COUNT;
}

/* The measure has its total, for a page to say how much of it a filter leaves. */
void function_table_begin(const struct function_table *t, struct table *table)
{
    table_begin(table, t);
    for (size_t i = 0; i < t->columns.n; i++) {
        const struct column *c = t->columns.items[i];
        bool is_measure = column_adds_up(c) && !t->percent && !strcmp(c->name, t->measure->name);

        table_column(table,
                     &(struct table_column){
                         c->header, kind_of(t, c), .cell = cell_of, .shows = c, .help = c->help,
                         .total = is_measure ? column_value(c, t->rows->totals) : 0});
    }
}

/*--- Rows that must not look alike ---*/

/* The column of names, or the number of columns. */
static size_t names_of(const struct grid *grid)
{
    size_t c = 0;

    while (c < grid->table->n_columns && grid->table->columns[c].kind != TABLE_NAME)
        c++;
    return c;
}

/* The ways to tell rows apart, in the order they are tried. */
enum way { BY_PLACE, BY_CRATE, BY_OBJECT, BY_NUMBER, N_WAYS };

/* The text that `way` adds to the row's name, or NULL. The caller frees it. */
static char *addition(const struct function_table *t, enum way way, size_t row, size_t number)
{
    const struct row *r = &t->rows->items[row];
    char *text, *added;

    if (way == BY_NUMBER)
        return xasprintf(" [%zu]", number);
    if (way == BY_PLACE)
        text = location_text(r->file, r->line, r->object, t->root);
    else if (way == BY_CRATE)
        text = r->crate ? crate_label(r->crate) : xstrdup("");
    else
        text = xstrdup(r->object ? r->object : "");
    added = *text ? xasprintf(" (%s)", text) : NULL;
    free(text);
    return added;
}

static void append(char **cell, const char *added)
{
    char *longer = added ? xasprintf("%s%s", *cell, added) : NULL;

    if (!longer)
        return;
    free(*cell);
    *cell = text_clean(longer);
    free(longer);
}

/* Looks for rows that look the same, to be told apart. */
struct search {
    const struct function_table *table;
    struct grid *grid;
    size_t names; /* the column of names */
    char **full;  /* by row: the name before it was shortened; NULL: it was not */
    enum way way;
};

static char **name_at(const struct search *s, size_t row)
{
    return grid_at(s->grid, row, s->names);
}

/* Tries a way on `n` rows that look alike. A way that adds the same to all is of no use. */
static void try_way(void *search, const size_t *rows, size_t n)
{
    const struct search *s = search;
    char **added = xcalloc(n, sizeof *added);
    bool useful = false;

    for (size_t i = 0; i < n; i++) {
        added[i] = addition(s->table, s->way, rows[i], i + 1);
        useful |= i && strcmp(added[i] ? added[i] : "", added[0] ? added[0] : "") != 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (useful)
            append(name_at(s, rows[i]), added[i]);
        free(added[i]);
    }
    free(added);
}

/* Orders two rows by all their texts but notes, which say something about a row. */
static int compare_rows(const void *search, size_t a, size_t b)
{
    const struct grid *g = ((const struct search *)search)->grid;
    int order = 0;

    for (size_t c = 0; c < g->table->n_columns && !order; c++)
        if (table_kind_is_text(g->table->columns[c].kind) &&
            g->table->columns[c].kind != TABLE_NOTE)
            order = strcmp(*grid_at(g, a, c), *grid_at(g, b, c));
    return order;
}

/* Calls `use` for each group of rows that look the same. */
static void each_group(struct search *s, void (*use)(void *search, const size_t *rows, size_t n))
{
    const struct repeated same_texts = {.compare = compare_rows, .use = use};

    repeated_each(&same_texts, s, s->table->n_shown);
}

/* Adds place, object or number to the names of rows whose texts are equal. "???" always gets its
 * place. */
static void layout_tell_apart(const struct function_table *t, struct grid *grid)
{
    struct search s = {.table = t, .grid = grid, .names = names_of(grid)};
    bool has_place = function_table_shows(t, column_is_place);
    bool has_object = function_table_shows(t, column_is_object);

    if (s.names == grid->table->n_columns)
        return;
    for (size_t i = 0; i < t->n_shown && !has_place && !has_object; i++) {
        char *added =
            strcmp(t->rows->items[i].name, UNNAMED) == 0 ? addition(t, BY_PLACE, i, 0) : NULL;

        append(name_at(&s, i), added);
        free(added);
    }
    for (s.way = 0; s.way < N_WAYS; s.way++)
        if (!(s.way == BY_PLACE && has_place) && !(s.way == BY_OBJECT && has_object))
            each_group(&s, try_way);
}

/* Makes the name of a row anew, in `room` columns. */
static void cut_name(const struct search *s, size_t row, unsigned room, enum text_cut cut,
                     const char *added)
{
    char *shorter = text_shorten(s->full[row], room, cut), **name = name_at(s, row);

    free(*name);
    *name = xasprintf("%s%s", shorter, added);
    free(shorter);
}

/* Shortens names that look alike in another way, which keeps their arguments. */
static void cut_elsewhere(void *search, const size_t *rows, size_t n)
{
    const struct search *s = search;

    for (size_t i = 0; i < n; i++)
        cut_name(s, rows[i], s->grid->fits[s->names].width, TEXT_CUT_ALIKE, "");
}

/* Numbers names that look alike, within the column's width. */
static void number(void *search, const size_t *rows, size_t n)
{
    const struct search *s = search;
    unsigned width = s->grid->fits[s->names].width;

    for (size_t i = 1; i < n; i++) {
        char *added = addition(s->table, BY_NUMBER, rows[i], i + 1);
        unsigned size = (unsigned)strlen(added);

        if (size < width)
            cut_name(s, rows[i], width - size, TEXT_CUT_NAME, added);
        free(added);
    }
}

/* Shortens all texts to the columns' widths. Names that become equal are shortened in another way,
 * or numbered. */
static void layout_shorten(const struct function_table *t, struct grid *grid)
{
    struct search s = {.table = t, .grid = grid, .names = names_of(grid)};

    s.full = xcalloc(t->n_shown, sizeof *s.full);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        for (size_t r = 0; r < t->n_shown; r++) {
            char **text = grid_at(grid, r, c), *full = *text;

            *text = grid_fit(full, grid->table->columns[c].kind, grid->fits[c].width);
            if (c == s.names)
                s.full[r] = full;
            else
                free(full);
        }
    if (s.names < grid->table->n_columns) {
        each_group(&s, cut_elsewhere);
        each_group(&s, number);
    }
    for (size_t r = 0; r < t->n_shown; r++)
        free(s.full[r]);
    free(s.full);
}

/*--- The form of text ---*/

static const struct column *column_at(const struct grid *grid, size_t column)
{
    return grid->table->columns[column].shows;
}

static bool is_text(const struct grid *grid, size_t column)
{
    return table_kind_is_text(grid->table->columns[column].kind);
}

/* Measures the cells of a column, and its head, which names and places want whole. */
static void measure(const struct function_table *t, struct grid *grid, size_t column)
{
    struct fit_column *fit = &grid->fits[column];

    *fit = (struct fit_column){.kind = grid_fit_kind(grid, column),
                               .width = text_width(column_at(grid, column)->header)};
    if (fit->kind == FIT_NAME || fit->kind == FIT_PLACE)
        fit->wanted = fit->least = fit->width;
    for (size_t i = 0; i < t->n_shown; i++) {
        const struct row *row = &t->rows->items[i];

        fit_cell(fit, *grid_at(grid, i, column),
                 !t->screen.fixed || (row->crate && owner_is_user((enum owner)row->owner)));
    }
}

/* True where the columns do not fit into the width of the table. */
static bool is_wide(const struct function_table *t, const struct grid *grid, enum fit_room room)
{
    return t->screen.fixed &&
           fit_width(grid->fits, grid->table->n_columns, grid->gap, room) > t->screen.width;
}

static void shorten_counts(const struct function_table *t, struct grid *grid, enum count_form form)
{
    grid_round(grid, form);
    for (size_t c = 0; c < grid->table->n_columns; c++)
        if (!is_text(grid, c) && !grid->left_out[c])
            measure(t, grid, c);
}

/* True for a column that may go before counts are rounded further: one of those that come with call
 * paths beside the caches' counts, or an interval. */
static bool is_spare(const struct function_table *t, const struct column *column)
{
    if (column_is_interval(column))
        return true;
    return t->spare_paths && column != t->sort &&
           (column_is_inclusive(column) || column_is_calls(column));
}

/* Leaves out the last count, but never the first and the measure; with `spare`, the last spare
 * column. Returns false where there is none. */
static bool leave_out(const struct function_table *t, struct grid *grid, bool spare)
{
    for (size_t i = grid->table->n_columns; i-- > 1;) {
        const struct column *column = column_at(grid, i);

        if (grid->left_out[i] ||
            (spare ? !is_spare(t, column) : !column_adds_up(column) || column == t->measure))
            continue;
        grid->left_out[i] = true;
        grid->fits[i] = (struct fit_column){.width = 0};
        return true;
    }
    return false;
}

/* The width that texts have to fit into: a file's lines are longer where its counts are. */
static unsigned width_for(const struct function_table *t, const struct grid *grid)
{
    unsigned least = 0;

    for (size_t i = 0; i < grid->table->n_columns && !t->screen.fixed; i++) {
        const struct fit_column *fit = &grid->fits[i];
        unsigned wanted = fit->kind == FIT_NAME ? NAME_ELSEWHERE : fit->least;

        wanted = fit->kind == FIT_NUMBER || fit->width < wanted ? fit->width : wanted;
        least += wanted ? wanted + (least ? grid->gap : 0) : 0;
    }
    return t->screen.fixed || least < t->screen.width ? t->screen.width : least;
}

/* Names of a file are whole, or as long as anybody reads. */
static void limit_names(const struct function_table *t, struct grid *grid, size_t column)
{
    for (size_t r = 0; r < t->n_shown; r++) {
        char **text = grid_at(grid, r, column), *name = text_long_name(*text);

        free(*text);
        *text = name;
    }
}

/* Sets all widths; it may leave out columns. */
static void lay_out(const struct function_table *t, struct grid *grid)
{
    size_t n = grid->table->n_columns;

    for (size_t c = 0; c < n && !t->screen.fixed && !t->whole_names; c++)
        if (column_is_name(column_at(grid, c)))
            limit_names(t, grid, c);
    layout_tell_apart(t, grid);
    for (size_t c = 0; c < n; c++)
        measure(t, grid, c);
    if (is_wide(t, grid, FIT_FULL))
        shorten_counts(t, grid, COUNT_SHORT);
    if (is_wide(t, grid, FIT_WANTED))
        grid->gap = 1;
    while (is_wide(t, grid, FIT_WANTED) && leave_out(t, grid, true))
        ;
    if (is_wide(t, grid, FIT_WANTED))
        shorten_counts(t, grid, COUNT_SHORTEST);
    while (is_wide(t, grid, FIT_LEAST) && leave_out(t, grid, false))
        ;
    fit_texts(grid->fits, n, grid->gap, width_for(t, grid));
    layout_shorten(t, grid);
}

/* The kinds of code among the shown rows, as bits: 1 << kind. */
static unsigned shown_kinds(const struct function_table *t)
{
    unsigned kinds = 0;

    for (size_t r = 0; r < t->n_shown; r++)
        if (t->rows->items[r].crate)
            kinds |= 1U << origin_of((enum owner)t->rows->items[r].owner);
    return kinds;
}

void function_table_rows(struct function_table *t, FILE *out)
{
    struct table table;
    struct grid grid;

    t->kinds = shown_kinds(t);
    function_table_begin(t, &table);
    for (size_t r = 0; r < t->n_shown; r++)
        table_put(&table, &t->rows->items[r], CELL_PLAIN);
    grid_begin(&grid, &table);
    lay_out(t, &grid);
    grid_write(&grid, &t->screen, out);
    t->rounded |= grid.rounded;
    t->left_out = grid.left_out;
    grid.left_out = NULL;
    if (t->screen.color)
        origin_legend(t->kinds, out);
    grid_free(&grid);
    table_free(&table);
}

/*--- As Markdown ---*/

/* "403,999,288 Ir in all; 20 of 419 functions" */
static void put_closing(const struct function_table *t, FILE *out)
{
    char count[TEXT_NUMBER];

    fputc('\n', out);
    markdown_put_text(out, t->measure->name);
    fprintf(out, " in all: %s. ", text_count(count, column_value(t->measure, t->rows->totals)));
    if (t->n_shown < t->rows->n_all)
        fprintf(out, "Shown: %s of %s %s%s.\n", TEXT_COUNT(t->n_shown), TEXT_COUNT(t->rows->n_all),
                group_word(t->by, true), t->filtered ? ", of those that match" : "");
    else
        fprintf(out, "Shown: all %s %s.\n", TEXT_COUNT(t->n_shown),
                group_word(t->by, t->n_shown != 1));
}

void function_table_markdown(const struct function_table *t, FILE *out)
{
    struct table table;

    function_table_begin(t, &table);
    table_markdown_begin(&table, out);
    for (size_t r = 0; r < t->n_shown; r++) {
        table_put(&table, &t->rows->items[r], CELL_PLAIN);
        table_markdown_put(&table, out);
        table_clear(&table);
    }
    table_free(&table);
    put_closing(t, out);
}

/*--- Hints ---*/

/* Writes a line, or several where it has to fit, and frees it; nothing for NULL. */
static void put_line(const struct function_table *t, FILE *out, char *line)
{
    table_take_line(line, STYLE_DIM, "", &t->screen, out);
}

/* The costs of functions without a name, by object, and their sum. The caller frees them. */
static int64_t *sum_nameless(const struct function_table *t, int64_t *sum)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs);

    *sum = 0;
    for (uint32_t i = 0; i < p->n_costs; i++) {
        const struct cprof_function *f = &p->functions[p->costs[i].function];
        int64_t cost = column_value(t->measure, cprof_cost_values(p, i));

        if (f->object == CPROF_NONE || !is_unnamed(p, f) || cost <= 0)
            continue;
        count_add(sum, cost);
        count_add(&costs[f->object], cost);
    }
    return costs;
}

/* True where a file that ran cannot be read; code made at run time has no file. */
static bool is_missing(const struct function_table *t, uint32_t object)
{
    return t->qualities[object] == NAMES_MISSING &&
           t->rows->profile->objects[object].path[0] != '[';
}

/* The object with the most such cost (CPROF_NONE: none has any); `missing`: only objects whose
 * files cannot be read count. */
static uint32_t find_nameless(const struct function_table *t, const int64_t *costs, bool missing)
{
    uint32_t most = CPROF_NONE;

    for (uint32_t i = 0; i < t->rows->profile->n_objects; i++)
        if (costs[i] > (most == CPROF_NONE ? 0 : costs[most]) && (!missing || is_missing(t, i)))
            most = i;
    return most;
}

static const char *reason(enum name_quality quality)
{
    switch (quality) {
    case NAMES_MISSING:
    case NAMES_KEPT:
        return "is gone or has changed since the run";
    case NAMES_NONE:
        return "has no symbols (stripped)";
    case NAMES_DYNAMIC:
        return "has only the symbols that it exports (stripped)";
    default:
        return "has code without symbols";
    }
}

#define LIBC_PACKAGES "; the package " CRATES_LIBC_PACKAGES " has those of its other functions"

static bool lacks_package(const char *path, enum name_quality quality)
{
    return (quality == NAMES_NONE || quality == NAMES_DYNAMIC) && crates_is_libc(path);
}

/* True for an object that somebody can build anew: the program, and libraries and plugins that lie
 * in no folder of the system. */
static bool is_built_here(const struct cprof_profile *p, const char *path)
{
    static const char *const folders[] = {"/usr/", "/lib", "/opt/", "/nix/", "/snap/"};

    if (is_program(p, path))
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return false;
    return path[0] == '/' && !crates_is_libc(path);
}

/* The most cost without a line that such an object has, at `*object`; 0: none has any. */
static int64_t find_lineless(const struct function_table *t, uint32_t *object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t *costs = xcalloc(p->n_objects, sizeof *costs), most = 0;

    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint32_t cost_object = p->functions[p->costs[i].function].object;

        if (cost_object != CPROF_NONE && p->costs[i].file == CPROF_NONE)
            count_add(&costs[cost_object], column_value(t->measure, cprof_cost_values(p, i)));
    }
    for (uint32_t i = 0; i < p->n_objects; i++)
        if (costs[i] > most && is_built_here(p, p->objects[i].path)) {
            most = costs[i];
            *object = i;
        }
    free(costs);
    return most;
}

static uint32_t find_program(const struct cprof_profile *p)
{
    uint32_t i = 0;

    while (i < p->n_objects && !is_program(p, p->objects[i].path))
        i++;
    return i;
}

/* "; CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p plugin", for a library that cargo has
 * built where it looks for those of the workspace; else "". The caller frees it. */
static char *cargo_command(const char *path)
{
    static const char folder[] = "/release/lib", end[] = ".so";
    const char *name = strstr(path, folder);
    size_t size = strlen(path), ending = sizeof end - 1;

    name = name ? name + sizeof folder - 1 : NULL;
    if (!name || strchr(name, '/') || size < ending || strcmp(path + size - ending, end) != 0)
        return xstrdup("");
    return xasprintf("; CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p %.*s",
                     (int)(strlen(name) - ending), name);
}

/* Writes the defect of the program's debug information, if it has one. */
static void put_debug_hint(const struct function_table *t, const char *object,
                           enum name_quality quality, FILE *out)
{
    char *packed = xasprintf("%s.dwp", object), *line = NULL;

    if (quality == NAMES_DAMAGED)
        line =
            xasprintf("the debug information of %s is damaged: functions are those of its symbols "
                      "where it cannot be read",
                      object);
    else if (quality == NAMES_DWZ)
        line = xasprintf(
            "names of inlined functions of %s are incomplete: its debug information refers to "
            "a file (dwz) that is not there",
            object);
    else if (quality == NAMES_SPLIT)
        line = xasprintf("no inlined functions of %s: they are in %s; build with "
                         "split-debuginfo=off",
                         object,
                         access(packed, F_OK) == 0 ? "its .dwp file, which is not read"
                                                   : ".dwo files that are not there");
    else if (quality == NAMES_SHORT)
        line =
            xasprintf("inlined functions of %s have no paths: it was built for line tables only; "
                      "debug=1 has them",
                      object);
    put_line(t, out, line);
    free(packed);
}

/* Counts the other objects with such cost of at least 1 % of the program. */
static unsigned count_others(const struct function_table *t, const int64_t *costs, uint32_t object)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    unsigned n = 0;

    for (uint32_t i = 0; i < p->n_objects; i++)
        n += i != object && costs[i] > 0 && costs[i] >= total / 100;
    return n;
}

/* Writes how much of the cost is in functions without names: in `object`, or most of it there where
 * `others` have some, too. */
static void put_nameless(const struct function_table *t, int64_t cost, uint32_t object,
                         unsigned others, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t total = column_value(t->measure, p->totals);
    bool little = cost < total / 1000;
    const char *path = p->objects[object].path, *measure = t->measure->name;
    char percent[TEXT_NUMBER];
    bool kept = t->qualities[object] == NAMES_MISSING && is_program(p, p->objects[object].path);
    char *more = others ? xasprintf("; %u other object%s names, too", others,
                                    others == 1 ? " lacks" : "s lack")
                        : xstrdup("");
    char *line =
        xasprintf("no names for %s%s %% of %s: %s %s%s%s%s", little ? "under " : "",
                  little ? "0.1" : text_percent(percent, cost, total, 1), measure, path,
                  path[0] == '[' ? "is code made at run time" : reason(t->qualities[object]),
                  lacks_package(path, t->qualities[object]) ? LIBC_PACKAGES : "",
                  kept ? "; run it again, --save-baseline keeps them" : "", more);

    put_line(t, out, line);
    free(more);
}

/* Writes how much of the cost has no lines. */
static void put_lineless(const struct function_table *t, int64_t cost, uint32_t object, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    enum name_quality quality = t->qualities[object];
    bool gone = quality == NAMES_MISSING || quality == NAMES_KEPT;
    const char *path = p->objects[object].path, *measure = t->measure->name;
    char percent[TEXT_NUMBER];
    char *command = gone ? xstrdup("") : cargo_command(path);
    char *line = xasprintf("no lines for %s %% of %s: %s%s %s%s",
                           text_percent(percent, cost, column_value(t->measure, p->totals), 1),
                           measure, quality >= NAMES_LINES && !gone ? "part of " : "", path,
                           gone ? reason(quality) : "was built without debug information", command);

    put_line(t, out, line);
    free(command);
}

/* Each hint is a line. A file that is gone is named however little ran in it, since it may have had
 * names. */
static void hints_write(const struct function_table *t, FILE *out)
{
    const struct cprof_profile *p = t->rows->profile;
    int64_t nameless, lineless, total = column_value(t->measure, p->totals);
    int64_t *costs = sum_nameless(t, &nameless);
    uint32_t most = find_nameless(t, costs, false), missing = find_nameless(t, costs, true),
             program = find_program(p), object = 0;
    bool many = most != CPROF_NONE && nameless >= total / 100;

    lineless = find_lineless(t, &object);
    if (many)
        put_nameless(t, nameless, most, count_others(t, costs, most), out);
    if (missing != CPROF_NONE && !(many && missing == most))
        put_nameless(t, costs[missing], missing, 0, out);
    if (!many && lineless > 0 && lineless >= total / 100)
        put_lineless(t, lineless, object, out);
    if (program < p->n_objects)
        put_debug_hint(t, p->objects[program].path, t->qualities[program], out);
    free(costs);
}

/*--- The lines ---*/

char *closing_bounds(const struct function_table *t)
{
    unsigned n[BOUND_TOTAL + 1] = {0};
    bool shown = function_table_shows(t, column_is_inclusive);
    bool blame = function_table_shows(t, column_is_note);
    char *least = NULL, *both;

    for (size_t i = 0; i < t->n_shown && (shown || blame); i++)
        n[t->rows->items[i].bound]++;
    if (n[BOUND_LEAST] && blame)
        return xasprintf("%s of these lines may be charged with others' costs: foreign code calls "
                         "itself through your own",
                         TEXT_COUNT(n[BOUND_LEAST]));
    if (n[BOUND_LEAST])
        least = xasprintf("inclusive costs of %s of these %s are lower bounds: %s",
                          TEXT_COUNT(n[BOUND_LEAST]), group_word(t->by, true),
                          t->by == GROUP_FUNCTION
                              ? "they call each other in a circle, or were inlined into such"
                              : "recursion leads through others of them");
    if (!n[BOUND_TOTAL])
        return least;
    both = xasprintf("%s%sinclusive costs of %s of these functions are capped at the total: calls "
                     "overlap in this file (recursion, tail calls)",
                     least ? least : "", least ? "; " : "", TEXT_COUNT(n[BOUND_TOTAL]));
    free(least);
    return both;
}

/* Explains what stands in the column of calls besides numbers; NULL: nothing does. The caller frees
 * it. */
static char *calls_note(const struct function_table *t)
{
    bool shown = function_table_shows(t, column_is_calls), least = false, inlined = false;

    for (size_t i = 0; i < t->n_shown && shown; i++) {
        const struct row *row = &t->rows->items[i];

        least |= row->entered && row->entered_least;
        inlined |= row->inlined && !row_calls(row, row->counts[2 * t->rows->profile->n_events]);
    }
    if (!least && !inlined)
        return NULL;
    return xasprintf("Calls: %s%s%s", least ? "300+ is so many or more" : "",
                     least && inlined ? "; " : "",
                     inlined ? "inlined, it is not known how often" : "");
}

void closing_fitting(struct function_table *t, FILE *out)
{
    struct strbuf names = {.text = NULL};

    for (size_t i = 0; i < t->columns.n; i++)
        if (t->left_out && t->left_out[i])
            strbuf_add_item(&names, ", ", t->columns.items[i]->name);
    put_line(t, out, fit_note(names.text, t->rounded, t->screen.width));
    strbuf_free(&names);
    free(t->left_out);
    t->left_out = NULL;
}

/* Writes how names such as "a'2" are to be read, where one is shown. */
static void put_levels(const struct function_table *t, FILE *out)
{
    for (size_t i = 0; i < t->n_shown; i++) {
        const char *name = t->rows->items[i].name, *mark = strrchr(name, '\'');

        if (t->rows->profile->format != CPROF_FORMAT_CALLGRIND || !mark || mark == name ||
            !mark[1] || mark[1 + strspn(mark + 1, "0123456789")])
            continue;
        put_line(t, out,
                 xasprintf("%s is level %s of recursion, as callgrind tells them apart: calls of "
                           "the function below itself",
                           name, mark + 1));
        return;
    }
}

/* "12.0 % of Ir are repetitions of rep movs and the like, 11.8 % in memset"; NULL: less than 1 %.
 */
static char *repetitions_text(const struct rows *r)
{
    const struct cprof_profile *p = r->profile;
    uint32_t rep = cprof_find_event(p, "Rep"), ir = cprof_find_event(p, "Ir");
    const struct row *most = r->items;
    char all[TEXT_NUMBER], percent[TEXT_NUMBER];

    if (rep == CPROF_NONE || ir == CPROF_NONE || !p->totals[rep] ||
        p->totals[rep] < p->totals[ir] / 100 + !!(p->totals[ir] % 100))
        return p->rep_one ? xstrdup("Ir has rep movs and the like once, by --rep one") : NULL;
    text_percent(all, p->totals[rep], p->totals[ir], 1);
    if (p->rep_one)
        return xasprintf("Ir has rep movs and the like once, by --rep one; their repetitions would "
                         "be %s %% more",
                         all);
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].counts[rep] > most->counts[rep])
            most = &r->items[i];
    text_percent(percent, most->counts[rep], p->totals[ir], 1);
    return xasprintf("%s %% of Ir are repetitions of rep movs and the like, %s %% in %s", all,
                     percent, most->name);
}

void closing_write(struct function_table *t, FILE *out)
{
    const struct rows *r = t->rows;
    int64_t total = column_value(t->measure, r->profile->totals);
    const char *name = t->measure->name;
    char percent[TEXT_NUMBER], *line;
    /* Both look at which columns are left out, which closing_fitting() forgets. */
    char *bounds = closing_bounds(t), *calls = t->by == GROUP_FUNCTION ? calls_note(t) : NULL;
    const char *what = group_word(t->by, r->n_all != 1);

    text_percent(percent, rows_sum(r, t->measure, t->n_shown), total, 1);
    if (t->n_shown == r->n_all)
        line = xasprintf("%s %s", TEXT_COUNT(r->n_all), what);
    else if (t->n_shown < r->n)
        line = xasprintf("%s of %s %s%s, %s %% of %s (-n 0 shows all, --sort another column)",
                         TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n), group_word(t->by, r->n != 1),
                         t->filtered ? " that match" : "", percent, name);
    else
        line = xasprintf("%s of %s %s%s, %s %% of %s", TEXT_COUNT(t->n_shown), TEXT_COUNT(r->n_all),
                         what,
                         !t->filtered    ? ""
                         : r->n_all == 1 ? " matches"
                                         : " match",
                         percent, name);
    put_line(t, out, line);
    closing_fitting(t, out);
    put_line(t, out, bounds);
    put_line(t, out, calls);
    put_line(t, out, r->profile->exit == CPROF_EXIT_SIGNAL ? xstrdup(TEXT_ENDED) : NULL);
    put_line(t, out, totals_lost(r->profile));
    if (t->by == GROUP_FUNCTION && r->n && r->n == r->n_all && !strcmp(name, "Ir"))
        put_line(t, out, repetitions_text(r));
    put_levels(t, out);
    if (t->qualities && total > 0)
        hints_write(t, out);
}
