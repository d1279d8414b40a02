#include <config.h>

#include "symbols/symbol_parts.h"

#include "base/memory.h"
#include "base/sort.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A symbol and its name, to search by it. */
struct named {
    const char *name;
    size_t symbol;
};

static bool ends_in(const char *name, size_t size, const char *end)
{
    size_t length = strlen(end);

    return size > length && !memcmp(name + size - length, end, length);
}

/* The length of the name of the function that the symbol is a part of; 0: it is none. */
static size_t whole_length(const char *name)
{
    size_t size = strlen(name), end = size;

    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    if (end < size && end && name[end - 1] == '.')
        end--;
    else
        end = size;
    if (ends_in(name, end, ".cold") || ends_in(name, end, ".warm"))
        return end - strlen(".cold");
    if (end < size && ends_in(name, end, ".__part"))
        return end - strlen(".__part");
    return end < size && ends_in(name, end, ".part") ? end - strlen(".part") : 0;
}

static int compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

struct name_key {
    const char *name;
    size_t size;
};

static bool name_is_before(const void *named, const void *key)
{
    const struct name_key *k = key;

    return strncmp(((const struct named *)named)->name, k->name, k->size) < 0;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* The nearest symbol that has the first `size` letters of the symbol's name, or itself. */
static size_t find_whole(const struct symbol_table *s, const struct named *names, size_t symbol,
                         size_t size)
{
    struct name_key key = {s->items[symbol].name, size};
    uint64_t start = s->items[symbol].start;
    size_t found = symbol;

    for (size_t i = lower_bound(names, s->n, sizeof *names, name_is_before, &key);
         i < s->n && !strncmp(names[i].name, key.name, size) && !names[i].name[size]; i++)
        if (found == symbol || distance(s->items[names[i].symbol].start, start) <
                                   distance(s->items[found].start, start))
            found = names[i].symbol;
    return found;
}

void symbol_parts_find(struct symbol_table *s)
{
    struct named *names = xreallocarray(NULL, s->n, sizeof *names);

    for (size_t i = 0; i < s->n; i++)
        names[i] = (struct named){s->items[i].name, i};
    sort_items(names, s->n, sizeof *names, compare);
    for (size_t i = 0; i < s->n; i++) {
        size_t size = s->items[i].is_stub ? 0 : whole_length(s->items[i].name);

        s->items[i].whole = (uint32_t)(size ? find_whole(s, names, i, size) : i);
    }
    /* Names get shorter from part to whole. */
    for (size_t i = 0; i < s->n; i++)
        while (s->items[i].whole != s->items[s->items[i].whole].whole)
            s->items[i].whole = s->items[s->items[i].whole].whole;
    free(names);
}
