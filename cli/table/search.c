#include <config.h>

#include "table/search.h"

#include "base/memory.h"
#include "names/brackets.h"
#include "names/demangle.h"
#include "names/location.h"
#include "names/name_forms.h"
#include "names/rust_name.h"

#include <stdlib.h>
#include <string.h>

/* Digits that are enough of a hash. */
enum { HASH_LEAST = 8 };

char *row_label(const struct row *row, bool place, const char *root)
{
    char *where = place ? location_text(row->file, row->line, row->object, root) : xstrdup("");
    char *label = xasprintf("%s%s%s%s%s%s", row->name, row->tag[0] ? " " : "", row->tag,
                            *where ? " (" : "", where, *where ? ")" : "");

    free(where);
    return label;
}

/* Returns true where `shown`, "(src/main.rs:3)", is the row's place, or any end of it. */
static bool is_place(const struct row *row, const char *shown)
{
    char *place = location_text(row->file, row->line, row->object, NULL);
    size_t length = strlen(shown), full = strlen(place);
    bool is = length > 2 && shown[0] == '(' && shown[length - 1] == ')' && length - 2 <= full &&
              !memcmp(place + full - (length - 2), shown + 1, length - 2);

    free(place);
    return is;
}

/* The text behind a hash of the row's linkage name, "[h891f88e6]", which has any number of digits
 * from 8 on; NULL where `text` does not begin with one. */
static const char *behind_hash(const struct row *row, const char *text)
{
    const char *hash = row->mangled ? rust_hash_of(row->mangled) : NULL;
    size_t size;

    if (!hash || strncmp(text, "[h", 2) != 0)
        return NULL;
    text += 2;
    size = strcspn(text, "]");
    return size >= HASH_LEAST && size <= RUST_HASH_DIGITS && !memcmp(text, hash, size) &&
                   text[size] == ']'
               ? text + size + 1
               : NULL;
}

/* Returns true where `text` is the row's label, with or without a place. A hash stands as well as
 * the number. */
static bool is_label(const struct row *row, const char *text)
{
    size_t name = strlen(row->name), tag = strlen(row->tag);
    const char *rest;

    if (strncmp(text, row->name, name) != 0)
        return false;
    text += name;
    if (!*text)
        return true;
    if (*text++ != ' ')
        return false;
    rest = behind_hash(row, text);
    if (!rest && tag)
        rest = strncmp(text, row->tag, tag) == 0 ? text + tag : NULL;
    else if (!rest)
        return is_place(row, text);
    if (!rest || !*rest)
        return rest != NULL;
    return *rest == ' ' && is_place(row, rest + 1);
}

/* Returns true where `text`, "src/main.rs:3", is the row's place, or an end of it from a '/' on. */
static bool is_at(const struct row *row, const char *text)
{
    char *place = row->file && row->line ? location_text(row->file, row->line, NULL, NULL) : NULL;
    size_t size = strlen(text), full = place ? strlen(place) : 0;
    bool is = strchr(text, ':') && full >= size && !strcmp(place + full - size, text) &&
              (full == size || *text == '/' || place[full - size - 1] == '/');

    free(place);
    return is;
}

enum how {
    BY_NAME,
    BY_FULL_NAME,
    BY_END,
    BY_GENERIC,
    BY_SUBSTRING,
    BY_FORM,
    BY_TRAIT,
    BY_PLACE,
    N_HOWS
};

/* Returns true where `text` is the name in full. */
static bool is_full_name(const struct row *row, const char *text)
{
    char *full = row->mangled ? demangle(row->mangled) : NULL;
    bool is = full && !strcmp(full, text);

    free(full);
    return is;
}

/* Returns true where `text` is in a form of the name that a narrow table shows. */
static bool is_in_form(const struct row *row, const char *text)
{
    bool is = false;

    for (enum name_form form = NAME_WHOLE + 1; form < NAME_FORMS && !is; form++) {
        char *shown = name_form(row->name, form);

        is = strstr(shown, text) != NULL;
        free(shown);
    }
    return is;
}

/* Returns true where `text` is the last part of the name's path, or several: "columns" of
 * "sums::columns". */
