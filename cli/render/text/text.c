#include <config.h>

#include "render/text/text.h"

#include "base/memory.h"
#include "table/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static unsigned width_of(uint32_t c, bool utf8)
{
    int width;

    if (!utf8 || c < 0x80)
        return 1;
    width = wcwidth((wchar_t)c);
    return width < 0 ? 1 : (unsigned)width;
}

unsigned text_width(const char *text, bool utf8)
{
    unsigned width = 0;
    size_t size;

    for (; *text; text += size)
        width += width_of(text_decode(text, &size), utf8);
    return width;
}

/* The number of bytes of `text` that fit into `width` columns: whole characters, with the marks
 * that combine with them. */
static size_t fit_start(const char *text, unsigned width, bool utf8)
{
    size_t at = 0, size;

    for (unsigned used = 0; text[at]; at += size) {
        used += width_of(text_decode(text + at, &size), utf8);
        if (used > width)
            break;
    }
    return at;
}

/* The beginning of the tail of `text` that fits into `width` columns. A mark that combines with a
 * cut character is cut, too. */
static size_t fit_end(const char *text, unsigned width, bool utf8)
{
    unsigned left = text_width(text, utf8);
    size_t at = 0, size;

    while (text[at]) {
        unsigned columns_taken = width_of(text_decode(text + at, &size), utf8);

        if (left <= width && columns_taken > 0)
            break;
        left -= columns_taken;
        at += size;
    }
    return at;
}

char *text_shorten(const char *text, unsigned width, enum text_cut cut, bool utf8)
{
    const char *ellipsis = utf8 ? "…" : "...";
    unsigned dots = utf8 ? 1 : 3, start;

    if (text_width(text, utf8) <= width)
        return xstrdup(text);
    switch (cut) {
    case TEXT_CUT_NAME:
        return text_shorten_name(text, width, utf8);
    case TEXT_CUT_ALIKE:
        return text_shorten_alike(text, width, utf8);
    case TEXT_CUT_CHAIN:
        return text_shorten_chain(text, width, utf8);
    case TEXT_CUT_PLACE:
        return text_shorten_place(text, width, utf8);
    default:
        break;
    }
    if (width <= dots)
        return xstrndup(text, fit_start(text, width, utf8));
    /* The end of a path of names says more than its beginning: it gets the larger half. */
    start = cut == TEXT_CUT_MIDDLE ? (width - dots) / 2 : cut == TEXT_CUT_START ? 0 : width - dots;
    if (cut == TEXT_CUT_END)
        return xasprintf("%.*s%s", (int)fit_start(text, start, utf8), text, ellipsis);
    return xasprintf("%.*s%s%s", (int)fit_start(text, start, utf8), text, ellipsis,
                     text + fit_end(text, width - dots - start, utf8));
}

char *text_duration(char buffer[TEXT_NUMBER], int64_t nanoseconds)
{
    static const struct {
        const char *name;
        double least;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    double size = nanoseconds < 0 ? -(double)nanoseconds : (double)nanoseconds;
    size_t i = 0;

    if (!nanoseconds)
        return strcpy(buffer, "0");
    while (i + 1 < sizeof units / sizeof *units && size < units[i].least)
        i++;
    size /= units[i].least;
    snprintf(buffer, TEXT_NUMBER, "%s%.*f %s", nanoseconds < 0 ? "-" : "",
             units[i].least <= 1 || size >= 100 ? 0
             : size >= 10                       ? 1
                                                : 2,
             size, units[i].name);
    return buffer;
}

const char *text_value(char buffer[TEXT_NUMBER], const struct column *column, int64_t value)
{
    return column->is_duration ? text_duration(buffer, value) : text_count(buffer, value);
}

char *text_count_short(char buffer[TEXT_NUMBER], int64_t value)
{
    static const char units[] = "kMGTPE";
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1000;
    unsigned i = 0;
    uint64_t tenths;

    if (size < 10000)
        return text_count(buffer, value);
    /* A value that rounds up to 1000.0 of a unit is 1.0 of the next. */
    while (size / unit >= 1000 || (size / unit == 999 && size % unit >= unit / 100 * 95)) {
        unit *= 1000;
        i++;
    }
    tenths = (uint64_t)(((unsigned __int128)size * 10 + unit / 2) / unit);
    snprintf(buffer, TEXT_NUMBER, "%s%u.%u%c", value < 0 ? "-" : "", (unsigned)(tenths / 10),
             (unsigned)(tenths % 10), units[i]);
    return buffer;
}

char *text_count_shortest(char buffer[TEXT_NUMBER], int64_t value)
{
    static const char units[] = "kMGTPE";
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : "";
    unsigned __int128 unit = 1000;
    unsigned i = 0, tenths;

    if (size < 10000) {
        snprintf(buffer, TEXT_NUMBER, "%s%u", sign, (unsigned)size);
        return buffer;
    }
    /* A value that rounds up to 1000 of a unit is 1.0 of the next. */
    for (; (size + unit / 2) / unit >= 1000; i++)
        unit *= 1000;
    tenths = (unsigned)(((unsigned __int128)size * 10 + unit / 2) / unit);
    if (tenths < 100)
        snprintf(buffer, TEXT_NUMBER, "%s%u.%u%c", sign, tenths / 10, tenths % 10, units[i]);
    else
        snprintf(buffer, TEXT_NUMBER, "%s%u%c", sign, (unsigned)((size + unit / 2) / unit),
                 units[i]);
    return buffer;
}

char *text_percent(char buffer[TEXT_NUMBER], int64_t part, int64_t whole, unsigned decimals)
{
    unsigned __int128 scaled,
        divisor = whole < 0 ? -(unsigned __int128)whole : (unsigned __int128)whole;
    bool negative = (part < 0) != (whole < 0) && part != 0;
    unsigned scale = 1;
    uint64_t value;

    if (whole == 0)
        return strcpy(buffer, "-");
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    scaled = (part < 0 ? -(unsigned __int128)part : (unsigned __int128)part) * 100 * scale;
    /* Nobody reads a larger percentage than this. */
    scaled = (scaled + divisor / 2) / divisor;
    value = scaled > UINT32_MAX ? UINT32_MAX : (uint64_t)scaled;
    if (decimals)
        snprintf(buffer, TEXT_NUMBER, "%s%llu.%0*llu", negative && value ? "-" : "",
                 (unsigned long long)(value / scale), (int)decimals,
                 (unsigned long long)(value % scale));
    else
        snprintf(buffer, TEXT_NUMBER, "%s%llu", negative && value ? "-" : "",
                 (unsigned long long)value);
    return buffer;
}
