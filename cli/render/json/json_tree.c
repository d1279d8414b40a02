#include <config.h>

#include "render/json/json_tree.h"

#include "base/counts.h"
#include "base/memory.h"
#include "render/json/json_value.h"

#include <stdlib.h>

/* Names in quotes, made once: of each function when it is first met, of each column. */
struct writer {
    const struct tree *tree;
    struct column_list columns;
    char **functions, **events;
    FILE *out;
    size_t flags; /* of its JSON (json_value.h) */
};

static void put_counts(const struct writer *w, const char *key, const int64_t *counts)
{
    const char *comma = "";

    fprintf(w->out, ", \"%s\": {", key);
    for (size_t i = 0; i < w->columns.n; i++) {
        if (w->columns.items[i]->kind != COLUMN_COUNT)
            continue;
        fprintf(w->out, "%s%s: %lld", comma, w->events[i],
                (long long)column_value(w->columns.items[i], counts));
        comma = ", ";
    }
    fputc('}', w->out);
}

/* Writes a node up to its children. */
static void begin_node(const struct writer *w, uint32_t node)
{
    const struct tree_node *n = &w->tree->nodes[node];
    const char *name = "\"[program]\"";

    if (n->function != CPROF_NONE) {
        char **own = &w->functions[n->function];

        if (!*own)
            *own = json_quote(w->tree->profile->functions[n->function].name, w->flags);
        name = *own;
    }
    fprintf(w->out, "{\"name\": %s, \"calls\": %llu", name,
            (unsigned long long)calls_count(n->calls));
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
}
