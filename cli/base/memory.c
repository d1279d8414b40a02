#include <config.h>

#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
