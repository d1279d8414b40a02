/*
 * data-alike.c - data that is easily taken for other data: many variables that one instruction
 * reads, and a block within a block. Fixed counts, in lines of 64 bytes.
 */
#include <stdlib.h>
#include <valgrind/valgrind.h>

#define APART __attribute__((noinline, noclone, noipa))

/* 5,000 variables of one line each: alike_0000 to alike_4999. */
#define ONE(n) \
    __attribute__((section("alike"), aligned(64), used)) volatile char alike_##n[64] = {1}
#define TEN(n) \
    ONE(n##0); \
    ONE(n##1); \
    ONE(n##2); \
    ONE(n##3); \
    ONE(n##4); \
    ONE(n##5); \
    ONE(n##6); \
    ONE(n##7); \
    ONE(n##8); \
    ONE(n##9)
#define HUNDRED(n) \
    TEN(n##0);     \
    TEN(n##1);     \
    TEN(n##2);     \
    TEN(n##3);     \
    TEN(n##4);     \
    TEN(n##5);     \
    TEN(n##6);     \
    TEN(n##7);     \
    TEN(n##8);     \
    TEN(n##9)
#define THOUSAND(n) \
    HUNDRED(n##0);  \
    HUNDRED(n##1);  \
    HUNDRED(n##2);  \
    HUNDRED(n##3);  \
    HUNDRED(n##4);  \
    HUNDRED(n##5);  \
    HUNDRED(n##6);  \
    HUNDRED(n##7);  \
    HUNDRED(n##8);  \
    HUNDRED(n##9)

THOUSAND(0);
THOUSAND(1);
THOUSAND(2);
THOUSAND(3);
THOUSAND(4);
extern volatile char __start_alike[], __stop_alike[];

static volatile long sink;

APART static void read_each(void)
{
    for (volatile char *p = __start_alike; p < __stop_alike; p += 64)
        sink += *p;
}

enum { SIZE = 256 << 10 };

APART static char *make_outer(void)
{
    return aligned_alloc(64, SIZE);
}

/* All but the first 16 bytes: it begins in the line that the outer one begins in. */
APART static void make_inner(char *outer)
{
    VALGRIND_MALLOCLIKE_BLOCK(outer + 16, SIZE - 16, 0, 0);
}

APART static void touch(volatile char *block)
{
    for (int i = 64; i < SIZE; i += 64)
        block[i] = 1;
}

int main(void)
{
    char *outer = make_outer();

    read_each();
    make_inner(outer);
    touch(outer);
    return 0;
}
