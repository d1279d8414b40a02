#include <config.h>

#include "render/json/json_value.h"

#include "base/clean.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "cprof_internal.h"
#include "derive/sections.h"
#include "table/search.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    char *valid;
    json_t *value;

    if (!text)
        return json_null();
    valid = text_utf8(text);
    value = json_string(valid);
    free(valid);
    return value;
}

json_t *json_members(json_t *object, ...)
{
    va_list members;
    const char *name;

    va_start(members, object);
    while ((name = va_arg(members, const char *)) != NULL)
        json_object_set_new(object, name, va_arg(members, json_t *));
    va_end(members);
    return object;
}

json_t *json_count(int64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *json_count_list(const int64_t *counts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_count(counts[i]));
    return list;
}

json_t *json_number(int64_t number)
{
    return number ? json_integer((json_int_t)number) : json_null();
}

json_t *json_file(const struct cprof_profile *p, uint32_t file)
{
    return json_text(file == CPROF_NONE ? NULL : p->files[file]);
}

json_t *json_function(const struct cprof_profile *p, uint32_t function)
{
    return json_text(function == CPROF_NONE ? NULL : p->functions[function].name);
}

size_t json_flags(FILE *out)
{
    /* With 17 digits, which jansson takes else, 1716.286 would be 1716.2860000000001. */
    enum { DIGITS = 15 };

    return JSON_REAL_PRECISION(DIGITS) | (terminal_is(fileno(out)) ? JSON_ENSURE_ASCII : 0);
}

char *json_quote(const char *text, size_t flags)
{
    json_t *value = json_text(text);
    char *quoted = json_dumps(value, JSON_ENCODE_ANY | flags);

    json_decref(value);
    return quoted ? quoted : xstrdup("null");
}

void json_put(FILE *out, const char *text, size_t flags)
{
    char *quoted = json_quote(text, flags);

    fputs(quoted, out);
    free(quoted);
}

json_t *json_cell(const struct cell *c)
{
    double real;

    switch (cell_content(c, &real)) {
    case CONTENT_TEXT:
        return json_text(c->text);
    case CONTENT_COUNT:
        return json_count(c->value);
    case CONTENT_REAL:
        return json_real(real);
    default:
        return json_null();
    }
}

json_t *json_counts(const struct column_list *columns, const int64_t *counts)
{
    json_t *object = json_object();

    for (size_t i = 0; i < columns->n; i++) {
        char *name = text_utf8(columns->items[i]->name);
        struct cell cell = cell_column(columns->items[i], counts, counts);

        if (column_adds_up(columns->items[i]))
            json_object_set_new(object, name, json_cell(&cell));
        free(name);
    }
    return object;
}

void json_set_label(json_t *object, const struct row *row)
{
    char *label = row_label(row, false, NULL);

    json_object_set_new(object, "label", json_text(label));
    free(label);
}

void json_set_crate(json_t *object, const struct crate *crate, enum owner owner)
{
    json_object_set_new(object, "crate", json_text(crate ? crate->name : NULL));
    json_object_set_new(object, "version", json_text(crate ? crate->version : NULL));
    json_object_set_new(object, "source", json_text(owner_name(owner)));
}

void json_set_row_crate(json_t *object, const struct row *row)
{
    json_set_crate(object, row->crate, row->crate ? (enum owner)row->owner : OWNER_NONE);
}

/*--- Tables ---*/

static json_t *columns_of(const struct table *t, char *const *names)
{
    json_t *columns = json_array();

    for (size_t c = 0; c < t->n_columns; c++)
        json_array_append_new(columns,
                              json_members(json_object(), "name", json_text(names[c]), "kind",
                                           json_text(table_kind_word(t->columns[c].kind)), NULL));
    return columns;
}

