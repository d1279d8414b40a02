#include <config.h>

#include "render/html/flamegraph.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "render/html/embedded.h"
#include "render/html/xml.h"

#include <math.h>
#include <stdlib.h>

/* Pixels; the width of a character is that of 11 px in the fonts of the style, rounded up. */
enum { LEFT = 12, ROW = 18, BAR = 17, BASELINE = 13, LABEL_MARGIN = 6, HEAD = 66, FOOT = 38 };
enum { BAR_HEIGHT = 40 };
enum { SEARCH_WIDTH = 210, CONTROLS_WIDTH = 560, WIDE = 900, SHADES = 10 };
enum { LEGEND_ROW = 18, LEGEND_GAP = 12, SWATCH = 26, SWATCH_WIDTH = 21 };
#define CHARACTER 6.65

/* A colour, or several shades of one, and what it means. */
struct legend_entry {
    char class[3];   /* "o0"; "i": inlined code */
    unsigned shades; /* more than one: the class ends in their numbers */
    char *text;
    double x;
    unsigned row;
};

struct writer {
    const struct flamegraph *graph;
    FILE *out;
    double scale; /* pixels for a count */
    int64_t total;
    unsigned height;
    size_t n_legend;
    struct legend_entry legend[ORIGINS + 1];
};

/* A narrow picture has no room for the buttons. */
static int controls_width(const struct writer *w)
{
    return w->graph->width < WIDE ? SEARCH_WIDTH : CONTROLS_WIDTH;
}

static double inner_width(const struct writer *w)
{
    return (double)w->graph->width - 2 * LEFT;
}

/*--- Numbers ---*/

static void put_share(const struct writer *w, const char *before, int64_t value, const char *after)
{
    char count[TEXT_NUMBER], percent[TEXT_NUMBER];

    fprintf(w->out, "%s%s%s (%s %%)", before, text_count(count, value), after,
            text_percent(percent, value, w->total, 2));
}

/*--- Frames ---*/

/* "a › b › c"; the caller frees it. */
static char *name_of(const struct writer *w, const struct flame_frame *f)
{
    const struct flame *flame = w->graph->flame;
    const struct tree_node node = {.fold = f->fold};
    struct strbuf name = {.size = 0};

    strbuf_add(&name, f->fold                     ? tree_node_name(&node)
                      : f->function == CPROF_NONE ? "[program]"
                                                  : w->graph->labels->items[f->function]);
    for (size_t i = f->first_chained; i < f->first_chained + f->n_chained; i++)
        strbuf_addf(&name, " › %s", w->graph->labels->items[flame->chained[i]]);
    return strbuf_take(&name);
}

/* Writes the class of a change, "m4" or "p9": the root of its part of the larger value, since most
 * changes are small. */
static void put_shade(const struct writer *w, const struct flame_frame *f)
{
    int64_t larger = f->value > f->old ? f->value : f->old, change = f->value - f->old;
    double part = larger ? (double)change / (double)larger : 0;
    unsigned shade = (unsigned)(sqrt(part < 0 ? -part : part) * SHADES);

    fprintf(w->out, "%c%u", change < 0 ? 'm' : 'p', shade < SHADES ? shade : SHADES - 1);
}

/* Writes the class of a kind of code and its shade: "o2". */
static void put_kind(const struct writer *w, const struct flame_frame *f)
{
    unsigned kind = f->fold || f->function == CPROF_NONE
                        ? FLAME_KIND_NONE
                        : w->graph->kinds->of_function[f->function];

    if (kind == FLAME_KIND_NONE)
        fputs("root", w->out);
    else
        fprintf(w->out, "%c%u", origin_letter(kind / ORIGIN_SHADES), kind % ORIGIN_SHADES);
}

static void put_class(const struct writer *w, const struct flame_frame *f)
{
    fputs(" class=\"", w->out);
    if (w->graph->compared)
        put_shade(w, f);
    else
        put_kind(w, f);
    fputc('"', w->out);
}

static void put_difference(const struct writer *w, const struct flame_frame *f)
{
    int64_t change = f->value - f->old;
    const char *plus = change > 0 ? "+" : "";
    char count[TEXT_NUMBER], percent[TEXT_NUMBER];

    fprintf(w->out, "%s%s", plus, text_count(count, change));
    if (f->old)
        fprintf(w->out, " (%s%s %%)", plus, text_percent(percent, change, f->old, 2));
}

