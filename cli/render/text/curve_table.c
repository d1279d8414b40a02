#include <config.h>

#include "render/text/curve_table.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/text/style.h"
#include "render/text/text.h"

#include <stdlib.h>

#define HEADING "Miss curve: misses of LL by its size, were it fully associative"

#define COUNT(columns) (sizeof columns / sizeof *columns)

/*--- Sentences ---*/

char *curve_sentence(const struct curves *t)
{
    size_t size = curve_working_set(t, &t->program);
    char *text, *bytes;

    if (!t->program.all)
        return xstrdup("I1 and D1 did not miss: there is nothing for an LL to hold.");
    if (size == t->n_sizes)
        return xstrdup("No size of LL saves a miss: each miss of I1 and D1 is the first use of a "
                       "line.");
    bytes = curve_size_text(t->profile->curve_sizes[size]);
    text = xasprintf("An LL of %s holds the working set: 99 %% of the misses that any size saves "
                     "are saved there.",
                     bytes);
    free(bytes);
    return text;
}

char *curve_totals_text(const struct curves *t)
{
    return xasprintf("%s misses of I1 and D1; %s are first uses of a line, which each size misses",
                     TEXT_COUNT(t->program.all), TEXT_COUNT(t->program.first));
}

/* A set-associative cache may keep a line that the fully associative one has replaced. */
char *curve_simulated_text(const struct curves *t)
{
    const struct cprof_cache *ll = t->simulated_cache;
    int64_t full, conflict;
    char *size, *text, *of_sets;

    if (t->simulated_size == t->n_sizes)
        return NULL;
    full = curve_misses(t, &t->program, t->simulated_size);
    conflict = t->program.simulated - full;
    size = curve_size_text(ll->size);
    of_sets = conflict < 0
                  ? xasprintf("%s less for its sets, which keep lines that full associativity "
                              "replaces",
                              TEXT_COUNT(-conflict))
                  : xasprintf("%s for its sets (conflict)", TEXT_COUNT(conflict));
    text = xasprintf("The LL that was simulated, %s with %llu way%s, missed %s times: %s first "
                     "uses, %s for its size (capacity), %s",
                     size, (unsigned long long)ll->ways, ll->ways == 1 ? "" : "s",
                     TEXT_COUNT(t->program.simulated), TEXT_COUNT(t->program.first),
                     TEXT_COUNT(full - t->program.first), of_sets);
    free(of_sets);
    free(size);
    return text;
}

/*--- Sizes ---*/

enum size_column { SIZE, MISSES, SHARE, NOTE };

/* Rows are indices of sizes. */
static struct cell size_cell(const void *subject, const void *row, const struct table_column *c)
{
    const struct curves *t = ((const struct curve_view *)subject)->curves;
    size_t size = *(const size_t *)row;
    bool simulated = size == t->simulated_size;
    bool working_set = size == curve_working_set(t, &t->program);

    switch ((enum size_column)c->id) {
    case SIZE:
        return cell_size(t->profile->curve_sizes[size]);
    case MISSES:
        return cell_count(curve_misses(t, &t->program, size));
    case SHARE:
        return cell_share(curve_misses(t, &t->program, size), t->program.all, 1);
    default:
        return cell_text(simulated && working_set ? "working set; simulated"
                         : simulated              ? "simulated"
                         : working_set            ? "working set"
                                                  : "");
    }
}

static const struct table_column size_columns[] = {
    {"LL", TABLE_VALUE, .cell = size_cell, .id = SIZE},
    {"Misses", TABLE_COUNT, .cell = size_cell, .id = MISSES},
    {"%", TABLE_SHARE, .cell = size_cell, .id = SHARE},
    {"", TABLE_NOTE, .cell = size_cell, .id = NOTE}};

void curve_sizes_fill(const struct curve_view *v, struct table *table)
{
    const struct curves *t = v->curves;
    size_t *sizes = xcalloc(t->n_sizes + 1, sizeof *sizes);
    size_t n = curve_sizes_of(t, &t->program, v->all_sizes, sizes);

    table_begin(table, v);
    table_columns(table, size_columns, COUNT(size_columns));
    table->heading = xstrdup(HEADING);
    table->totals = curve_totals_text(t);
    for (size_t i = 0; i < n; i++)
        table_put(table, &sizes[i],
                  sizes[i] == t->simulated_size || sizes[i] == curve_working_set(t, &t->program)
                      ? CELL_BOLD
                      : CELL_PLAIN);
    free(sizes);
}

