#include <config.h>

/* Call paths as folded stacks, one a line. */
#include "base/strbuf.h"
#include "render/export/export.h"
#include "render/text/text.h"

#include <string.h>

/* The mark of inlined code, as tools know it that make flame graphs of other profilers' stacks. */
#define INLINED "_[i]"

/* A semicolon ends a frame, and occurs in the names of Rust's array types: "[u8; 4]". */
static char *frame_name(const char *name)
{
    char *frame = text_shown(name);

    for (char *p = frame; (p = strchr(p, ';')); p++)
        *p = ':';
    return frame;
}

/* Goes back to the parent: names have no semicolon of their own. */
static void leave(struct strbuf *path)
{
    const char *end = strrchr(path->text, ';');

    strbuf_cut(path, end ? (size_t)(end - path->text) : 0);
}

static void enter(struct strbuf *path, const struct tree_node *node, const struct labels *labels)
{
    const char *label = labels->items[node->function];

    if (path->size)
        strbuf_add_char(path, ';');
    strbuf_add(path, *label ? label : "???");
    if (node->inlined)
        strbuf_add(path, INLINED);
}

int export_folded(const struct export *e, FILE *out)
{
    const struct tree_node *nodes = e->tree->nodes;
    struct labels labels;
    struct strbuf path = {.text = NULL};
    uint32_t node = 0, next;

    labels_load(&labels, e->rows, frame_name);
    while ((next = tree_next(e->tree, node)) != CPROF_NONE) {
        for (; node != nodes[next].parent; node = nodes[node].parent)
            leave(&path);
        enter(&path, &nodes[node = next], &labels);
        if (column_value(e->measure, tree_self(e->tree, node)))
            fprintf(out, "%s %lld\n", path.text,
                    (long long)column_value(e->measure, tree_self(e->tree, node)));
    }
    strbuf_free(&path);
    labels_free(&labels);
    return ferror(out) ? -1 : 0;
}
