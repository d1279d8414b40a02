#include <config.h>

#include "render/text/curve_table.h"

#include "base/count.h"
#include "base/memory.h"
#include "render/text/figure_cell.h"
#include "render/text/markdown.h"
#include "render/text/place_cell.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "render/text/titled_grid.h"

#include <stdlib.h>
#include <string.h>

#define HEADING "Miss curve: misses of LL by its size, were it fully associative"

static const struct grid_column size_columns[] = {
    {"LL", GRID_NUMBER, 0}, {"Misses", GRID_NUMBER, 0}, {"%", GRID_NUMBER, 0}, {"", GRID_NOTE, 0}};
#define CURVE_FIGURE_COLUMNS                                                                     \
    [CURVE_SHARE] = {"%", GRID_NUMBER, 0}, [CURVE_FALLS] = {"Falls by", GRID_NUMBER, 0},         \
    [CURVE_FIRST] = {"First uses", GRID_NUMBER, 2}, [CURVE_SIMULATED] = {"LLm", GRID_NUMBER, 3}, \
    [CURVE_NEEDS] = {"Needs", GRID_NUMBER, 0}
const struct grid_column curve_function_columns[] = {
    CURVE_FIGURE_COLUMNS, [CURVE_FUNCTION] = {"Function", GRID_NAME, 0},
    [CURVE_FUNCTION_AT] = {"At", GRID_PLACE, 1}};
const struct grid_column curve_data_columns[] = {
    CURVE_FIGURE_COLUMNS, [CURVE_DATA] = {"Data", GRID_NAME, 0},
    [CURVE_DATA_BY] = {"By", GRID_NAME, 0}, [CURVE_DATA_AT] = {"At", GRID_PLACE, 1}};

#define COUNT(columns) (sizeof columns / sizeof *columns)

/*--- Sentences ---*/

static const struct cprof_cache *simulated_cache(const struct curves *t)
{
    for (uint32_t i = 0; i < t->profile->n_caches; i++)
        if (!strcmp(t->profile->caches[i].name, "LL"))
            return &t->profile->caches[i];
    return NULL;
}

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
    const struct cprof_cache *ll = simulated_cache(t);
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

static void put_size(struct grid *grid, const struct curves *t, size_t size)
{
    bool simulated = size == t->simulated_size;
    bool working_set = size == curve_working_set(t, &t->program);
    enum grid_style style = simulated || working_set ? GRID_BOLD : GRID_PLAIN;
    int64_t misses = curve_misses(t, &t->program, size);
    char *bytes = curve_size_text(t->profile->curve_sizes[size]), text[TEXT_NUMBER];

    grid_cell(grid, bytes, style);
    grid_count(grid, misses, style);
    grid_cell(grid, text_percent(text, misses, t->program.all, 1), style);
    grid_cell(grid,
              simulated && working_set ? "working set; simulated"
              : simulated              ? "simulated"
              : working_set            ? "working set"
                                       : "",
              style);
    free(bytes);
}

static void fill_sizes(struct grid *grid, const struct curve_view *v)
{
    const struct curves *t = v->curves;
    size_t *sizes = xcalloc(t->n_sizes + 1, sizeof *sizes);
    size_t n = curve_sizes_of(t, &t->program, v->all_sizes, sizes);

    grid_init(grid, size_columns, COUNT(size_columns));
    for (size_t i = 0; i < n; i++)
        put_size(grid, t, sizes[i]);
    free(sizes);
}

/*--- Functions ---*/

/* The cells that code and data have in common. */
static void put_numbers(struct grid *grid, const struct curve_view *v, const struct curve *c)
{
    struct figure figures[CURVE_FIGURES];

    curve_figures(v->curves, c, figures);
    figure_cells(grid, figures, CURVE_FIGURES, GRID_PLAIN);
}

static void put_function(struct grid *grid, const struct curve_view *v, const struct curve *c)
{
    const struct cprof_function *f = &v->curves->profile->functions[c->function];

    put_numbers(grid, v, c);
    grid_cell(grid, f->name, GRID_PLAIN);
    place_cell(grid, v->curves->profile, &(struct code_spot){c->function, f->file, f->line},
               v->root, GRID_PLAIN);
}

static void fill_data(struct grid *grid, const struct curve_view *v)
{
    const struct curves *t = v->curves;

    grid_init(grid, curve_data_columns, COUNT(curve_data_columns));
    for (size_t i = 0; i < t->n_data && (!v->limit || i < v->limit); i++) {
        const struct curve *c = &t->data[i];
        char *name;

        if (i && v->brief && !curve_is_large(t, c))
            break;
        name = curve_name(t, c);
        put_numbers(grid, v, c);
        grid_cell(grid, cprof_data_kind_name(c->row->datum->kind), GRID_PLAIN);
        grid_cell(grid, name, GRID_PLAIN);
        place_cell(grid, t->profile, &c->row->spot, v->root, GRID_PLAIN);
        free(name);
    }
}

static void fill_functions(struct grid *grid, const struct curve_view *v)
{
    const struct curves *t = v->curves;

    grid_init(grid, curve_function_columns, COUNT(curve_function_columns));
    for (size_t i = 0; i < t->n && (!v->limit || i < v->limit); i++) {
        if (i && v->brief && !curve_is_large(t, &t->functions[i]))
            break;
        put_function(grid, v, &t->functions[i]);
    }
}

/*--- Writing ---*/

/* Writes and frees a grid, if it has rows. */
static void write_grid(struct grid *grid, const struct grid_screen *screen, FILE *out)
{
    if (grid->n_cells)
        fputc('\n', out);
    if (grid->n_cells && screen)
        grid_write(grid, screen, out);
    else if (grid->n_cells)
        grid_write_markdown(grid, out);
    grid_free(grid);
}

static void write_simulated(const char *text, const struct grid_screen *screen, FILE *out)
{
    if (!text)
        return;
    fputc('\n', out);
    if (screen) {
        style_line(out, false, STYLE_BOLD, text, screen->width);
    } else {
        markdown_put_text(out, text);
        fputs(".\n", out);
    }
}

static void write_sentence(const char *text, const struct grid_screen *screen, FILE *out)
{
    if (screen) {
        style_line(out, screen->color, STYLE_BOLD, text, screen->width);
    } else {
        markdown_put_text(out, text);
        fputc('\n', out);
    }
    fputc('\n', out);
}

void curve_view_write(const struct curve_view *v, const struct grid_screen *screen, FILE *out)
{
    char *sentence = curve_sentence(v->curves), *simulated = curve_simulated_text(v->curves);
    struct titled_grid sizes = {.heading = xstrdup(HEADING),
                                .totals = curve_totals_text(v->curves)};
    struct grid grid;

    write_sentence(sentence, screen, out);
    fill_sizes(&sizes.grid, v);
    titled_grid_write(&sizes, screen, out);
    titled_grid_free(&sizes);
    write_simulated(simulated, screen, out);
    fill_functions(&grid, v);
    write_grid(&grid, screen, out);
    fill_data(&grid, v);
    write_grid(&grid, screen, out);
    free(simulated);
    free(sentence);
}
