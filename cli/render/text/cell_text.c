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

static const char *count_text(char buffer[TEXT_NUMBER], int64_t value, enum count_form form)
{
    return form == COUNT_SHORTEST ? text_count_shortest(buffer, value)
           : form == COUNT_SHORT  ? text_count_short(buffer, value)
                                  : text_count(buffer, value);
}

static char *ratio_text(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];
    int64_t part = c->value, whole = c->whole;
    __int128 tenths;

    if (!whole)
        return xstrdup("-");
    tenths = ((__int128)part * 20 + whole) / (2 * (__int128)whole);
    if (tenths < 1000)
        return xasprintf("%d.%d", (int)(tenths / 10), (int)(tenths % 10));
    part = part / whole + (part % whole >= whole - part % whole);
    return xstrdup(count_text(text, part, form == COUNT_FULL ? COUNT_FULL : COUNT_SHORT));
}

static char *calls_text(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];

    if (!c->whole)
        return xstrdup("-");
    return c->value ? xasprintf("%s%s", count_text(text, c->value, form), c->about ? "+" : "")
                    : xstrdup(TEXT_INLINED);
}

char *cell_text_of(const struct cell *c, enum count_form form)
{
    char text[TEXT_NUMBER];

    if (c->text)
        return xstrdup(c->text);
    switch (c->kind) {
    case CELL_SHARE:
        return xstrdup(text_percent(text, c->value, c->whole, c->decimals));
    case CELL_RATIO:
        return ratio_text(c, form);
    case CELL_CALLS:
        return calls_text(c, form);
    case CELL_REAL:
        return isinf(c->real) ? xstrdup("-") : xasprintf("%.*f", (int)c->decimals, c->real);
    case CELL_DURATION:
        return xstrdup(text_duration(text, c->value));
    case CELL_SIZE:
        return c->value ? curve_size_text((uint64_t)c->value) : xstrdup("-");
    default:
        return xasprintf("%s%s", sign_of(c), count_text(text, c->value, form));
    }
}

char *cell_clean_text(const struct cell *c, enum count_form form)
{
    char *text = cell_text_of(c, form), *clean = text_clean(text, text_is_utf8());

    free(text);
    return clean;
}
