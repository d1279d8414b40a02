#include <config.h>

#include "names/object_name.h"

#include <string.h>

const char *object_name(const char *path)
{
    const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

    return slash && slash[1] ? slash + 1 : path;
}

bool is_program(const struct cprof_profile *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!p->program)
        return false;
    return !strcmp(path, p->program) ||
           (slash && !strchr(p->program, '/') && !strcmp(slash + 1, p->program));
}
