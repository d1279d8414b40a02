#include <config.h>

/* Names and places that fit a width. */
#include "base/memory.h"
#include "names/name_forms.h"
#include "render/text/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE_LEAST = 3 /* columns of what is left within brackets, or they go */ };

/* The columns of the first `size` bytes. */
static unsigned width_before(const char *text, size_t size, bool utf8)
{
    char *part = xstrndup(text, size);
    unsigned width = text_width(part, utf8);

    free(part);
    return width;
}

/* The first rest of `name`, of at least `parts` parts of its path, that fits; NULL: none does. It
 * points into `name`. */
static const char *fitting_rest(const char *name, unsigned parts, unsigned width, bool utf8)
{
    unsigned name_width = text_width(name, utf8);

    while (name_width > width) {
        const char *rest = name_rest(name), *ahead = rest;

        for (unsigned i = 1; ahead && i < parts; i++)
            ahead = name_rest(ahead);
        if (!ahead)
            return NULL;
        name_width -= width_before(name, (size_t)(rest - name), utf8);
        name = rest;
    }
    return name;
}

/* The last part of a path. */
static const char *last_part(const char *name)
{
    for (const char *rest; (rest = name_rest(name)) != NULL;)
        name = rest;
    return name;
}

/* The least parts of a path that are worth more than the function's own arguments: "Type::f". */
static unsigned parts_wanted(const char *name)
{
    const char *before = name, *last = name;

    for (const char *rest; (rest = name_rest(last)) != NULL; last = rest)
        before = last;
    return before < last && (isupper((unsigned char)*before) || *before == '<') ? 2 : 1;
}

/* The fullest form of a name that fits; NULL: none does. */
static char *fitting_form(const char *name, unsigned width, bool utf8)
{
    for (enum name_form form = NAME_WHOLE; form < NAME_FORMS; form++) {
        char *text = name_form(name, form), *copy;
        const char *fit;

        if (form < NAME_NO_TRAIT)
            fit = text_width(text, utf8) <= width ? text : NULL;
        else
            fit = fitting_rest(text, form == NAME_NO_TRAIT ? parts_wanted(text) : 1, width, utf8);
        copy = fit ? xstrdup(fit) : NULL;
        free(text);
        if (copy)
            return copy;
    }
    return NULL;
}

/* The last part of a path without arguments, cut in its middle. */
static char *cut_last(const char *name, unsigned width, bool utf8)
{
    char *text = name_form(name, NAME_NO_ARGUMENTS);
    char *cut = text_shorten(last_part(text), width, TEXT_CUT_MIDDLE, utf8);

    free(text);
    return cut;
}

/* The last parts of a path with all arguments and parameters, which may be cut; NULL: there are
 * none, or there is no room for them. */
static char *cut_inside(const char *name, unsigned width, bool utf8)
{
    const char *last = fitting_rest(name, 1, width, utf8);
    size_t size, stem;
    unsigned taken;
    char *inside, *text, *cut;

    if (last)
        return xstrdup(last);
    last = last_part(name);
    size = strlen(last);
    stem = strcspn(last, "<(") + 1;
    if (stem >= size || !strchr(">)", last[size - 1]))
        return NULL;
    text = xstrndup(last, stem);
    taken = text_width(text, utf8) + 1;
    inside = xstrndup(last + stem, size - 1 - stem);
    cut = width < taken + INSIDE_LEAST ? NULL
                                       : text_shorten(inside, width - taken, TEXT_CUT_MIDDLE, utf8);
    free(inside);
    inside = cut ? xasprintf("%s%s%c", text, cut, last[size - 1]) : NULL;
    free(text);
    free(cut);
    return inside;
}

