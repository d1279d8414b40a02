/*
 * kinds ROUNDS - one computed call for many functions, from several contexts; some of them
 * are recursive. Prints a sum.
 */
#include <stdio.h>
#include <stdlib.h>

#define OWN __attribute__((noinline, noclone))

typedef unsigned Kind(unsigned n);

static OWN unsigned leaf(unsigned n)
{
    return n * 5;
}

static OWN unsigned branch(unsigned n)
{
    unsigned a = leaf(n);

    return n > 1 ? a + branch(n / 2) + leaf(n / 3) : a;
}

#define KIND(i)                                             \
    static OWN unsigned kind##i(unsigned n)                 \
    {                                                       \
        return n & 1 ? leaf(n + i) + 1 : branch(n % 9) + i; \
    }
KIND(0)
KIND(1)
KIND(2)
KIND(3)
KIND(4)
KIND(5)

static Kind *const kinds[] = {kind0, kind1, kind2, leaf, kind3, kind4, branch, kind5};

static OWN unsigned choose(unsigned n)
{
    return kinds[n % 8](n) + 1;
}

static OWN unsigned again(unsigned n)
{
    return n ? choose(n) + again(n / 3) + kinds[n / 3 % 8](n) : 0;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

    for (unsigned i = 0; i < rounds; i++) {
        sum += choose(i * 7) + branch(i);
        sum += choose(i) + leaf(i) + again(i);
    }
    printf("%u\n", sum);
    return 0;
}
