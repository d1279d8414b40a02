#include <config.h>

#include "table/search.h"

#include "base/memory.h"
#include "names/demangle.h"
#include "names/location.h"

#include <stdlib.h>
#include <string.h>

char *row_label(const struct row *row, bool place, const char *root)
{
    char *where = place ? location_text(row->file, row->line, row->object, root) : xstrdup("");
    char *label = xasprintf("%s%s%s%s%s%s", row->name, row->tag[0] ? " " : "", row->tag,
                            *where ? " (" : "", where, *where ? ")" : "");

    free(where);
    return label;
}

/* Returns true where `text` is the row's label, with or without a place. The text in parentheses
 * may be any end of the place's path. */
static bool is_label(const struct row *row, const char *text)
{
    char *label = row_label(row, false, NULL), *place = NULL;
    size_t size = strlen(label);
    bool is = !strcmp(label, text);

    if (!is && !strncmp(label, text, size) && !strncmp(text + size, " (", 2)) {
        const char *shown = text + size + 2;
        size_t length = strlen(shown), full;

        place = location_text(row->file, row->line, row->object, NULL);
        full = strlen(place);
        is = length > 1 && shown[length - 1] == ')' && length - 1 <= full &&
             !memcmp(place + full - (length - 1), shown, length - 1);
    }
    free(label);
    free(place);
    return is;
}

enum how { BY_NAME, BY_FULL_NAME, BY_SUBSTRING, N_HOWS };

/* Returns true where `text` is the name in full. */
static bool is_full_name(const struct row *row, const char *text)
{
    char *full = row->mangled ? demangle(row->mangled) : NULL;
    bool is = full && !strcmp(full, text);

    free(full);
    return is;
}

static bool fits(const struct row *row, const char *text, enum how how)
{
    if (how == BY_FULL_NAME)
        return is_full_name(row, text);
    if (how == BY_SUBSTRING)
        return strstr(row->name, text) != NULL;
    return !strcmp(row->name, text) || (row->mangled && !strcmp(row->mangled, text)) ||
           is_label(row, text);
}

/* True where a name such as "__memcmp_avx2_movbe" is that of an implementation of `text`, as the C
 * library calls those that it chooses from for the processor. */
static bool is_implementation(const char *name, const char *text)
{
    static const char *const kinds[] = {"avx", "evex", "sse", "ssse3", "erms", "fma", "generic"};
    size_t size = strlen(text);

    if (strncmp(name, "__", 2) != 0 || strncmp(name + 2, text, size) != 0 || name[2 + size] != '_')
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(name + 2 + size + 1, kinds[i], strlen(kinds[i])))
            return true;
    return false;
}

/* True where a function of this name lies in another object than the one at `row`. */
static bool is_elsewhere(const struct rows *rows, const struct row *row, const char *text)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *other = &rows->items[i];

        if (!strcmp(other->name, text) && row->object && other->object &&
            strcmp(row->object, other->object) != 0)
            return true;
    }
    return false;
}

/* Finds what ran for a function that the C library chooses as the program starts: the function of
 * that name only makes the choice. */
static void find_implementations(struct search *found, const struct rows *rows, const char *text)
{
    for (size_t i = 0; i < rows->n; i++)
        if (is_implementation(rows->items[i].name, text) &&
            !is_elsewhere(rows, &rows->items[i], text))
            found->rows[found->n++] = &rows->items[i];
    /* One that may copy to overlapping places does for both. */
    if (!found->n && !strcmp(text, "memcpy"))
        find_implementations(found, rows, "memmove");
    found->implementation = found->whole = found->n != 0;
}

void search_rows(struct search *found, const struct rows *rows, const char *text)
{
    *found = (struct search){.rows = xcalloc(rows->n, sizeof *found->rows)};
    find_implementations(found, rows, text);
    for (enum how how = 0; how < N_HOWS && found->n == 0; how++) {
        found->whole = how != BY_SUBSTRING;
        for (size_t i = 0; i < rows->n; i++)
            if (fits(&rows->items[i], text, how))
                found->rows[found->n++] = &rows->items[i];
    }
}

void search_free(struct search *found)
{
    free(found->rows);
    *found = (struct search){.n = 0};
}
