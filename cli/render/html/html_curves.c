#include <config.h>

/* Miss curves in a page: drawn, and as a table. */
#include "render/html/html.h"
#include "render/html/xml.h"
#include "render/text/curve_table.h"
#include "render/text/text.h"

#include <math.h>
#include <stdlib.h>

/* The picture in units of its viewBox: the area of the curves, and what stands around it. */
enum { LEFT = 84, RIGHT = 16, TOP = 22, BOTTOM = 48, WIDTH = 960, HEIGHT = 380 };
enum { GRID_LINES = 4, CURVES_DRAWN = 5, LABEL_LEAST = 56 };

struct plot {
    const struct curves *curves;
    size_t first, last; /* the sizes at its edges */
    FILE *out;
};

/* The least size that is drawn: that of a quarter of the first level. Curves are flat from where
 * all have fallen. */
static void choose_sizes(struct plot *plot)
{
    const struct curves *t = plot->curves;
    const struct cprof_profile *p = t->profile;
    uint64_t most = curve_first_level_size(p);

    while (plot->first + 2 < t->n_sizes && p->curve_sizes[plot->first + 1] <= most / 4)
        plot->first++;
    plot->last = t->n_sizes - 1;
}

static double x_of(const struct plot *plot, double size)
{
    double low = log2((double)plot->curves->profile->curve_sizes[plot->first]);
    double high = log2((double)plot->curves->profile->curve_sizes[plot->last]);

    return LEFT + (WIDTH - LEFT - RIGHT) * (high > low ? (log2(size) - low) / (high - low) : 0);
}

static double y_of(const struct plot *plot, int64_t misses)
{
    double all = (double)plot->curves->program.all;

    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (all > 0 ? (double)misses / all : 0);
}

/* Powers of two have a tick, and a label where there is room. */
static void put_sizes(const struct plot *plot)
{
    const struct cprof_profile *p = plot->curves->profile;
    double last = -LABEL_LEAST;

    for (size_t i = plot->first; i <= plot->last; i++) {
        uint64_t size = p->curve_sizes[i];
        double x = x_of(plot, (double)size);
        char *text;

        if (size & (size - 1))
            continue;
        xml_line(plot->out, "tick", x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4);
        if (x - last < LABEL_LEAST)
            continue;
        text = curve_size_text(size);
        xml_label(plot->out, "middle", x, HEIGHT - BOTTOM + 18, text);
        free(text);
        last = x;
    }
    xml_label(plot->out, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8,
              "size of LL, fully associative");
}

static void put_misses_axis(const struct plot *plot)
{
    for (int i = 0; i <= GRID_LINES; i++) {
        int64_t misses = plot->curves->program.all / GRID_LINES * i;
        char text[TEXT_NUMBER];

        xml_line(plot->out, "grid", LEFT, y_of(plot, misses), WIDTH - RIGHT, y_of(plot, misses));
        xml_label(plot->out, "end", LEFT - 8, y_of(plot, misses) + 4,
                  text_count_short(text, misses));
    }
    xml_label(plot->out, "end", LEFT - 8, TOP - 10, "misses");
}

/* Between two sizes there may be as many misses as at the smaller one: curves are steps.
 */
static void put_curve(const struct plot *plot, const struct curve *c, size_t number)
{
    const struct cprof_profile *p = plot->curves->profile;
    char *name = curve_name(plot->curves, c);

    fprintf(plot->out, "<path class=\"curve c%zu\" d=\"", number);
    for (size_t i = plot->first; i <= plot->last; i++) {
        double x = x_of(plot, (double)p->curve_sizes[i]);
        double y = y_of(plot, curve_misses(plot->curves, c, i));

        fprintf(plot->out, i == plot->first ? "M%.1f %.1f" : "H%.1fV%.1f", x, y);
    }
    fputs("\"><title>", plot->out);
    xml_text(plot->out, name);
    fputs("</title></path>\n", plot->out);
    free(name);
}

/* The LL that was simulated, at its size and with its own misses. */
static void put_simulated(const struct plot *plot)
{
    const struct curves *t = plot->curves;
    double x, y;
    char count[TEXT_NUMBER];

    if (t->simulated_size == t->n_sizes)
        return;
    x = x_of(plot, (double)t->profile->curve_sizes[t->simulated_size]);
    y = y_of(plot, t->program.simulated);
    xml_line(plot->out, "mark", x, TOP, x, HEIGHT - BOTTOM);
    fputs("<circle class=\"mark\" r=\"4\"", plot->out);
    xml_length(plot->out, "cx", x);
    xml_length(plot->out, "cy", y);
    fprintf(plot->out, "><title>the LL that was simulated: %s misses</title></circle>\n",
            text_count(count, t->program.simulated));
    xml_label(plot->out, x > WIDTH / 2.0 ? "end" : "start", x > WIDTH / 2.0 ? x - 6 : x + 6,
              TOP - 8, "simulated");
}

static size_t n_drawn(const struct curves *t)
{
    size_t n = 0;

    while (n < t->n && n < CURVES_DRAWN && curve_is_large(t, &t->functions[n]))
        n++;
    return n;
}

static void put_picture(const struct curves *t, FILE *out)
{
    struct plot plot = {.curves = t, .out = out};

    choose_sizes(&plot);
    fprintf(out,
            "<svg class=\"curves\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"misses of the last level by its size\">\n",
            WIDTH, HEIGHT);
    put_misses_axis(&plot);
    put_sizes(&plot);
    put_simulated(&plot);
    for (size_t i = n_drawn(t); i > 0; i--)
        put_curve(&plot, &t->functions[i - 1], i);
    put_curve(&plot, &t->program, 0);
    fputs("</svg>\n", out);
}

/* A function with the colour of its curve, where that is drawn. */
static struct cell name_cell(const void *view, const void *row, const struct table_column *column)
{
    const struct curves *t = ((const struct curve_view *)view)->curves;
    const struct curve *c = row;
    size_t number = c == &t->program ? 0 : (size_t)(c - t->functions) + 1;
    struct cell cell = cell_take(curve_name(t, c));

    (void)column;
    cell.key = number <= n_drawn(t) ? (unsigned)number + 1 : 0;
    return cell;
}

static void put_table(const struct curves *t, FILE *out)
{
    const struct curve_view view = {.curves = t};
    struct table table;

    table_begin(&table, &view);
    table_columns(&table, curve_function_columns, CURVE_NUMBERS);
    table_column(&table, &(struct table_column){"Function", TABLE_NAME, .cell = name_cell});
    table_put(&table, &t->program, CELL_PLAIN);
    for (size_t i = 0; i < t->n && (i < CURVES_DRAWN || curve_is_large(t, &t->functions[i])); i++)
        table_put(&table, &t->functions[i], CELL_PLAIN);
    html_rows_begin(&table, "grid", NULL, out);
    html_rows_put(&table, true, NULL, out);
    html_rows_end(out);
    table_free(&table);
}

void html_curves(const struct curves *t, FILE *out)
{
    char *sentence = curve_sentence(t), *totals = curve_totals_text(t);
    char *simulated = curve_simulated_text(t);

    xml_element(out, "p", "", sentence);
    html_note(out, totals);
    if (simulated)
        html_note(out, simulated);
    put_picture(t, out);
    put_table(t, out);
    free(simulated);
    free(totals);
    free(sentence);
}
