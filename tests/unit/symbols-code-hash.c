/* Hashes of functions: the same code in another place has the same one, other code has not. */
#include <config.h>

#include "../tap.h"
#include "symbols/code_hash.h"

#include <string.h>

/* Bytes in hexadecimal, with blanks between them. */
static size_t read_bytes(const char *text, unsigned char *bytes)
{
    size_t n = 0;
    unsigned value;
    int used;

    while (sscanf(text, "%2x%n", &value, &used) == 1) {
        bytes[n++] = (unsigned char)value;
        text += used;
    }
    return n;
}

static uint64_t hash_of(const char *text)
{
    unsigned char bytes[256];

    return code_hash_of(bytes, read_bytes(text, bytes), 0x401000, 0x402000);
}

static void same(const char *a, const char *b, const char *what)
{
    ok(hash_of(a) && (uint32_t)hash_of(a) == (uint32_t)hash_of(b), "%s: the same code", what);
}

static void other(const char *a, const char *b, const char *what)
{
    ok(hash_of(a) && hash_of(b) && hash_of(a) >> 32 != hash_of(b) >> 32, "%s: other code", what);
}

static void neither(const char *a, const char *b, const char *what)
{
    ok(hash_of(a) >> 32 == hash_of(b) >> 32 && (uint32_t)hash_of(a) != (uint32_t)hash_of(b),
       "%s: nobody knows", what);
}

static void length_is(const char *text, unsigned size)
{
    unsigned char bytes[64] = {0};
    struct code_instruction i;

    read_bytes(text, bytes);
    ok(code_decode(bytes, sizeof bytes, &i) && i.size == size, "%s is %u bytes", text, size);
}

static void test_same(void)
{
    same("48 8b 05 10 00 00 00 c3", "48 8b 05 20 30 00 00 c3", "data elsewhere");
    same("e8 00 10 00 00 c3", "e8 f0 20 00 00 c3", "a call of what is elsewhere");
    same("75 01 c3 90 c3", "75 02 c3 90 90 c3", "more room in front of where a jump leads");
    same("75 01 c3 c3", "0f 85 01 00 00 00 c3 c3", "a longer form of a jump");
    same("66 0f 1f 44 00 00 c3", "c3", "instructions that do nothing");
    same("eb 00 c3", "e9 00 00 00 00 c3", "a longer form of an unconditional jump");
}

static void test_other(void)
{
    other("b8 01 00 00 00 c3", "b8 02 00 00 00 c3", "another number");
    other("48 01 d8 c3", "48 29 d8 c3", "another operation");
    other("75 01 c3 c3", "74 01 c3 c3", "another condition");
    other("75 01 c3 c3", "75 00 c3 c3", "a jump elsewhere within the function");
    other("8b 47 08 c3", "8b 47 10 c3", "another place in a structure");
    other("f3 90 c3", "90 c3", "a pause is no instruction that does nothing");
    other("c5 f9 fe c1 c3", "c5 fd fe c1 c3", "wider vectors");
    neither("bf 00 10 40 00 c3", "bf 08 10 40 00 c3", "a number that may be an address");
}

static void test_unknown(void)
{
    ok(hash_of("06 c3") == 0, "no instruction: no hash");
    ok(hash_of("75 01 b8 c3") == 0, "an instruction that is cut off: no hash");
    ok(hash_of("75 01 b8 01 00 00 00 c3") == 0, "a jump into an instruction: no hash");
    ok(hash_of("90 90") == 0, "nothing but room: no hash");
}

static void test_lengths(void)
{
    length_is("48 b8 01 02 03 04 05 06 07 08", 10);
    length_is("66 b8 01 02", 4);
    length_is("f6 c1 01", 3);
    length_is("f6 d1", 2);
    length_is("f7 04 25 00 10 40 00 01 00 00 00", 11);
    length_is("62 f1 7c 48 28 44 24 01", 8);
    length_is("c4 e3 7d 39 c1 01", 6);
    length_is("66 0f 3a 0f c1 08", 6);
    length_is("c8 10 00 00", 4);
}

int main(void)
{
    test_same();
    test_other();
    test_unknown();
    test_lengths();
    return tap_done();
}
