#include <config.h>

#include "base/memory.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void memory_die(void)
{
    fputs("cargo-cprof: error: out of memory\n", stderr);
    exit(1);
}

static void *checked(void *memory)
{
    if (!memory)
        memory_die();
    return memory;
}

void *xmalloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xreallocarray(void *old, size_t n, size_t size)
{
    if (!n || !size)
        n = size = 1;
    return checked(reallocarray(old, n, size));
}

char *xstrdup(const char *text)
{
    return checked(strdup(text));
}

char *xstrndup(const char *text, size_t size)
{
    return checked(strndup(text, size));
}

/* vasprintf() takes twice the memory of a long text, and copies it again and again. */
char *xvasprintf(const char *format, va_list arguments)
{
    char brief[256], *text;
    va_list again;
    int size;

    va_copy(again, arguments);
    size = vsnprintf(brief, sizeof brief, format, arguments);
    if (size < 0)
        memory_die();
    text = xmalloc((size_t)size + 1);
    if ((size_t)size < sizeof brief)
        memcpy(text, brief, (size_t)size + 1);
    else
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

char *xasprintf(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    return text;
}

void memory_expect_much(void)
{
    enum { MUCH = 32 << 20, LARGE_PAGE = 2 << 20, USUAL_PAD = 128 << 10 };
    static bool done;
    uintptr_t begin, end;
    void *block;

    if (done)
        return;
    done = true;
    /* Blocks of up to 16 MB lie in the heap then, which is not made smaller. */
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, MUCH);
    block = malloc(LARGE_PAGE);
    mallopt(M_TOP_PAD, USUAL_PAD);
    begin = ((uintptr_t)block + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    end = (uintptr_t)sbrk(0) / LARGE_PAGE * LARGE_PAGE;
    /* Else the heap is not where malloc() took it from. */
    if (block && begin < end && end - begin <= 2 * (uintptr_t)MUCH)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    free(block);
}
