/*
 * fans N - one call and one jump lead to each of 1,280 functions, in any order, from two contexts:
 * more than are found without asking.
 */
#include <stdio.h>
#include <stdlib.h>

#define FOUR(m, n)  m(n##0) m(n##1) m(n##2) m(n##3)
#define FOUR4(m, n) FOUR(m, n##0) FOUR(m, n##1) FOUR(m, n##2) FOUR(m, n##3)
#define FOUR5(m, n) FOUR4(m, n##0) FOUR4(m, n##1) FOUR4(m, n##2) FOUR4(m, n##3)
#define FOUR6(m, n) FOUR5(m, n##0) FOUR5(m, n##1) FOUR5(m, n##2) FOUR5(m, n##3)
#define ALL(m)      FOUR6(m, 0) FOUR6(m, 1) FOUR6(m, 2) FOUR6(m, 3) FOUR6(m, 4)

#define FUNCTION(n)                                                   \
    __attribute__((noinline)) static unsigned function##n(unsigned x) \
    {                                                                 \
        return x * 1664525 + 1013904223 + 1##n;                       \
    }
ALL(FUNCTION)

#define NAME(n) function##n,
static unsigned (*const functions[])(unsigned) = {ALL(NAME)};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

__attribute__((noinline)) static unsigned jump(unsigned x, unsigned among)
{
    return functions[(x >> 8) % among](x);
}

/* The first few are called most often: so do programs. */
__attribute__((noinline)) static unsigned call(unsigned x)
{
    unsigned y = functions[(x >> 8) % (x >> 30 ? 7 : FUNCTIONS)](x);

    return jump(y, 3) + jump(y, y >> 30 ? 20 : FUNCTIONS) + 1;
}

__attribute__((noinline)) static unsigned other(unsigned x)
{
    return call(x) + 1;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    unsigned x = 1;

    for (int i = 0; i < 1000 * n; i++)
        x = i % 3 ? call(x) : other(x);
    printf("%u\n", x);
    return 0;
}
