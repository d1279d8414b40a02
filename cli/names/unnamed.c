#include <config.h>

#include "names/unnamed.h"

#include "base/memory.h"

#include <string.h>

#define OFFSET "+0x"

const char *object_name(const char *path)
{
    const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

    return slash && slash[1] ? slash + 1 : path;
}

char *unnamed_name(const char *path, uint64_t address)
{
    return xasprintf("%s" OFFSET "%llx", object_name(path), (unsigned long long)address);
}

bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f)
{
    const char *object, *digits;
    size_t size;

    if (!strcmp(f->name, UNNAMED))
        return true;
    if (f->object == CPROF_NONE)
        return false;
    object = object_name(profile->objects[f->object].path);
    size = strlen(object);
    if (strncmp(f->name, object, size) != 0 || strncmp(f->name + size, OFFSET, strlen(OFFSET)) != 0)
        return false;
    digits = f->name + size + strlen(OFFSET);
    return *digits && !digits[strspn(digits, "0123456789abcdef")];
}

bool is_program(const struct cprof_profile *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!p->program)
        return false;
    return !strcmp(path, p->program) ||
           (slash && !strchr(p->program, '/') && !strcmp(slash + 1, p->program));
}
