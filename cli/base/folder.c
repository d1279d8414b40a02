#include <config.h>

#include "base/folder.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *folder_of_user(const char *variable, const char *otherwise)
{
    const char *folder = getenv(variable), *home = getenv("HOME");

    /* By the specification a relative path is to be ignored. */
    if (folder && *folder == '/')
        return xstrdup(folder);
    return home && *home == '/' ? xasprintf("%s/%s", home, otherwise) : NULL;
}

int folder_make(const char *path, mode_t mode)
{
    char *copy = xstrdup(path);
    int failed = 0;

    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, mode) < 0 && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed || (mkdir(path, mode) < 0 && errno != EEXIST) ? -1 : 0;
}
