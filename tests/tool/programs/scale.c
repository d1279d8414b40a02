/* Functions whose costs grow in known ways: WHICH N, or N from a variable or standard input. */
#ifdef CPROF_ENABLE
#include "cprof-sections.h"
#else
#define CPROF_BEGIN(name)
#define CPROF_END(name)
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline, noclone))

static volatile uint64_t sink;

KEEP static void pairs(long n)
{
    for (long i = 0; i < n; i++)
        for (long k = 0; k < n; k++)
            sink += (uint64_t)(i ^ k);
}

KEEP static void triples(long n)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i; j++)
            for (long k = 0; k < j; k++)
                sink += (uint64_t)(i ^ j ^ k);
}

KEEP static void line(long n)
{
    for (long i = 0; i < n; i++)
        sink += (uint64_t)i;
}

static inline __attribute__((always_inline)) void inlined(long n)
{
    for (long i = 0; i < n; i++)
        sink ^= (uint64_t)(7 * i);
}

KEEP static void around(long n)
{
    inlined(3 * n);
}

/* Much work for each byte, and a little, for each line, that grows with what was read before. */
KEEP static uint64_t work(uint64_t byte)
{
    for (int i = 0; i < 40; i++)
        byte = byte * 31 ^ byte >> 7;
    return byte;
}

KEEP static void line_of(long at)
{
    for (long i = 0; i < at; i += 4)
        sink += 1;
}

KEEP static void parse(long n)
{
    for (long i = 0; i < n; i++) {
        sink += work((uint64_t)i);
        if (i % 64 == 63)
            line_of(i);
    }
}

KEEP static uint64_t subsets(long n)
{
    return n ? subsets(n - 1) + subsets(n - 1) + sink : 1;
}

KEEP static void merge(uint32_t *a, uint32_t *t, long middle, long n)
{
    for (long i = 0, j = middle, k = 0; k < n; k++)
        t[k] = j >= n || (i < middle && a[i] <= a[j]) ? a[i++] : a[j++];
    for (long k = 0; k < n; k++)
        a[k] = t[k];
}

KEEP static void sort(uint32_t *a, uint32_t *t, long n)
{
    if (n < 2)
        return;
    sort(a, t, n / 2);
    sort(a + n / 2, t, n - n / 2);
    merge(a, t, n / 2, n);
}

KEEP static void sorted(long n)
{
    uint32_t *a = malloc((size_t)n * 8), x = 12345;

    for (long i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        a[i] = x;
    }
    sort(a, a + n, n);
    sink += a[0];
    free(a);
}

/* A table that is made twice as large, and filled anew, when it is full. */
KEEP static void rehash(uint64_t *to, const uint64_t *from, long n)
{
    for (long i = 0; i < n; i++)
        to[i] = from[i] * 31;
}

KEEP static void grow(long n)
{
    uint64_t *all = malloc(4 * sizeof *all), *more;

    for (long i = 0, room = 4; i < n; i++) {
        if (i == room) {
            more = malloc((size_t)(room *= 2) * sizeof *more);
            rehash(more, all, i);
            free(all);
            all = more;
        }
        all[i] = (uint64_t)i;
    }
    sink += all[n - 1];
    free(all);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "", *from = argc > 2 ? argv[2] : getenv("SIZE");
    char text[64] = "0";
    long n;

    if (!from)
        from = fgets(text, sizeof text, stdin);
    n = from ? atol(from) : 0;
    if (!strcmp(which, "polynomials"))
        pairs(n), triples(n / 4), line(40 * n), line(1000), around(n);
    if (!strcmp(which, "hidden")) {
        CPROF_BEGIN("parsing");
        parse(n);
        CPROF_END("parsing");
        line(n);
    }
    if (!strcmp(which, "subsets"))
        subsets(n);
    if (!strcmp(which, "sort"))
        sorted(n);
    if (!strcmp(which, "grow"))
        grow(n);
    if (!strcmp(which, "late") && n > 2500)
        line(n * 100);
    while (!strcmp(which, "hangs") && n > 40)
        ;
    if (!strcmp(which, "hangs"))
        line(n);
    if (!strcmp(which, "lines"))
        for (n = 0; fgets(text, sizeof text, stdin);)
            line(100), n++;
    if (!strcmp(which, "fails") && n > 100)
        return 7;
    if (!strcmp(which, "small") && n < 100)
        return 7;
    if (!strcmp(which, "small"))
        pairs(n);
    if (!strcmp(which, "crashes") && n > 100)
        abort();
    return 0;
}
