#include <config.h>

/* Names of functions that are inlined into each other, in a width. */
#include "base/memory.h"
#include "base/strbuf.h"
#include "names/name_forms.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

const char *text_chain_arrow(bool utf8)
{
    return utf8 ? " › " : " > ";
}

static const char *dots_of(bool utf8)
{
    return utf8 ? "…" : "...";
}

/* The names of a chain. */
struct chain {
    char **names;
    size_t n;
    bool utf8;
};

static struct chain split(const char *text, bool utf8)
{
    const char *arrow = text_chain_arrow(utf8), *end;
    struct chain c = {.names = xcalloc(strlen(text) / strlen(arrow) + 1, sizeof *c.names),
                      .utf8 = utf8};

    for (; (end = strstr(text, arrow)) != NULL; text = end + strlen(arrow))
        c.names[c.n++] = xstrndup(text, (size_t)(end - text));
    c.names[c.n++] = xstrdup(text);
    return c;
}

static void free_chain(struct chain *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->names[i]);
    free(c->names);
}

/* How far each name of a chain is shortened: its form, and how many parts of its path are left. */
struct degree {
    enum name_form form;
    unsigned parts; /* 0: all */
};

static const struct degree degrees[] = {
    {NAME_WHOLE, 0},    {NAME_NO_PARAMETERS, 0}, {NAME_NO_TYPES, 0},     {NAME_NO_TRAIT, 0},
    {NAME_NO_TRAIT, 2}, {NAME_NO_ARGUMENTS, 2},  {NAME_NO_ARGUMENTS, 1},
};

enum { DEGREES = sizeof degrees / sizeof *degrees };

/* The last `parts` parts of a path; 0: all. It points into `name`. */
static const char *last_parts(const char *name, unsigned parts)
{
    const char *first = name;
    unsigned n = 1;

    if (!parts)
        return name;
    for (const char *rest = name; (rest = name_rest(rest)) != NULL;)
        if (++n > parts)
            first = name_rest(first);
    return first;
}

static void add_name(struct strbuf *text, const char *name, const struct degree *degree,
                     const char *arrow)
{
    char *form = name_form(name, degree->form);

    strbuf_add_item(text, arrow, last_parts(form, degree->parts));
    free(form);
}

/* The chain to a degree, without the names between the first and the last where `ends`. */
static char *joined(const struct chain *c, const struct degree *degree, bool ends)
{
    const char *arrow = text_chain_arrow(c->utf8);
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < c->n; i++) {
        if (!ends || i == 0 || i + 1 == c->n)
            add_name(&text, c->names[i], degree, arrow);
        else if (i == 1)
            strbuf_add_item(&text, arrow, dots_of(c->utf8));
    }
    return strbuf_take(&text);
}

/* The fullest such text that fits; NULL: none does. */
static char *fitting(const struct chain *c, bool ends, unsigned width)
{
    for (size_t i = 0; i < DEGREES; i++) {
        char *text = joined(c, &degrees[i], ends);

        if (text_width(text, c->utf8) <= width)
            return text;
        free(text);
    }
    return NULL;
}

/* The columns of " › …". */
static unsigned rest_width(bool utf8)
{
    return text_width(text_chain_arrow(utf8), utf8) + text_width(dots_of(utf8), utf8);
}

/* "a › …"; the name alone where there is no room for more. */
static char *first_alone(const struct chain *c, unsigned width)
{
    unsigned rest = rest_width(c->utf8), least = text_least_name(c->names[0], c->utf8);
    char *name, *text;

    if (width < rest + least)
        return text_shorten_name(c->names[0], width, c->utf8);
    name = text_shorten_name(c->names[0], width - rest, c->utf8);
    text = xasprintf("%s%s%s", name, text_chain_arrow(c->utf8), dots_of(c->utf8));
    free(name);
    return text;
}

char *text_shorten_chain(const char *text, unsigned width, bool utf8)
{
    struct chain c;
    char *fit;

    if (text_width(text, utf8) <= width)
        return xstrdup(text);
    c = split(text, utf8);
    fit = c.n > 1 ? fitting(&c, false, width) : text_shorten_name(text, width, utf8);
    if (!fit && c.n > 2)
        fit = fitting(&c, true, width);
    if (!fit)
        fit = first_alone(&c, width);
    free_chain(&c);
    return fit;
}

unsigned text_least_chain(const char *text, bool utf8)
{
    struct chain c = split(text, utf8);
    unsigned least = text_least_name(c.names[0], utf8);

    free_chain(&c);
    return least;
}