static void put_change(const struct writer *w, const struct flame_frame *f)
{
    char count[TEXT_NUMBER];

    fprintf(w->out, "\nbefore %s, ", text_count(count, f->old));
    put_difference(w, f);
}

/* Writes the text that a browser shows beside the mouse: name, costs, calls, and what is left out
 * here. */
static void put_title(const struct writer *w, const struct flame_frame *f, const char *name)
{
    char count[TEXT_NUMBER];

    fputs("<title>", w->out);
    xml_text(w->out, name);
    fputs(f->inlined ? " (inlined)\n" : "\n", w->out);
    xml_text(w->out, w->graph->measure);
    put_share(w, " ", f->value, "");
    if (f->self)
        put_share(w, w->graph->flame->reversed ? ", with no caller " : ", self ", f->self, "");
    if (f->calls)
        fprintf(w->out, "\n%s call%s", text_count(count, calls_count(f->calls)),
                f->calls == 1 ? "" : "s");
    if (w->graph->compared)
        put_change(w, f);
    if (f->n_hidden)
        fprintf(w->out, "\n%s narrow%s left out here: ", TEXT_COUNT(f->n_hidden),
                f->n_hidden == 1 ? " one is" : " ones are");
    if (f->n_hidden)
        fputs(text_count(count, f->hidden), w->out);
    fputs("</title>", w->out);
}

static void put_label(const struct writer *w, const char *name, double x, double y, double width)
{
    int room = (int)((width - LABEL_MARGIN) / CHARACTER);
    char *label;

    if (room < 3)
        return;
    label = text_shorten(name, (unsigned)room, TEXT_CUT_WRITTEN);
    fputs("<text", w->out);
    xml_length(w->out, "x", x + LABEL_MARGIN / 2.0);
    xml_length(w->out, "y", y + BASELINE);
    fputc('>', w->out);
    xml_text(w->out, label);
    fputs("</text>", w->out);
    free(label);
}

/* Writes which function it is, and which are inlined into it and share the frame. */
static void put_functions(const struct writer *w, const struct flame_frame *f)
{
    if (f->fold || f->function == CPROF_NONE)
        return;
    fprintf(w->out, " data-f=\"%u\"", (unsigned)f->function);
    for (size_t i = 0; i < f->n_chained; i++)
        fprintf(w->out, "%s%u%s", i ? " " : " data-c=\"",
                (unsigned)w->graph->flame->chained[f->first_chained + i],
                i + 1 == f->n_chained ? "\"" : "");
}

static void put_frame(const struct writer *w, const struct flame_frame *f)
{
    const struct flame *flame = w->graph->flame;
    uint32_t row = w->graph->flame->reversed ? f->depth : flame->n_levels - 1 - f->depth;
    double x = LEFT + (double)f->start * w->scale, y = HEAD + (double)row * ROW;
    double width = (double)f->value * w->scale;
    char *name = name_of(w, f);

    fprintf(w->out, "<g data-v=\"%u %lld %lld %lld %lld %u\"", (unsigned)f->depth,
            (long long)f->start, (long long)f->value, (long long)f->self, (long long)f->hidden,
            (unsigned)f->n_hidden);
    put_functions(w, f);
    fputs(f->inlined ? " class=\"i\">" : ">", w->out);
    put_title(w, f, name);
    fputs("<rect", w->out);
    put_class(w, f);
    xml_length(w->out, "x", x);
    xml_length(w->out, "y", y);
    xml_length(w->out, "width", width);
    xml_length(w->out, "height", BAR);
    fputs("/>", w->out);
    put_label(w, name, x, y, width);
    fputs("</g>\n", w->out);
    free(name);
}

/*--- What is around them ---*/

