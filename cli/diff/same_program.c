#include <config.h>

#include "diff/same_program.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_DIGITS = 16 };

/* The length without "-0123456789abcdef", which cargo puts behind the names of tests. */
static size_t size_without_hash(const char *name, size_t size)
{
    size_t hash = HASH_DIGITS + 1;

    if (size <= hash || name[size - hash] != '-' ||
        strspn(name + size - HASH_DIGITS, "0123456789abcdef") < HASH_DIGITS)
        return size;
    return size - hash;
}

char *program_name(const struct cprof_profile *p)
{
    const char *path = p->program ? p->program : p->command, *name = path;
    size_t size;

    if (!path)
        return NULL;
    /* A command line begins with the program. */
    size = p->program ? strlen(path) : strcspn(path, " ");
    for (const char *c = path; c < path + size; c++)
        if (*c == '/')
            name = c + 1;
    size -= (size_t)(name - path);
    if (!size)
        return NULL;
    return xstrndup(name, size_without_hash(name, size));
}

bool same_program(const struct cprof_profile *a, const struct cprof_profile *b)
{
    char *x = program_name(a), *y = program_name(b);
    bool same = !x || !y || !strcmp(x, y);

    free(x);
    free(y);
    return same;
}

void same_program_note(const struct cprof_profile *old, const struct cprof_profile *new)
{
    char *x, *y;

    if (same_program(old, new))
        return;
    x = program_name(old);
    y = program_name(new);
    message_warning("these are two programs: the old profile is of '%s', the new one of '%s'", x,
                    y);
    free(x);
    free(y);
}
