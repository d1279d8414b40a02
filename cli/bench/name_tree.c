#include <config.h>

#include "bench/name_tree.h"

#include "base/array.h"
#include "base/clean.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The name in a line, and the columns before it. */
static const char *name_in(const char *line, size_t *depth)
{
    size_t size;
    uint32_t c;

    for (*depth = 0; *line; line += size, ++*depth) {
        c = text_decode(line, &size);
        /* U+2500 to U+257F are drawn lines. */
        if (c != ' ' && (c < 0x2500 || c > 0x257f))
            break;
    }
    return line;
}

/* The bytes of a name: blanks and columns of numbers may follow, which two blanks part from it. */
static size_t name_size(const char *name)
{
    const char *end = strstr(name, "  ");
    size_t size = end ? (size_t)(end - name) : strlen(name);

    while (size && name[size - 1] == ' ')
        size--;
    return size;
}

void name_tree_line(struct name_tree *tree, const char *line)
{
    size_t depth, i = tree->n;
    const char *name = name_in(line, &depth);
    size_t size = name_size(name);
    char *path;

    if (!size || *line == ' ' || strstr(name, "(ignored)") || (!depth && memchr(name, ' ', size)))
        return;
    while (i > 0 && tree->items[i - 1].depth >= depth)
        i--;
    if (depth && !i)
        return;
    path = depth ? xasprintf("%s::%.*s", tree->items[i - 1].path, (int)size, name)
                 : xstrndup(name, size);
    GROW(tree->items, tree->n, tree->room);
    tree->items[tree->n++] = (struct name_node){path, depth};
}

static bool is_leaf(const struct name_tree *tree, size_t i)
{
    return i + 1 == tree->n || tree->items[i + 1].depth <= tree->items[i].depth;
}

static bool is_below(const char *path, const char *parent)
{
    size_t size = strlen(parent);

    return !strncmp(path, parent, size) && !strncmp(path + size, "::", 2);
}

/* divan's branches for numbers of threads, "t=4", are no names that it can be asked for. */
static bool is_threads(const char *name)
{
    return !strncmp(name, "t=", 2) && !name[2 + strspn(name + 2, "0123456789")];
}

/* Adds the leaves of the run that stand under one of the list. Returns false where there is none.
 */
static bool add_below(const struct name_tree *run, const char *leaf, struct string_list *names)
{
    size_t before = names->n;

    for (size_t i = 0; run && i < run->n; i++) {
        const char *path = run->items[i].path, *below = path + strlen(leaf) + 2;

        if (is_below(path, leaf) && !strstr(below, "::") && !is_threads(below))
            string_list_add(names, xstrdup(path));
    }
    return names->n > before;
}

void name_tree_names(const struct name_tree *listed, const struct name_tree *run,
                     struct string_list *names)
{
    for (size_t i = 0; i < listed->n; i++) {
        const char *path = listed->items[i].path;

        if (!is_leaf(listed, i))
            continue;
        if (!add_below(run, path, names))
            string_list_add(names, xstrdup(path));
    }
}

void name_tree_free(struct name_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        free(tree->items[i].path);
    free(tree->items);
    *tree = (struct name_tree){0};
}
