#include <config.h>

#include "base/memory.h"
#include "render/export/export.h"
#include "render/text/labels.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

/* What the tools that make flame graphs of other profilers' stacks know as the mark of code that
 * was inlined. */
#define INLINED "_[i]"

/* The path to where the walk is, as text. */
struct path {
    char *text;
    size_t size, room;
};

/* A semicolon ends a frame, and occurs in the names of Rust's array types: "[u8; 4]". */
static char *frame_name(const char *name)
{
    char *frame = text_shown(name);

    for (char *p = frame; (p = strchr(p, ';')); p++)
        *p = ':';
    return frame;
}

static void append(struct path *path, const char *text)
{
    size_t size = strlen(text);

    if (path->size + size + 1 > path->room) {
        path->room = (path->size + size + 1) * 2;
        path->text = xreallocarray(path->text, path->room, 1);
    }
    memcpy(path->text + path->size, text, size + 1);
    path->size += size;
}

/* Back to the parent: names have no semicolon of their own. */
static void leave(struct path *path)
{
    char *end;

    path->text[path->size] = '\0';
    end = strrchr(path->text, ';');
    path->size = end ? (size_t)(end - path->text) : 0;
}

static void enter(struct path *path, const struct tree_node *node, const struct labels *labels)
{
    const char *label = labels->items[node->function];

    if (path->size)
        append(path, ";");
    append(path, *label ? label : "???");
    if (node->inlined)
        append(path, INLINED);
}

int export_folded(const struct export *e, FILE *out)
{
    const struct tree_node *nodes = e->tree->nodes;
    struct labels labels;
    struct path path = {.size = 0};
    uint32_t node = 0, next;

    labels_load(&labels, e->rows, frame_name);
    while ((next = tree_next(e->tree, node)) != CPROF_NONE) {
        for (; node != nodes[next].parent; node = nodes[node].parent)
            leave(&path);
        enter(&path, &nodes[node = next], &labels);
        if (column_value(e->measure, tree_self(e->tree, node)))
            fprintf(out, "%.*s %lld\n", (int)path.size, path.text,
                    (long long)column_value(e->measure, tree_self(e->tree, node)));
    }
    free(path.text);
    labels_free(&labels);
    return ferror(out) ? -1 : 0;
}
