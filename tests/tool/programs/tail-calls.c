/*
 * tail-calls.c ROUNDS - functions that end in jumps to others. even and odd alternate ROUNDS times,
 * by jumps alone; first, second and third are a chain, walked four times.
 */
#include <stdlib.h>

static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE long third(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
    return sink;
}

SEPARATE long second(long n)
{
    sink++;
    return third(n + 1);
}

SEPARATE long first(long n)
{
    sink++;
    return second(n + 1);
}

SEPARATE long odd(long n);

SEPARATE long even(long n)
{
    sink++;
    return n == 0 ? 1 : odd(n - 1);
}

SEPARATE long odd(long n)
{
    sink++;
    return n == 0 ? 0 : even(n - 1);
}

int main(int argc, char **argv)
{
    long sum = 0;
    for (int i = 0; i < 4; i++)
        sum += first(10);
    sum += even(argc > 1 ? atol(argv[1]) : 0);
    return sum == 0;
}
