#include <config.h>

/* Tables as comma-separated values, and functions as Markdown. */
#include "base/memory.h"
#include "calls/graph.h"
#include "names/location.h"
#include "render/export/export.h"
#include "render/text/markdown.h"
#include "render/text/table_text.h"
#include "render/text/text.h"
#include "table/search.h"
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

/* Numbers with a fraction have three digits after the point; what is not known is blank. */
static void put_cell(const struct writer *w, const struct cell *c)
{
    double real;

    switch (cell_content(c, &real)) {
    case CONTENT_TEXT:
        put_field(w, c->text);
        break;
    case CONTENT_COUNT:
        fprintf(w->out, "%lld", (long long)c->value);
        break;
    case CONTENT_REAL:
        fprintf(w->out, "%.3f", real);
        break;
    default:
        break;
    }
}

static struct writer writer_of(FILE *out, bool safe)
{
    return (struct writer){out, isatty(fileno(out)) ? text_shown : text_utf8, safe};
}

static void put_heads(const struct writer *w, const struct table *t)
{
    char **names = table_names(t);

    for (size_t c = 0; c < t->n_columns; c++) {
        put_field(w, names[c]);
        fputc(c + 1 < t->n_columns ? ',' : '\n', w->out);
    }
    table_names_free(names, t);
}

static void put_rows(const struct writer *w, const struct table *t)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        put_cell(w, &t->cells[i]);
        fputc((i + 1) % t->n_columns ? ',' : '\n', w->out);
    }
}

int export_table(const struct table *t, FILE *out)
{
    const struct writer w = writer_of(out, false);

    put_heads(&w, t);
    put_rows(&w, t);
    return ferror(out) ? -1 : 0;
}

/*--- Columns: rows are struct row, the subject is their profile ---*/

enum column_id { NAME, LABEL, MANGLED, SOURCE_FILE, LINE, PLACE, OBJECT, CALLS, SHARE };

static struct cell cell_of(const void *subject, const void *item, const struct table_column *c)
{
    const struct cprof_profile *p = subject;
    const struct row *r = item;

    switch ((enum column_id)c->id) {
    case NAME:
        return cell_text(r->name);
    case LABEL:
        return cell_take(row_label(r, false, NULL));
    case MANGLED:
        return cell_text(r->mangled);
    case SOURCE_FILE:
        return cell_text(r->file);
    case LINE:
        return r->line ? cell_take(xasprintf("%u", (unsigned)r->line)) : cell_blank();
    case PLACE:
        return cell_take(location_text(r->file, r->line, r->object, NULL));
    case OBJECT:
        return cell_text(r->object);
    case CALLS:
        return cell_calls(r, r->counts[2 * p->n_events]);
    default:
        return cell_share(r->counts[0], p->totals[0], 1);
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

static void add_text(struct table *t, const char *name, enum column_id id)
{
    table_column(t, &(struct table_column){name, TABLE_NAME, .cell = cell_of, .id = (int)id});
}

/*--- Comma-separated values ---*/

static void add_csv_columns(struct table *t, const struct cprof_profile *p,
                            const struct columns *columns)
{
    add_text(t, "Function", NAME);
    add_text(t, "Mangled", MANGLED);
    add_text(t, "File", SOURCE_FILE);
    add_text(t, "Line", LINE);
    add_text(t, "Object", OBJECT);
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
    const struct cprof_profile *p = e->rows->profile;
    const struct writer w = writer_of(out, e->safe);
    struct columns columns;
    struct table table;

    columns_load(&columns, events_of(p));
    table_begin(&table, p);
    add_csv_columns(&table, p, &columns);
    put_heads(&w, &table);
    for (size_t i = 0; i < e->rows->n; i++) {
        table_put(&table, &e->rows->items[i], CELL_PLAIN);
        put_rows(&w, &table);
        table_clear(&table);
    }
    table_free(&table);
    columns_free(&columns);
    return ferror(out) ? -1 : 0;
}

/*--- Markdown ---*/

/* Writes the program, its command line where it is known, and the totals. */
static void put_heading(const struct cprof_profile *p, FILE *out)
{
    char count[TEXT_NUMBER];

    fputs("Profile of ", out);
    markdown_put_code(out, p->program ? p->program : p->command ? p->command : p->source);
    for (uint32_t i = 0; i < p->n_events; i++) {
        fputs(i ? ", " : ": ", out);
        markdown_put_text(out, p->events[i].name);
        fprintf(out, " %s", text_count(count, p->totals[i]));
    }
    fputs("\n\n", out);
}

static void add_markdown_columns(struct table *t, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_events; i++) {
        add_count(t, p->events[i].name, i);
        if (i == 0)
            table_column(t, &(struct table_column){"%", TABLE_SHARE, .cell = cell_of, .id = SHARE});
    }
    if (rows_width(p) > p->n_events) {
        add_count(t, "Inclusive", p->n_events);
        table_column(t, &(struct table_column){"Calls", TABLE_VALUE, .cell = cell_of, .id = CALLS});
    }
    add_text(t, "Function", LABEL);
    add_text(t, "Location", PLACE);
}

int export_markdown(const struct export *e, FILE *out)
{
    struct table table;

    put_heading(e->rows->profile, out);
    table_begin(&table, e->rows->profile);
    add_markdown_columns(&table, e->rows->profile);
    table_markdown_begin(&table, out);
    for (size_t i = 0; i < e->rows->n; i++) {
        table_put(&table, &e->rows->items[i], CELL_PLAIN);
        table_markdown_put(&table, out);
        table_clear(&table);
    }
    table_free(&table);
    return ferror(out) ? -1 : 0;
}
