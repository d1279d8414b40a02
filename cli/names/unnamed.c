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

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789abcdef")];
}

bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f)
{
    const char *object;
    size_t size;

    if (!strcmp(f->name, UNNAMED) || (!strncmp(f->name, "0x", 2) && is_number(f->name + 2)))
        return true;
    if (f->object == CPROF_NONE)
        return false;
    object = object_name(profile->objects[f->object].path);
    size = strlen(object);
    return !strncmp(f->name, object, size) && !strncmp(f->name + size, OFFSET, strlen(OFFSET)) &&
           is_number(f->name + size + strlen(OFFSET));
}
