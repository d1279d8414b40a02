/*
 * lex.h - numbers and words out of a line, which is a pointer and an end. No NUL is needed or
 * looked for.
 *
 * The lex_ functions move *at past the bytes that they read. They return LEX_OK; LEX_BAD where
 * there is no such thing, or LEX_RANGE where a number does not fit, and *at stays.
 */
#ifndef PARSER_LEX_H
#define PARSER_LEX_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum lex { LEX_OK, LEX_BAD, LEX_RANGE };

static inline int lex_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline int lex_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *lex_skip_blanks(const char *at, const char *end)
{
    while (at < end && lex_is_blank(*at))
        at++;
    return at;
}

/* Digits of base 10, up to 2^64-1. */
static inline enum lex lex_decimal(const char **at, const char *end, uint64_t *value)
{
    const char *p = *at, *safe = end - p > 19 ? p + 19 : end;
    uint64_t n = 0;

    if (p == end || !lex_is_digit(*p))
        return LEX_BAD;
    for (; p < safe && lex_is_digit(*p); p++)
        n = n * 10 + (uint64_t)(*p - '0');
    for (; p < end && lex_is_digit(*p); p++)
        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
            return LEX_RANGE;
    *value = n;
    *at = p;
    return LEX_OK;
}

/* lex_quick_decimal() where fewer than 8 bytes are there, or all 8 are digits. */
const char *lex_longer_decimal(const char *at, const char *end, uint64_t *value);

/*
 * Reads up to 18 digits, which cannot overflow; `at` may be `end`. Returns the byte behind them,
 * which is there; NULL where there is no digit, or more of them, or `end` comes first. A number of
 * up to 7 digits is taken 8 bytes at a time, without a branch on its length, which no processor can
 * foresee: bytes that are no digits get their highest bit set, those from the first such one on are
 * shifted out, and digits are joined in twos, fours and eights.
 */
static inline const char *lex_quick_decimal(const char *at, const char *end, uint64_t *value)
{
    uint64_t n, others;

    if (end - at >= 8) {
        memcpy(&n, at, sizeof n);
        n = le64toh(n) ^ UINT64_C(0x3030303030303030);
        others = ((n + UINT64_C(0x7676767676767676)) | n) & UINT64_C(0x8080808080808080);
        if (others & 0x80)
            return NULL;
        if (others) {
            unsigned bits = (unsigned)__builtin_ctzll(others) & ~7u;
            n <<= 64 - bits;
            n = (n * 10 + (n >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
            n = (n * 100 + (n >> 16)) & UINT64_C(0x0000ffff0000ffff);
            *value = (n * 10000 + (n >> 32)) & UINT32_MAX;
            return at + bits / 8;
        }
    }
    return lex_longer_decimal(at, end, value);
}

/* lex_quick_decimal() that skips one blank behind the number. NULL where another byte is there, or
 * none. */
static inline const char *lex_quick_field(const char *at, const char *end, uint64_t *value)
{
    at = lex_quick_decimal(at, end, value);
    return at && at < end && *at == ' ' ? at + 1 : NULL;
}

/* lex_quick_hex_field() where fewer than 8 bytes are there, or none of 8 is a blank. */
const char *lex_longer_hex_field(const char *at, const char *end, uint64_t *value);

/* A field of up to 16 lower-case hexadecimal digits and one blank: bytes up to the blank are
 * taken for digits, and then compared with the digits as they are written. */
static inline const char *lex_quick_hex_field(const char *at, const char *end, uint64_t *value)
{
    uint64_t n, digits, written, blanks;
    unsigned bits;

    if (end - at < 8)
        return lex_longer_hex_field(at, end, value);
    memcpy(&n, at, sizeof n);
    n = le64toh(n);
    blanks = n ^ UINT64_C(0x2020202020202020);
    blanks = (blanks - UINT64_C(0x0101010101010101)) & ~blanks & UINT64_C(0x8080808080808080);
    if (!blanks)
        return lex_longer_hex_field(at, end, value);
    bits = (unsigned)__builtin_ctzll(blanks) & ~7u;
    if (!bits)
        return NULL;
    n = n << (64 - bits) | UINT64_C(0x3030303030303030) >> bits;
    digits = (n & UINT64_C(0x0f0f0f0f0f0f0f0f)) + 9 * (n >> 6 & UINT64_C(0x0101010101010101));
    written = (digits + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    written = digits + UINT64_C(0x3030303030303030) + 0x27 * written;
    if (written != n || (digits & UINT64_C(0xf0f0f0f0f0f0f0f0)))
        return NULL;
    digits = (digits * 16 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits * 256 + (digits >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (digits * 65536 + (digits >> 32)) & UINT32_MAX;
    return at + bits / 8 + 1;
}

/* Digits of base 16 in either case, without a prefix, up to 2^64-1. */
enum lex lex_hex(const char **at, const char *end, uint64_t *value);
/* Digits of base 16 behind the "0x" that *at points to. */
enum lex lex_prefixed(const char **at, const char *end, uint64_t *value);

/* "0x" and hexadecimal digits, or decimal digits. */
static inline enum lex lex_number(const char **at, const char *end, uint64_t *value)
{
    if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
        return lex_prefixed(at, end, value);
    return lex_decimal(at, end, value);
}

/* A count: as lex_number, up to 2^63-1, with an optional '-' in front. */
static inline enum lex lex_count(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    int negative = p < end && *p == '-';
    uint64_t n;
    enum lex result;

    p += negative;
    result = lex_number(&p, end, &n);
    if (result != LEX_OK)
        return result;
    if (n > INT64_MAX)
        return LEX_RANGE;
    *value = negative ? -(int64_t)n : (int64_t)n;
    *at = p;
    return LEX_OK;
}

/* A count below zero that its writer took for an unsigned number: 2^64 minus something, in base 10.
 */
enum lex lex_wrapped_count(const char **at, const char *end, int64_t *value);

/* A decimal number that fits a long and ends at a blank or the end, blanks around it allowed: for
 * header fields. */
enum lex lex_long(const char *at, const char *end, long *value);

/* The next word, of anything but blanks; blanks before it are skipped. NULL at the end of the line.
 */
const char *lex_word(const char **at, const char *end, size_t *size);

/* Tells if [at, end) begins with the literal `text`. */
#define LEX_STARTS(at, end, text) \
    ((size_t)((end) - (at)) >= sizeof(text) - 1 && !memcmp(at, text, sizeof(text) - 1))

#endif
