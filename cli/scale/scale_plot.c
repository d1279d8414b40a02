#include <config.h>

#include "scale/scale_plot.h"

#include "base/memory.h"
#include "render/html/xml.h"
#include "render/text/style.h"
#include "render/text/text.h"
#include "scale/scale_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- Axes ---*/

/* Decimal logarithms at the edges. Exponentials would flatten all else: nothing is drawn beyond
 * DECADES_MOST above what was measured. */
struct axes {
    double left, right, bottom, top;
};
enum { DECADES_MOST = 8, PLOT_MOST = 5 /* functions that are drawn */ };

/* The functions that are drawn: those that are foretold to cost most. Returns how many. */
static size_t choose(const struct series *s, const struct series_item *items[PLOT_MOST])
{
    size_t n = 0;

    for (size_t i = 0; i < s->n && n < PLOT_MOST; i++)
        if (!s->items[i].is_small && s->items[i].fit.kind != GROWTH_NONE &&
            series_value(s, &s->items[i], s->measure, s->sizes.n - 1) > 0)
            items[n++] = &s->items[i];
    return n;
}

static double logarithm(long double count)
{
    return count > 1 ? (double)log10l(count) : 0;
}

static struct axes axes_of(const struct series *s, const struct series_item *const *items, size_t n)
{
    int64_t last = s->sizes.items[s->sizes.n - 1];
    struct axes axes = {.left = log10((double)s->sizes.items[0]),
                        .right = log10((double)last * series_times[SERIES_AHEAD - 1]),
                        .bottom = INFINITY,
                        .top = 1};
    double measured = 0;

    for (size_t i = 0; i < n; i++) {
        double first = logarithm((long double)series_value(s, items[i], s->measure, 0));
        double now = logarithm((long double)series_value(s, items[i], s->measure, s->sizes.n - 1));

        axes.bottom = fmin(axes.bottom, first);
        axes.top = fmax(axes.top, logarithm(items[i]->ahead[SERIES_AHEAD - 1].count));
        measured = fmax(measured, now);
    }
    axes.bottom = isfinite(axes.bottom) ? floor(axes.bottom) : 0;
    axes.top = ceil(fmin(axes.top, measured + DECADES_MOST));
    if (axes.top <= axes.bottom)
        axes.top = axes.bottom + 1;
    return axes;
}

/*--- SVG ---*/

enum { LEFT = 84, RIGHT = 24, TOP = 28, BOTTOM = 48, WIDTH = 960, HEIGHT = 420, LEGEND = 18 };
enum { POINTS_AHEAD = 32, LINES_MOST = 8 };

struct plot {
    const struct series *series;
    struct axes axes;
    FILE *out;
};

static double x_of(const struct plot *p, double size)
{
    double part = (log10(size) - p->axes.left) / (p->axes.right - p->axes.left);

    return LEFT + (WIDTH - LEFT - RIGHT) * part;
}

static double y_of(const struct plot *p, long double count)
{
    double part = (logarithm(count) - p->axes.bottom) / (p->axes.top - p->axes.bottom);

    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmax(part, 0);
}

static void put_counts(const struct plot *p)
{
    double step = ceil((p->axes.top - p->axes.bottom) / LINES_MOST);
    char text[TEXT_NUMBER];

    for (double at = p->axes.bottom; at <= p->axes.top; at += step) {
        long double count = powl(10, (long double)at);

        xml_line(p->out, "grid", LEFT, y_of(p, count), WIDTH - RIGHT, y_of(p, count));
        xml_label(p->out, "end", LEFT - 8, y_of(p, count) + 4, scale_count_text(text, count));
    }
    xml_label(p->out, "end", LEFT - 8, TOP - 12, p->series->measure->header);
}

static void put_size(const struct plot *p, int64_t size, const char *class)
{
    double x = x_of(p, (double)size);
    char text[TEXT_NUMBER];

    xml_line(p->out, class, x, strcmp(class, "tick") ? TOP : HEIGHT - BOTTOM, x,
             HEIGHT - BOTTOM + 4);
    xml_label(p->out, "middle", x, HEIGHT - BOTTOM + 18, text_count_short(text, size));
}

static void put_sizes(const struct plot *p)
{
    const struct sizes *sizes = &p->series->sizes;
    int64_t last = sizes->items[sizes->n - 1];

    put_size(p, sizes->items[0], "tick");
    put_size(p, last, "mark");
    for (int i = 0; i < SERIES_AHEAD; i++)
        put_size(p, last * series_times[i], "tick");
    xml_label(p->out, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8,
              "n, the size of the input; foretold beyond the dashed line");
}

