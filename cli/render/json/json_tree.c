#include <config.h>

#include "render/json/json_tree.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/json/json_value.h"
#include "table/search.h"

#include <stdlib.h>

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

void json_tree(const struct tree *tree, const struct column_list *columns, FILE *out)
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
