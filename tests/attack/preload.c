/*
 * preload.c - lets the allocation number $ATTACK_FAIL of a program fail, counted from the first on,
 * and writes to $ATTACK_COUNT how many there were. Those that elfutils makes itself are left out:
 * libdw takes no care, and what it then reads at address 0 is not ours to mend.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long count, failing;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static int is_of_elfutils(const void *caller)
{
    Dl_info info;

    if (!dladdr(caller, &info) || !info.dli_fname)
        return 0;
    return strstr(info.dli_fname, "/libdw") || strstr(info.dli_fname, "/libelf") ||
           (info.dli_sname && strstr(info.dli_sname, "tsearch")); /* which it uses */
}

static int fails(const void *caller)
{
    if (is_of_elfutils(caller))
        return 0;
    if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("ATTACK_FAIL");

    count = 0;
    failing = number ? strtoul(number, NULL, 10) : 0;
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("ATTACK_COUNT");
    unsigned long total = count;
    FILE *out = path ? fopen(path, "w") : NULL;

    if (!out)
        return;
    fprintf(out, "%lu\n", total);
    fclose(out);
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes) || fails(__builtin_return_address(0)))
        return NULL;
    return __libc_realloc(old, bytes);
}