static void put_item(const struct plot *p, const struct series_item *item, size_t number)
{
    const struct series *s = p->series;
    double last = (double)s->sizes.items[s->sizes.n - 1];

    fprintf(p->out, "<path class=\"curve c%zu\" d=\"", number);
    for (size_t i = 0; i < s->sizes.n; i++)
        fprintf(p->out, "%s%.1f %.1f", i ? "L" : "M", x_of(p, (double)s->sizes.items[i]),
                y_of(p, (long double)series_value(s, item, s->measure, i)));
    fprintf(p->out, "\"/>\n<path class=\"curve ahead c%zu\" d=\"M%.1f %.1f", number, x_of(p, last),
            y_of(p, (long double)series_value(s, item, s->measure, s->sizes.n - 1)));
    for (int i = 1; i <= POINTS_AHEAD; i++) {
        double size = last * pow(series_times[SERIES_AHEAD - 1], (double)i / POINTS_AHEAD);
        long double count = growth_at(&item->fit, (long double)size);

        if (logarithm(count) > p->axes.top)
            break;
        fprintf(p->out, "L%.1f %.1f", x_of(p, size), y_of(p, count));
    }
    fputs("\"/>\n", p->out);
    for (size_t i = 0; i < s->sizes.n; i++)
        fprintf(p->out, "<circle class=\"point c%zu\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"/>\n", number,
                x_of(p, (double)s->sizes.items[i]),
                y_of(p, (long double)series_value(s, item, s->measure, i)));
}

/* "a::f (n^2)"; the caller frees it. */
static char *label_of(const struct series_item *item)
{
    char *growth = growth_text(&item->fit), *text = xasprintf("%s (%s)", item->name, growth);

    free(growth);
    return text;
}

static void put_legend(const struct plot *p, const struct series_item *item, size_t number)
{
    double y = TOP + LEGEND * (double)number;
    char *label = label_of(item);

    fprintf(p->out, "<line class=\"curve c%zu\" x1=\"%d\" x2=\"%d\" y1=\"%.0f\" y2=\"%.0f\"/>\n",
            number, LEFT + 12, LEFT + 32, y - 4, y - 4);
    xml_label(p->out, "start", LEFT + 40, y, label);
    free(label);
}

/* A page has these in its own style. */
static const char style[] =
    "<style>\n:root{color-scheme:light dark}\n"
    ".curves{font:12px sans-serif}\n.curves text{fill:#666}\n.curves .grid{stroke:#ccc}\n"
    ".curves .tick,.curves .mark{stroke:#666}\n.curves .mark{stroke-dasharray:4 4}\n"
    ".curves .curve{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".curves .ahead{stroke-dasharray:5 4}\n"
    ".c1{stroke:#4269d0}\n.c2{stroke:#d07a1f}\n.c3{stroke:#2f8f4e}\n.c4{stroke:#b0417a}\n"
    ".c5{stroke:#7a6a5a}\n.curves .point{fill:#fff}\n</style>\n"
    "<rect width=\"960\" height=\"420\" fill=\"#fff\"/>\n";

void scale_plot_svg(const struct series *s, bool in_page, FILE *out)
{
    const struct series_item *items[PLOT_MOST];
    size_t n = choose(s, items);
    struct plot plot = {s, axes_of(s, items, n), out};

    fprintf(out,
            "<svg%s class=\"curves\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"counts by the size of the input\">\n",
            in_page ? "" : " xmlns=\"http://www.w3.org/2000/svg\"", WIDTH, HEIGHT);
    if (!in_page)
        fputs(style, out);
    put_counts(&plot);
    put_sizes(&plot);
    for (size_t i = n; i > 0; i--)
        put_item(&plot, items[i - 1], i);
    for (size_t i = 0; i < n; i++)
        put_legend(&plot, items[i], i + 1);
    fputs("</svg>\n", out);
}

/*--- Text ---*/

enum { CELL_DOTS_X = 2, CELL_DOTS_Y = 4, ROWS = 14, COLUMNS_MOST = 72, COLUMNS_LEAST = 20 };
enum { AXIS_COLUMNS = 8 };

/* Cells of 2 by 4 dots, in rows; and which curve was drawn last in each, from 1 on. */
struct canvas {
    unsigned columns;
    unsigned char *dots, *owners;
};

/* The bits of a cell's dots in the block of braille, by row and column. */
static const unsigned char dot_bits[CELL_DOTS_Y][CELL_DOTS_X] = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

