#include <config.h>

#include "run/baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "run/last.h"

#define FOLDER "baselines"
#define ENDING ".cprof"

bool baseline_is_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

char *baseline_path(const char *target, const char *name)
{
    char *folder = last_folder_make(target, FOLDER), *path;

    if (!folder)
        return NULL;
    path = xasprintf("%s/%s" ENDING, folder, name);
    free(folder);
    return path;
}

char *baseline_find(const char *target, const char *name)
{
    char *relative = xasprintf(FOLDER "/%s" ENDING, name), *path;

    path = baseline_is_name(name) ? last_find(target, relative) : NULL;
    free(relative);
    return path;
}

char *kept_profile_find(const char *name)
{
    struct stat unused;
    char *path, *relative;

    if (!strcmp(name, "-") || stat(name, &unused) == 0 || !baseline_is_name(name))
        return xstrdup(name);
    path = baseline_find(NULL, name);
    if (path)
        return path;
    if (!strcmp(name, "last"))
        return last_profile_path();
    relative = xasprintf("%s" ENDING, name);
    path = last_find(NULL, relative);
    free(relative);
    return path;
}

char *baseline_noise_path(const char *profile)
{
    size_t size = strlen(profile), ending = strlen(ENDING);

    if (size <= ending || strcmp(profile + size - ending, ENDING) != 0)
        return NULL;
    return xasprintf("%.*s.noise", (int)(size - ending), profile);
}

void baseline_folders(char *folders[2])
{
    last_folders(folders, FOLDER);
}
