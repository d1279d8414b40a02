/*
 * circles.c ROUNDS - functions that jump to and fro, and one that they call, which goes on to them:
 * what is jumped back to is on the path, but at times the running call has not jumped through it.
 */
#include <stdlib.h>

static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE long outer(long n);

SEPARATE long inner(long n)
{
    sink++;
    return n <= 0 ? sink : outer(n - 1);
}

SEPARATE long bridge(long n)
{
    sink++;
    return inner(n - 1) + 1;
}

SEPARATE long outer(long n)
{
    sink++;
    if (n <= 0)
        return sink;
    return n % 5 == 0 ? bridge(n - 1) + 1 : inner(n - 1);
}

int main(int argc, char **argv)
{
    return argc == 2 && outer(atol(argv[1])) > 0 ? 0 : 1;
}
