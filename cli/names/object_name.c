#include <config.h>

#include "names/object_name.h"

#include <string.h>

const char *object_name(const char *path)
{
    const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

    return slash && slash[1] ? slash + 1 : path;
}

bool object_is_kernel(const char *path)
{
    static const char *const others[] = {"[vdso]",    "[vsyscall]",  "[heap]",     "[stack]",
                                         "[unknown]", "[anonymous]", "[no stack]", "[JIT]"};
    const char *name = object_name(path);
    size_t size = strlen(name);

    if (*name != '[')
        return !strncmp(name, "vmlinux", 7) || !strcmp(name, "kcore") ||
               (size > 3 && !strcmp(name + size - 3, ".ko"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return false;
    return name[size - 1] == ']';
}

bool is_program(const struct cprof_profile *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!p->program)
        return false;
    return !strcmp(path, p->program) ||
           (slash && !strchr(p->program, '/') && !strcmp(slash + 1, p->program));
}
