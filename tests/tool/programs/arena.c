/*
 * arena.c - a malloc() of its own, whose blocks go all at once, by a function that has no known
 * name, for data.test. What follows lies where a larger block was.
 */
#include <stddef.h>

#define APART __attribute__((noinline, noclone, noipa))

static _Alignas(64) char arena[1 << 20];
static size_t used;

APART void *malloc(size_t n)
{
    void *block = arena + used;

    used += (n + 63) & ~(size_t)63;
    return block;
}

APART void free(void *block)
{
    (void)block;
}

/* All blocks go. The next one does not begin where the first one did. */
APART static void reset(void)
{
    used = 64;
}

APART static void touch(volatile char *block, size_t n)
{
    for (size_t i = 0; i < n; i += 64)
        block[i] = 1;
}

APART static void make_large(void)
{
    touch(malloc(256 << 10), 256 << 10);
}

APART static void make_small(void)
{
    touch(malloc(128 << 10), 128 << 10);
}

int main(void)
{
    make_large();
    reset();
    make_small();
    return 0;
}
