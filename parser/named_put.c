#include <config.h>

/* The fields of lines with names, as they are written. */
#include "named.h"

void named_put_unsigned(struct sink *out, uint64_t number)
{
    sink_byte(out, ' ');
    sink_unsigned(out, number);
}

void named_put_signed(struct sink *out, int64_t number)
{
    sink_byte(out, ' ');
    sink_signed(out, number);
}

void named_put_address(struct sink *out, uint64_t address)
{
    sink_byte(out, ' ');
    sink_hex(out, address);
}

static void put_none(struct sink *out)
{
    sink_byte(out, ' ');
    sink_byte(out, NAMED_NONE);
}

void named_put_index(struct sink *out, uint32_t index)
{
    if (index == CPROF_NONE)
        put_none(out);
    else
        named_put_unsigned(out, index);
}

static void put_escape(struct sink *out, unsigned char byte)
{
    const char escape[] = {CP_RAW_ESCAPE, 'x', "0123456789abcdef"[byte >> 4],
                           "0123456789abcdef"[byte & 15]};

    sink_bytes(out, escape, sizeof escape);
}

/* Bytes that stand for themselves are most of any text: they are put piece by piece. */
static void put_bytes(struct sink *out, const char *text, int is_word)
{
    const char *start = text;

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c >= 0x20 && c != 0x7f && c != CP_RAW_ESCAPE && (c != ' ' || !is_word))
            continue;
        sink_bytes(out, start, (size_t)(text - start));
        put_escape(out, c);
        start = text + 1;
    }
    sink_bytes(out, start, (size_t)(text - start));
}

void named_put_text(struct sink *out, const char *text)
{
    sink_byte(out, ' ');
    put_bytes(out, text, 0);
}

void named_put_word(struct sink *out, const char *text)
{
    if (!text) {
        put_none(out);
        return;
    }
    sink_byte(out, ' ');
    if (text[0] == NAMED_NONE && !text[1])
        put_escape(out, NAMED_NONE);
    else
        put_bytes(out, text, 1);
}

void named_put_counts(struct sink *out, const int64_t *values, uint32_t n)
{
    while (n > 1 && !values[n - 1])
        n--;
    for (uint32_t i = 0; i < n; i++)
        named_put_signed(out, values[i]);
    sink_end_line(out);
}
