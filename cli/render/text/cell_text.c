#include <config.h>

#include "render/text/cell_text.h"

#include "base/memory.h"
#include "render/text/text.h"
#include "table/curves.h"

#include <math.h>
#include <stdlib.h>

/* The sign before a count, or "". */
static const char *sign_of(const struct cell *c)
{
    if (c->about)
        return text_is_utf8() ? "≈" : "~";
    return c->kind == CELL_CHANGE && c->value > 0 ? "+" : "";
}

char *cell_text_of(const struct cell *c, bool rounded)
{
    char text[TEXT_NUMBER];

    if (c->text)
        return xstrdup(c->text);
    switch (c->kind) {
    case CELL_SHARE:
        return xstrdup(text_percent(text, c->value, c->whole, c->decimals));
    case CELL_REAL:
        return isinf(c->real) ? xstrdup("-") : xasprintf("%.*f", (int)c->decimals, c->real);
    case CELL_DURATION:
        return xstrdup(text_duration(text, c->value));
    case CELL_SIZE:
        return c->value ? curve_size_text((uint64_t)c->value) : xstrdup("-");
    default:
        return xasprintf("%s%s", sign_of(c),
                         rounded ? text_count_short(text, c->value) : text_count(text, c->value));
    }
}

char *cell_clean_text(const struct cell *c, bool rounded)
{
    char *text = cell_text_of(c, rounded), *clean = text_clean(text, text_is_utf8());

    free(text);
    return clean;
}