static void put_document(const struct writer *w)
{
    if (!w->graph->in_page)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", w->out);
    fprintf(w->out,
            "<svg%s xmlns=\"http://www.w3.org/2000/svg\" class=\"flame%s\" width=\"%u\" "
            "height=\"%u\" viewBox=\"0 0 %u %u\" data-geometry=\"%d %g %g %d\">\n",
            w->graph->in_page ? " tabindex=\"0\"" : "", w->graph->compared ? " compared" : "",
            w->graph->width, w->height, w->graph->width, w->height, LEFT, inner_width(w), CHARACTER,
            BASELINE);
    xml_element(w->out, "title", "", w->graph->title);
    fputs("\n<style>", w->out);
    fputs(embedded_flamegraph_css, w->out);
    if (!w->graph->in_page) /* a page has the palette itself */
        fputs(embedded_palette_css, w->out);
    fprintf(w->out, "</style>\n<rect class=\"ground\" width=\"%u\" height=\"%u\"/>\n",
            w->graph->width, w->height);
}

/* Writes "1,204 of 1,460 call paths; 12,345 (0.00 %) are left out in paths below 0.02 %". */
static void put_left_out(const struct writer *w)
{
    const struct flamegraph *g = w->graph;
    char count[TEXT_NUMBER];

    fputs(text_count(count, (int64_t)(g->flame->n - 1 + g->flame->n_chained)), w->out);
    if (g->n_paths)
        fprintf(w->out, " of %s", text_count(count, g->n_paths));
    fprintf(w->out, " %s", g->flame->reversed ? "paths of callers" : "call paths");
    if (g->flame->hidden) {
        put_share(w, "; ", g->flame->hidden, "");
        fprintf(w->out, " are left out in paths below %.3g %%", g->threshold);
    }
}

/* Writes "compared with old.cprof: +7,539,702 (+1.87 %); paths that are gone cost 1,234 there". */
static void put_comparison(const struct writer *w)
{
    const struct flame_frame *root = &w->graph->flame->frames[0];
    char count[TEXT_NUMBER];

    fprintf(w->out, "<text class=\"quiet\" x=\"%d\" y=\"60\">compared with ", LEFT);
    xml_text(w->out, w->graph->than);
    fputs(": ", w->out);
    put_difference(w, root);
    if (w->graph->gone)
        fprintf(w->out, "; paths that are gone cost %s there", text_count(count, w->graph->gone));
    fputs("</text>\n", w->out);
}

static void put_heading(const struct writer *w)
{
    const struct flamegraph *g = w->graph;
    char count[TEXT_NUMBER];

    fprintf(w->out, "<text class=\"title\" x=\"%d\" y=\"26\">", LEFT);
    xml_text(w->out, g->title);
    fputs("<tspan class=\"quiet\" dx=\"12\">", w->out);
    xml_text(w->out, w->graph->measure);
    fprintf(w->out, " %s%s</tspan></text>\n", text_count(count, w->total),
            g->flame->reversed ? ", functions with their callers" : "");
    fprintf(w->out, "<text class=\"quiet\" x=\"%d\" y=\"44\">", LEFT);
    put_left_out(w);
    fputs("</text>\n", w->out);
    if (g->compared)
        put_comparison(w);
}

/* The controls of the script; without it they are hidden. */
static void put_controls(const struct writer *w)
{
    unsigned right = w->graph->width - LEFT;

    fprintf(w->out,
            "<foreignObject class=\"controls\" x=\"%u\" y=\"10\" width=\"%d\" height=\"26\"/>\n"
            "<text class=\"controls found\" x=\"%u\" y=\"50\"/>\n",
            right - controls_width(w), controls_width(w), right);
}

/*--- Legend ---*/

static void add_entry(struct writer *w, const char *class, unsigned shades, char *text)
{
    struct legend_entry *last = w->n_legend ? &w->legend[w->n_legend - 1] : NULL;
    struct legend_entry entry = {.shades = shades, .text = text, .x = LEFT};
    double width = SWATCH + CHARACTER * text_width(text);

    snprintf(entry.class, sizeof entry.class, "%s", class);
    if (last) {
        entry.row = last->row;
        entry.x = last->x + SWATCH + CHARACTER * text_width(last->text) + LEGEND_GAP;
        if (entry.x + width > LEFT + inner_width(w)) {
            entry.row++;
            entry.x = LEFT;
        }
    }
    w->legend[w->n_legend++] = entry;
}

