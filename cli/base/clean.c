#include <config.h>

#include "base/clean.h"

#include "base/memory.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

bool text_is_utf8(void)
{
    const char *encoding = nl_langinfo(CODESET);

    return !strcasecmp(encoding, "UTF-8") || !strcasecmp(encoding, "UTF8");
}

uint32_t text_decode(const char *text, size_t *size)
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

/* The first character of `text` from the byte at `at` on: in UTF-8, three bytes on at the most. */
static const char *next_character(const char *text, size_t at)
{
    for (size_t end = at + 3; at < end && (text[at] & 0xc0) == 0x80;)
        at++;
    return text + at;
}

/* The text with an ellipsis for its middle. */
static char *without_middle(const char *text, size_t size)
{
    size_t half = TEXT_SHOWN_MAX / 2;
    const char *tail = next_character(text, size - half);

    return xasprintf("%.*s%s%s", (int)(next_character(text, half) - text), text, text_ellipsis(),
                     tail);
}

/* A copy of the text with a replacement, of at most three bytes, for each byte that is not valid in
 * the encoding and, unless `controls` stay, each control character. */
static char *clean_all(const char *text, bool utf8, bool controls)
{
    char *clean = xreallocarray(NULL, strlen(text) + 1, 3), *end = clean;
    size_t size;

    for (; *text; text += size) {
        uint32_t c = text_decode(text, &size);
        bool keep = c != UINT32_MAX && (controls || !is_control(c)) && (utf8 || c < 0x80);
        const char *from = keep ? text : utf8 ? REPLACEMENT : "?";
        size_t n = keep ? size : strlen(from);

        memcpy(end, from, n);
        end += n;
    }
    *end = '\0';
    return clean;
}

char *text_clean(const char *text)
{
    bool utf8 = text_is_utf8();
    size_t size = strlen(text);
    char *shorter, *clean;

    if (size <= TEXT_SHOWN_MAX)
        return clean_all(text, utf8, false);
    shorter = without_middle(text, size);
    clean = clean_all(shorter, utf8, false);
    free(shorter);
    return clean;
}

char *text_shown(const char *text)
{
    return clean_all(text, true, false);
}

char *text_utf8(const char *text)
{
    return clean_all(text, true, true);
}
