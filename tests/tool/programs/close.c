/*
 * close COUNT BYTES - so many blocks of so many bytes side by side, from an allocator of its own,
 * whose functions are called close_get and close_put. Every other one goes again, and comes again.
 */
#include <stdlib.h>

static char *area, *end;

__attribute__((noinline)) void *close_get(size_t bytes, void *place)
{
    char *block = place ? place : end;

    if (!place)
        end += bytes;
    *block = 1;
    return block;
}

__attribute__((noinline)) void close_put(void *block)
{
    *(char *)block = 0;
}

static void every_other(size_t n, size_t bytes, int comes)
{
    for (size_t i = 0; i < n; i += 2)
        if (comes)
            close_get(bytes, area + i * bytes);
        else
            close_put(area + i * bytes);
}

int main(int argc, char **argv)
{
    size_t n = argc > 2 ? strtoul(argv[1], NULL, 10) : 0,
           bytes = n ? strtoul(argv[2], NULL, 10) : 0;

    area = end = malloc(n * bytes + 1);
    if (!area)
        return 1;
    for (size_t i = 0; i < n; i++)
        close_get(bytes, NULL);
    every_other(n, bytes, 0);
    every_other(n, bytes, 1);
    return 0;
}
