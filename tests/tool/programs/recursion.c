/*
 * recursion.c DEPTH - fibonacci(15); back and forth, DEPTH deep in all: back works and calls forth,
 * which only calls back; functions through pointers; a sort's callback.
 */
#include <stdlib.h>

static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE long fibonacci(long n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

SEPARATE long forth(long n);

SEPARATE long back(long n)
{
    long sum;
    burn(100);
    sum = n ? forth(n - 1) : 0;
    sink++;
    return sum + 1;
}

SEPARATE long forth(long n)
{
    long sum = n ? back(n - 1) : 0;
    sink++;
    return sum + 1;
}

SEPARATE long twice(long n)
{
    sink++;
    return 2 * n;
}

SEPARATE long thrice(long n)
{
    sink++;
    return 3 * n;
}

SEPARATE long apply(long (*function)(long), long n)
{
    return function(n) + 1;
}

SEPARATE int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    int numbers[] = {3, 1, 2};
    long sum = fibonacci(15) + back(argc > 1 ? atol(argv[1]) : 0);
    for (int i = 0; i < 6; i++)
        sum += apply(i % 3 ? twice : thrice, i);
    qsort(numbers, 3, sizeof numbers[0], order);
    return sum == 0;
}
