/* Units below the readers: error, arena, map, lex. */
#include <config.h>

#include "../tap.h"
#include "arena.h"
#include "error.h"
#include "lex.h"
#include "map.h"

#include <stdint.h>
#include <stdlib.h>

static void test_error(void)
{
    struct cprof_error e;
    char name[400];

    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    error_init(&e, name);
    ok(!strncmp(e.source, "...x", 4) && strlen(e.source) == sizeof e.source - 1,
       "a long source loses its beginning");
    error_init(&e, "a");
    is_number(error_set(&e, CPROF_ERROR_RANGE, "first %d", 1), -1, "error_set returns -1");
    error_set(&e, CPROF_ERROR_MEMORY, "second");
    is_text(e.text, "first 1", "the first error wins");
    is_number(e.code, CPROF_ERROR_RANGE, "the first error's code stays, too");
    error_init(&e, "a");
    memset(name + 10, 'y', 1);
    error_at(&e, CPROF_ERROR_SYNTAX, 7, 301, name, 399, "bad");
    is_number((long long)e.line, 7, "line");
    ok(e.mark < strlen(e.excerpt) && strlen(e.excerpt) == sizeof e.excerpt - 1,
       "the mark is inside the excerpt of a long line");
    error_init(&e, "a");
    error_at(&e, CPROF_ERROR_SYNTAX, 1, 2, "a\tb", 3, "bad");
    is_text(e.excerpt, "a?b", "control characters are replaced");
}

static void test_arena(void)
{
    struct arena a = {0};
    char *first = arena_text(&a, "hello\0x", 7), *large;
    int aligned = 1;
    volatile size_t absurd = SIZE_MAX - 8; /* unknown to the compiler, which would warn */

    ok(first && !memcmp(first, "hello\0x", 8), "text is copied with its NUL");
    for (int i = 0; i < 1000; i++) {
        arena_text(&a, "odd", 3);
        aligned &= !((uintptr_t)arena_alloc(&a, 40) % 16);
    }
    ok(aligned, "allocations are aligned after texts");
    large = arena_alloc(&a, 5000000);
    ok(large != NULL, "larger than any chunk");
    if (large)
        memset(large, 1, 5000000);
    is_text(first, "hello", "earlier memory stays");
    ok(!arena_alloc(&a, absurd), "an absurd size is refused");
    ok(!arena_copy(&a, first, SIZE_MAX / 2, 16), "an overflowing size is refused");
    ok(arena_text(&a, "x", 1) != NULL, "the arena goes on after a size that is refused");
    arena_release(&a);
    ok(!a.chunks, "release empties it");
}

static int equal_number(const void *owner, uint32_t index, const void *key)
{
    return ((const uint64_t *)owner)[index] == *(const uint64_t *)key;
}

static void test_map(void)
{
    enum { COUNT = 20000 };
    uint64_t *keys = calloc(COUNT, sizeof *keys), missing = 5;
    struct map m = {0};
    int found = 1;

    if (!ok(keys != NULL, "memory"))
        return;
    ok(map_find(&m, 1, equal_number, keys, &missing) == MAP_NONE, "an empty map has nothing");
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = (uint64_t)i * 0x100000000u + 7;
        found &= !map_add(&m, i < 100 ? 42 : map_hash(keys[i]), i);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        found &= map_find(&m, i < 100 ? 42 : map_hash(keys[i]), equal_number, keys, &keys[i]) == i;
    ok(found, "all keys are found again, those of one hash too");
    ok(map_find(&m, 42, equal_number, keys, &missing) == MAP_NONE, "another is not");
    ok(map_hash_bytes("abcdefghi", 9, 1) != map_hash_bytes("abcdefghj", 9, 1) &&
           map_hash_bytes("abc", 3, 1) != map_hash_bytes("abc\0", 4, 1) &&
           map_hash_bytes("abc", 3, 1) != map_hash_bytes("abc", 3, 2),
       "hashes depend on bytes, size and seed");
    map_release(&m);
    free(keys);
}

static int decimal(const char *text, uint64_t *value)
{
    const char *at = text, *end = text + strlen(text);
    enum lex result = lex_decimal(&at, end, value);

    return result == LEX_OK ? (int)(at - text) : -(int)result;
}

static int count(const char *text, int64_t *value)
{
    const char *at = text, *end = text + strlen(text);
    enum lex result = lex_count(&at, end, value);

    return result == LEX_OK ? (int)(at - text) : -(int)result;
}

static void test_lex(void)
{
    const char *text = "  one\ttwo ", *at = text, *end = text + strlen(text), *word;
    uint64_t u = 0;
    int64_t n = 0;
    long l = 0;
    size_t size;

    ok(decimal("18446744073709551615", &u) == 20 && u == UINT64_MAX, "the largest decimal");
    is_number(decimal("18446744073709551616", &u), -LEX_RANGE, "one more is out of range");
    is_number(decimal("99999999999999999999999", &u), -LEX_RANGE,
              "a number of more digits is out of range");
    ok(decimal("00000000000000000000000012x", &u) == 26 && u == 12, "leading zeros");
    is_number(decimal("x", &u), -LEX_BAD, "no digit");
    is_number(decimal("", &u), -LEX_BAD, "nothing");
    ok(count("0x1fF ", &n) == 5 && n == 511, "hexadecimal");
    ok(count("-9223372036854775807", &n) == 20 && n == -INT64_MAX, "the smallest count");
    is_number(count("9223372036854775808", &n), -LEX_RANGE, "2^63 is out of range");
    is_number(count("0x10000000000000000", &n), -LEX_RANGE, "2^64 in hexadecimal too");
    is_number(count("-", &n), -LEX_BAD, "a lone minus");
    is_number(count("0xg", &n), -LEX_BAD, "0x without digits");
    word = lex_word(&at, end, &size);
    ok(word && size == 3 && !memcmp(word, "one", 3), "first word");
    word = lex_word(&at, end, &size);
    ok(word && size == 3 && !memcmp(word, "two", 3), "second word");
    ok(!lex_word(&at, end, &size), "no third");
    text = " -12 ";
    ok(lex_long(text, text + 5, &l) == LEX_OK && l == -12, "a long among blanks");
    text = "12 3";
    is_number(lex_long(text, text + 4, &l), LEX_BAD, "two numbers are not one");
}

/* A field of hexadecimal digits, read 8 bytes at a time and one by one, with every byte at every
 * place. */
static void test_quick_hex(void)
{
    static const char whole[] = "1a09f2 0 7 beef.\n";
    int same = 1, taken = 0;

    for (size_t from = 0; from < 8; from++)
        for (size_t at = from; at < sizeof whole - 1; at++)
            for (int byte = 0; byte < 256; byte++) {
                char text[sizeof whole];
                uint64_t quick = 0, slow = 0;
                const char *start, *behind;

                memcpy(text, whole, sizeof text);
                text[at] = (char)(unsigned char)byte;
                start = text + from;
                behind = lex_quick_hex_field(start, text + sizeof whole - 1, &quick);
                same &= behind == lex_longer_hex_field(start, text + sizeof whole - 1, &slow) &&
                        (!behind || quick == slow);
                taken += behind != NULL;
            }
    ok(same && taken, "quick fields are what all digits say");
}

int main(void)
{
    test_quick_hex();
    test_error();
    test_arena();
    test_map();
    test_lex();
    return tap_done();
}