/* "about" has the columns whose number was rounded before, or is a least one. */
static json_t *row_of(const struct table *t, size_t row, char *const *names)
{
    json_t *object = json_object(), *about = NULL;

    for (size_t c = 0; c < t->n_columns; c++) {
        const struct cell *cell = table_at(t, row, c);

        json_object_set_new(object, names[c], json_cell(cell));
        if (!cell->about)
            continue;
        about = about ? about : json_array();
        json_array_append_new(about, json_text(names[c]));
    }
    return json_members(object, "about", about, NULL);
}

static void add_note(json_t *notes, const char *text)
{
    if (text)
        json_array_append_new(notes, json_text(text));
}

json_t *json_put_table(json_t *object, const struct table *t)
{
    char **names = table_names(t);
    json_t *notes = json_array(), *rows = json_array();

    add_note(notes, t->totals);
    for (size_t i = 0; i < TABLE_FINDINGS; i++)
        add_note(notes, t->findings[i]);
    add_note(notes, t->closing);
    for (size_t i = 0; i < t->n_rows; i++)
        json_array_append_new(rows, row_of(t, i, names));
    json_members(object, "heading", json_text(t->heading), "notes", notes, "columns",
                 columns_of(t, names), "rows", rows, NULL);
    table_names_free(names, t);
    return object;
}

/*--- Call paths ---*/

/* Names in quotes, made once: of each function when it is first met, of each column. */
struct writer {
    const struct tree *tree;
    struct column_list columns;
    char **functions, **events;
    struct rows rows; /* of the tree's profile, by the functions' indices in `row_of` */
    uint32_t *row_of;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
};

static void put_counts(const struct writer *w, const char *key, const int64_t *counts)
{
    const char *comma = "";

    fprintf(w->out, ", \"%s\": {", key);
    for (size_t i = 0; i < w->columns.n; i++) {
        if (!column_adds_up(w->columns.items[i]))
            continue;
        fprintf(w->out, "%s%s: %lld", comma, w->events[i],
                (long long)column_value(w->columns.items[i], counts));
        comma = ", ";
    }
    fputc('}', w->out);
}

/* Names a function; where another looks the same, with its label. */
static char *quote_name(const struct writer *w, uint32_t function)
{
    uint32_t row = w->row_of[function];
    char *name = json_quote(w->tree->profile->functions[function].name, w->flags), *label, *both;

    if (row == CPROF_NONE || !w->rows.items[row].tag[0])
        return name;
    label = row_label(&w->rows.items[row], false, NULL);
    both = json_quote(label, w->flags);
    free(label);
    label = xasprintf("%s, \"label\": %s", name, both);
    free(name);
    free(both);
    return label;
}

/* Writes a node up to its children. */
static void begin_node(const struct writer *w, uint32_t node)
{
    const struct tree_node *n = &w->tree->nodes[node];
    const char *name = "\"[program]\"";

    if (n->function != CPROF_NONE) {
        char **own = &w->functions[n->function];

        if (!*own)
            *own = quote_name(w, n->function);
        name = *own;
    }
    fprintf(w->out, "{\"name\": %s, \"calls\": ", name);
    if (!w->tree->profile->sampled)
        fprintf(w->out, "%llu", (unsigned long long)calls_count(n->calls));
    else
        fputs("null", w->out);
    if (n->inlined)
        fputs(", \"inlined\": true", w->out);
    put_counts(w, "self", tree_self(w->tree, node));
    put_counts(w, "inclusive", tree_inclusive(w->tree, node));
    fputs(", \"children\": [", w->out);
}

static void put_nodes(const struct writer *w)
{
    const struct tree_node *nodes = w->tree->nodes;
    uint32_t node = 0;

    begin_node(w, 0);
    for (;;) {
        uint32_t child = nodes[node].first_child;

        /* The walk goes down, else on, else up until there is a brother. */
        if (child == CPROF_NONE) {
            fputs("]}", w->out);
            while (node && nodes[node].next == CPROF_NONE) {
                node = nodes[node].parent;
                fputs("]}", w->out);
            }
            if (!node)
                return;
            child = nodes[node].next;
            fputc(',', w->out);
        }
        fputc('\n', w->out);
        begin_node(w, node = child);
    }
}