/* The bytes of the tail that are shown: " (inlined)" only where there is room for it. */
static size_t tail_size(const char *name, size_t size, unsigned width, bool utf8)
{
    static const char inlined[] = " (" TEXT_INLINED ")";
    size_t tail = strlen(name + size), its = sizeof inlined - 1;

    if (tail >= its && !strcmp(name + size + tail - its, inlined) && text_width(name, utf8) > width)
        tail -= its;
    return tail;
}

static char *shorten_name(const char *name, unsigned width, bool alike, bool utf8)
{
    size_t size = name_tail(name), tail_bytes = tail_size(name, size, width, utf8);
    char *head = xstrndup(name, size), *tail = xstrndup(name + size, tail_bytes), *fit = NULL,
         *whole;
    unsigned tail_width = text_width(tail, utf8), room;

    /* A tail goes where it would leave less than half to the name. */
    if (tail_width > width / 2) {
        *tail = '\0';
        tail_width = 0;
    }
    room = width - tail_width;
    if (alike)
        fit = cut_inside(head, room, utf8);
    if (!fit)
        fit = fitting_form(head, room, utf8);
    if (!fit)
        fit = cut_last(head, room, utf8);
    whole = xasprintf("%s%s", fit, tail);
    free(fit);
    free(head);
    free(tail);
    return whole;
}

char *text_shorten_name(const char *name, unsigned width, bool utf8)
{
    return shorten_name(name, width, false, utf8);
}

char *text_shorten_alike(const char *name, unsigned width, bool utf8)
{
    return shorten_name(name, width, true, utf8);
}

unsigned text_least_name(const char *name, bool utf8)
{
    size_t size = name_tail(name);
    char *head = xstrndup(name, size), *text = name_form(head, NAME_NO_ARGUMENTS);
    unsigned least = text_width(last_part(text), utf8), whole = text_width(name, utf8);
    unsigned tail = width_before(name + size, tail_size(name, size, whole - 1, utf8), utf8);

    free(head);
    free(text);
    /* A longer tail goes. */
    return tail > least ? least : least + tail;
}

char *text_long_name(const char *name, bool utf8)
{
    unsigned least;

    if (text_width(name, utf8) <= TEXT_NAME_MOST)
        return xstrdup(name);
    least = text_least_name(name, utf8);
    return text_shorten_name(name, least < TEXT_NAME_MOST ? TEXT_NAME_MOST : least, utf8);
}

/*--- Places ---*/

/* The end of the first segment of a relative path, which is the crate's or its folder's; 0: there
 * is none, or nothing to leave out behind it. */
static size_t crate_end(const char *place)
{
    const char *slash = *place == '/' ? NULL : strchr(place, '/');

    return slash && strchr(slash + 1, '/') ? (size_t)(slash + 1 - place) : 0;
}

unsigned text_least_place(const char *place, bool utf8)
{
    const char *file = strrchr(place, '/');
    unsigned whole = text_width(place, utf8), least;

    if (!file)
        return whole;
    least = width_before(place, crate_end(place), utf8) + (utf8 ? 1 : 3) + text_width(file, utf8);
    return least < whole ? least : whole;
}

char *text_shorten_place(const char *place, unsigned width, bool utf8)
{
    const char *ellipsis = utf8 ? "…" : "...", *file = strrchr(place, '/');
    unsigned dots = utf8 ? 1 : 3;
    size_t ends[] = {crate_end(place), 0};

    if (text_width(place, utf8) <= width)
        return xstrdup(place);
    for (size_t i = ends[0] ? 0 : 1; file && i < sizeof ends / sizeof *ends; i++) {
        char *crate = xstrndup(place, ends[i]), *text = NULL;
        unsigned taken = text_width(crate, utf8) + dots;

        for (const char *rest = place + ends[i]; !text && rest <= file; rest++)
            if (*rest == '/' && text_width(rest, utf8) + taken <= width)
                text = xasprintf("%s%s%s", crate, ellipsis, rest);
        free(crate);
        if (text)
            return text;
    }
    return text_shorten(place, width, TEXT_CUT_START, utf8);
}
