#include <config.h>

#include "names/object_name.h"

#include "base/memory.h"

#include <stddef.h>
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

/*--- Functions without a name ---*/

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

/*--- Names of libc ---*/

char *libc_plain_name(const char *name)
{
    static const char *const processors[] = {"_avx", "_evex", "_sse", "_ssse", "_erms"};
    const char *begin = name + 2;

    if (strncmp(name, "__", 2) != 0)
        return xstrdup(name);
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        const char *end = strstr(begin, processors[i]);

        if (end && end > begin && *begin != '_')
            return xstrndup(begin, (size_t)(end - begin));
    }
    return xstrdup(name);
}
