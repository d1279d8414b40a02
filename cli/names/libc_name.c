#include <config.h>

#include "names/libc_name.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

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
