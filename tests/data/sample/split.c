#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile unsigned sink;
__attribute__((noinline)) void three(unsigned n)
{
    for (unsigned i = 0; i < 3 * n; i++)
        sink += i;
}
static inline __attribute__((always_inline)) void inlined(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
}
__attribute__((noinline)) void one(unsigned n)
{
    inlined(n);
    sink++;
}
__attribute__((noinline)) void recurse(unsigned depth, unsigned n)
{
    if (depth)
        recurse(depth - 1, n);
    else
        three(n);
    sink++;
}
static char block[1 << 20];
__attribute__((noinline)) void library(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        memset(block, (int)i, sizeof block);
        sink += (unsigned)block[i % sizeof block];
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;

    if (argc > 2) {
        library((unsigned)n * 10);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        recurse(10, 100000);
        one(100000);
    }
    return 3;
}