static void put_dot(struct canvas *c, const struct axes *axes, double size, long double count,
                    size_t owner)
{
    double x = (log10(size) - axes->left) / (axes->right - axes->left);
    double y = (logarithm(count) - axes->bottom) / (axes->top - axes->bottom);
    unsigned column, row, at;

    if (x < 0 || x > 1 || y < 0 || y > 1)
        return;
    column = (unsigned)(x * (c->columns * CELL_DOTS_X - 1) + 0.5);
    row = (unsigned)((1 - y) * (ROWS * CELL_DOTS_Y - 1) + 0.5);
    at = row / CELL_DOTS_Y * c->columns + column / CELL_DOTS_X;
    c->dots[at] |= dot_bits[row % CELL_DOTS_Y][column % CELL_DOTS_X];
    c->owners[at] = (unsigned char)owner;
}

/* Lines have gaps where counts are foretold. */
static void draw(struct canvas *c, const struct axes *axes, const struct series *s,
                 const struct series_item *item, size_t owner)
{
    unsigned dots = c->columns * CELL_DOTS_X;
    double last = log10((double)s->sizes.items[s->sizes.n - 1]);

    for (unsigned i = 0; i < dots; i++) {
        double at = axes->left + (axes->right - axes->left) * i / (dots - 1);
        double size = pow(10, at);

        if (at <= last || i % 3)
            put_dot(c, axes, size, growth_at(&item->fit, (long double)size), owner);
    }
}

/* A character of braille in UTF-8, or the curve's number. */
static void put_cell(unsigned char dots, unsigned char owner, FILE *out)
{
    if (!dots)
        fputc(' ', out);
    else if (text_is_utf8())
        fprintf(out, "\xe2%c%c", 0xa0 + (dots >> 6), 0x80 + (dots & 0x3f));
    else
        fputc('0' + owner, out);
}

static const char *const plot_styles[PLOT_MOST] = {"34", "33", "32", "35", "36"};

/* Blanks are written in front of what is there only. */
static void put_row(const struct canvas *c, unsigned row, const char *label, bool color, FILE *out)
{
    unsigned end = c->columns;

    while (end && !c->dots[row * c->columns + end - 1])
        end--;
    if (*label || end)
        fprintf(out, "%*s%s", AXIS_COLUMNS, label, end ? " " : "");
    for (unsigned i = 0; i < end; i++) {
        unsigned char owner = c->owners[row * c->columns + i];

        if (owner)
            style_begin(out, color, plot_styles[owner - 1]);
        put_cell(c->dots[row * c->columns + i], owner, out);
        if (owner)
            style_end(out, color);
    }
    fputc('\n', out);
}

static void put_axis(const struct series *s, const struct canvas *c, FILE *out)
{
    char first[TEXT_NUMBER], last[TEXT_NUMBER];
    int64_t largest = s->sizes.items[s->sizes.n - 1] * series_times[SERIES_AHEAD - 1];
    int width;

    text_count_short(first, s->sizes.items[0]);
    text_count_short(last, largest);
    width = (int)c->columns - (int)strlen(first);
    fprintf(out, "%*s%s%*s\n", AXIS_COLUMNS + 1, "", first, width, last);
}

static void put_keys(const struct series_item *const *items, size_t n, bool color, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        char *label = label_of(items[i]), number[8];

        snprintf(number, sizeof number, "%zu", i + 1);
        style_put(out, color, plot_styles[i], number);
        fputs("  ", out);
        style_put(out, false, "", label);
        fputc('\n', out);
        free(label);
    }
}

void scale_plot_text(const struct series *s, const struct text_screen *screen, FILE *out)
{
    const struct series_item *items[PLOT_MOST];
    size_t n = choose(s, items);
    struct axes axes = axes_of(s, items, n);
    unsigned room = screen->width > AXIS_COLUMNS + 1 ? screen->width - AXIS_COLUMNS - 1 : 0;
    struct canvas c = {.columns = room > COLUMNS_MOST    ? COLUMNS_MOST
                                  : room < COLUMNS_LEAST ? COLUMNS_LEAST
                                                         : room};
    char text[TEXT_NUMBER];

    c.dots = xcalloc((size_t)c.columns * ROWS, 1);
    c.owners = xcalloc((size_t)c.columns * ROWS, 1);
    for (size_t i = n; i > 0; i--)
        draw(&c, &axes, s, items[i - 1], i);
    for (unsigned row = 0; row < ROWS; row++) {
        long double count = powl(10, (long double)(row ? axes.bottom : axes.top));

        put_row(&c, row, row == 0 || row + 1 == ROWS ? scale_count_text(text, count) : "",
                screen->color, out);
    }
    put_axis(s, &c, out);
    put_keys(items, n, screen->color, out);
    free(c.dots);
    free(c.owners);
}