static void add_kind(struct writer *w, enum origin kind)
{
    char percent[TEXT_NUMBER], class[] = {origin_letter(kind), '0', '\0'};

    text_percent(percent, w->graph->kinds->self[kind], w->total, 1);
    add_entry(w, class, ORIGIN_SHADES, xasprintf("%s %s %%", origin_title(kind), percent));
}

static bool has_inlined(const struct flame *flame)
{
    for (size_t i = 0; i < flame->n; i++)
        if (flame->frames[i].inlined)
            return true;
    return false;
}

/* Lays out the legend of colours, in as many rows as it takes. */
static void lay_out_legend(struct writer *w)
{
    if (w->graph->compared) {
        add_entry(w, "p9", 1, xstrdup("more than before"));
        add_entry(w, "m9", 1, xstrdup("less"));
        add_entry(w, "p0", 1, xstrdup("the same"));
    } else {
        for (enum origin kind = 0; kind < ORIGINS; kind++)
            add_kind(w, kind);
    }
    if (has_inlined(w->graph->flame))
        add_entry(w, "i", 0, xstrdup("inlined"));
}

static unsigned legend_rows(const struct writer *w)
{
    return w->n_legend ? w->legend[w->n_legend - 1].row + 1 : 1;
}

/* Writes the shades of an entry side by side. */
static void put_swatch(const struct writer *w, const struct legend_entry *e, unsigned y)
{
    double width = e->shades ? (double)SWATCH_WIDTH / e->shades : 0;

    for (unsigned i = 0; i < e->shades; i++) {
        fprintf(w->out, "<rect class=\"%c%c\"", e->class[0],
                e -> shades > 1 ? (char)('0' + i) : e -> class[1]);
        xml_length(w->out, "x", e->x + i * width);
        fprintf(w->out, " y=\"%u\" height=\"11\"", y);
        xml_length(w->out, "width", width);
        fputs("/>", w->out);
    }
    if (e->shades)
        return;
    fputs("<text class=\"sample\"", w->out); /* no colour, but italics */
    xml_length(w->out, "x", e->x);
    fprintf(w->out, " y=\"%u\">abc</text>", y + 10);
}

/* Writes the legend, and frees its texts; then the bar that has details of the frame under the
 * mouse. */
static void put_foot(struct writer *w)
{
    unsigned top = w->height - FOOT - (legend_rows(w) - 1) * LEGEND_ROW;

    fputs("<g class=\"legend\">\n", w->out);
    for (size_t i = 0; i < w->n_legend; i++) {
        struct legend_entry *e = &w->legend[i];
        unsigned y = top + 22 + e->row * LEGEND_ROW;

        put_swatch(w, e, y - 10);
        fputs("<text", w->out);
        xml_length(w->out, "x", e->x + SWATCH);
        fprintf(w->out, " y=\"%u\">", y);
        xml_text(w->out, e->text);
        fputs("</text>\n", w->out);
        free(e->text);
    }
    fprintf(w->out,
            "</g>\n<g class=\"bar\"><rect width=\"%u\" height=\"%d\"/>"
            "<text class=\"detail\" x=\"%d\" y=\"15\"/><text class=\"numbers\" x=\"%d\" y=\"32\"/>"
            "</g>\n",
            w->graph->width, BAR_HEIGHT, LEFT, LEFT);
}

int flamegraph_write(const struct flamegraph *g, FILE *out)
{
    const struct flame *flame = g->flame;
    struct writer w = {.graph = g, .out = out, .total = flame->frames[0].value};

    w.scale = inner_width(&w) / (double)w.total;
    lay_out_legend(&w);
    w.height = HEAD + flame->n_levels * ROW + FOOT + (legend_rows(&w) - 1) * LEGEND_ROW;
    put_document(&w);
    put_heading(&w);
    put_controls(&w);
    fputs("<g class=\"frames\">\n", out);
    for (size_t i = 0; i < flame->n; i++)
        put_frame(&w, &flame->frames[i]);
    fputs("</g>\n", out);
    put_foot(&w);
    fprintf(out, "<script><![CDATA[\n%s%s]]></script>\n</svg>\n", embedded_short_names_js,
            embedded_flamegraph_js);
    return ferror(out) ? -1 : 0;
}
