#include <config.h>

#include "names/type_path.h"

#include "names/brackets.h"

#include <string.h>

const char *type_without_keyword(const char *name)
{
    static const char *const words[] = {"struct ", "class ", "union ", "enum "};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(name, words[i], strlen(words[i])))
            return name + strlen(words[i]);
    return name;
}

const char *type_last_part(const char *path)
{
    const char *end = path + strlen(path), *next;

    while ((next = find_outside(path, end, "::")) != NULL)
        path = next + 2;
    return path;
}