/*--- Functions and data ---*/

/* The line that a curve's data comes from, or where its function begins. */
struct code_spot curve_spot(const struct curves *t, const struct curve *c)
{
    const struct cprof_function *f =
        c->function == CPROF_NONE ? NULL : &t->profile->functions[c->function];

    return c->row ? c->row->spot
           : f    ? (struct code_spot){c->function, f->file, f->line}
                  : (struct code_spot){CPROF_NONE, CPROF_NONE, 0};
}

static struct cell cell_of(const void *subject, const void *row, const struct table_column *column)
{
    const struct curve_view *v = subject;
    const struct curves *t = v->curves;
    const struct curve *c = row;
    struct code_spot spot = curve_spot(t, c);
    size_t size;

    switch ((enum curve_column)column->id) {
    case CURVE_SHARE:
        return cell_share(c->all - c->first, t->program.all - t->program.first, 1);
    case CURVE_FALLS:
        return cell_count(c->all - c->first);
    case CURVE_FIRST:
        return cell_count(c->first);
    case CURVE_SIMULATED:
        return cell_count(c->simulated);
    case CURVE_NEEDS:
        size = curve_working_set(t, c);
        return cell_size(size == t->n_sizes ? 0 : t->profile->curve_sizes[size]);
    case CURVE_KIND:
        return cell_text(cprof_data_kind_name(c->row->datum->kind));
    case CURVE_NAME:
        return cell_take(curve_name(t, c));
    default:
        return cell_spot(t->profile, &spot, v->root);
    }
}

#define NUMBERS                                                                      \
    {"%", TABLE_SHARE, .cell = cell_of, .id = CURVE_SHARE},                          \
        {"Falls by", TABLE_COUNT, .cell = cell_of, .id = CURVE_FALLS},               \
        {"First uses", TABLE_COUNT, .spare = 2, .cell = cell_of, .id = CURVE_FIRST}, \
        {"LLm", TABLE_COUNT, .spare = 3, .cell = cell_of, .id = CURVE_SIMULATED},    \
    {                                                                                \
        "Needs", TABLE_VALUE, .cell = cell_of, .id = CURVE_NEEDS                     \
    }
const struct table_column curve_function_columns[CURVE_COLUMNS - 1] = {
    NUMBERS,
    {"Function", TABLE_NAME, .cell = cell_of, .id = CURVE_NAME},
    {"At", TABLE_PLACE, .spare = 1, .cell = cell_of, .id = CURVE_AT}};
const struct table_column curve_data_columns[CURVE_COLUMNS] = {
    NUMBERS,
    {"Data", TABLE_NAME, .cell = cell_of, .id = CURVE_KIND},
    {"By", TABLE_NAME, .cell = cell_of, .id = CURVE_NAME},
    {"At", TABLE_PLACE, .spare = 1, .cell = cell_of, .id = CURVE_AT}};

static void fill_curves(struct table *table, const struct curve_view *v, const struct curve *curves,
                        size_t n)
{
    for (size_t i = 0; i < n && (!v->limit || i < v->limit); i++) {
        if (i && v->brief && !curve_is_large(v->curves, &curves[i]))
            break;
        table_put(table, &curves[i], CELL_PLAIN);
    }
}

/*--- Writing ---*/

/* Writes and frees a table, if it has rows. */
static void write_rows(struct table *table, const struct text_screen *screen, FILE *out)
{
    if (table->n_rows)
        fputc('\n', out);
    if (table->n_rows)
        table_rows_write(table, screen, out);
    table_free(table);
}

void curve_view_write(const struct curve_view *v, const struct text_screen *screen, FILE *out)
{
    const struct curves *t = v->curves;
    char *simulated = curve_simulated_text(t);
    struct table table;

    table_take_line(curve_sentence(t), STYLE_BOLD, "", screen, out);
    fputc('\n', out);
    curve_sizes_fill(v, &table);
    table_take(&table, screen, out);
    if (simulated)
        fputc('\n', out);
    table_line(simulated, "", ".", screen, out);
    table_begin(&table, v);
    table_columns(&table, curve_function_columns, COUNT(curve_function_columns));
    fill_curves(&table, v, t->functions, t->n);
    write_rows(&table, screen, out);
    table_begin(&table, v);
    table_columns(&table, curve_data_columns, COUNT(curve_data_columns));
    fill_curves(&table, v, t->data, t->n_data);
    write_rows(&table, screen, out);
    free(simulated);
}
