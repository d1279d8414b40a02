/*
 * loads - rep lods of 0, 1, 100, 20,000 and 1 elements: prints what is left
 * in its registers.
 */
#include <stdio.h>

static long from[20000];

static __attribute__((noinline)) long load(const long *source, unsigned long n, unsigned long *left,
                                           long *moved)
{
    const long *at = source;
    long value = 7;
    __asm__ volatile("rep lodsq" : "+S"(at), "+c"(n), "+a"(value) : : "memory");
    *left = n;
    *moved = at - source;
    return value;
}

int main(void)
{
    static const unsigned long counts[] = {0, 1, 100, 20000, 1};
    unsigned long left;
    long moved, value;

    for (long i = 0; i < 20000; i++)
        from[i] = i * i;
    for (int i = 0; i < 5; i++) {
        value = load(from, counts[i], &left, &moved);
        printf("%ld %lu %ld\n", value, left, moved);
    }
    return 0;
}
