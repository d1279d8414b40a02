#include <config.h>

/* Functions as comma-separated values. */
#include "base/memory.h"
#include "calls/graph.h"
#include "render/export/export.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writer {
    FILE *out;
    char *(*gate)(const char *text); /* a rule of clean.h: for data, or for a terminal */
    bool safe;
};

/* Writes a field. RFC 4180 quotes texts with commas, quotes or ends of lines; blanks at an end are
 * quoted, too, since some readers take them away. A spreadsheet takes a text for a formula that
 * begins as one, quoted or not. */
static void put_field(const struct writer *w, const char *text)
{
    FILE *out = w->out;
    char *data = w->gate(text ? text : "");
    size_t size = strlen(data);
    bool quoted = strpbrk(data, ",\"\r\n") ||
                  (size && (strchr(" \t", data[0]) || strchr(" \t", data[size - 1])));

    if (quoted)
        fputc('"', out);
    if (w->safe && data[0] && strchr("=+-@", data[0]))
        fputc('\'', out);
    for (const char *p = data; *p; p++) {
        if (*p == '"')
            fputc('"', out);
        fputc(*p, out);
    }
    if (quoted)
        fputc('"', out);
    free(data);
}

static void put_head(const struct writer *w, const struct cprof_profile *p,
                     const struct columns *columns, bool inclusive)
{
    FILE *out = w->out;

    fputs("Function,Mangled,File,Line,Object", out);
    for (uint32_t i = 0; i < p->n_events; i++) {
        fputc(',', out);
        put_field(w, p->events[i].name);
    }
    for (uint32_t i = 0; i < p->n_events && inclusive; i++) {
        char *name = xasprintf("%s.incl", p->events[i].name);

        fputc(',', out);
        put_field(w, name);
        free(name);
    }
    if (graph_has_calls(p))
        fputs(",Calls", out);
    for (size_t i = 0; i < columns->n; i++)
        if (column_is_ratio(&columns->items[i])) {
            fputc(',', out);
            put_field(w, columns->items[i].name);
        }
    fputc('\n', out);
}

/* Writes the ratios of a row, those that are not known blank. */
static void put_ratios(const struct writer *w, const struct row *r, const struct columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        int64_t part, whole;

        if (!column_is_ratio(&columns->items[i]))
            continue;
        fputc(',', w->out);
        if (row_ratio(r, &columns->items[i], &part, &whole))
            fprintf(w->out, "%.3f", (double)part / (double)whole);
    }
}

static void put_row(const struct writer *w, const struct row *r, const struct columns *columns,
                    size_t n_counts)
{
    FILE *out = w->out;

    put_field(w, r->name);
    fputc(',', out);
    put_field(w, r->mangled);
    fputc(',', out);
    put_field(w, r->file);
    if (r->line)
        fprintf(out, ",%u,", (unsigned)r->line);
    else
        fputs(",,", out);
    put_field(w, r->object);
    for (size_t i = 0; i < n_counts; i++)
        fprintf(out, ",%lld", (long long)r->counts[i]);
    put_ratios(w, r, columns);
    fputc('\n', out);
}

int export_csv(const struct export *e, FILE *out)
{
    const struct cprof_profile *p = e->rows->profile;
    size_t n_counts = rows_width(p);
    struct columns columns;
    struct writer w = {out, isatty(fileno(out)) ? text_shown : text_utf8, e->safe};

    columns_load(&columns, p);
    put_head(&w, p, &columns, n_counts > p->n_events);
    n_counts -= n_counts > p->n_events && !graph_has_calls(p);
    for (size_t i = 0; i < e->rows->n; i++)
        put_row(&w, &e->rows->items[i], &columns, n_counts);
    columns_free(&columns);
    return ferror(out) ? -1 : 0;
}