static bool is_end(const struct row *row, const char *text)
{
    size_t name = strlen(row->name), size = strlen(text);

    return name > size + 2 && !strcmp(row->name + name - size, text) &&
           !memcmp(row->name + name - size - 2, "::", 2);
}

/* Returns true where the name is `text` with arguments of its own behind, or ends with that:
 * "Vec<T>::push" and "push" of "Vec<T>::push::<u8>". */
static bool has_own_arguments(const struct row *row, const char *text)
{
    const char *name = row->name, *end = name + strlen(name);
    size_t size = strlen(text);

    for (const char *p = strstr(name, "::<"); p; p = strstr(p + 1, "::<"))
        if (bracket_end(p + 2, end) == end)
            return (size_t)(p - name) >= size && !memcmp(p - size, text, size) &&
                   (p - size == name || (p - size >= name + 2 && !memcmp(p - size - 2, "::", 2)));
    return false;
}

/* Returns true where the name without all arguments, parameters and the number of a clone is
 * `text`, or ends with that: "Box::get" and "get" of "Box<int>::get() const [clone .isra.0]". */
static bool is_generic(const struct row *row, const char *text)
{
    char *name;
    size_t size, wanted = strlen(text);
    bool is;

    if (has_own_arguments(row, text))
        return true;
    name = name_form(row->name, NAME_NO_ARGUMENTS);
    size = name_tail(name);
    is = size >= wanted && !memcmp(name + size - wanted, text, wanted) &&
         (size == wanted || (size >= wanted + 2 && !memcmp(name + size - wanted - 2, "::", 2)));
    free(name);
    return is;
}

/* Returns true where `text` is a trait's method, "Shape::area", that the row implements: "<Circle
 * as shapes::Shape>::area". */
static bool is_of_trait(const struct row *row, const char *text)
{
    char *name = name_form(row->name, NAME_NO_TYPES);
    const char *all = name + name_tail(name);
    const char *end = *name == '<' ? bracket_end(name, all) : NULL;
    const char *as = end ? find_outside(name + 1, end - 1, " as ") : NULL;
    bool is = false;

    if (as) {
        const char *arguments = find_outside(end, all, "::<");
        char *method = xasprintf("::%.*s%.*s", (int)(end - 1 - (as + 4)), as + 4,
                                 (int)((arguments ? arguments : all) - end), end);
        size_t size = strlen(method), wanted = strlen(text);

        is = size >= wanted + 2 && !strcmp(method + size - wanted, text) &&
             !memcmp(method + size - wanted - 2, "::", 2);
        free(method);
    }
    free(name);
    return is;
}

static bool fits(const struct row *row, const char *text, enum how how)
{
    if (how == BY_FULL_NAME)
        return is_full_name(row, text);
    if (how == BY_END)
        return is_end(row, text);
    if (how == BY_GENERIC)
        return is_generic(row, text);
    if (how == BY_FORM)
        return is_in_form(row, text);
    if (how == BY_SUBSTRING)
        return strstr(row->name, text) != NULL;
    if (how == BY_TRAIT)
        return is_of_trait(row, text);
    if (how == BY_PLACE)
        return is_at(row, text);
    return (row->mangled && !strcmp(row->mangled, text)) || is_label(row, text);
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
        found->whole = how < BY_END;
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

static bool finds_alone(const struct rows *rows, const struct row *row, const char *text)
{
    struct search found;
    bool alone;

    search_rows(&found, rows, text);
    alone = found.n == 1 && found.rows[0] == row;
    search_free(&found);
    return alone;
}

char *search_text(const struct rows *rows, const struct row *row, size_t width)
{
    char *best = row_label(row, false, NULL);

    for (enum name_form form = NAME_WHOLE; form < NAME_FORMS && strlen(best) > width; form++) {
        char *name = name_form(row->name, form);

        for (const char *rest = name; rest && strlen(best) > width; rest = name_rest(rest))
            if (strlen(rest) < strlen(best) && finds_alone(rows, row, rest)) {
                free(best);
                best = xstrdup(rest);
            }
        free(name);
    }
    return best;
}
