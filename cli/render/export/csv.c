#include <config.h>

/* Functions as comma-separated values. */
#include "base/memory.h"
#include "calls/graph.h"
#include "render/export/export.h"
#include "render/text/text.h"
#include "table/table.h"

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

/* Ratios have three digits after the point; what is not known is blank. */
static void put_cell(const struct writer *w, const struct cell *c)
{
    if (c->kind == CELL_TEXT)
        put_field(w, c->text);
    else if (c->kind != CELL_RATIO)
        fprintf(w->out, "%lld", (long long)c->value);
    else if (c->whole)
        fprintf(w->out, "%.3f", (double)c->value / (double)c->whole);
}

/* Writes the rows that the table has, and removes them. */
static void put_rows(const struct writer *w, struct table *t)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        put_cell(w, &t->cells[i]);
        fputc((i + 1) % t->n_columns ? ',' : '\n', w->out);
    }
    table_clear(t);
}

/*--- Columns ---*/

enum text_column { NAME, MANGLED, SOURCE_FILE, LINE, OBJECT };

static struct cell text_cell(const void *subject, const void *item, const struct table_column *c)
{
    const struct row *r = item;

    (void)subject;
    switch ((enum text_column)c->id) {
    case NAME:
        return cell_text(r->name);
    case MANGLED:
        return cell_text(r->mangled);
    case SOURCE_FILE:
        return cell_text(r->file);
    case LINE:
        return r->line ? cell_take(xasprintf("%u", (unsigned)r->line)) : cell_blank();
    default:
        return cell_text(r->object);
    }
}

static struct cell count_cell(const void *subject, const void *item, const struct table_column *c)
{
    (void)subject;
    return cell_count(((const struct row *)item)->counts[c->id]);
}

static struct cell ratio_cell(const void *subject, const void *item, const struct table_column *c)
{
    (void)subject;
    return cell_ratio(item, c->shows);
}

static void add_count(struct table *t, const char *name, uint32_t count)
{
    table_column(t,
                 &(struct table_column){name, TABLE_COUNT, .cell = count_cell, .id = (int)count});
}

static void add_columns(struct table *t, const struct cprof_profile *p,
                        const struct columns *columns)
{
    static const struct table_column texts[] = {
        {"Function", TABLE_NAME, .cell = text_cell},
        {"Mangled", TABLE_NAME, .cell = text_cell, .id = MANGLED},
        {"File", TABLE_PLACE, .cell = text_cell, .id = SOURCE_FILE},
        {"Line", TABLE_PLACE, .cell = text_cell, .id = LINE},
        {"Object", TABLE_PLACE, .cell = text_cell, .id = OBJECT}};

    table_columns(t, texts, sizeof texts / sizeof *texts);
    for (uint32_t i = 0; i < p->n_events; i++)
        add_count(t, p->events[i].name, i);
    for (uint32_t i = 0; i < p->n_events && graph_is_known(p); i++) {
        char *name = xasprintf("%s.incl", p->events[i].name);

        add_count(t, name, p->n_events + i);
        free(name);
    }
    if (graph_has_calls(p))
        add_count(t, "Calls", 2 * p->n_events);
    for (size_t i = 0; i < columns->n; i++)
        if (column_is_ratio(&columns->items[i]))
            table_column(t,
                         &(struct table_column){columns->items[i].name, TABLE_RATIO,
                                                .cell = ratio_cell, .shows = &columns->items[i]});
}

int export_csv(const struct export *e, FILE *out)
{
    const struct writer w = {out, isatty(fileno(out)) ? text_shown : text_utf8, e->safe};
    struct columns columns;
    struct table table;

    columns_load(&columns, events_of(e->rows->profile));
    table_begin(&table, NULL);
    add_columns(&table, e->rows->profile, &columns);
    for (size_t c = 0; c < table.n_columns; c++) {
        put_field(&w, table.columns[c].heading);
        fputc(c + 1 < table.n_columns ? ',' : '\n', out);
    }
    for (size_t i = 0; i < e->rows->n; i++) {
        table_put(&table, &e->rows->items[i], CELL_PLAIN);
        put_rows(&w, &table);
    }
    table_free(&table);
    columns_free(&columns);
    return ferror(out) ? -1 : 0;
}
