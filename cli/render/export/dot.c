#include <config.h>

/* The call graph for Graphviz. */
#include "base/counts.h"
#include "base/memory.h"
#include "paths/call_rows.h"
#include "render/export/export.h"
#include "render/text/text.h"

#include <math.h>
#include <stdlib.h>

enum { NAME_WIDTH = 48, FONT_LEAST = 10, FONT_MOST = 24 };

struct writer {
    const struct export *export;
    const struct column *measure;
    int64_t total, least;    /* smaller nodes and edges are left out */
    struct labels labels;    /* full names */
    const struct row **rows; /* by function; NULL: not drawn */
    size_t n_drawn;
    FILE *out;
};

/*
 * Writes a text between quotes. The language itself knows the quote and the backslash before it;
 * labels know escapes by backslash, and HTML's references, too.
 */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if (*text == '\\')
            fputs("\\\\", out);
        else
            fputc(*text, out);
    }
}

static double share_of(const struct writer *w, int64_t cost)
{
    double share = w->total ? (double)cost / (double)w->total : 0;

    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static int64_t row_inclusive(const struct writer *w, const struct row *r)
{
    return column_value(w->measure, r->counts + w->export->rows->profile->n_events);
}

/* The colour of a share, "#rrggbb", from near white over orange to red. */
static const char *color_of(char color[8], double share)
{
    static const double stops[3][3] = {{255, 250, 240}, {253, 190, 120}, {215, 60, 40}};
    double at = sqrt(share) * 2; /* most functions are far below the half */
    int low = at < 1 ? 0 : 1;
    unsigned rgb[3];

    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned)lround(stops[low][i] + (at - low) * (stops[low + 1][i] - stops[low][i]));
    snprintf(color, 8, "#%02x%02x%02x", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
    return color;
}

static void put_node(const struct writer *w, uint32_t function)
{
    const struct row *r = w->rows[function];
    int64_t self = column_value(w->measure, r->counts), inclusive = row_inclusive(w, r);
    int64_t calls = r->counts[2 * w->export->rows->profile->n_events];
    char *name = text_shorten(w->labels.items[function], NAME_WIDTH, TEXT_CUT_WRITTEN);
    char number[TEXT_NUMBER], color[8];
    double share = share_of(w, inclusive);

    fprintf(w->out, "  f%u [label=\"", (unsigned)function);
    put_quoted(w->out, name);
    fprintf(w->out, "\\n%s %%", text_percent(number, inclusive, w->total, 1));
    fprintf(w->out, ", self %s %%", text_percent(number, self, w->total, 1));
    if (calls)
        fprintf(w->out, "\\n%s×", text_count_short(number, calls));
    fputs("\", tooltip=\"", w->out);
    put_quoted(w->out, w->labels.items[function]);
    fprintf(w->out, "\\n%s", text_count(number, inclusive));
    fprintf(w->out, ", self %s\"", text_count(number, self));
    fprintf(w->out, ", fillcolor=\"%s\", fontcolor=\"%s\", fontsize=%.1f];\n",
            color_of(color, share), share > 0.6 ? "white" : "black",
            FONT_LEAST + (FONT_MOST - FONT_LEAST) * sqrt(share_of(w, self)));
    free(name);
}

static void put_edge(const struct writer *w, const struct edge *e)
{
    char number[TEXT_NUMBER], color[8];
    double share = share_of(w, e->cost);

    fprintf(w->out, "  f%u -> f%u [label=\" %s %%", (unsigned)e->caller, (unsigned)e->callee,
            text_percent(number, e->cost, w->total, 1));
    if (e->inlined)
        fputs("\\n inlined\", style=dashed", w->out);
    else if (e->calls)
        fprintf(w->out, "\\n %s×\"", text_count_short(number, calls_count(e->calls)));
    else
        fputc('"', w->out);
    /* Edges are darker than nodes: a line has to be seen. */
    fprintf(w->out, ", weight=%u, penwidth=%.1f, color=\"%s\", tooltip=\"%s\"];\n",
            1 + (unsigned)(share * 100), 0.5 + 5 * share, color_of(color, 0.25 + share * 0.75),
            text_count(number, e->cost));
}

static void put_heading(const struct writer *w)
{
    const struct rows *rows = w->export->rows;
    const struct cprof_profile *p = rows->profile;
    char *program = text_shown(p->program ? p->program : p->source ? p->source : "");
    char *measure = text_shown(w->measure->name);

    fputs("digraph \"", w->out);
    put_quoted(w->out, program);
    fputs("\" {\n  graph [label=\"", w->out);
    put_quoted(w->out, program);
    fputs("\\n", w->out);
    put_quoted(w->out, measure);
    fprintf(w->out, " %s; %s of %s functions, from %g %% on", TEXT_COUNT(w->total),
            TEXT_COUNT(w->n_drawn), TEXT_COUNT(rows->n), w->export->threshold);
    fputs("\", labelloc=t, fontname=\"Helvetica,Arial,sans-serif\", ranksep=0.4];\n"
          "  node [shape=box, style=\"filled,rounded\", color=\"#8a8078\", penwidth=0.7,"
          " margin=\"0.12,0.06\", fontname=\"Helvetica,Arial,sans-serif\"];\n"
          "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7];\n",
          w->out);
    free(program);
    free(measure);
}

/* Chooses the functions that are drawn. A threshold of 0 still leaves out those that cost nothing.
 */
static void choose(struct writer *w)
{
    const struct rows *rows = w->export->rows;
    double least = (double)w->total * w->export->threshold / 100;

    w->least = least < 1 ? 1 : (int64_t)least;
    w->rows = xcalloc(rows->profile->n_functions, sizeof *w->rows);
    for (size_t i = 0; i < rows->n; i++)
        if (row_inclusive(w, &rows->items[i]) >= w->least) {
            w->rows[rows->items[i].function] = &rows->items[i];
            w->n_drawn++;
        }
}

int export_dot(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    struct writer w = {.export = e, .measure = e->measure, .out = out};
    struct edges edges;

    w.total = column_value(e->measure, p->totals);
    choose(&w);
    labels_load(&w.labels, e->rows, text_shown);
    edges_load(&edges, e->tree, e->measure);
    put_heading(&w);
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (w.rows[i])
            put_node(&w, i);
    for (size_t i = 0; i < edges.n; i++)
        if (edges.items[i].cost >= w.least && w.rows[edges.items[i].caller] &&
            w.rows[edges.items[i].callee])
            put_edge(&w, &edges.items[i]);
    fputs("}\n", out);
    edges_free(&edges);
    labels_free(&w.labels);
    free(w.rows);
    return ferror(out) ? -1 : 0;
}
