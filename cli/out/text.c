#include <config.h>

#include "out/text.h"

#include "base/memory.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

bool text_is_utf8(void)
{
    const char *encoding = nl_langinfo(CODESET);

    return !strcasecmp(encoding, "UTF-8") || !strcasecmp(encoding, "UTF8");
}

/*
 * The character that begins at `text`, and its length in `*size`. UINT32_MAX, of length 1, where
 * that is not UTF-8: a stray or missing continuation byte, an overlong form, a surrogate, beyond
 * U+10FFFF.
 */
static uint32_t decode(const char *text, size_t *size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t n = p[0] < 0x80   ? 1
               : p[0] < 0xc0 ? 0
               : p[0] < 0xe0 ? 2
               : p[0] < 0xf0 ? 3
               : p[0] < 0xf8 ? 4
                             : 0;
    uint32_t c;

    *size = 1;
    if (n == 1)
        return p[0];
    if (n == 0)
        return UINT32_MAX;
    c = p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return UINT32_MAX;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return UINT32_MAX;
    *size = n;
    return c;
}

/* Characters that would move the cursor or turn text around: C0, C1, separators, marks, embeddings
 * and isolates of direction; and those that are none, which XML forbids. */
static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
           (c & 0xfffe) == 0xfffe;
}

char *text_clean(const char *text, bool utf8)
{
    /* A byte becomes at most three. */
    char *clean = xreallocarray(NULL, strlen(text) + 1, 3), *end = clean;
    size_t size;

    for (; *text; text += size) {
        uint32_t c = decode(text, &size);
        bool keep = c != UINT32_MAX && !is_control(c) && (utf8 || c < 0x80);
        const char *from = keep ? text : utf8 ? REPLACEMENT : "?";
        size_t n = keep ? size : strlen(from);

        memcpy(end, from, n);
        end += n;
    }
    *end = '\0';
    return clean;
}

char *text_local(const char *text)
{
    return text_clean(text, text_is_utf8());
}

char *text_shown(const char *text)
{
    return text_clean(text, true);
}

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
        width += width_of(decode(text, &size), utf8);
    return width;
}

/* How many bytes of `text` fit into `width` columns, whole characters with what combines with them.
 */
static size_t fit_start(const char *text, unsigned width, bool utf8)
{
    size_t at = 0, size;

    for (unsigned used = 0; text[at]; at += size) {
        used += width_of(decode(text + at, &size), utf8);
        if (used > width)
            break;
    }
    return at;
}

/* Where the tail of `text` begins that fits into `width` columns. A mark that combines with what is
 * cut off goes with it. */
static size_t fit_end(const char *text, unsigned width, bool utf8)
{
    unsigned left = text_width(text, utf8);
    size_t at = 0, size;

    while (text[at]) {
        unsigned its = width_of(decode(text + at, &size), utf8);

        if (left <= width && its > 0)
            break;
        left -= its;
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
    if (width <= dots)
        return xstrndup(text, fit_start(text, width, utf8));
    /* The end of a path of names says more than its beginning: it gets the larger half. */
    start = cut == TEXT_CUT_MIDDLE ? (width - dots) / 2 : cut == TEXT_CUT_START ? 0 : width - dots;
    if (cut == TEXT_CUT_END)
        return xasprintf("%.*s%s", (int)fit_start(text, start, utf8), text, ellipsis);
    return xasprintf("%.*s%s%s", (int)fit_start(text, start, utf8), text, ellipsis,
                     text + fit_end(text, width - dots - start, utf8));
}

char *text_utf8(const char *text)
{
    char *valid = xreallocarray(NULL, strlen(text) + 1, 3), *end = valid;
    size_t size;

    for (; *text; text += size) {
        bool keep = decode(text, &size) != UINT32_MAX;
        size_t n = keep ? size : 3;

        memcpy(end, keep ? text : REPLACEMENT, n);
        end += n;
    }
    *end = '\0';
    return valid;
}

char *text_count(char buffer[TEXT_NUMBER], int64_t value)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char digits[TEXT_NUMBER], *p = digits + sizeof digits - 1;
    unsigned n = 0;

    *p = '\0';
    do {
        if (n && n % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + rest % 10);
        rest /= 10;
        n++;
    } while (rest);
    if (value < 0)
        *--p = '-';
    return strcpy(buffer, p);
}

char *text_count_short(char buffer[TEXT_NUMBER], int64_t value)
{
    static const char units[] = "kMGTPE";
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1000;
    unsigned i = 0;
    uint64_t tenths;

    if (size < 10000)
        return text_count(buffer, value);
    /* Rounded up to 1000.0 of a unit, it is 1.0 of the next. */
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
    /* Rounded up to 1000 of a unit, it is 1.0 of the next. */
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
    /* A part larger than its whole by more than this is no percentage that anyone reads. */
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
