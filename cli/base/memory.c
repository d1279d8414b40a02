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

char *xvasprintf(const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    return checked(text);
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
