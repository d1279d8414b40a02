#include <config.h>

#include "names/unnamed.h"

#include "base/memory.h"
#include "names/object_name.h"

#include <string.h>

#define OFFSET "+0x"

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
