/*
 * contexts WALKS - goes down from layer to layer of functions, each time along another path: 6
 * layers of 8 functions have 299,593 call paths, which come in any order. For make bench.
 */
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 5, WIDTH = 8 };

static unsigned (*const layers[LAYERS + 1][WIDTH])(unsigned);

#define LAYER(n)   \
    FUNCTION(n, 0) \
    FUNCTION(n, 1) \
    FUNCTION(n, 2) FUNCTION(n, 3) FUNCTION(n, 4) FUNCTION(n, 5) FUNCTION(n, 6) FUNCTION(n, 7)
/* Without the sum the call would become a jump. */
#define FUNCTION(n, k)                                                   \
    __attribute__((noinline)) static unsigned layer##n##_##k(unsigned x) \
    {                                                                    \
        x = x * 1103515245 + 12345 + k;                                  \
        return layers[n + 1][x >> 29](x) + k;                            \
    }
LAYER(0)
LAYER(1)
LAYER(2)
LAYER(3)
LAYER(4)

__attribute__((noinline)) static unsigned leaf(unsigned x)
{
    return x >> 7;
}

#define ROW(n)                                                                              \
    {                                                                                       \
        layer##n##_0, layer##n##_1, layer##n##_2, layer##n##_3, layer##n##_4, layer##n##_5, \
            layer##n##_6, layer##n##_7                                                      \
    }

static unsigned (*const layers[LAYERS + 1][WIDTH])(unsigned) = {
    ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), {leaf, leaf, leaf, leaf, leaf, leaf, leaf, leaf}};

int main(int argc, char **argv)
{
    long walks = argc > 1 ? atol(argv[1]) : 1;
    unsigned x = 1, sum = 0;

    for (long i = 0; i < walks; i++) {
        x = x * 1664525 + 1013904223;
        sum += layers[0][x >> 29](x);
    }
    printf("%u\n", sum);
    return 0;
}
