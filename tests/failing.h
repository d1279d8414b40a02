/*
 * failing.h - allocations that fail in turn. The linker puts the functions __wrap_... in the place
 * of those that they are named after: -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc
 * -Wl,--wrap=inflateInit2_. Included by one file of a program.
 */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <stdlib.h>
#include <zlib.h>

/* Allocations since failing_arm(); those that fail. */
static unsigned long failing_count, failing_first, failing_last;

/* From now on the allocations `from` to `to` fail, counted from 1; 0, 0: none. */
static void failing_arm(unsigned long from, unsigned long to)
{
    failing_count = 0;
    failing_first = from;
    failing_last = to;
}

static int failing_now(void)
{
    failing_count++;
    return failing_count >= failing_first && failing_count <= failing_last;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_inflateInit2_(z_streamp z, int bits, const char *version, int size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_inflateInit2_(z_streamp z, int bits, const char *version, int size);

void *__wrap_malloc(size_t size)
{
    return failing_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return failing_now() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return failing_now() ? NULL : __real_realloc(old, size);
}

int __wrap_inflateInit2_(z_streamp z, int bits, const char *version, int size)
{
    return failing_now() ? Z_MEM_ERROR : __real_inflateInit2_(z, bits, version, size);
}

#endif
