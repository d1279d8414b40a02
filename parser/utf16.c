#include <config.h>

#include "utf16.h"

#include <stdint.h>
#include <string.h>

/* So many characters have to be ASCII where there is no mark. */
enum { LOOKED_AT = 8 };

static unsigned unit_at(enum utf16_order order, const unsigned char *bytes)
{
    return order == UTF16_LITTLE ? bytes[0] | (unsigned)bytes[1] << 8
                                 : bytes[1] | (unsigned)bytes[0] << 8;
}

static int is_text(enum utf16_order order, const unsigned char *bytes)
{
    for (size_t i = 0; i < LOOKED_AT; i++) {
        unsigned c = unit_at(order, bytes + 2 * i);

        if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c > 0x7e)
            return 0;
    }
    return 1;
}

enum utf16_order utf16_order_of(const void *bytes, size_t size)
{
    const unsigned char *b = bytes;

    if (size >= 4 && !memcmp(b, "\xff\xfe\0", 4)) /* UTF-32 */
        return UTF16_NONE;
    if (size >= 2 && b[0] == 0xff && b[1] == 0xfe)
        return UTF16_LITTLE;
    if (size >= 2 && b[0] == 0xfe && b[1] == 0xff)
        return UTF16_BIG;
    if (size < 2 * LOOKED_AT)
        return UTF16_NONE;
    return is_text(UTF16_LITTLE, b) ? UTF16_LITTLE : is_text(UTF16_BIG, b) ? UTF16_BIG : UTF16_NONE;
}

/* Writes `c` as UTF-8; returns its size. */
static size_t put_utf8(char *to, uint32_t c)
{
    size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = size; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(size == 1 ? c : (0xf00 >> size & 0xff) | c);
    return size;
}

size_t utf16_character(enum utf16_order order, const unsigned char *bytes, size_t size, int at_end,
                       char *to, size_t *length)
{
    uint32_t c, low;

    if (size < 2)
        return 0;
    c = unit_at(order, bytes);
    if (c >= 0xd800 && c < 0xdc00 && size < 4 && !at_end)
        return 0;
    low = c >= 0xd800 && c < 0xdc00 && size >= 4 ? unit_at(order, bytes + 2) : 0;
    if (low >= 0xdc00 && low < 0xe000) {
        *length = put_utf8(to, 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff));
        return 4;
    }
    *length = c == 0xfeff ? 0 : put_utf8(to, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
    return 2;
}
