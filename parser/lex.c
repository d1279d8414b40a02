#include <config.h>

#include "lex.h"

#include <limits.h>

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_value(char c)
{
    if (lex_is_digit(c))
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

const char *lex_longer_decimal(const char *at, const char *end, uint64_t *value)
{
    const char *start = at;
    uint64_t n = 0;

    for (; at < end && lex_is_digit(*at); at++)
        n = n * 10 + (uint64_t)(*at - '0');
    *value = n;
    return at == start || at - start > 18 || at == end ? NULL : at;
}

const char *lex_longer_hex_field(const char *at, const char *end, uint64_t *value)
{
    const char *start = at;
    uint64_t n = 0;

    for (; at < end && *at != ' '; at++) {
        unsigned digit = (unsigned char)(*at - '0');
        if (digit > 9) {
            digit = (unsigned char)(*at - 'a');
            if (digit > 5)
                return NULL;
            digit += 10;
        }
        n = n << 4 | digit;
    }
    *value = n;
    return at == end || at == start || at - start > 16 ? NULL : at + 1;
}

enum lex lex_hex(const char **at, const char *end, uint64_t *value)
{
    const char *p = *at;
    uint64_t n = 0;
    unsigned digit;

    for (; p < end && (digit = hex_value(*p)) < 16; p++) {
        if (n >> 60)
            return LEX_RANGE;
        n = n << 4 | digit;
    }
    if (p == *at)
        return LEX_BAD;
    *value = n;
    *at = p;
    return LEX_OK;
}

enum lex lex_prefixed(const char **at, const char *end, uint64_t *value)
{
    const char *digits = *at + 2;
    enum lex result = lex_hex(&digits, end, value);

    if (result == LEX_OK)
        *at = digits;
    return result;
}

enum lex lex_wrapped_count(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    uint64_t n;
    enum lex result = lex_decimal(&p, end, &n);

    if (result != LEX_OK)
        return result;
    if (n <= (uint64_t)INT64_MAX + 1)
        return LEX_RANGE;
    *value = -(int64_t)(0 - n);
    *at = p;
    return LEX_OK;
}

enum lex lex_long(const char *at, const char *end, long *value)
{
    int64_t n;
    enum lex result;

    at = lex_skip_blanks(at, end);
    result = lex_count(&at, end, &n);
    if (result != LEX_OK)
        return result;
    if (lex_skip_blanks(at, end) != end)
        return LEX_BAD;
    if (n > LONG_MAX || n < LONG_MIN)
        return LEX_RANGE;
    *value = (long)n;
    return LEX_OK;
}

const char *lex_word(const char **at, const char *end, size_t *size)
{
    const char *start = lex_skip_blanks(*at, end), *p = start;

    while (p < end && !lex_is_blank(*p))
        p++;
    *at = p;
    *size = (size_t)(p - start);
    return *size ? start : NULL;
}