/* Writes {"name", "calls", "self", "inclusive", "children"}; the root is called "[program]". */
static void json_tree(const struct tree *tree, const struct column_list *columns, FILE *out)
{
    struct writer w = {.tree = tree, .columns = *columns, .out = out, .flags = json_flags(out)};
    uint32_t n_functions = tree->profile->n_functions;

    w.functions = xcalloc(n_functions, sizeof *w.functions);
    rows_load(&w.rows, tree->profile);
    w.row_of = rows_of_functions(&w.rows);
    w.events = xcalloc(columns->n, sizeof *w.events);
    for (size_t i = 0; i < columns->n; i++)
        w.events[i] = json_quote(columns->items[i]->name, w.flags);
    put_nodes(&w);
    for (size_t i = 0; i < columns->n; i++)
        free(w.events[i]);
    for (uint32_t i = 0; i < n_functions; i++)
        free(w.functions[i]);
    free(w.functions);
    free(w.events);
    free(w.row_of);
    rows_free(&w.rows);
}

/*--- Documents ---*/

void json_set_header(json_t *document, const struct cprof_profile *p, const char *key)
{
    json_object_set_new(document, key, json_text(profile_header_text(p, key)));
}

void json_set_missing(json_t *document, const struct cprof_profile *p)
{
    if (p->exit == CPROF_EXIT_SIGNAL)
        json_object_set_new(document, "interrupted", json_true());
    if (p->rep_one)
        json_object_set_new(document, "rep", json_string("one"));
    if (p->lost_samples)
        json_object_set_new(document, "lost_samples", json_integer((json_int_t)p->lost_samples));
}

/* Adds "part", the names of the sections that the profile is of; nothing for a whole program. */
static void set_part(json_t *document, const struct cprof_profile *p)
{
    size_t n;
    uint32_t *sections = section_roots(p, &n);
    json_t *names = n ? json_array() : NULL;

    for (size_t i = 0; i < n; i++)
        json_array_append_new(names, json_text(p->sections[sections[i]].name));
    if (names)
        json_object_set_new(document, "part", names);
    free(sections);
}

json_t *json_begin(const struct cprof_profile *p, const char *schema, const char *title,
                   const struct column_list *columns)
{
    json_t *events = json_array(), *document = json_pack("{s:s}", "schema", schema);

    for (uint32_t i = 0; i < p->n_events; i++)
        json_array_append_new(events, json_text(p->events[i].name));
    json_set_header(document, p, "program");
    json_object_set_new(document, "events", events);
    json_object_set_new(document, "totals", json_counts(columns, p->totals));
    json_set_missing(document, p);
    set_part(document, p);
    if (title)
        json_object_set_new(document, "title", json_text(title));
    return document;
}

/* Writes the opening brace of a document and its members, and frees it. */
static int put_members(json_t *document, FILE *out)
{
    size_t flags = JSON_INDENT(2) | JSON_EMBED | json_flags(out);
    char *members = document ? json_dumps(document, flags) : NULL;

    json_decref(document);
    if (!members) {
        errno = ENOMEM;
        return -1;
    }
    /* A newline stands before each member, and behind the last. */
    fputc('{', out);
    fwrite(members, 1, strlen(members) - 1, out);
    free(members);
    return 0;
}

static int end(FILE *out)
{
    fputs("\n}\n", out);
    return ferror(out) ? -1 : 0;
}

int json_finish(json_t *document, FILE *out)
{
    return put_members(document, out) != 0 ? -1 : end(out);
}

int json_finish_with_tree(json_t *document, const struct tree *tree,
                          const struct column_list *columns, FILE *out)
{
    if (put_members(document, out) != 0)
        return -1;
    fputs(",\n  \"tree\":\n", out);
    json_tree(tree, columns, out);
    return end(out);
}
